# The book's commands. Each works from a fresh clone: what it needs is set up first, once.
PYTHON ?= python3
CHAPTER ?=
EDITION ?=
ONLY ?=
VENV := .venv
BIN := $(VENV)/bin

# Small tensors: one thread is as fast as two, and computes the same everywhere.
export OMP_NUM_THREADS := 1
export PYDEVD_DISABLE_FILE_VALIDATION := 1
# A test run starts a hundred Pythons: what one has compiled, the others read.
unexport PYTHONDONTWRITEBYTECODE

# Pages depend on little of both packages (pages/__init__.py); the rest is packed for the page's Python.
SOURCES := _config.yml _toc.yml tools/build.py \
	$(wildcard package-lock.json chapters/*.ipynb tools/translation/*.py tools/metadata.py tools/scripts.py) \
	$(shell find assets pages locale d2lmini kernelfree runhere -type f -not -name "*.pyc" -not -path "*/js/*" -o -path "pages/js/*")
# This chapter runs JAX and TensorFlow, which have an environment of their own.
LIVE := $(wildcard chapters/15_four_frameworks.ipynb)
RUN := $(or $(CHAPTER),$(sort $(wildcard chapters/*.ipynb)))
# The pages that name chapters.
LISTS := index teaching references
RUN_LIVE := $(filter %15_four_frameworks.ipynb,$(RUN))
RUN_REST := $(filter-out $(RUN_LIVE),$(RUN))
CORES := $(shell nproc 2>/dev/null || sysctl -n hw.ncpu)
# MXNet 1.9.1 runs nowhere else.
MXNET := $(if $(filter Linux-x86_64,$(shell uname -s)-$(shell uname -m)),$(VENV)-mxnet/ready)
NBVAL := --nbval --nbval-current-env --nbval-sanitize-with tests/book/nbval.cfg

# Texts, scripts, and a figure of each kind in the browser.
QUICK := $(addprefix tests/book/test_,chapters.py portability.py minutes.py scripts.py printed.py welcome.py) \
	$(addprefix tests/kernelfree/test_,kernelfree.py script.py texts.py prediction.py) tests/browser/test_figures.py tests/browser/test_words.py

# A notebook's cells, and a chapter's tests in the browser, stay together on one core.
# Tests wait now and then, for frames and timers: one worker more than cores.
SHARED_OUT := -p tests.support.quick_start $(NBVAL) -n $(shell expr $(CORES) + 1) --dist loadscope --no-loadscope-reorder \
	--ignore=tests/frameworks $(addprefix --ignore=,$(LIVE))

.PHONY: book hub test quick test-all test-nightly test-frameworks test-firefox mxnet-outputs lab lab-authors run words scripts new serve check relink wheel bench pdf handout lint pins mutants clean

book: _build/html/index.html
	@echo "The book is built: open file://$(CURDIR)/_build/html/index.html"

# Where the model's package is, the book has the model: it is built again when that comes.
_build/html/index.html: $(VENV)/book $(wildcard $(VENV)/ready) $(SOURCES)
	@$(BIN)/python -m tools.build

# The environment is made again when the pins change. Building the book takes no torch.
$(VENV)/book: requirements.txt
	@$(PYTHON) -m tools.setup $(VENV) book

$(VENV)/ready: $(VENV)/book requirements/torch.txt requirements/model.txt pyproject.toml
	@$(PYTHON) -m tools.setup $(VENV)

$(VENV)-frameworks/ready: requirements.txt requirements/torch.txt
$(VENV)-frameworks/ready $(VENV)-mxnet/ready $(VENV)-exports/ready $(VENV)-hub/ready: $(VENV)-%/ready: requirements/%.txt pyproject.toml
	@$(PYTHON) -m tools.setup $(VENV)-$* $*

# What a contributor waits for, on all cores: what the change touches, on main and with CI set all.
test: tested
	$(BIN)/python -m pytest $(SHARED_OUT) $$($(BIN)/python -m tests.touched $(WHOLE))

# What a change of a sentence or of a line of script needs: no second environment, no whole book.
quick: $(VENV)/ready node_modules/ready
	@$(BIN)/python -m tools.chromium quick
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/ruff format --check --line-length 88 chapters/*.ipynb
	$(BIN)/python -m pytest -q -n $(CORES) --dist loadscope --no-loadscope-reorder $(QUICK)

# What a pull request is asked: `make test`, then every chapter and page once, JAX, TensorFlow, published models.
test-all: WHOLE := all
test-all: test $(VENV)-frameworks/ready $(VENV)/models/ready
	$(BIN)/python -m pytest -m "beyond and not nightly" $(SHARED_OUT) chapters tests

# All there is, on all examples: also other processors, MXNet, exports, a hub, Firefox where it is installed, prints.
# Or a PART of it: each is a job of the workflow `nightly`.
PART_browser := tests/browser
PART_processors := tests/elsewhere/test_processors.py
PART_environments := tests/elsewhere/test_environments.py
PART_firefox := tests/elsewhere/test_firefox.py
PART_rest := chapters tests $(addprefix --ignore=,$(PART_browser) tests/elsewhere)
test-nightly: export EXHAUSTIVE := 1
test-nightly: tested $(VENV)-frameworks/ready $(MXNET) $(VENV)/models/ready $(VENV)-exports/ready $(VENV)-hub/ready $(if $(shell command -v firefox),$(VENV)/firefox/ready)
	$(BIN)/python -m pytest -m "" $(SHARED_OUT) $(or $(PART_$(PART)),$(if $(PART),$(error there is no part $(PART)),chapters tests))

.PHONY: tested
tested: $(VENV)/ready node_modules/ready
	@$(MAKE) --no-print-directory _build/html/index.html
	@$(BIN)/python -m tools.chromium $(if $(EXHAUSTIVE),,quick)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/ruff format --check --line-length 88 chapters/*.ipynb

# The other frameworks against PyTorch and each other, and the chapter that runs them.
test-frameworks: $(VENV)-frameworks/ready $(MXNET)
	$(VENV)-frameworks/bin/python -m pytest $(NBVAL) tests/frameworks $(LIVE)
	$(if $(MXNET),$(VENV)-mxnet/bin/python -m pytest tests/frameworks)

# All tests of the browser in the Firefox that is installed; a part of test-nightly.
test-firefox: export EXHAUSTIVE := 1
test-firefox: tested $(VENV)/firefox/ready
	$(BIN)/python -m pytest -m "" $(SHARED_OUT) $(PART_firefox)

# Published models, whose own code the package is held to, and a Playwright for Firefox.
$(VENV)/models/ready $(VENV)/firefox/ready: $(VENV)/%/ready: requirements/%.txt $(VENV)/ready
	@$(BIN)/python -m tools.setup $(@D) $*

# What MXNet computes, kept for those who cannot install it.
mxnet-outputs: $(VENV)-mxnet/ready
	@$(VENV)-mxnet/bin/python -m tools.mxnet_outputs

# Whether the tests notice a small change of the mathematics: hours for all, minutes for MODULE=d2lmini/masks
mutants: $(VENV)-mutants/ready
	@PYTHONPATH="$(CURDIR):$(VENV)-mutants" $(BIN)/python -m tests.mutants $(MODULE)

$(VENV)-mutants/ready: requirements/mutants.txt $(VENV)/ready
	@$(BIN)/python -m tools.setup $(@D) mutants

# JupyterLab: for readers on copies that git ignores, for authors on the chapters themselves.
LAB = PYTHONPATH="$(CURDIR)" $(BIN)/jupyter lab --config tools/lab_config.py
# LANGUAGE=zh is for the Chinese ones.
lab: $(VENV)/ready
	$(if $(LANGUAGE),@$(BIN)/python -m tools.translate render $(LANGUAGE))
	@$(BIN)/python -m tools.lab $(if $(LANGUAGE),_build/rendered/$(LANGUAGE) work/$(LANGUAGE),chapters work)
	$(LAB) work$(if $(LANGUAGE),/$(LANGUAGE))

lab-authors: $(VENV)/ready
	$(LAB) chapters

# What joins, shrinks and checks scripts: for authors of scripts and for tests.
node_modules/ready: package-lock.json $(VENV)/book
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(PYTHON) tools/setup.py $(@D) scripts

# The scripts of figures and pages, joined and shrunk, and in the figures that notebooks hold.
scripts: $(VENV)/ready node_modules/ready
	@PATH="$(CURDIR)/$(BIN):$$PATH" node tools/bundle.mjs
	@$(BIN)/python -m tools.scripts

# In English and in the other languages.
run: $(VENV)/ready $(if $(RUN_LIVE),$(VENV)-frameworks/ready)
	$(if $(RUN_REST),@$(BIN)/python -m tools.run $(RUN_REST))
	$(if $(RUN_LIVE),@$(VENV)-frameworks/bin/python -m tools.run $(RUN_LIVE))
	@$(BIN)/python -m tools.minutes
	@$(BIN)/python -m tools.translate update $(sort $(notdir $(RUN:.ipynb=)) $(LISTS))
	$(if $(RUN_REST),@$(BIN)/python -m tools.translate run $(notdir $(RUN_REST:.ipynb=)))
	$(if $(RUN_LIVE),@$(VENV)-frameworks/bin/python -m tools.translate run $(notdir $(RUN_LIVE:.ipynb=)))

# After English words have changed, of one page or all, ready for a pull request: clean notebooks, minutes, catalogs,
# what is late in them, fast checks.
words: PAGE = $(basename $(notdir $(CHAPTER)))
words: $(VENV)/ready $(if $(CHAPTER),,node_modules/ready)
	@$(BIN)/python -m tools.translate update $(if $(PAGE),$(sort $(PAGE) $(LISTS)))
	@$(BIN)/python -m tools.metadata $(if $(PAGE),chapters/$(PAGE).ipynb,$(RUN))
	@$(BIN)/python -m tools.minutes
	@$(BIN)/python -m pytest -q --tb=short $(addprefix tests/book/test_,chapters.py portability.py minutes.py translation.py) $(if $(PAGE),-k $(PAGE))
	@echo "Ready for a pull request: git add $(if $(PAGE),chapters/$(PAGE).ipynb 'locale/*/$(PAGE).*' and pages whose minutes are written anew,chapters locale d2lmini/locale kernelfree/locale)"

# A new chapter from the template: make new CHAPTER=19_my_idea
new: $(VENV)/ready
	@$(BIN)/python -m tools.new $(CHAPTER)

# One page in a browser, in all languages, anew after each save: make serve CHAPTER=chapters/04_masked_softmax.ipynb
serve: $(VENV)/ready
	@$(BIN)/python -m tools.serve $(CHAPTER)

# One chapter, in half a minute: what it still lacks, its outputs, its structure, its exercises.
check: NAME = $(basename $(notdir $(CHAPTER)))
check: HOME_OF = $(VENV)$(if $(filter %/$(NAME).ipynb,$(LIVE)),-frameworks)
check: $(VENV)/ready $(if $(filter $(CHAPTER),$(LIVE)),$(VENV)-frameworks/ready)
	@$(BIN)/python -m tools.lacking $(NAME) > /dev/null
	$(BIN)/ruff format --check --line-length 88 chapters/$(NAME).ipynb
	$(HOME_OF)/bin/python -m pytest -q $(NBVAL) chapters/$(NAME).ipynb
	$(BIN)/python -m pytest -q tests/book/test_chapters.py tests/book/test_portability.py \
		tests/book/test_exercises_slips.py -k "$(NAME) or $(firstword $(subst _, ,$(NAME)))-"
	@$(BIN)/python -m tools.lacking $(NAME)

# The addresses of _config.yml, wherever else they stand.
relink:
	@$(PYTHON) -m tools.relink

wheel: $(VENV)/ready
	@$(BIN)/python -m hatchling build

bench: $(VENV)/ready _build/html/index.html
	$(BIN)/python -m benchmarks

# A class on a JupyterHub of this machine: make hub STUDENTS=40
STUDENTS ?= 4
hub: $(VENV)/ready $(VENV)-hub/ready node_modules/ready
	$(BIN)/python -m classroom.hub.trial $(STUDENTS)

# The book as one PDF in each language, printed from its one file: the spine, and at the back what it folds.
pdf: $(VENV)/ready _build/html/index.html
	@$(BIN)/python -m tools.chromium > /dev/null
	@$(BIN)/python -m pages.printed

# A chapter on paper, for a class and for its teacher: make handout CHAPTER=chapters/04_masked_softmax.ipynb [EDITION=zh] [ONLY="works step"]
handout: $(VENV)/ready _build/html/index.html
	@$(BIN)/python -m tools.chromium > /dev/null
	@$(BIN)/python -m classroom.handout $(CHAPTER) $(EDITION) $(if $(ONLY),--only $(ONLY))

lint: $(VENV)/ready node_modules/ready
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(BIN)/ruff format --line-length 88 chapters/*.ipynb
	@PATH="$(CURDIR)/$(BIN):$$PATH" node_modules/.bin/biome check --write
	@PATH="$(CURDIR)/$(BIN):$$PATH" node_modules/.bin/tsc

pins: $(VENV)/book
	@$(BIN)/python -m pip install --quiet uv
	PATH="$(CURDIR)/$(BIN):$$PATH" sh requirements/pin.sh

clean:
	rm -rf _build $(VENV) $(VENV)-frameworks $(VENV)-mxnet $(VENV)-exports $(VENV)-hub $(VENV)-mutants
