"""All texts that people read in Discord are marked for translation."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from bot.language.catalogues import several
from tests.catalogues import BOT, every_text

# the rooms whose words are read there
FOLDERS = ("boards", "discord", "pictures", "services", "tables", "wordings.py", "words.py")
OF_REPLAYS = ("played.py", "telling.py")
# what their host reads in a terminal, which is English as the command line is
OF_HOSTS = ("game_fits.py", "duplicate_instance.py", "sessions.py")
# what stands in them that is said to nobody, or is the same in all languages
UNSAID = {
    "boards/howto.py": {"Milo", "Hugo", "Ivo", "Vera", "Nora", "Lena"},
    # a bonus and a game by their own names
    "boards/three_card_odds.py": {" (Mini Royal)", "Three Card Poker", ", Mini Royal "},
    "discord/delivery/tables.py": {" after "},  # of a nonce
    # of the log, for hosts
    "discord/client.py": {"Discord asks for ", " seconds", "standing by"},  # a task of its own
    "discord/registering.py": {
        "in the developer portal, on the application's page Installation, tick User Install beside"
        " Guild Install and save (docs/hosting.md)",
        "this is the bot's own fault, so please report it with this line",
        "registering commands",
        "registering has failed once",
        "Discord asks to wait for ",
        " seconds",
        "nothing more",
        "Discord says ",
        ". To do: ",
    },
    "discord/emoji.py": {"card emoji", "Discord says ", "Invalid emoji"},  # for the log and tasks
    "discord/pacing.py": {"Date"},  # a header
    # parts of descriptions, which `catalogues.commands` has whole
    "discord/odds/commands.py": {
        "The cards you know, such as ",
        " you want the odds of, such as ",
        "Odds of ",
    },
    # how cards are typed for /odds; a button that somebody forged
    "discord/odds/asking.py": {
        '"Ah Kd"',
        "ask with /odds",
    },
    # questions as they may be typed, in all languages
    "discord/odds/suggestions.py": {
        "AhKd vs QQ",
        "AhKh vs random",
        "AKs vs TT+, board 9h 5h 2c",
        "AA vs KK vs QQ",
        "AsKs, 3 opponents",
        "deuces wild, AhKd vs QQ",
        "JTs, flop two pair+",
        "AhKd vs QQ, when board pairs",
        "2 random",
        "Qd Jd 9s",
        " vs random",
        ", 3 opponents",
        "board ",
        ", board ",
    },
    "discord/odds/questions.py": {"ask with /odds showdown"},
    "discord/odds/handlers.py": {
        ", when board pairs",  # of what is typed
        ", run it twice",
        "/odds showdown hands: AA(50) vs KK(100) vs QQ(100)",
        "/odds showdown hands: btn = 22+, A2s+",
        "AhKd vs QQ",
        " vs random",
        "/odds showdown hands: ",
        "hands: deuces wild, ",
        "dead: Jc Jd",
    },
    # of the command line
    "pictures/charts.py": {
        "Hold'em before the flop: share of the pot",
        "blue: the hand of the row is ahead; orange: behind; strongest first",
    },
    # seeds of what is thought, the log
    "tables/computer_turns.py": {"decisions "},
    "tables/quarantine.py": {
        "stop the bot, then run `bluffhouse store repair`;"
        " `bluffhouse store doctor` names such tables",
        "`bluffhouse store doctor` names it; a backup may have it whole",
        "its log cannot be replayed (",
    },
    # parts of texts that the catalogue has whole; an English name, to be shortened
    "words.py": {"{amount} more ", " of a kind"},
}
# two words in a row, a word alone with a capital letter, a word beside the field of an f-string
WORDS = re.compile(
    r"[A-Za-z]{2,}[,.:;!?]? [A-Za-z]{2}|^\W*[A-Z][a-z]{2,}[…!.?:]?$|^ ?[a-z]{3,} | [a-z]{3,} ?$"
)


def rooms() -> Iterator[Path]:
    """Yield the files whose texts people read in Discord."""
    for path in sorted(BOT.rglob("*.py")):
        first, *below = path.relative_to(BOT).parts
        of_replays = first == "replays" and below[0] in OF_REPLAYS
        for_others = path.name in OF_HOSTS or path.name == "typefaces.py"
        if (first in FOLDERS or of_replays) and not for_others:
            yield path


def in_words(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the line number and text of each literal in a file, if the text reads like words.

    Leave out docstrings, log entries, types in `cast`, and errors that only programmers see.
    """
    tree = ast.parse(path.read_text("utf-8"))
    unread: set[ast.AST] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant() as docstring):
                unread.add(docstring)
            case (
                ast.Call(func=ast.Attribute(value=ast.Name(id="log")))
                | ast.Call(func=ast.Name(id="cast" | "ValueError" | "TypeError" | "RuntimeError"))
            ):
                unread.update(ast.walk(node))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node not in unread:
            text = node.value
            if isinstance(text, str) and WORDS.search(text):
                yield node.lineno, text


def test_no_words_that_people_read_are_left_unmarked() -> None:
    known = {form for _, text in every_text() for form in several(text)}
    read = 0
    for path in rooms():
        name = path.relative_to(BOT).as_posix()
        unsaid, words = UNSAID.get(name, set()), list(in_words(path))
        unmarked = [(line, text) for line, text in words if text not in known | unsaid]
        assert unmarked == [], f"in {name}: mark these, or say in UNSAID why not"
        assert unsaid <= {text for _, text in words}, f"UNSAID lists what is not in {name}"
        read += len(words)
    assert read > 500
