"""Scripts: what is committed is what is made, and stored figures have it."""

import base64
import json
import re
import zlib

import nbformat
import pytest
from made_scripts import MADE, ROOT, node

from tools import scripts
from tools.translation import catalogs

# What a packed script holds.
PACKED = re.compile(r'(?<=atob\(")[^"]+')
MADE_IN = {"static"}


@pytest.mark.beyond
@pytest.mark.parametrize("language", [None, *catalogs.languages()])
def test_the_committed_scripts_are_those_that_are_made(language, tmp_path):
    node("node", "tools/bundle.mjs", tmp_path, language or "en")
    for folder in MADE:
        places = (home / folder / (language or "") for home in (tmp_path, ROOT))
        made, committed = ({p.name: unpacked(p) for p in place.glob("*.*")} for place in places)
        assert made == committed, "run `make scripts`"


def unpacked(path):
    """A script's text, what it holds packed as it is packed: that differs between processors."""
    plain = lambda found: zlib.decompress(base64.b64decode(found[0]), wbits=-15).decode()  # noqa: E731
    return PACKED.sub(plain, path.read_text("utf-8"))


def test_scripts_are_formatted_and_linted_and_the_lock_file_names_no_address():
    node("node_modules/.bin/biome", "ci", "--error-on-warnings")
    lock = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))
    assert len(lock["packages"]) > 3
    assert not any("resolved" in one for one in lock["packages"].values())


# Right or wrong, a hint, a quiz are classes, attributes and data: nothing asks what is shown.
SHOWN = "Yes|No|Right|Hint|Quiz|Show|Solution|Review|Exercises?|Figure|Setup|Check|Skip|Open in"
ASKS = r"[wW]ith|includes|indexOf|prefix|suffix|test|match|search|compile|split|sub|replace"
STEERED = re.compile(
    rf"""(?:\b\w*(?:{ASKS})\(|==|\bin|contains\([^ ]+,) ?r?f?["'/`][\s#@^*(]*"""
    rf"""(?:title )?(?:{SHOWN})\b"""
    rf"""|/\^?(?:\\s\*)?(?:{SHOWN})\b.*/\w*\.(?:test|exec)\("""
)


def test_no_word_that_readers_see_steers_code():
    for folder in ("pages", "classroom", "kernelfree", "tools", "d2lmini"):
        for path in sorted((ROOT / folder).rglob("*.*")):
            if path.name == "lacking.py":  # it tells who writes English what English pages lack
                continue
            if path.suffix in (".py", ".js", ".mjs") and path.parent.name not in MADE_IN:
                assert not STEERED.findall(path.read_text("utf-8")), path


OUTPUT = """<div class="kernelfree-{}" id="f">
<script type="application/json">{}</script>
<script>old</script>
</div>"""


def with_output(folder, html):
    output = nbformat.v4.new_output("display_data", {"text/html": html, "text/plain": "a figure"})
    cell = nbformat.v4.new_code_cell("figure", outputs=[output])
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), folder / "page.ipynb")
    return folder / "page.ipynb"


STORED = {"static": ("figure", "{}"), "live": ("figure", '{"live":{"inputs":[]}}'), "trace": ("trace", "{}")}


@pytest.mark.parametrize("kind", STORED)
def test_a_stored_figure_gets_the_present_script_and_nothing_else(kind, tmp_path):
    html = OUTPUT.format(*STORED[kind])
    path = with_output(tmp_path, html)
    assert scripts.renew(path) == 1
    [cell] = nbformat.read(path, as_version=4).cells
    text = (ROOT / "kernelfree" / "static" / f"{kind}.packed.js").read_text("utf-8")
    assert cell.outputs[0].data["text/html"] == html.replace("old", text.rstrip("\n"))
    assert cell.outputs[0].data["text/plain"] == "a figure"
    assert scripts.renew(path) == 0


def test_a_figure_without_a_script_of_its_own_is_named(tmp_path, capsys):
    html = OUTPUT.format("figure", "{}").replace("<script>old</script>", "")
    path = with_output(tmp_path, html)
    before = path.read_bytes()
    assert scripts.main([path])
    assert f"{path}: a figure must have one script of its own, got 0" in capsys.readouterr().out
    assert path.read_bytes() == before
