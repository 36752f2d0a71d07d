"""The command line: `bluffhouse ...`. A command parses its input, calls other modules, and prints.

A command's module is imported when the command is used (`bot.cli.groups`); help imports all of
them. These modules must not import numba, matplotlib, discord or the database at their top, as that
takes long: a command imports what it needs itself.
"""

from typing import Final

from bot.cli.groups import OneSentenceGroup
from bot.cli.parameters import version_option
from bot.language.words import join_words
from engine.variants import VARIANTS

_COMMANDS: Final = {
    "setup": "setup.setup",
    "run": "run.run",
    "sandbox": "run.sandbox",
    "play": "matches.play",
    "odds": "odds_bids.odds",
    "analyze": "analyze.analyze",
    "simulate": "matches.simulate",
    "replay": "replay.replay",
    "verify": "replay.verify",
    "store": "store.store",
    "people": "people.people",
}
app: Final = version_option(
    OneSentenceGroup(
        "bluffhouse",
        homes=_COMMANDS,
        help=f"{join_words(variant.title for variant in VARIANTS.values())} for Discord, and exact"
        " poker odds.",
        context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
    )
)
