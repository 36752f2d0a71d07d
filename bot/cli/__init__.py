"""The command line: `bluffhouse ...`. Commands parse, ask a plain module and print.

Every command module is imported at start, so none may import numba, matplotlib, discord or the
database at its top: they do so inside the command that needs it. A first answer is instant then.
"""

import typer

from bot.cli.analyze_bids import AnalyzeGroup
from bot.cli.failing import OneSentenceGroup
from bot.cli.odds_bids import OddsGroup
from bot.words import listed
from engine.variants import VARIANTS

ABOUT = (
    f"{listed(variant.title for variant in VARIANTS.values())} for Discord, and the odds of poker,"
    " exactly."
)

app = typer.Typer(
    name="bluffhouse",
    cls=OneSentenceGroup,
    help=ABOUT,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
odds_app = typer.Typer(
    cls=OddsGroup,
    help="The odds of a bid, a showdown or Three Card Poker.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
analyze_app = typer.Typer(
    cls=AnalyzeGroup,
    help="Whole tables and charts: the analyses behind the odds.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(odds_app, name="odds")
app.add_typer(analyze_app, name="analyze")

# Each module below adds its commands to the three groups above; those of the games are made from
# `VARIANTS` when they are asked for (`bot.cli.games`).
from bot.cli import analyze_three_card as analyze_three_card  # noqa: E402
from bot.cli import odds_showdown as odds_showdown  # noqa: E402
from bot.cli import odds_three_card as odds_three_card  # noqa: E402
from bot.cli import play as play  # noqa: E402
from bot.cli import replay as replay  # noqa: E402
from bot.cli import run as run  # noqa: E402
from bot.cli import simulate as simulate  # noqa: E402
from bot.cli import storage as storage  # noqa: E402
from bot.cli import version as version  # noqa: E402
