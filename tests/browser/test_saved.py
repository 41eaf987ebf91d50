"""Saved figures in frames of other pages: their height, and light or dark."""

import re

import pytest
from exhaustive import sample
from playwright.sync_api import expect
from serving import WATCH, Files, Strict, serve
from shown import figure, telling

import chapters
from kernelfree import Prediction, save

FRAME = '<iframe src="waves.html" width="600" height="90" frameborder="0"></iframe>'
FITS = "document.documentElement.scrollHeight - innerHeight"
# As the package's own page gives them.
README = (chapters.ROOT / "kernelfree/README.md").read_text(encoding="utf-8")
# Its first figure, and then two of them in one file.
CODE = [code for code in re.findall(r"```python\n(.*?)```", README, re.DOTALL) if "wave" in code][:2]
LISTENER = re.search(r"```html\n(<script>addEventListener.*?</script>)\n```", README, re.DOTALL)[1]


@pytest.fixture
def site(tmp_path, request):
    """A site with two saved figures, each a page of its own; write a page that holds them."""
    (tmp_path / "sub").mkdir()
    for name, made in {"weights": figure(), "told": telling(tools=True)}.items():
        made.save(tmp_path / "sub" / f"{name}.html", script=getattr(request, "param", None))

    def write(head="", address="sub"):
        frame = f'<iframe src="{address}/{{}}.html" width="600" height="90"></iframe>'
        frames = "".join(map(frame.format, ("weights", "told")))
        text = f"<!doctype html><html><meta charset=utf-8><title>Host</title>{head}<main>{frames}</main>"
        (tmp_path / "host.html").write_text(text, encoding="utf-8")

    return tmp_path, write


def opened(page, address):
    page.route("**/favicon.ico", lambda route: route.fulfill(status=204))
    page.goto(address)
    for frame in page.frames[1:]:
        frame.locator("[data-alive] > div").wait_for()
    return page.frames[1:]


@pytest.mark.parametrize("site", [None, "figures.js"], ids=["one file", "shared script"], indirect=True)
def test_three_lines_make_frames_as_high_as_their_figures(page, site):
    """Also those of another site, in a sandbox, whose pages nothing can be asked."""
    folder, write = site
    assert LISTENER.count("\n") == 2
    with serve(folder) as own, serve(folder) as other:
        write(LISTENER, address=f"{other}/sub")
        text = (folder / "host.html").read_text().replace("<iframe", '<iframe sandbox="allow-scripts"', 1)
        (folder / "host.html").write_text(text)
        frames = opened(page, f"{own}/host.html")
        page.wait_for_function("[...document.querySelectorAll('iframe')].every((frame) => frame.clientHeight > 200)")
        for frame in frames:
            assert frame.evaluate(FITS) == 0
        low, before = (page.locator("iframe").nth(n).bounding_box()["height"] for n in (0, 1))
        frames[1].get_by_role("button", name="Numbers", exact=True).click()
        page.wait_for_function(f"document.querySelectorAll('iframe')[1].clientHeight > {before + 50}")
        page.wait_for_timeout(200)
        assert frames[1].evaluate(FITS) == 0
        assert page.locator("iframe").first.bounding_box()["height"] == low
        # A narrow frame is higher.
        page.evaluate("document.querySelector('iframe').width = 300")
        page.wait_for_function(f"document.querySelector('iframe').clientHeight > {low + 50}")


def dark(frames, yes):
    for frame in frames:
        expect(frame.locator("[data-alive] > div")).to_have_css("color-scheme", "dark" if yes else "light")
        expect(frame.locator("html")).to_have_css("color-scheme", "dark" if yes else "light")


# How pages say that they are dark: which element, the attribute, its value when light, and when dark.
THEMES = {
    "an element around it": ("main", "class", "light", "dark"),
    "class": ("html", "class", "light", "dark"),
    "data-theme": ("html", "data-theme", "light", "dark"),
    "Bootstrap": ("html", "data-bs-theme", "light", "dark"),
    "Furo": ("body", "data-theme", "light", "dark"),
    "Material for MkDocs": ("body", "data-md-color-scheme", "default", "slate"),
    "JupyterLab": ("body", "data-jp-theme-light", "true", "false"),
}
SET = "([tag, name, value]) => document.querySelector(tag).setAttribute(name, value)"


@pytest.mark.parametrize("theme", sample([*THEMES], "an element around it", "Furo"))
def test_a_frame_of_the_same_site_follows_its_theme_however_that_is_said(page, site, theme):
    folder, write = site
    tag, name, light, night = THEMES[theme]
    fades = " html, body { transition: color 0.2s }"
    write(f'<style>{tag}[{name}="{night}"] {{ color: #ddd; background: #123 }}{fades}</style>')
    page.emulate_media(color_scheme="light")
    with serve(folder) as own:
        frames = opened(page, f"{own}/host.html")
        dark(frames, False)
        for yes in (True, False, True):
            page.evaluate(SET, [tag, name, night if yes else light])
            dark(frames, yes)


def test_a_frame_of_another_site_follows_the_colour_scheme_and_an_address_decides(page, site):
    folder, write = site
    page.emulate_media(color_scheme="null")
    with serve(folder) as own, serve(folder) as other:
        write("<style>.dark iframe { color-scheme: dark }</style>", address=f"{other}/sub")
        frames = opened(page, f"{own}/host.html")
        dark_grounds = re.compile(r"rgb\((18, 18, 18|28, 27, 34)\)")  # Chromium's and Firefox's
        for name, ground in (("", "rgb(255, 255, 255)"), ("dark", dark_grounds)):
            page.evaluate(SET, ["html", "class", name])
            for frame in frames:
                expect(frame.locator("[data-alive] > div")).to_have_css("color-scheme", name or "light")
                expect(frame.locator("html")).to_have_css("background-color", ground)
        for theme in ("dark", "light"):
            page.goto(f"{own}/sub/told.html?theme={theme}")
            dark([page], theme == "dark")
        page.goto(f"{own}/sub/told.html?theme=blue")
        expect(page.locator("html")).to_have_css("color-scheme", "normal")


@pytest.mark.parametrize("theme", [name for name in THEMES if THEMES[name][0] != "main"])
def test_a_figure_in_the_page_itself_follows_its_theme(show, theme):
    tag, name, light, night = THEMES[theme]
    page = show(figure(), head=f'<style>{tag}[{name}="{night}"] {{ color: #ddd; background: #123 }}</style>')
    for yes in (True, False, True):
        page.evaluate(SET, [tag, name, night if yes else light])
        expect(page.locator("[data-alive] > div")).to_have_css("color-scheme", "dark" if yes else "light")


FREQUENCIES = "[...document.querySelectorAll('.kernelfree-figure')].map(({ value }) => value.frequency)"


@pytest.mark.parametrize("script", [None, "figures.js"])
def test_linked_figures_of_one_file_move_together(own_page, tmp_path, monkeypatch, script):
    monkeypatch.chdir(tmp_path)
    exec(CODE[0] + CODE[1].replace('link="frequency"', f'link="frequency", script={script!r}'), {})
    page = own_page
    page.add_init_script(WATCH)
    (tmp_path / "host.html").write_text(f"<title>Host</title>{FRAME}{LISTENER if script is None else ''}")
    with serve(tmp_path, Strict if script else Files) as address:
        page.goto(f"{address}/{'waves' if script else 'host'}.html")
        frame = page.frames[-1]
        sliders = frame.get_by_role("slider")
        for n, key, value in (0, "End", 4), (1, "Home", 0.5):
            sliders.nth(n).press(key)
            page.wait_for_timeout(50)
            assert frame.evaluate(FREQUENCIES) == [value, value]
            assert sliders.nth(1 - n).get_attribute("aria-valuetext") == str(value)
        assert frame.evaluate("window.refused ?? []") == []
        if script is None:
            expect(page.locator("iframe")).not_to_have_attribute("height", "90")
            page.wait_for_timeout(200)
            assert frame.evaluate(FITS) == 0


def test_a_figure_that_asks_first_is_not_moved_by_its_neighbour(page, tmp_path):
    asking = figure(title="Asking", predict=Prediction("Which?", {"This.": "Yes.", "That.": "No."}, "This."))
    save(tmp_path / "two.html", [figure(), asking], link=["first", "second"])
    page.goto((tmp_path / "two.html").as_uri())
    page.get_by_role("slider").first.press("End")
    value = "document.querySelectorAll('.kernelfree-figure')[1].value.first"
    assert page.evaluate(value) == 1
    page.get_by_role("button", name="This.").click()
    page.wait_for_function(f"{value} === 4")
