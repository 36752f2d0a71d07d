"""Components as the page draws them from Discord's JSON, and their sizes, in a real browser."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Page, expect

from tests.bot.sandbox.page_browser import DESKTOP, PHONE, chromium, modules, tab

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]


# -- components from Discord's JSON ----------------------------------------------------------------

HOSTILE = '"><img src=x onerror=alert(1)>'
DRAW = """async (components) => {
  const at = (name) => import(`/page/static/${name}.js`);
  const { drawComponents } = await at("components");
  const { closePopover } = await at("popover");
  closePopover("cancelled");
  window.pressed = [];
  const people = [{ id: "11", name: "Ann" }, { id: "12", name: "Bob" }];
  const world = {
    people, bot: { id: "9", username: "Dealer" }, names: { user: () => null, channel: () => null },
  };
  const press = async (component, values) => window.pressed.push([component.custom_id, values]);
  const box = document.createElement("main");
  box.append(...drawComponents(components, { world, channel: "21", press }));
  document.body.replaceChildren(box);
}"""
Json = dict[str, object]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def page() -> AsyncIterator[Page]:
    async with chromium() as browser, modules() as address, tab(browser, address) as opened:
        yield opened


async def draw(page: Page, *components: Json) -> None:
    await page.evaluate(DRAW, list(components))


def row(*components: Json) -> Json:
    return {"type": 1, "components": list(components)}


def button(**more: object) -> Json:
    return {"type": 2, "style": 1, "custom_id": "b", "label": "Join"} | more


def select(**more: object) -> Json:
    options = [{"label": f"No. {n}", "value": str(n)} for n in range(4)]
    return {"type": 3, "custom_id": "s", "placeholder": "Choose", "options": options} | more


async def test_a_button_tells_its_custom_id_and_a_disabled_one_nothing(page: Page) -> None:
    await draw(page, row(button(), button(custom_id="c", label="Leave", disabled=True)))
    await page.get_by_role("button", name="Join").click()
    await expect(page.get_by_role("button", name="Leave")).to_be_disabled()
    assert await page.evaluate("pressed") == [["b", None]]


async def test_an_emoji_alone_is_a_button_with_a_name(page: Page) -> None:
    await draw(page, row(button(label=None, emoji={"name": "🎲"})))
    await expect(page.get_by_role("button", name="🎲")).to_be_visible()


async def test_one_choice_is_told_at_once_and_stays_shown(page: Page) -> None:
    await draw(page, row(select()))
    await page.get_by_role("combobox", name="Choose").click()
    await page.get_by_role("option", name="No. 2").click()
    await expect(page.get_by_role("combobox")).to_have_text("No. 2")
    await expect(page.get_by_role("listbox")).to_have_count(0)
    assert await page.evaluate("pressed") == [["s", ["2"]]]


async def test_several_choices_are_told_together_when_the_list_closes(page: Page) -> None:
    await draw(page, row(select(min_values=2, max_values=3)))
    await page.get_by_role("combobox").click()
    for n in (3, 0, 1, 2):  # the fourth is one too many
        await page.get_by_role("option", name=f"No. {n}").click()
    assert await page.evaluate("pressed") == []
    await expect(page.get_by_role("status")).to_have_text("Choose 2 to 3; 3 chosen.")
    await page.get_by_role("button", name="Done").click()
    assert await page.evaluate("pressed") == [["s", ["0", "1", "3"]]]


async def test_too_few_choices_and_an_escape_tell_nothing(page: Page) -> None:
    await draw(page, row(select(min_values=2, max_values=3)))
    await page.get_by_role("combobox").click()
    await page.get_by_role("option", name="No. 1").click()
    await page.get_by_role("button", name="Done").click()
    await page.get_by_role("combobox").click()
    for n in (1, 2):
        await page.get_by_role("option", name=f"No. {n}").click()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("combobox")).to_be_focused()
    assert await page.evaluate("pressed") == []


async def test_a_letter_leads_to_the_option_that_begins_with_it(page: Page) -> None:
    options = [{"label": name, "value": name} for name in ("Ace", "King", "Queen")]
    await draw(page, row(select(options=options)))
    await page.get_by_role("combobox").focus()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("q")
    await page.keyboard.press("Enter")
    assert await page.evaluate("pressed") == [["s", ["Queen"]]]


async def test_a_choice_made_beforehand_is_shown_as_chosen(page: Page) -> None:
    options = [{"label": n, "value": n, "default": n == "King"} for n in ("Ace", "King")]
    await draw(page, row(select(options=options)))
    await expect(page.get_by_role("combobox")).to_have_text("King")
    await page.get_by_role("combobox").click()
    await expect(page.get_by_role("option", selected=True)).to_have_text("King")


async def test_a_picture_from_elsewhere_is_named_and_never_fetched(page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    media = {"url": "https://elsewhere.example/attachments/1/2/spy.png"}
    await draw(page, {"type": 12, "items": [{"media": media}]})
    assert await page.locator("img").count() == 0
    await expect(page.get_by_text("elsewhere.example").first).to_be_visible()
    assert not [url for url in asked if "elsewhere" in url]


async def test_a_picture_of_the_emulator_is_shown_with_its_description(page: Page) -> None:
    media = {"url": "http://127.0.0.1:1/attachments/1/2/cards.png", "width": 40, "height": 20}
    await draw(page, {"type": 12, "items": [{"media": media, "description": "three kings"}]})
    picture = page.get_by_alt_text("three kings")
    assert await picture.get_attribute("src") == "/attachments/1/2/cards.png"
    await expect(page.locator(".frame.loading")).to_have_count(0)
    assert await picture.evaluate("image => image.naturalWidth") == 1


async def test_a_picture_that_is_gone_says_so(page: Page) -> None:
    media = {"url": "/attachments/1/2/gone.png"}
    await draw(page, {"type": 12, "items": [{"media": media, "description": "three kings"}]})
    await expect(page.get_by_role("img", name="three kings")).to_contain_text("could not be loaded")


async def test_hostile_words_in_any_part_are_shown_as_words(page: Page) -> None:
    options = [{"label": HOSTILE, "value": "x", "description": HOSTILE, "emoji": {"name": HOSTILE}}]
    await draw(
        page,
        {"type": 17, "accent_color": 1, "components": [{"type": 10, "content": HOSTILE}]},
        row(button(label=HOSTILE, emoji={"name": HOSTILE})),
        row(select(options=options, placeholder=HOSTILE)),
        {"type": 99, "content": HOSTILE},
    )
    await page.get_by_role("combobox").click()
    assert await page.locator("img, script, [onerror]").count() == 0
    assert (await page.evaluate("document.body.textContent")).count(HOSTILE) == 8
    links = await page.eval_on_selector_all("a", "links => links.map(link => link.protocol)")
    assert set(links) <= {"http:", "https:"}


# -- sizes -----------------------------------------------------------------------------------------

CARD = "<:As:1300000000000000000>"
STYLED = """() => Promise.all(["layout", "messages", "controls"].map((name) => {
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = `/page/static/${name}.css`;
  document.head.append(sheet);
  return new Promise((done) => sheet.addEventListener("load", done));
}))"""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def styled() -> AsyncIterator[Page]:
    async with chromium() as browser, modules() as address, tab(browser, address) as opened:
        await opened.evaluate(STYLED)
        yield opened


def text(content: str) -> dict[str, object]:
    return {"type": 10, "content": content}


async def size(styled: Page, selector: str) -> tuple[float, float]:
    box = await styled.locator(selector).first.bounding_box()
    assert box is not None, selector
    return round(box["width"], 1), round(box["height"], 1)


async def style(styled: Page, selector: str, name: str) -> str:
    got = await styled.locator(selector).first.evaluate(
        "(node, name) => getComputedStyle(node)[name]", name
    )
    return str(got)


async def larger(styled: Page, *, on: bool) -> None:
    await styled.evaluate(
        "(size) => { document.documentElement.dataset.buttons = size; }", "larger" if on else ""
    )


async def test_a_button_is_as_high_and_padded_as_discords_and_a_fifth_larger_on_demand(
    styled: Page,
) -> None:
    await draw(styled, row(button(), button(custom_id="c")))
    await larger(styled, on=False)
    width, height = await size(styled, ".button")
    assert height == 32
    assert await style(styled, ".button", "paddingLeft") == "16px"
    assert await style(styled, ".button", "fontSize") == "14px"
    assert await style(styled, ".action-row", "columnGap") == "8px"
    await larger(styled, on=True)
    assert await size(styled, ".button") == pytest.approx((width * 1.2, height * 1.2), abs=0.5)
    await larger(styled, on=False)


async def test_on_a_phone_buttons_are_larger_and_can_be_larger_by_a_fifth(styled: Page) -> None:
    await draw(styled, row(button()))
    await styled.set_viewport_size(PHONE)
    await larger(styled, on=False)
    assert await style(styled, ".button", "paddingLeft") == "16px"
    width, height = await size(styled, ".button")
    assert height > 32
    await larger(styled, on=True)
    assert await size(styled, ".button") == pytest.approx((width * 1.2, height * 1.2), abs=0.5)
    await larger(styled, on=False)
    await styled.set_viewport_size(DESKTOP)


async def test_buttons_go_on_in_a_further_row_and_never_shrink(styled: Page) -> None:
    wide = [button(custom_id=f"b{n}", label="A label of some length") for n in range(5)]
    await draw(styled, row(wide[0]))
    alone = await size(styled, ".button")
    await draw(styled, {"type": 17, "components": [row(*wide)]})
    assert await size(styled, ".button") == alone
    boxes = await styled.locator(".button").evaluate_all(
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
    styled: Page, marks: str, selector: str, letters: int, emoji: float
) -> None:
    await draw(styled, text(f"{marks}cards {CARD}"))
    assert await style(styled, selector, "fontSize") == f"{letters}px"
    assert await size(styled, ".custom-emoji") == (emoji, emoji)


async def test_an_emoji_in_a_button_and_a_list_has_discords_size(styled: Page) -> None:
    card = {"id": "1300000000000000000", "name": "As"}
    options = [{"label": "Ace", "value": "a", "emoji": card}]
    await draw(styled, row(button(emoji=card)), row(select(options=options)))
    assert await size(styled, ".button .custom-emoji") == (22, 22)
    await styled.get_by_role("combobox").click()
    assert await size(styled, ".option .custom-emoji") == (22, 22)
    await styled.keyboard.press("Escape")


async def test_an_emoji_on_a_button_is_read_by_its_name_before_the_label(styled: Page) -> None:
    card = {"id": "1300000000000000000", "name": "ace"}
    await draw(styled, row(button(emoji=card, label="18%")))
    await expect(styled.get_by_role("button", name=":ace: 18%")).to_be_visible()


async def test_a_text_shows_nothing_after_a_hundred_marks(styled: Page) -> None:
    await draw(styled, text(" ".join(f"**{n}**" for n in range(100)) + " still there"))
    assert "99 still there" in await styled.locator(".text-display").inner_text()
    await draw(styled, text(" ".join(f"**{n}**" for n in range(101)) + " gone\n# gone too"))
    shown = await styled.locator(".text-display").inner_text()
    assert "99" in shown
    assert "100" not in shown
    assert "gone" not in shown


async def test_an_emoji_in_the_words_of_a_link_breaks_it(styled: Page) -> None:
    await draw(styled, text(f"[cards {CARD}](https://example.org) [none](https://example.org)"))
    assert await styled.locator(".text-display a").all_inner_texts() == ["none"]


async def test_a_text_display_wraps_before_a_wide_message_does(styled: Page) -> None:
    await draw(styled, text("long " * 200))
    assert (await size(styled, ".text-display"))[0] == 600
