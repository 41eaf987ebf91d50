"""What a check leaves in the output of its cell: a page without a kernel can say the same."""

import html
import json

from kernelfree.book import in_notebook, say


def show(sentence, exercise):
    """Say a sentence; in a notebook, with the verdicts on what can be typed as an answer.

    The page reads them from here: nothing is written twice. A reader who looks for the answer in
    the page's source may find it, as in the solution one click away.
    """
    if not in_notebook():
        return print(sentence)
    from IPython.display import display

    page = (
        f'<div class="d2lmini-answer"><p>{html.escape(sentence)}</p>'
        f'<script type="application/json">{verdicts(exercise)}</script></div>'
    )
    return display({"text/plain": sentence, "text/html": page}, raw=True)


def verdicts(exercise):
    """The right answer and the slips of an exercise whose answer is no function, as JSON."""
    data = {
        "expected": plain(exercise.expected),
        "praise": say(exercise.praise),
        "slips": [[say(why), plain(wrong)] for why, wrong in exercise.slips.items()],
        "tolerance": exercise.tolerance,
        **({"any_order": True} if exercise.any_order else {}),
        **({"example": exercise.example} if exercise.example else {}),
    }
    return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")


def plain(answer, digits=7):
    """An answer as JSON has it: text, or numbers in (nested) lists, to digits that all agree on."""
    if hasattr(answer, "tolist"):
        answer, digits = answer.tolist(), 7 if answer.dtype.itemsize == 8 else 5
    if isinstance(answer, list | tuple):
        return [plain(one, digits) for one in answer]
    return answer if isinstance(answer, str) else float(f"{answer:.{digits}g}")
