"""What the built book asks: questions, exercises and prompts, with their formulas."""

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from html import escape
from itertools import takewhile

from lxml import html


@dataclass
class Question:
    """A question, an exercise, a figure's question or a prompt, as the built page has it."""

    kind: str
    said: html.HtmlElement
    place: str  # its address in the built book
    more: str = ""  # what an exercise asks, as HTML
    choices: list = field(default_factory=list)  # (text, reply as HTML, whether right)
    check: dict | None = None  # of an exercise with a box
    replies: Counter = field(default_factory=Counter)  # {(what was chosen, whether right): count}

    @property
    def asked(self):
        return self.replies.total()

    @property
    def right(self):
        return sum(count for (_, right), count in self.replies.items() if right)

    @property
    def known(self):
        """The share of right replies."""
        return self.right / self.asked


@dataclass
class Chapter:
    title: str
    questions: dict  # {id: Question}

    def answered(self, *kinds):
        return [q for q in self.questions.values() if q.asked and q.kind in kinds]


def book(folder):
    """What the built pages ask, in their order, and the mark of the edition."""
    chapters = []
    for path in sorted(folder.glob("*.html")):
        tree = html.document_fromstring(path.read_text(encoding="utf-8"))
        found = dict(questions(tree, path)) if path.stem != "review" else {}
        if found:
            title = tree.findtext(".//title") or path.stem
            heading = tree.xpath("//h1//*[@role='heading'] | //h1[not(.//*[@role='heading'])]")
            title = plain(heading[0]).removesuffix("#") if heading else title
            chapters.append(Chapter(title, found))
    review = folder / "review.html"
    mark = (
        re.search(r'data-edition="(\w+)"', review.read_text("utf-8")) if review.exists() else None
    )
    return chapters, mark and mark[1]


def questions(tree, path):
    """What a page asks: (id, Question)."""
    for box in tree.xpath("//*[@data-answer]"):
        kind = box.get("class")
        place = box.xpath("ancestor-or-self::*[@id][1]/@id")
        question = Question(kind, box[0], f"{path.name}#{place[0]}" if place else path.name)
        if kind == "question":
            question.choices = [choice(details) for details in box.iterfind("details")]
        elif kind == "exercise":
            for one in box.xpath(".//*[@class='d2lmini-answer']/script"):
                question.check = json.loads(one.text)
            question.more = "".join(map(readable, takewhile(is_asked, box[1:])))
        yield box.get("data-answer"), question
    page = re.sub(r"^\d+_", "", path.stem)
    for figure in tree.xpath("//*[starts-with(@class, 'kernelfree-figure')][script]"):
        asks = json.loads(figure.find("script").text).get("predict")
        if asks:
            said = html.Element("p")
            said.text = asks["question"]
            own = figure.get("id")
            found = Question("figure", said, f"{path.name}#{own}")
            for place, (text, reply) in enumerate(asks["choices"]):
                found.choices.append((text, escape(reply), place == asks["answer"]))
            yield f"{page}/{own}", found


def is_asked(part):
    """Whether a part of an exercise comes before its hint and its cells."""
    return part.tag != "details" and "cell" not in part.classes


def choice(details):
    """A choice of a quiz: its text, its reply as HTML, and whether it is right."""
    said, *reply = details
    return plain(said), "".join(map(readable, reply)), "right" in details.classes


# ---- formulas ------------------------------------------------------------------------------------

ALONE = re.compile(r"√?\w*|[^\w\s]")  # what needs no brackets above or below a line


def plain(node):
    """A part of a page as text, its formulas in one line each."""
    if node.tag == "math":
        return formula(node.find("semantics")[0] if node.find("semantics") is not None else node)
    if "katex" in node.classes and node.find(".//math") is not None:
        return plain(node.find(".//math"))
    if "headerlink" in node.classes or node.get("aria-hidden") == "true":
        return ""
    parts = [node.text or ""]
    for child in node:
        parts += [plain(child) if isinstance(child.tag, str) else "", child.tail or ""]
    return re.sub(r"\s+", " ", "".join(parts))


def formula(node):
    """MathML in one line: fractions with a slash, indices behind _ and ^."""
    parts = [formula(child) for child in node if child.tag != "annotation"]
    bare = [one if ALONE.fullmatch(one) else f"({one})" for one in parts]
    match node.tag:
        case "mfrac":
            return "/".join(bare)
        case "msqrt":
            return (
                f"√{''.join(parts)}"
                if len(parts) == 1 and bare == parts
                else f"√({''.join(parts)})"
            )
        case "msub" | "munder":
            return "_".join([parts[0], *bare[1:]])
        case "msup" | "mover":
            return "^".join([parts[0], *bare[1:]])
        case "msubsup" | "munderover":
            return f"{parts[0]}_{bare[1]}^{bare[2]}"
        case "mo" if (node.text or " ") in "=<>≤≥≈→+−" and node.getprevious() is not None:
            return f" {node.text} "
        case _:
            return (node.text or "").replace("\u2061", " ").strip() + "".join(parts)


def readable(node):
    """A part of a page as HTML, its formulas as MathML, which browsers draw by themselves."""
    if node.tag == "math":
        node = html.fromstring(html.tostring(node, encoding="unicode", with_tail=False))
        for source in node.xpath(".//annotation"):
            source.drop_tree()
        for applied in node.xpath(".//mo[.='\u2061'][not(following-sibling::*[1][self::mo])]"):
            applied.addnext(html.Element("mspace", width="0.17em"))  # ln 3
        return html.tostring(node, encoding="unicode", with_tail=False)
    if "katex" in node.classes and node.find(".//math") is not None:
        return readable(node.find(".//math"))
    if "headerlink" in node.classes or node.get("aria-hidden") == "true":
        return ""
    text = escape(node.text or "")
    for child in node:
        text += (readable(child) if isinstance(child.tag, str) else "") + escape(child.tail or "")
    kept = node.tag in ("p", "code", "em", "strong", "sub", "sup", "ul", "ol", "li")
    return f"<{node.tag}>{text}</{node.tag}>" if kept else text


def replies(question):
    """What was said to a question: (text, reply as HTML, whether right, count)."""
    if question.choices:
        for place, (text, reply, right) in enumerate(question.choices):
            count = sum(n for (said, _), n in question.replies.items() if said == place)
            yield text, reply, right, count
    by_sentence = {}
    for (said, right), count in question.replies.items():
        if isinstance(said, tuple):
            by_sentence.setdefault(said[1], Counter())[said[0]] += count
        elif not right and not isinstance(said, int):
            yield said, "", False, count
    for why, texts in sorted(by_sentence.items(), key=lambda one: -one[1].total()):
        said = ", ".join(f"{text} ({n})" if n > 1 else text for text, n in texts.most_common(5))
        yield said, escape(why), False, texts.total()
