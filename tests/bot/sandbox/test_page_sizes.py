"""The page draws what Discord's client draws, at its sizes, and shows no more than it shows."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Page, expect

from tests.bot.sandbox.page_browser import DESKTOP, PHONE, chromium, modules, tab
from tests.bot.sandbox.test_page_components import button, draw, row, select

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

CARD = "<:As:1300000000000000000>"
STYLED = """() => Promise.all(["layout", "messages", "controls"].map((name) => {
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = `/page/static/${name}.css`;
  document.head.append(sheet);
  return new Promise((done) => sheet.addEventListener("load", done));
}))"""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def page() -> AsyncIterator[Page]:
    async with chromium() as browser, modules() as address, tab(browser, address) as opened:
        await opened.evaluate(STYLED)
        yield opened


def text(content: str) -> dict[str, object]:
    return {"type": 10, "content": content}


async def size(page: Page, selector: str) -> tuple[float, float]:
    box = await page.locator(selector).first.bounding_box()
    assert box is not None, selector
    return round(box["width"], 1), round(box["height"], 1)


async def style(page: Page, selector: str, name: str) -> str:
    got = await page.locator(selector).first.evaluate(
        "(node, name) => getComputedStyle(node)[name]", name
    )
    return str(got)


async def larger(page: Page, *, on: bool) -> None:
    await page.evaluate(
        "(size) => { document.documentElement.dataset.buttons = size; }", "larger" if on else ""
    )


async def test_a_button_is_as_high_and_padded_as_discords_and_a_fifth_larger_on_demand(
    page: Page,
) -> None:
    await draw(page, row(button(), button(custom_id="c")))
    await larger(page, on=False)
    width, height = await size(page, ".button")
    assert height == 32
    assert await style(page, ".button", "paddingLeft") == "16px"
    assert await style(page, ".button", "fontSize") == "14px"
    assert await style(page, ".action-row", "columnGap") == "8px"
    await larger(page, on=True)
    assert await size(page, ".button") == pytest.approx((width * 1.2, height * 1.2), abs=0.5)
    await larger(page, on=False)


async def test_on_a_phone_buttons_are_larger_and_can_be_larger_by_a_fifth(page: Page) -> None:
    await draw(page, row(button()))
    await page.set_viewport_size(PHONE)
    await larger(page, on=False)
    assert await style(page, ".button", "paddingLeft") == "16px"
    width, height = await size(page, ".button")
    assert height > 32
    await larger(page, on=True)
    assert await size(page, ".button") == pytest.approx((width * 1.2, height * 1.2), abs=0.5)
    await larger(page, on=False)
    await page.set_viewport_size(DESKTOP)


async def test_buttons_go_on_in_a_further_row_and_never_shrink(page: Page) -> None:
    wide = [button(custom_id=f"b{n}", label="A label of some length") for n in range(5)]
    await draw(page, row(wide[0]))
    alone = await size(page, ".button")
    await draw(page, {"type": 17, "components": [row(*wide)]})
    assert await size(page, ".button") == alone
    boxes = await page.locator(".button").evaluate_all(
        "nodes => nodes.map((node) => node.getBoundingClientRect().top)"
    )
    assert len(set(boxes)) > 1


@pytest.mark.parametrize(
    ("marks", "selector", "letters", "emoji"),
    [
        ("# ", ".md-h1", 24, 33),
        ("## ", ".md-h2", 20, 27.5),
        ("### ", ".md-h3", 16, 22),
        ("", ".md", 16, 22),
        ("- ", ".md li", 16, 22),
    ],
)
async def test_headings_and_the_emoji_in_them_have_discords_sizes(
    page: Page, marks: str, selector: str, letters: int, emoji: float
) -> None:
    await draw(page, text(f"{marks}cards {CARD}"))
    assert await style(page, selector, "fontSize") == f"{letters}px"
    assert await size(page, ".custom-emoji") == (emoji, emoji)


async def test_an_emoji_in_a_button_and_a_list_has_discords_size(page: Page) -> None:
    card = {"id": "1300000000000000000", "name": "As"}
    options = [{"label": "Ace", "value": "a", "emoji": card}]
    await draw(page, row(button(emoji=card)), row(select(options=options)))
    assert await size(page, ".button .custom-emoji") == (22, 22)
    await page.get_by_role("combobox").click()
    assert await size(page, ".option .custom-emoji") == (22, 22)
    await page.keyboard.press("Escape")


async def test_an_emoji_on_a_button_is_read_by_its_name_before_the_label(page: Page) -> None:
    card = {"id": "1300000000000000000", "name": "ace"}
    await draw(page, row(button(emoji=card, label="18%")))
    await expect(page.get_by_role("button", name=":ace: 18%")).to_be_visible()


async def test_a_text_shows_nothing_after_a_hundred_marks(page: Page) -> None:
    await draw(page, text(" ".join(f"**{n}**" for n in range(100)) + " still there"))
    assert "99 still there" in await page.locator(".text-display").inner_text()
    await draw(page, text(" ".join(f"**{n}**" for n in range(101)) + " gone\n# gone too"))
    shown = await page.locator(".text-display").inner_text()
    assert "99" in shown
    assert "100" not in shown
    assert "gone" not in shown


async def test_an_emoji_in_the_words_of_a_link_breaks_it(page: Page) -> None:
    await draw(page, text(f"[cards {CARD}](https://example.org) [none](https://example.org)"))
    assert await page.locator(".text-display a").all_inner_texts() == ["none"]


async def test_a_text_display_wraps_before_a_wide_message_does(page: Page) -> None:
    await draw(page, text("long " * 200))
    assert (await size(page, ".text-display"))[0] == 600
