"""A reader's own sentence: the model in the page, from its files to the figure."""

import ast
import re
import sys
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest
import torch
from accessible import fits, problems
from bundled import bundled, exposed
from exhaustive import EXHAUSTIVE, sample
from hostile import PAYLOADS
from playwright.sync_api import expect
from serving import serve
from small_model import CLAIMS, OTHERS, WORDS, figure, packed, site, tokenizer
from tokenizers import Tokenizer

import chapters
from d2lmini.sentence import TARGETS
from pages import model

pytestmark = pytest.mark.beyond
OWN = "a claim of your own"
# What the button measures.
STEPS = [6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 160, 200]
RENDER = 'import sentence from "./model/sentence.js"; window.render = sentence.render;'
PARTS = """import { Client } from "./model/client.js";
import { ModelFiles } from "./model/files.js";
Object.assign(window, { Client, ModelFiles });"""
ROOT = "document.querySelector('.kernelfree-sentence > div').shadowRoot"


@pytest.fixture(scope="module")
def made():
    return figure()


@pytest.fixture(scope="module")
def folder(made, tmp_path_factory):
    """A page with the figure, and the model in many parts beside it."""
    folder = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model, "PART", 2_000)
        packed(folder)
    html = made._repr_mimebundle_()[0]["text/html"]
    site(folder, html)
    site(folder, html, policy="script-src 'self' file:", name="strict")
    site(folder, html, policy="worker-src 'none'", name="alone")
    return folder


@pytest.fixture
def opened(page, folder):
    page.goto((folder / "page.html").as_uri())
    return page


@pytest.fixture
def fresh(own_page, folder):
    """A page that has asked for nothing yet, and the folder's address over http."""
    with serve(folder) as address:
        yield own_page, f"{address}/page.html"


def load(page):
    page.get_by_role("button", name="Load the model").click()


@pytest.fixture
def ready(opened):
    """The page after its model has been loaded."""
    load(opened)
    expect(opened.get_by_role("listitem")).to_have_count(len(OTHERS))
    return opened


def sentence(page):
    return page.get_by_role("textbox", name="Your sentence")


def type_in(page, text):
    sentence(page).fill(text)
    settle(page)


def settle(page):
    expect(page.locator(".own:not([aria-busy=true])")).to_be_visible()


NUMBERS = "rows => rows.map(({ cells }) => [...cells].slice(1).map((cell) => +cell.textContent))"


def shown(page):
    """The tokens, and the numbers of the chosen head as the table has them."""
    opener = page.get_by_role("button", name="Numbers").first
    if opener.get_attribute("aria-expanded") == "false":
        opener.click()
    table = page.locator(".numbers table").first
    tokens = table.locator("thead th").all_text_contents()[:-1]
    return tokens, torch.tensor(table.locator("tbody tr").evaluate_all(NUMBERS))


def check(page, made, text, layer=0, head=2, rows=0.0, **changes):
    """The figure shows what PyTorch computes, as far as rounded weights allow."""
    tokens, answer = made._asked(text, **changes)
    words, numbers = shown(page)
    assert words == tokens
    assert torch.allclose(numbers[:, :-1], answer["weights"][layer, head], atol=0.015)
    assert torch.allclose(numbers[:, -1], torch.ones(len(tokens)), atol=rows)


def computes(page, made, text="the rain"):
    type_in(page, text)
    check(page, made, text)


def test_a_typed_sentence_is_computed_without_a_request(ready, made):
    requests = []
    ready.on("request", lambda request: requests.append(request.url))
    for text in ("the house", "Rain, rain; cats!", "x" * 20, ""):
        computes(ready, made, text)
    # What the model does not know is counted.
    for text, told in {"the \u2603 house, \u2603": ", 2 of them unknown to the model: [UNK]", "the cat": ""}.items():
        type_in(ready, text)
        expect(ready.locator(".count")).to_have_text(re.compile(rf"^\d tokens{re.escape(told)}$"))
    # Too many tokens are said, and the last sentence stays.
    type_in(ready, "house " * 63)
    expect(ready.get_by_text("That is more than 64 tokens")).to_be_visible()
    expect(ready.get_by_text("65 tokens")).to_be_visible()
    check(ready, made, "the cat")
    computes(ready, made, "house " * 62)
    assert requests == []


WAYS = [("strict", True), ("page", False), ("strict", False), ("alone", True)]


@pytest.mark.parametrize("way", sample(WAYS, *WAYS[:2]), ids=str)
def test_it_computes_beside_the_page_where_a_worker_may(fresh, made, folder, way):
    """A strict policy allows no worker from a disk; another, none at all."""
    (page, address), (name, over_http) = fresh, way
    page.goto(address.replace("page", name) if over_http else f"{folder.as_uri()}/{name}.html")
    load(page)
    computes(page, made, "the house")
    assert len(page.workers) == (name != "alone" and (over_http or name == "page"))
    # A sentence that is still being computed is given up for the next.
    sentence(page).fill("cat " * 62)
    page.wait_for_timeout(205)
    computes(page, made)
    with ExitStack() as ended:
        for worker in page.workers:
            ended.enter_context(worker.expect_event("close"))
        page.get_by_role("button", name="Put the model away").click()
    expect(page.get_by_role("button", name="Load the model")).to_be_focused()
    expect(sentence(page)).to_be_hidden()
    expect(experiment(page)).to_be_hidden()
    load(page)
    expect(sentence(page)).to_be_focused()
    computes(page, made, "a cat")


def number(text):
    return float(text.replace("\u2212", "-"))


def test_cosines_and_changes_to_the_model(ready, made):
    type_in(ready, "the cats")
    ready.get_by_role("textbox", name="Sentences to compare").fill("cats\n\n the house \n" + "a " * 70)
    settle(ready)
    expect(ready.get_by_role("listitem")).to_have_count(3)
    lines = ready.get_by_role("listitem").all_inner_texts()
    assert lines[2].startswith("too long")
    own = made._asked("the cats")[1]["embedding"]
    for line, text in zip(lines, ["cats", " the house "], strict=False):
        cosine = float(own @ made._asked(text)[1]["embedding"])
        assert abs(number(line.split()[0]) - cosine) < 0.015
    # Heads are taken out, scores divided otherwise, padding looked at.
    text = "the rain."
    type_in(ready, text)
    right = made._asked(text)[1]["embedding"]
    ready.get_by_role("slider", name="head").fill("1")
    ready.get_by_role("button", name="Take out head 0.1").click()
    ready.get_by_role("slider", name="layer").fill("1")
    ready.get_by_role("slider", name="head").fill("3")
    changes = {"out": [1]}
    for act, more in (
        (lambda: None, {}),
        (ready.get_by_role("switch", name="divide scores").check, {"wrong": True}),
        (ready.get_by_role("switch", name="padding").check, {"padded": True}),
        (ready.get_by_role("button", name="Put all heads back").click, {"out": []}),
    ):
        act()
        settle(ready)
        changes |= more
        check(ready, made, text, layer=1, head=3, **changes)
        cosine = float(right @ made._asked(text, **changes)[1]["embedding"])
        line = ready.get_by_text("With these").inner_text()
        assert abs(number(re.search(r"is (.?\d\.\d\d)\.", line)[1]) - cosine) < 0.015


def experiment(page):
    return page.get_by_role("group", name="How far does it hold?")


def choose(page, claim, layer=0, head=None, target="itself"):
    """Choose one of the book's claims, or say one: a target that no menu has is a word."""
    box = experiment(page)
    box.get_by_label("claim").select_option(claim)
    if claim == OWN:
        box.get_by_label("layer").select_option(str(layer))
        box.get_by_label("head").select_option("all" if head is None else str(head))
        known = target in TARGETS
        box.get_by_label("looks at").select_option(target if known else "a word")
        if not known:
            box.get_by_label("word", exact=True).fill(target)


def share(made, text, first, layer, head, target):
    """The share of the weight as PyTorch computes it, row by row."""
    tokens, answer = made._asked(text, first=first)
    weights = answer["weights"][layer].double()
    weights = weights.mean(dim=0) if head is None else weights[head]
    rows = range(len(tokens))
    step = {"the token before": -1, "the token after": 1, "itself": 0}.get(target)
    if step is None:
        found = [sum(weights[i, j] for j in rows if tokens[j] == target) for i in rows]
    else:
        found = [weights[i, i + step] for i in rows if i + step in rows]
    return float(sum(found) / len(found))


def told(page, tokens):
    """The share that the sentence says, once so many tokens are measured."""
    line = experiment(page).get_by_text(f"At {tokens} tokens,").first
    expect(line).to_be_visible()
    return float(re.search(r"gives (\d\.\d\d) of its weight", line.inner_text())[1])


def measured(page, made, claims, lengths=(6, 25, 128, 200)):
    """Each claim at some lengths has the share that PyTorch computes."""
    text = made._state["encoder"]["experiment"]["text"]
    for tokens in lengths:
        experiment(page).get_by_role("slider", name="tokens").fill(str(tokens - 6))
        for name, claim in claims:
            choose(page, name, *claim)
            assert abs(told(page, tokens) - share(made, text, tokens, *claim)) < 0.01


ALL = [*CLAIMS.items(), (OWN, (1, 3, "a"))]


def test_claims_are_measured_in_a_text_that_grows(ready, made):
    measured(ready, made, ALL)
    measured(ready, made, [(OWN, (1, 2, target)) for target in TARGETS[:-1]], [200])
    box = experiment(ready)
    line = box.locator("[aria-live]")
    box.get_by_role("slider", name="tokens").press("ArrowLeft")
    expect(line).to_contain_text("At 199 tokens")
    box.get_by_role("button", name="Measure all lengths").click()
    expect(line).to_contain_text("At 200 tokens")
    box.get_by_role("button", name="Numbers").click()
    # Twelve lengths, and two more.
    expect(box.get_by_role("columnheader")).to_have_text([str(n) for n in sorted([*STEPS, 25, 199])])


# What a page posts to its worker goes through `post(message, send)`.
POSTING = """const { postMessage } = Worker.prototype;
Worker.prototype.postMessage = function (message, ...more) {
  post(message, () => postMessage.call(this, message, ...more));
};"""


def test_measuring_can_be_stopped_and_goes_on(fresh, made):
    opened, address = fresh
    opened.add_init_script(
        POSTING
        + """window.held = [];
        window.post = ({ changes }, send) =>
          changes?.first === 64 && !window.free ? held.push(send) : send();"""
    )
    opened.goto(address)
    load(opened)
    box = experiment(opened)
    box.get_by_role("button", name="Measure all lengths").click()
    opened.wait_for_function("held.length")
    box.get_by_role("button", name="Stop").click()
    box.get_by_role("button", name="Numbers").click()
    expect(box.get_by_role("columnheader")).to_have_count(7)
    opened.evaluate("window.free = true; held.forEach((send) => send())")
    box.get_by_role("button", name="Measure all lengths").click()
    expect(box.get_by_role("columnheader")).to_have_count(12)
    choose(opened, "rests")
    truth = share(made, made._state["encoder"]["experiment"]["text"], 200, *CLAIMS["rests"])
    assert abs(told(opened, 200) - truth) < 0.01


def test_a_stopped_load_is_taken_up_again(fresh, made):
    opened, address = fresh
    opened.goto(address)
    begin = opened.get_by_role("button", name="Load the model")
    expect(begin).to_be_visible()  # a figure comes to life when the page has time
    asked = []
    opened.on("request", lambda request: asked.append(request.url.rpartition("/")[2].split("?")[0]))
    opened.evaluate(
        f"""() => {{
          const observer = new MutationObserver(() => {{
            if (root.querySelector("progress").value < 0.2) return;
            observer.disconnect();
            root.querySelectorAll(".load button")[1].click();
          }});
          const root = {ROOT};
          observer.observe(root, {{ subtree: true, childList: true, characterData: true }});
        }}"""
    )
    begin.click()
    again = opened.get_by_role("button", name="Go on loading")
    expect(again).to_be_focused()
    expect(opened.get_by_text("Stopped.")).to_be_visible()
    opened.wait_for_timeout(200)
    early = set(asked)
    asked.clear()
    again.click()
    expect(sentence(opened)).to_be_focused()
    assert "index.js" in early
    assert early.isdisjoint(asked)
    computes(opened, made)


def test_a_part_that_does_not_come_can_be_asked_for_again(fresh, made, folder):
    """First it fails, then it comes damaged."""
    opened, address = fresh
    damaged = (folder / "model" / "part-05.js").read_text().replace("A", "B")
    asked = []
    opened.on("request", lambda one: asked.append(one.url) if "/part-05.js" in one.url else None)
    opened.route("**/part-05.js*", lambda route: route.fulfill(body=damaged, content_type="text/javascript"), times=1)
    opened.route("**/part-05.js*", lambda route: route.abort(), times=1)  # the last one comes first
    opened.goto(address)
    load(opened)
    expect(opened.get_by_text("That did not work: a part could not")).to_be_visible()
    opened.get_by_role("button", name="Go on loading").click()
    expect(opened.get_by_text("That did not work: a part came damaged")).to_be_visible()
    goes_on(opened, made)
    assert len(set(asked)) == len(asked) == 3


def goes_on(opened, made):
    opened.get_by_role("button", name="Go on loading").click()
    expect(sentence(opened)).to_be_visible()
    computes(opened, made)


def test_what_computes_may_come_empty_or_broken_and_be_asked_for_again(fresh, made):
    opened, address = fresh
    answer = {"content_type": "text/javascript"}
    opened.context.route("**/work.js*", lambda route: route.fulfill(**answer))
    opened.clock.install()
    opened.goto(address)
    begin = opened.get_by_role("button", name=re.compile("Load the model|Go on loading"))
    failed = opened.get_by_text("That did not work")
    for answer["body"] in ("postMessage(", "throw new Error('bad')", ""):
        begin.click()
        for _ in range(100):
            if failed.is_visible():
                break
            opened.clock.run_for(500)
            opened.wait_for_timeout(50)
        expect(failed).to_be_visible()
    # Stop ends the wait for it.
    with opened.context.expect_event("request", lambda asked: "work.js" in asked.url):
        begin.click()
    opened.get_by_role("button", name="Stop").click()
    expect(opened.get_by_text("Stopped.")).to_be_visible()
    opened.context.unroute_all()
    opened.clock.resume()
    goes_on(opened, made)


def test_an_error_while_computing_is_said_and_the_next_text_is_computed(fresh, made):
    opened, address = fresh
    spoil = "if (message.text === 'house') message.changes = null; send();"
    opened.add_init_script(f"{POSTING} window.post = (message, send) => {{ {spoil} }}")
    opened.goto(address)
    load(opened)
    expect(opened.get_by_role("listitem")).to_have_count(len(OTHERS))
    type_in(opened, "house")
    expect(opened.get_by_text("That did not work")).to_be_visible()
    expect(opened.get_by_text("computing")).to_be_hidden()
    computes(opened, made)
    expect(opened.get_by_text("That did not work")).to_be_hidden()


def test_a_book_without_the_model_says_so(page, made, tmp_path):
    page.goto(site(tmp_path, made._repr_mimebundle_()[0]["text/html"], parts="").as_uri())
    expect(page.get_by_text("was built without the model")).to_be_visible()
    assert page.get_by_role("button", name="Load").count() == 0
    check(page, made, "The cat rains.", rows=0.02)  # the sum of what was rounded


def test_typed_text_is_text(ready, made):
    ready.get_by_role("textbox", name="Sentences to compare").fill("\n".join(PAYLOADS))
    for text in PAYLOADS if EXHAUSTIVE else PAYLOADS[::9]:
        type_in(ready, text)
    expect(ready.get_by_role("listitem")).to_have_count(len(PAYLOADS))
    # Odd words and texts of the experiment.
    box = experiment(ready)
    box.get_by_role("slider", name="tokens").fill("194")
    for word in ("zebra", "", PAYLOADS[0]):
        choose(ready, OWN, 0, 1, word)
        expect(box.get_by_text(f"None of these 200 tokens is “{word}”").first).to_be_visible()
    for typed, tokens in {"": 2, "the rain, the cat": 7, "[SEP]": 3, "x" * 101: 3}.items():
        box.get_by_label("The text").fill(typed)
        choose(ready, OWN, 0, 1, "[CLS]")
        assert abs(told(ready, tokens) - share(made, typed, 200, 0, 1, "[CLS]")) < 0.01
        expect(box.get_by_text("The text ends there.").first).to_be_visible()
    assert ready.evaluate("window.hit") is None
    foreign = "script, iframe, img, svg, math, template, style, a, details"
    assert ready.evaluate(f"{ROOT}.querySelectorAll('{foreign}').length") == 0


def test_nothing_for_axe_to_find(ready):
    choose(ready, OWN, 0, 1, "the")
    experiment(ready).get_by_role("button", name="Numbers").click()
    for scheme in ("light", "dark"):
        ready.emulate_media(color_scheme=scheme)
        for width in (1280, 360):
            assert fits(ready, width)
            assert problems(ready) == []


# The front end of a figure whose model a kernel has.
BESIDE = """(_state) => {
  let value = _state.start, heard;
  const model = {
    get: (key) => (key === "value" ? value : _state),
    set: (_, moved) => (value = moved), off() {}, save_changes() {},
    on: (name, f) => name === "msg:custom" && (heard = f),
    send: async (content) => {
      const [told, buffers] = await ask(content);
      heard(told, buffers.map((b) => new DataView(Uint8Array.from(b).buffer)));
    },
  };
  const el = document.body.appendChild(document.createElement("div"));
  el.className = "kernelfree-sentence";
  window.close = render({ model, el });
}"""


def test_where_a_kernel_has_the_model_it_answers(page, made, written):
    page.goto(written())
    sent = []
    made.send = lambda told, buffers: sent.append([told, [list(b) for b in buffers]])

    def ask(content):
        made._answer(None, content, [])
        return sent.pop()

    page.expose_function("ask", ask)
    page.add_script_tag(content=bundled(RENDER))
    page.evaluate(BESIDE, made._state)
    expect(page.get_by_role("listitem")).to_have_count(len(OTHERS))
    assert page.get_by_role("button", name="Load").count() == 0
    for text in ("a cat", "house " * 63):
        type_in(page, text)
    computes(page, made, "rain?")
    measured(page, made, ALL)
    page.evaluate("close()")
    assert page.locator(".kernelfree-sentence > *").count() == 0


def texts():
    """2,000 texts: words of the vocabulary, and letters of many scripts."""
    rng = torch.Generator().manual_seed(3)
    pick = lambda choices: choices[int(torch.randint(len(choices), (), generator=rng))]  # noqa: E731
    hard = ["ΟΔΟΣ", "ﬁne", "naïve", "Ærø", "東京", "𠮷", "👩‍🔬", "İ", "ß", "½", "[MASK]", "\t"]
    hard += ["e\u0301", "\u00ad", "\u200b"]
    letters = [chr(n) for n in (*range(32, 0x250), *range(0x370, 0x400), *range(0x4E00, 0x4E40))]
    found = []
    for n in range(2000):
        parts = [pick([*WORDS, *hard] if n % 2 else letters) for _ in range(1 + n % 9)]
        found.append(("" if n % 3 else " ").join(parts))
    return found


@pytest.mark.parametrize("which", ["small", "real"])
def test_texts_are_cut_as_the_tokenizer_cuts_them(page, which):
    page.add_script_tag(content=exposed("model/wordpiece.js", "cut"))
    known, words = (tokenizer(), WORDS) if which == "small" else real()
    cuts = "([texts, known]) => texts.map((text) => cut(text, new Map(known)))"
    found = page.evaluate(cuts, [texts(), [[word, i] for i, word in enumerate(words)]])
    truth = [known.encode(text).tokens for text in texts()]
    differ = [triple for triple in zip(texts(), found, truth, strict=True) if triple[1] != triple[2]]
    assert differ == [], f"{len(differ)} of {len(found)} differ"


def real():
    """The published tokenizer and its words."""
    package = find_spec(model.PACKAGE) or pytest.skip("the model's package is not installed")
    folder = Path(package.origin).parent / "model"
    known = Tokenizer.from_file(str(folder / "tokenizer.json"))
    known.no_padding()
    known.no_truncation()
    return known, (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def chapter():
    find_spec(model.PACKAGE) or pytest.skip("the model's package is not installed")
    path = chapters.ROOT / "chapters" / "own_sentence.ipynb"
    module = sys.modules[path.stem] = ModuleType(path.stem)  # PyTorch looks it up
    for source in chapters.cells(path, "code"):
        tree = ast.parse(source)
        last = "def encode(" in source
        if last:
            tree.body[-1] = ast.Assign([ast.Name("made", ast.Store())], tree.body[-1].value)
        exec(compile(ast.fix_missing_locations(tree), path.name, "exec"), vars(module))
        if last:
            break
    return module.made


LONG = """Nobody knows who wrote this old song, but everybody sings it, and on some evenings when the shops have closed
you can hear it in every street of the town, from the harbour up to the last houses below the forest."""
LOADED = """async (given) => {
  const parts = new ModelFiles("model/index.js"), { signal } = new AbortController();
  await parts.load(() => {}, signal);
  const encoder = await Client.from(parts, given, signal);
  window.encoded = async ([text, changes]) => {
    const made = await encoder.encode(text, changes, signal);
    return [made.tokens, ...[made.weights, made.embedding].map((x) => Array.from(x))];
  };
}"""


def test_the_real_model_as_it_is_shipped(chapter, own_page, tmp_path, written):
    """Weights of all heads within .01 of PyTorch's, embeddings within a cosine of .999."""
    (tmp_path / "model").mkdir()
    model.pack(Path(find_spec(model.PACKAGE).origin).parent / "model", tmp_path / "model")
    given = chapter._state["encoder"]
    own_page.goto(written())  # beside the model
    own_page.add_script_tag(content=bundled(PARTS))
    own_page.evaluate(LOADED, given)
    for text in [given["sentence"], *given["compare"], LONG]:
        for changes in ({}, {"out": [3, 71], "wrong": True, "padded": True}):
            asked = {"out": [], "wrong": False, "padded": False, **changes}
            found, weights, embedding = own_page.evaluate("asked => encoded(asked)", [text, asked])
            tokens, truth = chapter._asked(text, **asked)
            assert found == tokens
            weights = torch.tensor(weights).reshape(truth["weights"].shape)
            assert (weights - truth["weights"]).abs().max() < 0.01
            assert torch.dot(torch.tensor(embedding), truth["embedding"]) > 0.999


def test_the_books_verdict_has_the_shares_that_pytorch_measures(chapter):
    page = "\n".join(chapters.cells(chapters.ROOT / "chapters" / "own_sentence.ipynb", "markdown"))
    text = chapter._state["encoder"]["experiment"]["text"]
    heads, _, *rows = [line.strip("| ").split(" | ") for line in page.split("\n") if "|" in line]
    assert len(rows) == 3
    for name, *told in rows:
        layer, head, target = re.fullmatch(r"(?:head|layer) (\d)(?:\.(\d+))?, (.*)", name).groups()
        claim = int(layer), head and int(head), target
        for tokens, number in zip(heads[1:], told, strict=True):
            assert f"{share(chapter, text, int(tokens), *claim):.2f}" == number
