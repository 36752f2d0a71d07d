"""`python -m tests.crash.fork_server`: load the bot's code once, fork a process for each start.

Loading takes most of the processor time of a start, and most tests are not about it. Each line of
standard input is JSON: `module`, whose `main` is called; its `arguments`; the `environment`; the
file `log` for its output; and optionally a separate file `errors` for standard error. The answer is
the new process's id. When that process has ended, the file `ended-<id>` next to its log has its
exit code, negative for a signal.

This process ends when standard input does; the kernel then kills any victims of `tests.crash`.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any, Final

import alembic.command
import alembic.config

import bot.__main__
import bot.app
import bot.cli
import bot.cli.run
import bot.discord.odds.commands
import bot.operations.logs
import bot.storage.migrate
from bot.language.catalogues import KEYS, language
from engine.variants import VARIANTS, ruleset
from tests.crash import seams, victim

LOADED: Final = (
    *(alembic.command, alembic.config, bot.__main__, bot.app, bot.cli.run, bot.operations.logs),
    *(seams, victim),
)
FAILED: Final = 1


def preload() -> None:
    """Load the languages and the games' data: every start reads them, and no kill changes them."""
    for key in KEYS:
        language(key)
    for variant in VARIANTS.values():
        ruleset(variant.key)
        bot.discord.odds.commands.largest_deck(variant)


def run_child(request: dict[str, Any]) -> None:
    """Run a request's module in the forked process, then exit with its code. Never returns."""
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    errors = Path(request.get("errors", request["log"]))
    with (
        Path(request["log"]).open("wb") as log,
        errors.open("ab") as errors_file,
        Path(os.devnull).open("rb") as nothing,
    ):
        os.dup2(nothing.fileno(), 0)
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno() if "errors" not in request else errors_file.fileno(), 2)
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(Path(request["log"]).parent)
    sys.argv[:] = ["bluffhouse", *request["arguments"]]
    code = FAILED
    try:
        code = importlib.import_module(request["module"]).main() or 0
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else FAILED if ended.code else 0
        if isinstance(ended.code, str):
            sys.stderr.write(f"{ended.code}\n")
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def main() -> None:
    """Fork a process for each line of standard input, until its end."""
    folders: dict[int, Path] = {}

    def bury(*_: object) -> None:
        with contextlib.suppress(ChildProcessError):
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if not pid:
                    return
                code_file = folders[pid] / f"ended-{pid}"
                aside = code_file.with_name(f"{code_file.name}.partial")
                aside.write_text(str(os.waitstatus_to_exitcode(status)))
                aside.rename(code_file)

    preload()
    gc.freeze()  # so that no child's garbage collection touches, and so copies, what is loaded
    signal.signal(signal.SIGCHLD, bury)
    while line := sys.stdin.readline():
        request = json.loads(line)
        # the child may end before `folders` has it, and then `bury` couldn't write its exit code
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
        pid = os.fork()
        if not pid:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
            run_child(request)
        folders[pid] = Path(request["log"]).parent
        # process ids are used again: an older file is an earlier process's
        (folders[pid] / f"ended-{pid}").unlink(missing_ok=True)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
        print(pid, flush=True)


if __name__ == "__main__":
    main()
