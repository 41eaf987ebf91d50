"""The sources of an edition of the book in another language, for Sphinx to build."""

from functools import partial

import nbformat
import yaml

from pages.editions import say_in
from tools.translation.render import render


def write(root, language, folder, kept):
    """Write the sources of an edition into a folder; what did not change is not written again.

    `kept` is where builds keep what is the same in all editions.
    """
    (folder / "chapters").mkdir(parents=True, exist_ok=True)
    for room in ("assets", "pages"):
        if not (folder / room).is_symlink():
            (folder / room).symlink_to(root / room)
    names = "_config.yml", "_toc.yml"
    config, toc = (yaml.safe_load((root / name).read_text("utf-8")) for name in names)
    own = config["sphinx"]["config"]
    config["title"] = say_in(language, config["title"])
    config["html"]["baseurl"] += f"{language}/"
    config["repository"]["branch"] = language  # where its notebooks are, for Colab
    own["language"] = say_in(language, "en").replace("-", "_")
    own["mention_of_chapter"] = say_in(language, own["mention_of_chapter"])
    own["kept"] = str(kept)
    for part in toc["parts"]:
        part["caption"] = say_in(language, part["caption"])
    dumped = partial(yaml.safe_dump, allow_unicode=True, sort_keys=False)
    texts = dict(zip(names, map(dumped, (config, toc)), strict=True))
    for path in sorted(root.glob("chapters/*.ipynb")):
        notebook = render(path, language)
        texts[f"chapters/{path.name}"] = nbformat.writes(notebook) + "\n"
    for old in folder.glob("chapters/*"):
        if f"chapters/{old.name}" not in texts:
            old.unlink()
    for path, text in ((folder / name, text) for name, text in texts.items()):
        if not path.exists() or path.read_text("utf-8") != text:  # Sphinx looks at its time
            path.write_text(text, encoding="utf-8")
