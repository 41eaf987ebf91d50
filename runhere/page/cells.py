"""Runs a reader's cell as a notebook does: what it prints, its last value, and its error."""

import ast
import contextlib
import io
import linecache
import traceback

COUNT = [0]


def run(source, space):
    """{"out": what was printed, "value": the last expression's, "error": ..., "line": of the cell}."""
    COUNT[0] += 1
    name = f"<cell {COUNT[0]}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    out, value, error, line = io.StringIO(), "", "", None
    with contextlib.redirect_stdout(out):
        try:
            tree = ast.parse(source, name)
            last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
            exec(compile(tree, name, "exec"), space)
            if last is not None:
                got = eval(compile(ast.Expression(last.value), name, "eval"), space)
                if got is not None and not source.rstrip().endswith(";"):
                    value = repr(got)
        except BaseException as raised:
            error, line = told(raised, name)
    return {"out": out.getvalue(), "value": value, "error": error, "line": line}


def told(raised, name):
    """An error as Python prints it, of the cells' lines alone, and the last line of this cell."""
    shown = getattr(raised, "_render_traceback_", None)
    found = traceback.TracebackException.from_exception(raised)
    lines = [frame.lineno for frame in found.stack if frame.filename == name]
    if isinstance(raised, SyntaxError) and raised.filename == name:
        lines.append(raised.lineno)
    line = lines[-1] if lines else None
    if shown:
        return "\n".join(shown()), line
    found.stack = traceback.StackSummary.from_list(
        [frame for frame in found.stack if frame.filename.startswith("<cell")]
    )
    found.__cause__ = found.__context__ = None
    return "".join(found.format()).replace(f'File "{name}"', "Cell").strip(), line
