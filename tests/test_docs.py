"""What the pages for players and hosts say is so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import cast

import pytest

from bot.app import PERMISSIONS
from bot.config import Settings
from engine.variants import VARIANTS, ruleset

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PLAYING = (ROOT / "docs/playing.md").read_text()
HOSTING = (ROOT / "docs/hosting.md").read_text()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_picture_and_page_that_is_linked_is_there(page: Path) -> None:
    text = page.read_text()
    links = re.findall(r"\]\(([^)#\s]+)", text) + re.findall(r'src="([^"]+)"', text)
    gone = [link for link in links if "://" not in link and not (page.parent / link).exists()]
    assert gone == []


def test_every_short_form_in_the_page_for_players_means_what_it_says() -> None:
    rows = re.findall(r"^\| (`.+`) \| ([a-z ,]+) \|$", PLAYING, re.MULTILINE)
    wording = ruleset("liars_poker").wording
    said = [(typed, means) for cell, means in rows for typed in re.findall(r"`([^`]+)`", cell)]
    bids = [(typed, means) for typed, means in said if not typed.startswith("/")]
    assert len(bids) > 10
    assert [(typed, wording.say(wording.parse(typed))) for typed, _ in bids] == bids


def test_every_command_is_in_the_page_for_players() -> None:
    from bot.discord.odds.commands import odds_group
    from bot.discord.odds.desk import OddsDesk
    from bot.discord.tables.commands import TableCommands

    for command in TableCommands.__cog_app_commands__:
        assert f"`/{command.name}`" in PLAYING
    for command in odds_group(VARIANTS.values(), cast(OddsDesk, None)).commands:
        assert f"`/odds {command.name}`" in PLAYING


def test_the_settings_table_for_hosts_has_every_setting_with_its_default() -> None:
    rows = dict(re.findall(r"^\| (`\w+\.\w+`[^|]*) \| ([^|]+) \|", HOSTING, re.MULTILINE))
    told = {
        name: default.strip("` ")
        for cell, default in rows.items()
        for name in re.findall(r"`(\w+\.\w+)`", cell)
    }
    settings = Settings()
    real = {
        f"{section}.{key}": value
        for section in type(settings).model_fields
        for key, value in getattr(settings, section)
        if key != "token"
    }
    assert set(told) == set(real)
    for name, value in real.items():
        if value is not None:
            shown = f"{value:g}" if isinstance(value, int | float) else str(value)
            assert told[name] == shown, name


def test_the_permissions_for_hosts_are_those_of_the_invite_link() -> None:
    wanted = {name.replace("_", " ") for name, on in PERMISSIONS if on}
    said = HOSTING.replace("\n   ", " ").replace("view channels", "view channel")
    for name in wanted - {"read messages"}:
        assert name in said
