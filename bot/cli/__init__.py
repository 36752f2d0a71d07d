"""The command line: `bluffhouse ...`. Commands parse, ask a plain module and print.

The module of a command is imported when the command is asked for (`bot.cli.lazily`); of them all
for help. None may import numba, matplotlib, discord or the database at its top, they do so inside
the command that needs it. A first answer is instant then.
"""

from typing import Annotated, Final

import typer

from bot.cli.analyze_bids import AnalyzeGroup
from bot.cli.failing import OneSentenceGroup
from bot.cli.odds_bids import OddsGroup
from bot.language.words import listed
from engine.variants import VARIANTS

ABOUT = (
    f"{listed(variant.title for variant in VARIANTS.values())} for Discord, and the odds of poker,"
    " exactly."
)
# Which module adds each command, in the order of help; those of the games come from `VARIANTS`
# (`bot.cli.games`).
_HOMES: Final = {
    "export-user": "people",
    "delete-user": "people",
    "play": "play",
    "replay": "replay",
    "verify": "replay",
    "run": "run",
    "sandbox": "run",
    "simulate": "simulate",
    "migrate": "storage",
    "backup": "storage",
    "migrate-store": "storage",
    "rebuild-records": "storage",
    "doctor": "storage",
    "repair": "storage",
}
_OF_ODDS: Final = {"showdown": "odds_showdown", "three-card": "odds_three_card"}
_OF_ANALYZE: Final = {"preflop": "analyze_preflop", "three-card": "analyze_three_card"}


class Commands(OneSentenceGroup):
    """`bluffhouse`."""

    homes = _HOMES

    @staticmethod
    def typer_of() -> typer.Typer:
        """The `Typer` that modules add their commands to."""
        return app


class Odds(OddsGroup):
    """`bluffhouse odds`."""

    homes = _OF_ODDS

    @staticmethod
    def typer_of() -> typer.Typer:
        """The `Typer` that modules add their commands to."""
        return odds_app


class Analyses(AnalyzeGroup):
    """`bluffhouse analyze`."""

    homes = _OF_ANALYZE

    @staticmethod
    def typer_of() -> typer.Typer:
        """The `Typer` that modules add their commands to."""
        return analyze_app


app = typer.Typer(
    name="bluffhouse",
    cls=Commands,
    help=ABOUT,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
odds_app = typer.Typer(
    cls=Odds,
    help="The odds of a bid, a showdown or Three Card Poker.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
analyze_app = typer.Typer(
    cls=Analyses,
    help="Whole tables and charts: the analyses behind the odds.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(odds_app, name="odds")
app.add_typer(analyze_app, name="analyze")


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"bluffhouse {version('bluffhouse')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """The options of `bluffhouse` itself; its help is the group's."""
