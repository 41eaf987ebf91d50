"""What a reader sees where Markdown is only Markdown: CommonMark, tables, mathematics, plain HTML.

Colab, VS Code, JupyterLab, nbviewer and GitHub agree on no more than that. So each cell is rendered
by a plain CommonMark renderer with `$` mathematics, and no markup may be left in the text.
"""

import re
from collections import Counter

import pytest
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

import chapters

PAGES = [pytest.param(page, id=page.stem) for page in chapters.pages()]

# The strict reading: `$ x $` and `2$x$3` are text on GitHub.
PLAIN = MarkdownIt("commonmark", {"html": True}).enable("table")
PLAIN.use(dollarmath_plugin, allow_space=False, allow_digits=False, double_inline=True)

# Markup that somebody forgot to close, or that only one renderer knows.
RAW = {
    "a dollar sign": r"\$",
    "TeX": r"\\[A-Za-z]{2,}|\\\(|\\\[",
    "a directive": r":::|```|~~~",
    "a role": r"\{[a-z:-]+\}",
    "a target": r"^\([\w-]+\)=",
    "a tag": r"</?[A-Za-z][\w-]*[ >/]",
    "emphasis": r"\*\*|(?<!\w)__|(?<!\S)[*_](?=\w)|(?<=\w)[*_](?!\S)",
    "code": r"`",
    "a link": r"\]\(|\]\[|\] \(http",
    "a picture": r"!\[",
    "a footnote": r"\[\^",
    "a heading": r"^#{1,6} ",
    "a table": r"\|.*\|",
    "a task or struck text": r"^\[[ x]\] |~~",
}

# HTML that every place shows as it is meant. Scripts, styles and attributes are often removed.
TAGS = "div details summary a br sub sup kbd strong em code b i p pre"
VOID = {"br"}
# What the book's pages know; where classes are removed, a fold and a sentence are left.
CLASSES = {"question", "right", "hint", "prompt", "all-prompts", "answers-file", "finger"}
HIDDEN = "\N{OBJECT REPLACEMENT CHARACTER}"  # stands for code and formulas, which are checked apart


def shown(source):
    """Render a cell: the lines of text that are seen, the formulas, and the HTML between them."""
    lines, formulas, markup = [], [], []
    for token in PLAIN.parse(source):
        if token.type == "html_block":
            markup.append(token.content)
            # Here Markdown is not rendered: what stands between tags is seen as it is.
            lines += re.sub(r"<[^>]*>", "\n", token.content).splitlines()
        elif token.type == "fence" and token.info.startswith("{"):
            lines.append(token.markup + token.info)  # a directive of MyST
        elif token.type.startswith("math_block"):
            formulas.append(token.content)
        elif token.type == "inline":
            line = []
            for child in token.children:
                if child.type == "text":
                    line.append(child.content)
                elif child.type == "code_inline":
                    line.append(HIDDEN)
                elif child.type.startswith("math"):
                    formulas.append(child.content)
                    line.append(HIDDEN)
                elif child.type in ("softbreak", "hardbreak"):
                    line.append("\n")
                elif child.type == "html_inline":
                    markup.append(child.content)
                elif child.type == "image" and not child.attrs["src"].startswith("data:"):
                    line.append(f"![{child.content}]")  # a file is elsewhere in another place
            lines += "".join(line).splitlines()
    return lines, formulas, "".join(markup)


def raw(source):
    lines, *_ = shown(source)
    return [(what, line) for line in lines for what, pattern in RAW.items() if re.search(pattern, line.strip())]


@pytest.mark.parametrize("page", PAGES)
def test_no_markup_is_seen(page):
    seen = [place for source in chapters.cells(page, "markdown") for place in raw(source)]
    assert not seen, f"{len(seen)} places: {seen}"


@pytest.mark.parametrize("page", PAGES)
def test_the_html_is_plain_and_closed(page):
    for source in chapters.cells(page, "markdown"):
        formula = re.search(r"<a [^>]*>[^<]*\$|\[[^][]*\$[^][]*\]\(", source)
        assert not formula, f"VS Code and GitHub set no formula in a link: {formula[0]}"
        markup = shown(source)[2]
        still_open = []
        for slash, tag in re.findall(r"<(/?)([A-Za-z]\w*)", markup):
            assert tag in TAGS.split(), f"<{tag}> is removed in some places"
            if slash:
                assert still_open[-1:] == [tag], f"</{tag}> closes {still_open[-1:]} in:\n{source}"
                still_open.pop()
            elif tag not in VOID:
                still_open.append(tag)
        assert not still_open, f"{still_open} stay open in:\n{source}"
        assert not re.search(r"\s(style|on\w+)=", markup), "attributes that are removed"
        assert set(re.findall(r'\sclass="([^"]*)"', markup)) <= CLASSES


@pytest.mark.parametrize("page", PAGES)
def test_every_formula_is_whole(page):
    for formula in (one for s in chapters.cells(page, "markdown") for one in shown(s)[1]):
        plain = re.sub(r"\\[\\{}]", "", formula)  # less escaped braces and line breaks
        assert plain.count("{") == plain.count("}"), formula
        sides = Counter(re.findall(r"\\(left|right)\b", formula))
        assert sides["left"] == sides["right"], formula
        begun = re.findall(r"\\begin\{(\w+\*?)\}", formula)
        assert sorted(begun) == sorted(re.findall(r"\\end\{(\w+\*?)\}", formula)), formula
        # What MathJax 2 and 3 and KaTeX do not share.
        assert not re.search(r"\\(label|eqref|ref|require|newcommand|def)\b", formula), formula
    for source in chapters.cells(page, "markdown"):
        children = (child for token in PLAIN.parse(source) for child in token.children or [])
        inline = [child.content for child in children if child.type == "math_inline"]
        assert not any(r"\tag" in formula for formula in inline), "a tag needs $$"
