"""Discord's JSON as the page draws it in a real browser: components, their sizes, Markdown."""

import re
import time
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
OPEN = """async (modal) => {
  const { openModal } = await import("/page/static/modal.js");
  window.sent = [];
  const act = async (kind, body) => { window.sent.push([kind, body]); return { ok: true }; };
  const names = { user: () => null, channel: () => null };
  openModal({ bot: null, names, act }, "21", modal, "31");
}"""
STYLED = """() => Promise.all(["layout", "messages", "controls"].map((name) => {
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = `/page/static/${name}.css`;
  document.head.append(sheet);
  return new Promise((done) => sheet.addEventListener("load", done));
}))"""
Json = dict[str, object]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def page() -> AsyncIterator[Page]:
    async with chromium() as browser, modules() as address, tab(browser, address) as opened:
        await opened.evaluate(STYLED)
        yield opened


async def draw(page: Page, *components: Json) -> None:
    await page.evaluate(DRAW, list(components))


def row(*components: Json) -> Json:
    return {"type": 1, "components": list(components)}


def button(**kwargs: object) -> Json:
    return {"type": 2, "style": 1, "custom_id": "b", "label": "Join"} | kwargs


def select(**kwargs: object) -> Json:
    options = [{"label": f"No. {n}", "value": str(n)} for n in range(4)]
    return {"type": 3, "custom_id": "s", "placeholder": "Choose", "options": options} | kwargs


async def test_a_button_sends_its_custom_id_and_a_disabled_one_nothing(page: Page) -> None:
    await draw(page, row(button(), button(custom_id="c", label="Leave", disabled=True)))
    await page.get_by_role("button", name="Join").click()
    await expect(page.get_by_role("button", name="Leave")).to_be_disabled()
    assert await page.evaluate("pressed") == [["b", None]]


async def test_a_single_choice_is_sent_at_once_and_stays_shown(page: Page) -> None:
    options = [{"label": n, "value": n, "default": n == "King"} for n in ("Ace", "King", "Queen")]
    await draw(page, row(select(options=options)))
    await expect(page.get_by_role("combobox")).to_have_text("King")  # a choice made beforehand
    await page.get_by_role("combobox").click()
    await expect(page.get_by_role("option", selected=True)).to_have_text("King")
    await page.get_by_role("option", name="Ace").click()
    await expect(page.get_by_role("combobox")).to_have_text("Ace")
    await expect(page.get_by_role("listbox")).to_have_count(0)
    await page.get_by_role("combobox").focus()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("q")  # leads to the option that begins with it
    await page.keyboard.press("Enter")
    assert await page.evaluate("pressed") == [["s", ["Ace"]], ["s", ["Queen"]]]


async def test_several_choices_are_sent_together_when_the_list_closes(page: Page) -> None:
    await draw(page, row(select(min_values=2, max_values=3)))
    await page.get_by_role("combobox", name="Choose").click()
    await page.get_by_role("option", name="No. 1").click()
    await page.get_by_role("button", name="Done").click()  # too few
    await page.get_by_role("combobox").click()
    for n in (1, 2):
        await page.get_by_role("option", name=f"No. {n}").click()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("combobox")).to_be_focused()
    await page.get_by_role("combobox").click()
    for n in (3, 0, 1, 2):  # the fourth is one too many
        await page.get_by_role("option", name=f"No. {n}").click()
    await expect(page.get_by_role("status")).to_have_text("Choose 2 to 3; 3 chosen.")
    assert await page.evaluate("pressed") == []
    await page.get_by_role("button", name="Done").click()
    assert await page.evaluate("pressed") == [["s", ["0", "1", "3"]]]


async def test_the_input_in_a_row_of_a_form_has_its_own_label(page: Page) -> None:
    words = {"type": 4, "custom_id": "w", "style": 1, "label": "Words", "min_length": 2}
    form = {"title": "Your bid", "custom_id": "bid", "components": [row(words)]}
    await page.evaluate(OPEN, form)
    await expect(page.get_by_label("Words")).to_be_focused()
    await page.keyboard.type("44")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("dialog")).to_have_count(0)
    sent = ["submit", {"interaction_id": "31", "values": {"w": "44"}}]
    assert await page.evaluate("sent") == [sent]


async def test_a_picture_is_shown_with_its_description_and_none_from_elsewhere_is_fetched(
    page: Page,
) -> None:
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    media: Json = {"url": "https://elsewhere.example/attachments/1/2/spy.png"}
    await draw(page, {"type": 12, "items": [{"media": media}]})
    assert await page.locator("img").count() == 0
    await expect(page.get_by_text("elsewhere.example").first).to_be_visible()
    assert not [url for url in requested if "elsewhere" in url]
    media = {"url": "http://127.0.0.1:1/attachments/1/2/cards.png", "width": 40, "height": 20}
    await draw(page, {"type": 12, "items": [{"media": media, "description": "three kings"}]})
    picture = page.get_by_alt_text("three kings")
    assert await picture.get_attribute("src") == "/attachments/1/2/cards.png"
    await expect(page.locator(".frame.loading")).to_have_count(0)
    assert await picture.evaluate("image => image.naturalWidth") == 1
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


@pytest.mark.parametrize("phone", [False, True])
async def test_a_button_is_as_high_and_padded_as_discords_and_a_fifth_larger_on_demand(
    page: Page, phone: bool
) -> None:
    await draw(page, row(button(), button(custom_id="c")))
    await page.set_viewport_size(PHONE if phone else DESKTOP)
    await larger(page, on=False)
    width, height = await size(page, ".button")
    assert height > 32 if phone else height == 32
    assert await style(page, ".button", "paddingLeft") == "16px"
    assert phone or await style(page, ".button", "fontSize") == "14px"
    assert await style(page, ".action-row", "columnGap") == "8px"
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
    alone = button(label=None, emoji={"name": "🎲"}, custom_id="c")
    await draw(page, row(button(emoji=card, label="18%"), alone))
    await expect(page.get_by_role("button", name=":ace: 18%")).to_be_visible()
    await expect(page.get_by_role("button", name="🎲")).to_be_visible()


async def test_a_text_shows_nothing_after_a_hundred_marks(page: Page) -> None:
    await draw(page, text(" ".join(f"**{n}**" for n in range(100)) + " still there"))
    assert "99 still there" in await page.locator(".text-display").inner_text()
    await draw(page, text(" ".join(f"**{n}**" for n in range(101)) + " gone\n# gone too"))
    visible_text = await page.locator(".text-display").inner_text()
    assert "99" in visible_text
    assert "100" not in visible_text
    assert "gone" not in visible_text


async def test_an_emoji_in_the_words_of_a_link_breaks_it(page: Page) -> None:
    await draw(page, text(f"[cards {CARD}](https://example.org) [none](https://example.org)"))
    assert await page.locator(".text-display a").all_inner_texts() == ["none"]


async def test_a_text_display_wraps_before_a_wide_message_does(page: Page) -> None:
    await draw(page, text("long " * 200))
    assert (await size(page, ".text-display"))[0] == 600


# -- Markdown: as Discord draws it, and never as HTML ----------------------------------------------

MARKDOWN = """async (text) => {
  const { markdown } = await import("/page/static/markdown_view.js");
  const names = {
    user: (id) => ({ 11: "Ann", 12: "<b>Bob</b>" })[id] ?? null,
    channel: (id) => ({ 21: "table" })[id] ?? null,
    address: (channel, message) => `#in=${channel}${message ? `&at=${message}` : ""}`,
  };
  const box = document.createElement("div");
  box.append(markdown(text, names));
  document.body.replaceChildren(box);
  return box.innerHTML;
}"""


async def markdown(page: Page, words: str) -> str:
    html = await page.evaluate(MARKDOWN, words)
    assert isinstance(html, str)
    return html


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("**bold**", "<p><strong>bold</strong></p>"),
        ("*it* and _it_", "<p><em>it</em> and <em>it</em></p>"),
        ("__under__", "<p><u>under</u></p>"),
        ("~~gone~~", "<p><s>gone</s></p>"),
        ("***both***", "<p><strong><em>both</em></strong></p>"),
        ("**a *b* c**", "<p><strong>a <em>b</em> c</strong></p>"),
        ("__**~~all~~**__", "<p><u><strong><s>all</s></strong></u></p>"),
        ("snake_case_name", "<p>snake_case_name</p>"),
        ("2 * 3 * 4", "<p>2 * 3 * 4</p>"),
        ("**never closed", "<p>**never closed</p>"),
        (r"\*plain\*", "<p>*plain*</p>"),
        ("`**code**`", "<p><code>**code**</code></p>"),
        ("``a ` b``", "<p><code>a ` b</code></p>"),
        ("**a `**` b**", "<p><strong>a <code>**</code> b</strong></p>"),
        ("two\nlines", "<p>two\nlines</p>"),
        ("# Big", '<h3 class="md-h1">Big</h3>'),
        ("### Small\nnext", '<h5 class="md-h3">Small</h5><p>next</p>'),
        ("#### four", "<p>#### four</p>"),
        ("#no space", "<p>#no space</p>"),
        ("-# tiny *print*", '<p class="md-subtext">tiny <em>print</em></p>'),
        ("> one\n> two\nafter", "<blockquote><p>one\ntwo</p></blockquote><p>after</p>"),
        (">>> one\ntwo", "<blockquote><p>one\ntwo</p></blockquote>"),
        ("- a\n  - b\n- c", "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>"),
        ("3. a\n4. b", '<ol start="3"><li>a</li><li>b</li></ol>'),
        ("- a\u2028b\n- c", "<ul><li>a\u2028b</li><li>c</li></ul>"),
        ("- a\n1. b", '<ul><li>a</li></ul><ol start="1"><li>b</li></ol>'),
        (
            "see ```py\nprint('*x*')\n``` end",
            '<p>see </p><pre tabindex="0"><code data-language="py">print(\'*x*\')</code></pre>'
            "<p> end</p>",
        ),
        ("<@11>", '<p><span class="mention">@Ann</span></p>'),
        ("<@!11>", '<p><span class="mention">@Ann</span></p>'),
        ("<@12>", '<p><span class="mention">@&lt;b&gt;Bob&lt;/b&gt;</span></p>'),
        ("<@99>", '<p><span class="mention">@unknown-user</span></p>'),
        ("<#21>", '<p><a class="mention" href="#in=21">#table</a></p>'),
        ("</odds liars:5>", '<p><span class="mention">/odds liars</span></p>'),
        (
            "<:spade:17>",
            '<p><img class="custom-emoji" title=":spade:" src="/emojis/17.png" alt=":spade:"'
            ' draggable="false"></p>',
        ),
        ("`<@11>`", "<p><code>&lt;@11&gt;</code></p>"),
    ],
)
async def test_marks_are_drawn_as_discord_draws_them(page: Page, text: str, html: str) -> None:
    assert await markdown(page, text) == html


async def test_a_relative_time_is_shown_from_now_and_an_impossible_one_stays_text(
    page: Page,
) -> None:
    moment = int(time.time()) + 3600
    html = await markdown(page, f"<t:{moment}:R>")
    assert ">in 1 hour</time>" in html or ">in 60 minutes</time>" in html
    assert "data-relative" in html
    assert "<time" not in await markdown(page, "<t:9999999999999:R>")


async def test_a_link_closes_before_the_sentence_does(page: Page) -> None:
    await markdown(page, "Look (https://example.com/a_b_(c)), then https://example.org/x.")
    links = await page.eval_on_selector_all("a", "links => links.map(link => link.href)")
    assert links == ["https://example.com/a_b_(c)", "https://example.org/x"]


async def test_a_named_link_shows_its_words_and_opens_apart(page: Page) -> None:
    await markdown(page, "[the *rules*](https://example.com/rules)")
    link = page.locator("a")
    assert await link.inner_text() == "the rules"
    assert await link.get_attribute("rel") == "noopener noreferrer"
    assert await link.get_attribute("target") == "_blank"


async def test_a_spoiler_is_covered_until_it_is_pressed(page: Page) -> None:
    await markdown(page, "||three aces||")
    cover = page.locator(".spoiler")
    assert await page.locator(".spoiler-content").evaluate("node => node.inert") is True
    await cover.focus()
    await page.keyboard.press("Enter")
    assert await page.locator(".spoiler-content").evaluate("node => node.inert") is False


MALICE = [
    "<script>window.broken = 1</script>",
    "<img src=x onerror='window.broken = 1'>",
    "**<svg onload=window.broken=1>**",
    "[press](javascript:window.broken=1)",
    '[press](https://a.example/" onmouseover="window.broken=1)',
    "<javascript:window.broken=1>",
    'https://a.example/"><img/src/onerror=window.broken=1>',
    "```html\n</code></pre><script>window.broken=1</script>\n```",
    "`</code><script>window.broken=1</script>`",
    "# <iframe srcdoc='<script>parent.broken=1</script>'>",
    "> <style>body{display:none}</style>",
    "- <a href=javascript:window.broken=1>x</a>",
    "||<details open ontoggle=window.broken=1>||",
    "[![x](x)](data:text/html,<script>window.broken=1</script>)",
    "</x onclick=window.broken=1:5>",
    "&lt;script&gt; &#60;script&#62;",
    '<@11"><script>',
    "\u202e<script>\u0000",
]
TAGS = {
    "div", "p", "strong", "em", "u", "s", "span", "a", "code", "pre", "blockquote", "ul", "ol",
    "li", "h3", "h4", "h5", "time",
}  # fmt: skip


@pytest.mark.parametrize("text", MALICE)
async def test_hostile_text_is_drawn_as_text_and_no_letter_of_it_is_lost(
    page: Page, text: str
) -> None:
    html = await markdown(page, text)
    matches = set(re.findall(r"<([a-z0-9]+)", html))
    assert matches <= TAGS
    handlers = await page.evaluate(
        "[...document.querySelectorAll('body *')].flatMap((node) => node.getAttributeNames())"
        ".filter((name) => name.startsWith('on') || name === 'srcdoc')"
    )
    assert handlers == []
    links = await page.eval_on_selector_all("a", "links => links.map(link => link.protocol)")
    assert set(links) <= {"http:", "https:"}
    assert await page.evaluate("window.broken") is None
    page_text = await page.evaluate("document.body.textContent")
    marks = re.compile(r"[\s*_~|`#>\-\\\[\]()]|https?:|html")
    hidden = ("[press](https", "</x onclick")  # an address or a command's id, not shown by design
    if not text.startswith(hidden):
        assert marks.sub("", page_text) == marks.sub("", text)


@pytest.mark.timeout(120)  # a reading that backtracks without end never returns at all
@pytest.mark.parametrize(
    "piece",
    ["*", "_", "**__", "||~~", "[", "`", "> ", "- \n", "# ", "<@", "```", "\\", "*a_b~~", ">>> - "],
)
async def test_the_longest_message_of_nothing_but_marks_is_drawn(page: Page, piece: str) -> None:
    text = (piece * 4000)[:4000]
    assert await markdown(page, f"begin\n{text}\nend")
    page_text = await page.evaluate("document.body.textContent")
    assert page_text.startswith("begin")
    marks = await page.locator("a, strong, em, u, s, code, .spoiler").count()
    assert page_text.endswith("end") or marks == 100  # the client shows nothing after these
