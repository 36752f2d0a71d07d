"""`python -m tests.sabotage [NAME ...]`: break a copy of the bot, and see that tests notice."""

from __future__ import annotations

import argparse
import resource
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.sabotage import bench


def main() -> int:
    """Judge the chosen mutants; return 0 if all were caught, 1 if not or if none was chosen."""
    parser = argparse.ArgumentParser(prog="python -m tests.sabotage", description=__doc__)
    parser.add_argument("names", nargs="*", help="which mutants (all)")
    parser.add_argument(
        "--quick", action="store_true", help="only those that are marked quick, as `make test` does"
    )
    parser.add_argument(
        "--trust", action="store_true", help="do not see first whether each catcher passes"
    )
    chosen = parser.parse_args()
    mutants = [
        item
        for item in bench.all_mutants()
        if (item.name in chosen.names or not chosen.names) and (item.quick or not chosen.quick)
    ]
    unknown = set(chosen.names) - {item.name for item in mutants}
    if unknown:
        parser.error(f"there is no mutant {', '.join(sorted(unknown))} in {bench.MUTANTS}")
    began, failures = time.perf_counter(), 0
    memory = Path("/dev/shm")
    with TemporaryDirectory(dir=memory if memory.exists() else None) as base:
        tree = bench.copy_tree(Path(base) / "copy")
        trusted: dict[bench.Catcher, str | None] = {}
        for mutant in mutants:
            used = _processor_seconds()
            for catcher in () if chosen.trust else mutant.catchers:
                if catcher not in trusted:
                    trusted[catcher] = bench.is_sound(catcher, tree)
            unsound = [trusted.get(catcher) for catcher in mutant.catchers]
            wrong = [reason for reason in unsound if reason is not None]
            try:
                bench.apply(mutant, tree)
                wrong = wrong or bench.not_caught(mutant, tree)
            except bench.Unfit as unfit:
                wrong = [str(unfit)]
            finally:
                bench.undo(mutant, tree)
            failures += bool(wrong)
            result = "NOT CAUGHT" if wrong else "caught"
            print(
                f"{result:10} {_processor_seconds() - used:5.1f} s  {mutant.name}: {mutant.breaks}",
                flush=True,
            )
            for line in wrong:
                print(f"    {line}", flush=True)
    print(
        f"{len(mutants)} mutants, {failures} not caught, "
        f"{time.perf_counter() - began:.0f} s, {_processor_seconds():.0f} s of processor time"
    )
    return 1 if failures or not mutants else 0


def _processor_seconds() -> float:
    """Return the processor time of all ended child processes, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    sys.exit(main())
