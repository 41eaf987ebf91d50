"""What becomes of a page's body: light pictures, figures that share a script, links."""

import base64
import hashlib
import json
import re
import struct
from pathlib import Path

from d2lmini.figures.script import NOW

TAG = re.compile(r"\\tag\{(\d+\.\d+)\}")


def collect(app):
    """Note every numbered equation and every chapter, and the page that each is on."""
    app.env.book_equations, app.env.book_chapters = {}, {}
    for path in sorted(Path(app.srcdir, "chapters").glob("*.ipynb")):
        page = f"chapters/{path.stem}"
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        text = "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
        heading = re.match(r"# (\d+)\. (.+)", text)
        if heading is None or page not in app.env.found_docs:
            continue
        app.env.book_chapters[heading[1]] = (page, heading[2])
        for tag in TAG.findall(text):
            app.env.book_equations[tag] = (page, heading[2])


def finish(app, pagename, body, at_once):
    """The page's body as readers get it; `at_once`: its first figure is drawn without delay."""
    body = figures(app, pagename, body)
    if at_once:
        first = re.compile(r'(<div class="d2lmini-figure".*?</script>)', re.DOTALL)
        body = first.sub(rf"\1<script>{NOW}</script>", body, count=1)
    body = pictures(app, body)
    body = equations(body)
    # The corner of a table heads nothing.
    body = body.replace('<th class="head"><p></p></th>', "<td></td>")
    return links(app, pagename, body)


FIGURE = re.compile(
    r'(<div class="d2lmini-figure"[^>]*>)\s*'
    r'(<img [^>]*?src=")data:image/png;base64,([^"]+)("[^>]*>)'
    r'(\s*<script type="application/json">[^<]*</script>)'
    r"\s*<script>[^<]*(?:<(?!/script>)[^<]*)*</script>"
)


def figures(app, pagename, body):
    """Figures share one script file; the still picture is a file for those who run no scripts."""
    images = Path(app.outdir, "_images")
    images.mkdir(parents=True, exist_ok=True)
    root = "../" * pagename.count("/")

    def replace(match):
        start, image, data, rest, state = match.groups()
        data = base64.b64decode(data)
        name = f"figure-{hashlib.sha256(data).hexdigest()[:16]}.png"
        (images / name).write_bytes(data)
        return f"{start}<noscript>{image}{root}_images/{name}{rest}</noscript>{state}"

    return FIGURE.sub(replace, body)


def pictures(app, body):
    """Pictures of outputs know their size before they come, and come when they are needed."""
    sources = {Path(name).name: path for path, name in app.builder.images.items()}

    def replace(match):
        name = Path(match[2]).name
        if name not in sources or not name.endswith(".png"):
            return match[0]
        header = Path(app.srcdir, sources[name]).read_bytes()[:24]
        width, height = struct.unpack(">II", header[16:24])
        size = f'width="{width}" height="{height}" loading="lazy"'
        return f'<img{match[1]} src="{match[2]}" {size}{match[3]}>'

    return re.sub(r'<img((?: alt="[^"]*")?) src="([^"]*_images/[^"]+)"( ?/?)>', replace, body)


def equations(body):
    """A numbered equation has an address, and a mark that shows it."""
    start, *parts = body.split('<div class="math')
    for i, part in enumerate(parts):
        tag = TAG.search(part.split("</div>", 1)[0])
        if tag:
            link = f'<a class="headerlink" href="#eq-{tag[1]}" title="Link to this equation">#</a>'
            rest = part.split("</div>", 1)
            part = f"{rest[0]}{link}</div>{rest[1]}".replace('"', f'" id="eq-{tag[1]}"', 1)
        parts[i] = part
    return '<div class="math'.join([start, *parts])


# What is neither text to link in nor to be searched.
SKIP = {"a", "pre", "code", "script", "svg", "math", "h1", "h2", "h3", "button"}
CHINESE = re.compile("[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]+")
MENTION = re.compile(r"\((\d+\.\d+)\)|\b([Cc]hapter) (\d+)\b")


def chinese(match):
    """Mark Chinese; it has its room before its font is there, since each character is square."""
    return f'<span lang="zh-Hans" style="width: {len(match[0])}em">{match[0]}</span>'


def links(app, pagename, body):
    """Mentions of equations and chapters lead there, and say on hover where that is."""

    def replace(match):
        equation, word, number = match.groups()
        known = app.env.book_equations if equation else app.env.book_chapters
        page, title = known.get(equation or number, (None, None))
        if page is None or (page == pagename and not equation):
            return match[0]
        address = "" if page == pagename else app.builder.get_relative_uri(pagename, page)
        if equation:
            where = f"Equation {equation}" + (f", {title}" if address else "")
            return f'(<a href="{address}#eq-{equation}" title="{where}">{equation}</a>)'
        return f'<a href="{address}" title="{title}">{word} {number}</a>'

    done, skipping = [], None
    for piece in re.split(r"(<[^>]*>)", body):
        if piece.startswith("<"):
            name = re.match(r"</?([a-z0-9]*)", piece)[1]
            if skipping is None and (name in SKIP or 'class="katex' in piece):
                skipping, depth = name, 0
            if skipping == name and not piece.endswith("/>"):
                depth += -1 if piece.startswith("</") else 1
                if depth == 0:
                    skipping = None
        elif skipping is None:
            piece = CHINESE.sub(chinese, MENTION.sub(replace, piece))
        done.append(piece)
    return "".join(done)
