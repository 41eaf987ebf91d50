"""Sum up what a class has answered: files that the page of the review exports.

    python tools/answers.py FOLDER

Prints each question with how many have answered it and how many of them were right, the least known
first, and below it what the others chose. A file that cannot be read is named and left out. No
other file's name is printed or kept.
"""

import json
import sys
from collections import Counter
from pathlib import Path

from lxml import html

ROOT = Path(__file__).resolve().parents[1]


def questions(folder):
    """What the built pages ask: {id: how it begins}."""
    found = {}
    for path in sorted(folder.glob("[0-9]*.html")):
        for box in html.parse(path).xpath("//*[@data-answer]"):
            for formula in box[0].find_class("katex"):  # which holds it twice, for eye and ear
                source = formula.findtext(".//annotation")
                formula.clear(keep_tail=True)
                formula.text = source
            said = " ".join(box[0].text_content().split()).removesuffix("#")
            found[box.get("data-answer")] = f"{path.stem[:2]}: {said[:90]}"
    return found


def answered(path):
    """The answers in one exported file: {id: (whether right, what was chosen)}, if it is one."""
    try:
        answers = json.loads(path.read_text(encoding="utf-8"))["answers"]
        return {
            str(id): (answer["right"] is True, " ".join(str(answer.get("choice", "")).split())[:90])
            for id, answer in answers.items()
        }
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        why = f"is no file that the page of the review has exported, and is left out ({error!r})"
        print(f"answers: {path} {why}", file=sys.stderr)


def main(folder, book=ROOT / "_build" / "html" / "chapters"):
    asked, tried, right, wrong = questions(book), Counter(), Counter(), {}
    if not asked:
        sys.exit(
            f"answers: no built book in {book}, which has the questions: run `make book` first"
        )
    read = map(answered, sorted(Path(folder).glob("*.json")))
    files = [answers for answers in read if answers is not None]
    if not files:
        sys.exit(f"answers: no .json file in {folder} that the page of the review has exported")
    for answers in files:
        tried.update(list(answers))
        for id, (known, choice) in answers.items():
            right[id] += known
            if choice and not known:
                wrong.setdefault(id, Counter())[choice] += 1
    known = sorted((id for id in tried if id in asked), key=lambda id: right[id] / tried[id])
    print(f"{len(files)} files, {len(known)} questions answered\n\nright  of  question")
    for id in known:
        print(f"{right[id]:5}  {tried[id]:2}  {asked[id]}")
        for choice, count in wrong.get(id, Counter()).most_common():
            print(f"{count:16}: {choice}")
    if gone := len(tried) - len(known):
        print(f"\n{gone} answers are to questions that this edition no longer asks.")


if __name__ == "__main__":
    main(*sys.argv[1:])
