# `make play` and `make test` do all the set-up by themselves: a .venv of the project's own,
# with the locked requirements checked by their hashes.
PYTHON ?= python3
BIN := .venv/bin
# most of what is installed nobody loads; what is loaded is compiled then
PIP_INSTALL := $(BIN)/python -m pip --disable-pip-version-check --quiet install --no-compile
# hundreds of processes load the same sources, and must not compile them each for itself
unexport PYTHONDONTWRITEBYTECODE
NODE := node_modules/.bin
NO_NODE := the page's JavaScript is checked with node 18 or newer and its npm, and they are not on the path.

.PHONY: help install play test crash soak screenshots check check-page format coverage lock clean

help:            ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 14

install: .venv/run.stamp  ## set up the environment, start nothing

.PHONY: extras
extras: .venv/run.stamp  ## what only some need: EXTRAS=charts (the default) or watching (Sentry)
	@$(PIP_INSTALL) --require-hashes -r requirements-$(or $(EXTRAS),charts).lock

play: .venv/run.stamp  ## the bot and a local Discord to play it in; prints the address to open
	@$(BIN)/bluffhouse sandbox

# two workers more than there are processors, as the bot's tests wait a third of their time; each file is one worker's,
# in the order of tests/conftest.py
PYTEST = $(BIN)/python -m pytest --numprocesses $(or $(WORKERS),$(shell $(BIN)/python -c "import os; print(len(getattr(os, 'sched_getaffinity', lambda _: range(os.cpu_count() or 1))(0)) + 2)")) --dist loadfile --no-loadscope-reorder
QUICK := not process and not browser and not long and not thorough

test: $(if $(ARGS),.venv/dev.stamp page-tools,kernels)  ## what to run before a push: all but test-all's (ARGS=tests/engine for some)
	@$(PYTEST) $(or $(ARGS),-m "$(QUICK)")

.PHONY: test-all
test-all: .venv/dev.stamp page-tools kernels  ## all tests, with slow ones too: real processes, kills and power cuts, the browser, whole matches and sessions too
	@$(PYTEST) $(ARGS)

# compiled once, or every worker would compile its own; nothing waits for what it doesn't need: sources and the page's tools
# wait for no package, the kernels for none that only tests need
.PHONY: kernels kernels-counting kernels-players kernels-sampling compiled-sources compiled-tests
kernels:
	@$(MAKE) -s --no-print-directory -j6 compiled-sources page-tools kernels-counting kernels-players kernels-sampling compiled-tests

compiled-sources: .venv/bin/python
	@$(BIN)/python -m compileall -q bot engine

kernels-counting kernels-players kernels-sampling: kernels-%: .venv/run.stamp
	@$(BIN)/python -m tests.kernels $*

compiled-tests: .venv/dev.stamp
	@ls tests/__pycache__/conftest.*-pytest-* >/dev/null 2>&1 || $(BIN)/python -m pytest --collect-only >/dev/null 2>&1 || true

.PHONY: test-random test-busy
test-random: .venv/dev.stamp page-tools  ## all tests in a random order, which SEED=... repeats
	@seed=$(or $(SEED),$$(date +%s)); echo "make test-random SEED=$$seed"; \
	    $(BIN)/python -m pytest -p randomly --randomly-seed=$$seed $(ARGS)

test-busy: .venv/dev.stamp page-tools  ## all tests while LOAD=20 other processes keep the machine busy; takes an hour
	@$(BIN)/python benchmarks/busy.py --load $(or $(LOAD),20) -- $(BIN)/python -m pytest --timeout 7200 $(ARGS)

# axe-core, which looks at the page's accessibility, and discord.js, which a bot of the tests is written with, where there is
# npm; without it those tests say what is missing
.PHONY: page-tools
page-tools:
	@if command -v npm >/dev/null; then $(MAKE) -s --no-print-directory node_modules/page.stamp || echo "the page's tools could not be installed" >&2; fi

crash: .venv/dev.stamp  ## kill the real bot while people play, judge what is left (KILLS=1000 SEED=1 POINT=letter.sent)
	@$(BIN)/python -m tests.crash --kills $(or $(KILLS),1000) --seed $(or $(SEED),1) $(if $(POINT),--point $(POINT))

soak: .venv/dev.stamp  ## many live tables: waits, memory, start (TABLES=1000 MINUTES=10 CURVE=10,100,3000)
	@$(BIN)/python -m benchmarks.soak --tables $(or $(TABLES),1000) --minutes $(or $(MINUTES),10) --curve "$(CURVE)"

.PHONY: sessions
sessions: .venv/dev.stamp  ## whole sessions in virtual time with trouble, from a seed (SESSIONS=1000 SEED=1)
	@$(BIN)/python -m tests.sessions --sessions $(or $(SESSIONS),1000) --seed $(or $(SEED),1)

.PHONY: shards
shards: .venv/dev.stamp  ## processes on one PostgreSQL killed, paused and cut off while people play (MATCHES=300 SEED=1)
	@$(BIN)/python -m tests.shards --matches $(or $(MATCHES),300) --seed $(or $(SEED),1)

.PHONY: sabotage
sabotage: .venv/dev.stamp  ## break a copy of the code in some sixty ways, one by one; each must be caught (NAMES=stale_nonce)
	@$(BIN)/python -m tests.sabotage $(NAMES)

.PHONY: powerloss
powerloss: .venv/dev.stamp  ## cut the real bot's power while people play; look for lost moves (CUTS=500 SEED=1)
	@$(BIN)/python -m tests.powerloss --cuts $(or $(CUTS),500) --seed $(or $(SEED),1)

.PHONY: fuzz
fuzz: .venv/dev.stamp  ## odd texts, presses, tables, settings, files... by chance (TEXTS=1000000 PAYLOADS=100000 RUNS=10000 ON_POSTGRES=1000 OTHERS=20000 SEED=1)
	@PYTHONHASHSEED=0 $(BIN)/python -m tests.fuzz --seed $(or $(SEED),1) --texts $(or $(TEXTS),1000000) --payloads $(or $(PAYLOADS),100000) \
	    --house $(or $(RUNS),10000) --postgres $(or $(ON_POSTGRES),1000) $(foreach room,settings commands questions files names,--$(room) $(or $(OTHERS),20000))

.PHONY: image
image: .venv/dev.stamp  ## build the container image and try it, without Docker (needs root, buildah and runc; IMAGE=... tries a built one)
	@$(BIN)/python -m tests.image $(if $(IMAGE),--image $(IMAGE)) --options="$(OPTIONS)"

.PHONY: dist
dist: .venv/run.stamp  ## build the wheel and the source archive into dist/
	@rm -rf build dist
	@$(BIN)/python -c "from setuptools import build_meta as build; build.build_sdist('dist'); build.build_wheel('dist')" >/dev/null
	@ls -sh dist

.PHONY: site
site: .venv/site.stamp  ## build the documentation site into site/, every link checked
	@$(BIN)/python deploy/pages.py build/pages
	@NO_MKDOCS_2_WARNING=1 .venv/site/bin/mkdocs build --quiet --clean -f deploy/mkdocs.yml

.PHONY: audit
audit:           ## compare what is locked with published advisories (needs pip-audit, npm and the network)
	@bash .ci/audit

.PHONY: messages
messages: .venv/dev.stamp  ## bring the catalogues of all languages up to date with the code
	@$(BIN)/python -m tests.catalogues

screenshots: .venv/dev.stamp  ## play whole sessions in Chromium and keep in docs/images what pages show
	@$(BIN)/python -m pytest tests/bot/test_browser_gallery.py tests/bot/test_browser_computers.py \
	    tests/bot/test_browser_sessions.py tests/bot/test_browser_round.py --screenshots docs/images $(ARGS)

check: .venv/dev.stamp  ## format, lint, types, import contracts; the page's JavaScript
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(MAKE) --no-print-directory check-page

check-page:      ## lint and types of the page's JavaScript (needs node; skipped without, unless CI is set)
	@if command -v node >/dev/null && command -v npm >/dev/null; then \
	    $(MAKE) -s --no-print-directory node_modules/page.stamp && $(NODE)/biome lint --error-on-warnings && $(NODE)/tsc; \
	elif [ -n "$$CI" ]; then echo "FAILED: $(NO_NODE)" >&2; exit 1; \
	else echo "SKIPPED: $(NO_NODE)" >&2; fi

format: .venv/dev.stamp  ## write the format and the safe lint fixes
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

coverage: .venv/dev.stamp  ## the engine's quick tests, with branch coverage of all that is not compiled
	@$(BIN)/coverage run -m pytest tests/engine -m "not long and not thorough"
	@$(BIN)/coverage report --fail-under=100

lock:            ## resolve requirements anew (needs uv and npm)
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --custom-compile-command 'make lock' \
	    --quiet pyproject.toml --extra postgres --group build -o requirements.lock
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --custom-compile-command 'make lock' \
	    --quiet pyproject.toml --extra postgres --extra charts --group build -c requirements.lock -o requirements-charts.lock
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --custom-compile-command 'make lock' \
	    --quiet pyproject.toml --extra postgres --extra sentry --group build -c requirements.lock -o requirements-watching.lock
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --custom-compile-command 'make lock' \
	    --quiet pyproject.toml --all-extras --group build --group dev -c requirements-charts.lock -c requirements-watching.lock -o requirements-dev.lock
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --custom-compile-command 'make lock' \
	    --quiet --group clients -o requirements-clients.lock
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --custom-compile-command 'make lock' \
	    --quiet --group site -o requirements-site.lock
	npm install --package-lock-only --ignore-scripts --no-audit --no-fund
	@# funding addresses are left out: the lock file names no host
	node -e 'const fs = require("fs"), lock = "package-lock.json"; fs.writeFileSync(lock, JSON.stringify(JSON.parse(fs.readFileSync(lock)), (key, value) => (key === "funding" ? undefined : value), 2) + "\n")'

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Bluffhouse needs Python 3.11 or newer, e.g. make play PYTHON=python3.12" >&2; exit 2; }
	@$(PYTHON) deploy/supported.py
	@$(PYTHON) -m venv .venv

.venv/run.stamp: requirements.lock pyproject.toml setup.py | .venv/bin/python
	@echo "Setting up .venv (once) ..."
	@$(PIP_INSTALL) --require-hashes -r requirements.lock
	@$(PIP_INSTALL) --no-deps --no-build-isolation -e .
	@touch $@

.venv/dev.stamp: requirements-dev.lock requirements-clients.lock .venv/run.stamp
	@$(PIP_INSTALL) --require-hashes -r requirements-dev.lock
	@$(PIP_INSTALL) --require-hashes --upgrade --target .venv/clients -r requirements-clients.lock
	@touch $@

.venv/site.stamp: requirements-site.lock .venv/run.stamp
	@$(PYTHON) -m venv .venv/site
	@.venv/site/bin/python -m pip --disable-pip-version-check --quiet install --require-hashes -r requirements-site.lock
	@touch $@

node_modules/page.stamp: package.json package-lock.json .npmrc
	@npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

clean:           ## remove the environments and what tools left behind
	rm -rf .venv node_modules build dist site *.egg-info .mypy_cache .ruff_cache .hypothesis .coverage
