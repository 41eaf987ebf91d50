"""What the package's own page says about pages of others, as it stands there."""

import re
import subprocess
import sys

import pytest
from playwright.sync_api import expect
from serving import Files, Strict, serve
from shown import figure

import chapters

README = (chapters.ROOT / "kernelfree/README.md").read_text(encoding="utf-8")
# In a page of HTML, and in one of MkDocs.
FRAME, DEEPER = re.findall(r"^\| (?:HTML|MkDocs, .*?) \|.*?`(<iframe.*?</iframe>)`", README, re.MULTILINE)
LISTENER = re.search(r"```html\n(<script>addEventListener.*?</script>)\n```", README, re.DOTALL)[1]
DIRECTIVE = re.search(r"```rst\n(.*?)```", README, re.DOTALL)[1]
FITS = "document.documentElement.scrollHeight - innerHeight"
TOOLS = chapters.ROOT / ".venv-exports" / "bin"


def run(folder, *command):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-4000:]


def html(folder):
    figure().save(folder / "wave.html")
    (folder / "page.html").write_text(f"<!doctype html><title>Mine</title>{FRAME}{LISTENER}", encoding="utf-8")
    return folder, "page.html"


def strict(folder):
    figure().save(folder / "wave.html", script="figures.js")
    (folder / "listen.js").write_text(LISTENER.removeprefix("<script>").removesuffix("</script>"))
    text = f"<!doctype html><title>Mine</title>{FRAME}<script src='listen.js'></script>"
    (folder / "page.html").write_text(text, encoding="utf-8")
    return folder, "page.html"


def sphinx(theme, python=sys.executable):
    def build(folder):
        (folder / "_static").mkdir()
        figure().save(folder / "_static" / "wave.html")
        (folder / "conf.py").write_text(f"html_theme = {theme!r}\nhtml_static_path = ['_static']\n")
        listener = DIRECTIVE.replace(FRAME.replace("wave.html", "_static/wave.html"), LISTENER.replace("\n", "\n   "))
        assert listener != DIRECTIVE
        (folder / "index.rst").write_text(f"Mine\n====\n\n{DIRECTIVE}\n{listener}", encoding="utf-8")
        run(folder, python, "-m", "sphinx", "-W", "-q", "-b", "html", ".", "_build")
        return folder / "_build", "index.html"

    return build


def mkdocs(theme):
    def build(folder):
        (folder / "docs").mkdir()
        figure().save(folder / "docs" / "wave.html")
        (folder / "docs" / "index.md").write_text("# First\n")
        (folder / "docs" / "page.md").write_text(f"# Mine\n\n{DEEPER}\n\n{LISTENER}\n", encoding="utf-8")
        # Nothing from the network; and a theme that can be dark.
        options = f"{{name: {theme}, font: false, highlightjs: false, palette: {{scheme: default}}}}"
        (folder / "mkdocs.yml").write_text(f"site_name: Mine\ntheme: {options}\n")
        run(folder, TOOLS / "mkdocs", "build", "--quiet", "--strict")
        return folder / "site", "page/index.html"

    return build


# How to build a page, and how it becomes dark.
DARK = "document.querySelector('iframe').parentElement.style.color = '#ddd'"
WAYS = {
    "HTML": (html, DARK),
    "strict": (strict, DARK),
    "alabaster": (sphinx("alabaster"), DARK),
    "pydata": (sphinx("pydata_sphinx_theme"), "document.documentElement.dataset.theme = 'dark'"),
    "furo": (sphinx("furo", TOOLS / "python"), "document.body.dataset.theme = 'dark'"),
    "mkdocs": (mkdocs("mkdocs"), "document.documentElement.dataset.bsTheme = 'dark'"),
    "material": (mkdocs("material"), "document.body.dataset.mdColorScheme = 'slate'"),
}
RARE = ["furo", "mkdocs", "material"]
# On a disk each file is a site of its own.
ON_DISK = "document.querySelector('iframe').style.colorScheme = 'dark'"


def moved(frame):
    """A figure in a frame is as high as it should be, and a slider moves its picture."""
    expect(frame.page.locator("iframe")).not_to_have_attribute("height", "400")
    frame.page.wait_for_timeout(200)
    assert frame.evaluate(FITS) == 0
    picture = frame.locator("canvas").first
    before = picture.screenshot()
    slider = frame.get_by_role("slider").first
    slider.press("End")
    expect(slider).to_have_value("3")
    assert picture.screenshot() != before


@pytest.mark.beyond
@pytest.mark.parametrize("way", [pytest.param(way, marks=[pytest.mark.nightly] * (way in RARE)) for way in WAYS])
def test_a_saved_figure_lives_in_a_page_is_as_high_as_it_should_be_and_as_dark(own_page, tmp_path, way):
    build, dark = WAYS[way]
    folder, name = build(tmp_path)
    with serve(folder, Strict if way == "strict" else Files) as address:
        ways = (f"{address}/{name}", "light", dark), ((folder / name).as_uri(), "null", ON_DISK)
        for place, scheme, darken in ways:
            own_page.emulate_media(color_scheme=scheme)
            own_page.goto(place)
            host = own_page.frames[1].locator("[data-alive] > div")
            expect(host).to_have_css("color-scheme", "light")
            moved(own_page.frames[1])
            own_page.evaluate(darken)
            expect(host).to_have_css("color-scheme", "dark")
