// Who is here, and whom one plays: the member list, the person switch, adding a person.

/** @import {Id, User} from "./discord.d.ts" */
/** @import {Child, Person} from "./shapes.d.ts" */
/** @import {World} from "./world.js" */
/** @typedef {(person: Id) => void} Become */

import { append, arrowKeys, avatar, el, icon, nameOf } from "./dom.js";
import { closePopover, openPopover } from "./popover.js";
import { Refused, post, read } from "./wire.js";

const LONGEST_NAME = 32;

/** Draw who is in the open channel, the bot first. @param {World} world @param {Element} place */
export function drawMembers(world, place) {
  const channel = world.channel(world.current);
  const me = world.self.id;
  const ids = channel?.guild?.members ?? [me, channel?.user?.id];
  const people = world.people.filter(({ id }) => ids.includes(id));
  const bot = world.bot;
  /** @param {string} title @param {Child[]} rows */
  const group = (title, rows) => [el("h2", { class: "list-title" }, `${title} — ${rows.length}`), el("ul", { class: "place-list" }, rows)];
  /** @param {User} user @param {string} note @param {boolean} online */
  const row = (user, note, online) => el("li", { class: `member ${online ? "" : "away"}` },
    avatar(user, world.people, "medium"),
    el("span", { class: "member-words" },
      el("span", {}, nameOf(user), user.bot || user === bot ? el("span", { class: "tag" }, "APP") : null),
      note && el("span", { class: "dim small" }, note)));
  place.replaceChildren();
  if (bot) append(place, group("Bot", [row(bot, bot.online ? "Online" : "Offline", bot.online)]));
  append(place, group("People", people.map((person) => {
    const notes = [person.id === me && "You", channel?.guild?.moderators.includes(person.id) && "Moderator", person.dms_open === false && "Direct messages closed"];
    return row(person, notes.filter(Boolean).join(" · "), true);
  })));
}

/** The button that shows whom one plays; pressing it opens the switch. @param {World} world @param {{become: Become, short?: boolean}} manner */
export function personButton(world, { become, short = false }) {
  const me = world.self;
  const button = el("button", {
    type: "button", class: short ? "person-button short" : "person-button", "aria-haspopup": "dialog",
    "aria-label": `You are ${me.name}. Switch person`,
  },
  avatar(me, world.people, "medium"),
  short ? null : el("span", { class: "member-words" }, el("b", {}, me.name), " ", el("span", { class: "dim small" }, "Switch person")),
  short ? null : icon("down"));
  button.addEventListener("click", () => openSwitch(world, button, become));
  return button;
}

/** @param {World} world @param {HTMLElement} anchor @param {Become} become */
function openSwitch(world, anchor, become) {
  /** @param {Person} person */
  const row = (person) => {
    const mine = person.id === world.self.id;
    return el("li", { class: "person-row" },
      el("button", {
        type: "button", class: "place", "aria-current": mine ? "true" : null,
        on: { click: () => { closePopover(); become(person.id); } },
      }, avatar(person, world.people, "small"), el("span", { class: "place-name" }, person.name),
      el("span", { class: "badge", hidden: true, data: { pingsOf: person.id } }), mine ? icon("check") : null),
      el("a", { class: "round", href: `#as=${person.id}${world.current ? `&in=${world.current}` : ""}`, target: "_blank", rel: "opener", "aria-label": `Be ${person.name} in a new tab`, title: "In a new tab" }, icon("out")));
  };
  const panel = el("div", { class: "switch", role: "dialog", "aria-label": "Whom you play" },
    el("p", { class: "sheet-title" }, "Who are you?"),
    el("ul", { class: "place-list" }, world.people.map(row)),
    addForm(become),
    el("hr"),
    mailSwitch(world),
    themeSwitch(),
    buttonSwitch());
  panel.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    closePopover();
    anchor.focus();
  });
  arrowKeys(panel, "button.place");
  openPopover(anchor, panel, { sheet: true });
  panel.querySelector("button")?.focus();
  showPings(panel);
}

/** Say at each name how many messages call them, since nobody else's page is open for them. @param {HTMLElement} panel */
async function showPings(panel) {
  /** @type {{people: Person[]}} */
  const { people } = await read("/page/people").catch(() => ({ people: [] }));
  for (const { id, pings = 0 } of people) {
    const badge = panel.querySelector(`[data-pings-of="${CSS.escape(id)}"]`);
    badge?.toggleAttribute("hidden", pings === 0);
    badge?.replaceChildren(String(pings), el("span", { class: "unseen" }, " unread"));
  }
}

/** @param {Become} become */
function addForm(become) {
  const input = el("input", { class: "field", type: "text", maxlength: LONGEST_NAME, placeholder: "Name", "aria-label": "Name of the new person", autocomplete: "off" });
  const error = el("p", { class: "field-error", role: "alert" });
  const form = el("form", { class: "add-person" }, input,
    el("button", { type: "submit", class: "button secondary" }, "Add a person"), error);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const name = input.value.trim();
    if (!name) {
      error.textContent = "Give a name, such as Dora.";
      input.focus();
      return;
    }
    try {
      const person = await post("/page/people", { name });
      closePopover();
      become(person.id);
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      error.textContent = problem.message;
    }
  });
  return form;
}

/** @param {string} words @param {boolean} on @param {(input: HTMLInputElement) => void} change */
function toggle(words, on, change) {
  const input = el("input", { type: "checkbox", role: "switch" });
  input.checked = on;
  input.addEventListener("change", () => change(input));
  return el("label", { class: "tick-row" }, input, el("span", {}, words));
}

/** @param {World} world */
function mailSwitch(world) {
  const me = world.self;
  return toggle(`${me.name} accepts direct messages`, me.dms_open, async (input) => {
    try {
      await post(`/page/people/${me.id}`, { dms_open: input.checked });
      await world.refresh();
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      input.checked = !input.checked;
    }
  });
}

function themeSwitch() {
  return toggle("Light colours", document.documentElement.dataset.theme === "light", (input) => {
    localStorage.setItem("theme", input.checked ? "light" : "dark");
    applyTheme();
  });
}

/** Apple's telephones draw buttons a fifth larger since May 2026. */
function buttonSwitch() {
  return toggle("Larger buttons, as on iPhones", document.documentElement.dataset.buttons === "larger", (input) => {
    localStorage.setItem("buttons", input.checked ? "larger" : "");
    applyTheme();
  });
}

/** Dark, and with buttons of the usual size, unless the person has chosen otherwise. */
export function applyTheme() {
  document.documentElement.dataset.buttons = localStorage.getItem("buttons") ?? "";
  document.documentElement.dataset.theme = localStorage.getItem("theme") === "light" ? "light" : "dark";
}
