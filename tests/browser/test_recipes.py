"""What the package's own page says about pages of others, as it stands there."""

import importlib.util
import re
import subprocess
import sys

import pytest
from playwright.sync_api import expect
from serving import serve
from shown import figure

import chapters

README = (chapters.ROOT / "kernelfree/README.md").read_text(encoding="utf-8")
FRAME = re.search(r"\| HTML \|.*?`(<iframe.*?</iframe>)` \|", README)[1]
LISTENER = re.search(r"```html\n(<script>addEventListener.*?</script>)\n```", README, re.DOTALL)[1]
DIRECTIVE = re.search(r"```rst\n(.*?)```", README, re.DOTALL)[1]
FITS = "document.documentElement.scrollHeight - innerHeight"


def html(folder):
    figure().save(folder / "wave.html")
    (folder / "index.html").write_text(f"<!doctype html><title>Mine</title>{FRAME}{LISTENER}", encoding="utf-8")
    return folder


def sphinx(theme):
    def build(folder):
        if not importlib.util.find_spec(theme):
            pytest.skip(f"the theme {theme} is not installed")
        (folder / "_static").mkdir()
        figure().save(folder / "_static" / "wave.html")
        (folder / "conf.py").write_text(f"html_theme = {theme!r}\nhtml_static_path = ['_static']\n")
        listener = DIRECTIVE.replace(FRAME.replace("wave.html", "_static/wave.html"), LISTENER.replace("\n", "\n   "))
        assert listener != DIRECTIVE
        (folder / "index.rst").write_text(f"Mine\n====\n\n{DIRECTIVE}\n{listener}", encoding="utf-8")
        command = [sys.executable, "-m", "sphinx", "-W", "-q", "-b", "html", str(folder), str(folder / "_build")]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-4000:]
        return folder / "_build"

    return build


# How to build a page, and how it becomes dark.
DARK = "document.querySelector('iframe').parentElement.style.color = '#ddd'"
WAYS = {
    "HTML": (html, DARK),
    "alabaster": (sphinx("alabaster"), DARK),
    "pydata": (sphinx("pydata_sphinx_theme"), "document.documentElement.dataset.theme = 'dark'"),
    "furo": (sphinx("furo"), "document.body.dataset.theme = 'dark'"),
}


@pytest.mark.beyond
@pytest.mark.parametrize("way", WAYS)
def test_a_saved_figure_lives_in_a_page_is_as_high_as_it_should_be_and_as_dark(own_page, tmp_path, way):
    build, dark = WAYS[way]
    with serve(build(tmp_path)) as address:
        own_page.emulate_media(color_scheme="light")
        own_page.goto(f"{address}/index.html")
        frame = own_page.frames[1]
        host = frame.locator("[data-alive] > div")
        expect(host).to_have_css("color-scheme", "light")
        own_page.wait_for_function("document.querySelector('iframe').height !== '400'")
        own_page.wait_for_timeout(200)
        assert frame.evaluate(FITS) == 0
        slider = frame.get_by_role("slider").first
        slider.press("End")
        expect(slider).to_have_value("3")
        own_page.evaluate(dark)
        expect(host).to_have_css("color-scheme", "dark")
