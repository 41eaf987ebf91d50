"""The pieces of a code cell: its strings that are said to somebody, its comments and its title."""

import ast
import io
import re
import tokenize
from contextlib import suppress

from .pieces import Piece, has_words

TITLE = re.compile(r"# @title (.+)")
# Shapes, whose parts are short, and what other programs read.
PART = r"[^\s(),]+(?: [^\s(),]+){0,3}"
SHAPE = re.compile(
    rf"#\s*(?:\((?:{PART}(?:, ?|(?=\))))*\)[\s,.;]*)*$|# (?:NBVAL|noqa|type:|fmt:|ruff)"
)
# Arguments that are names of things, whatever they are called in a picture.
CODES = {
    *("role", "address", "play", "light", "touch", "device", "dtype", "encoding", "mode", "format"),
    *("reduction", "approximate", "rope_type", "where", "indexing", "norm_type", "live", "control"),
}
# In these the other half are names of controls.
HALVES = {"labels": "values", "at": "values", "then": "values", "drag": "keys"}
CALLED = {
    *("find_spec", "import_module", "einsum", "getattr", "setattr", "hasattr", "open", "Path"),
    *("register_buffer", "register_parameter", "add_module", "from_pretrained", "files"),
}
IDENTIFIER = re.compile(r"\w*_\w*|[\w.]+\.\w+|https?://\S+|git\+\S+|[\w-]+/[\w./-]+")
SETUP = "# @title Setup"


def pieces(source):
    """Yield what is said in a cell. Of the set-up, which is not shown, only the title."""
    if not source.startswith(SETUP):
        yield from strings(source)
    yield from comments(source)


def comments(source):
    starts = line_starts(source)
    for kind, text, (line, column), *_ in tokenize.generate_tokens(io.StringIO(source).readline):
        title = TITLE.match(text)
        first, role = (title.start(1), "title") if title else (2, "comment")
        if kind == tokenize.COMMENT and not SHAPE.match(text) and has_words(text[first:]):
            at = starts[line - 1] + column
            yield Piece(at + first, at + len(text), text[first:], role)


def strings(source):
    starts, lines = line_starts(source), source.split("\n")

    def place(line, column):
        """Where a place of the syntax tree, which counts bytes, is in the text."""
        return starts[line - 1] + len(lines[line - 1].encode()[:column].decode())

    for node in said(ast.parse(source, source.partition("\n")[0])):
        start = place(node.lineno, node.col_offset)
        stop = place(node.end_lineno, node.end_col_offset)
        write = as_fields if isinstance(node, ast.JoinedStr) else as_literal
        if source.startswith('"""', start):
            write = '"""{}"""'.format
        yield Piece(start, stop, message_of(node), "code", write)


def said(tree):
    """Yield the outermost strings that have words."""
    left = [tree]
    while left:
        node = left.pop()
        if isinstance(node, ast.JoinedStr) or is_text(node):
            texts = [one.value for one in ast.walk(node) if is_text(one)]
            if any(has_words(text) and not IDENTIFIER.fullmatch(text) for text in texts):
                yield node
        elif isinstance(node, ast.Call):
            left += arguments(node)
        elif isinstance(node, ast.Dict):  # perhaps the arguments of a call
            for pair in zip(node.keys, node.values, strict=True):
                if not (is_text(pair[0]) and pair[0].value in CODES):
                    left += filter(None, pair)
        else:
            left += ast.iter_child_nodes(node)


def arguments(call):
    """The parts of a call that may say something."""
    if name_of(call) in CALLED:
        return
    yield from [call.func, *call.args]
    for name, value in ((keyword.arg, keyword.value) for keyword in call.keywords):
        if name in HALVES and isinstance(value, ast.Dict):
            yield from getattr(value, HALVES[name])
        elif name not in CODES:
            yield value


def is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def name_of(call):
    return getattr(call.func, "id", getattr(call.func, "attr", ""))


def calls(source, *names):
    """The calls of these functions in a source, in the order of the text."""
    found = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    named = (call for call in found if name_of(call) in names)
    return sorted(named, key=lambda call: (call.lineno, call.col_offset))


def texts_in(source, *names):
    """The texts that these functions are called with in a source."""
    texts = (next(filter(is_text, call.args), None) for call in calls(source, *names))
    return [text.value for text in texts if text]


def message_of(node):
    """What a string says, with its fields as the code has them."""
    if is_text(node):
        return node.value
    return "".join(
        part.value.replace("{", "{{").replace("}", "}}") if is_text(part) else field(part)
        for part in node.values
    )


def field(part):
    how = "" if part.conversion == -1 else f"!{chr(part.conversion)}"
    form = f":{message_of(part.format_spec)}" if part.format_spec else ""
    return f"{{{ast.unparse(part.value)}{how}{form}}}"


def as_literal(said):
    quote = '"' if '"' not in said or "'" in said else "'"
    body = said.replace("\\", "\\\\").replace("\n", "\\n").replace(quote, f"\\{quote}")
    return f"{quote}{body}{quote}"


def as_fields(said):
    for quote in ('"', "'", '"""'):
        literal = f"f{quote}{said}{quote}".replace("\n", "\\n")
        with suppress(SyntaxError):
            ast.parse(literal)
            return literal
    raise ValueError(f"no f-string: {said!r}")


def line_starts(source):
    return [0, *[at + 1 for at, sign in enumerate(source) if sign == "\n"]]
