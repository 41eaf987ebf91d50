"""TeX in titles and labels: matplotlib's mathtext draws it once, when a figure is made.

A state has a formula as words that can be read aloud, between two signs that nobody sees, and in
its "tex" what draws them: the source for the still picture, an outline for the page.
"""

import re
import unicodedata
from functools import cache

# A formula stands between dollars as Pandoc has it, so that "from $5 to $10" is none.
MATH = re.compile(r"(?<!\\)\$(?=\S)((?:[^$\\]|\\.)+?)(?<=\S)\$(?!\d)")
SIGN = "\u2063"
ALIKE = "\u2061"
MARKED = re.compile(f"{SIGN}([^{SIGN}]*){SIGN}")
# What names a panel's parts; where formulas may stand; where none is drawn.
NAMED = ("name", "xlabel", "ylabel", "xticks", "yticks", "rowNames", "points", "names")
LABELS = (*NAMED, "label", "specs")
CONTENT = ("content", "tokens", "target")
# Parts of an em in which outlines are drawn, and the points of a label in still pictures.
UNIT, POINTS = 200, 8.5

SYMBOLS = {
    "cdot": "·",
    "times": "×",
    "top": "⊤",
    "sqrt": "√",
    "sum": "∑",
    "prod": "∏",
    "int": "∫",
    "infty": "∞",
    "partial": "∂",
    "nabla": "∇",
    "le": "≤",
    "leq": "≤",
    "ge": "≥",
    "geq": "≥",
    "neq": "≠",
    "approx": "≈",
    "pm": "±",
    "to": "→",
    "in": "∈",
    "rightarrow": "→",
    "ldots": "…",
    "dots": "…",
    "varepsilon": "ε",
}
# What says how to write, not what.
LOOKS = re.compile(r"\\(d?frac|math\w+|text\w*|operatorname|left|right|big\w?)(?![a-zA-Z])", re.I)


def reading(source):
    """A formula as words: 'q^⊤ k/√d_k'."""
    text = LOOKS.sub("", source).replace("}{", "/")
    text = re.sub(r"\\([a-zA-Z]+)", lambda found: symbol(found[1]), text)
    text = re.sub(r"\\([^a-zA-Z\s])", lambda found: " " if found[1] in ",;:!" else found[1], text)
    return " ".join(re.sub(r"[{}~\\]", "", text).split())


def symbol(name):
    """A command of TeX as its sign, or as its name."""
    size = "CAPITAL" if name[0].isupper() else "SMALL"
    greek = f"GREEK {size} LETTER {name.upper().replace('LAMBDA', 'LAMDA')}"
    try:
        return SYMBOLS.get(name) or unicodedata.lookup(greek)
    except KeyError:
        return f"{name} "


def plain(text):
    """A text of a state without the signs around its formulas."""
    return text.replace(SIGN, "").replace(ALIKE, "")


class Formulas:
    """The formulas of a figure, gathered from its labels: words -> [source, and what draws it]."""

    def __init__(self):
        self.found = {}

    def mark(self, what, thing):
        """A label, or a panel with its labels, with words in the place of formulas."""
        if isinstance(thing, str):
            return MATH.sub(lambda found: self.words(what, found[1]), thing).replace(r"\$", "$")
        if isinstance(thing, dict):
            return {
                key: self.mark(f"{what}, {key}", part) if key in LABELS else part
                for key, part in thing.items()
            }
        return [self.mark(what, part) for part in thing] if isinstance(thing, list) else thing

    def words(self, what, source):
        words = reading(source)
        # Formulas that are read alike are told apart by one more sign that nobody sees.
        while self.found.get(words, [source])[0] != source:
            words += ALIKE
        if words not in self.found:
            self.found[words] = [source, *drawn(what, source)]
        return f"{SIGN}{words}{SIGN}"


def drawn(what, source):
    """A formula's width, how far it goes up and down, and its outline, in parts of an em."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.mathtext import MathTextParser
    from matplotlib.textpath import TextPath

    try:
        parsed = MathTextParser("path").parse(f"${source}$", 72, FontProperties(size=UNIT))
    except ValueError as error:
        told = " ".join(line.strip() for line in str(error).strip().splitlines()[2:])[:200]
        raise ValueError(
            f"{what}: expected TeX that matplotlib's mathtext knows between the dollars, got "
            f"{source!r}; mathtext says: {told}"
        ) from None
    path = TextPath((0, 0), f"${source}$", size=UNIT)
    depth = round(parsed.depth)
    return round(parsed.width), round(parsed.height) - depth, depth, outline(path)


def outline(path):
    """A path of matplotlib as SVG has it, in whole numbers, each from the one before."""
    letters, parts, here = {1: "m", 2: "l", 3: "q", 4: "c"}, [], (0, 0)
    start = here
    for points, code in path.iter_segments(simplify=False, curves=True):
        if code not in letters:
            parts.append("z")
            here = start
            continue
        ends = [(round(x), -round(y)) for x, y in points.reshape(-1, 2)]
        numbers = " ".join(f"{x - here[0]} {y - here[1]}" for x, y in ends)
        parts.append(letters[code] + numbers.replace(" -", "-"))
        here = ends[-1]
        start = here if code == 1 else start
    return "".join(parts)


def sourced(thing, found):
    """What a still picture writes, as mathtext reads it: other dollars are escaped."""
    if isinstance(thing, str):
        return MARKED.sub(
            lambda words: f"${found[words[1]][0]}$" if words[1] in found else words[1],
            thing.replace("$", r"\$"),
        )
    if isinstance(thing, dict):
        return {
            key: part if key in CONTENT else sourced(part, found) for key, part in thing.items()
        }
    return [sourced(part, found) for part in thing] if isinstance(thing, list) else thing


@cache
def beyond(text):
    """How much higher than a line a text of a still picture is, in inches."""
    sizes = [drawn("", source) for source in MATH.findall(text)]
    high = max((up + down for _, up, down, _ in sizes), default=0) / UNIT
    return max(0.0, high - 1.3) * POINTS / 72
