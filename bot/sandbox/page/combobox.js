// A text field with a list of suggestions: a command option's choices, people, or the bot's autocomplete.

import { append, avatar, dots, el, sentence, stepOf } from "./dom.js";
import { closePopover, openPopover, place, popoverAnchor } from "./popover.js";

/** @import {User} from "./discord.d.ts" */
/** @import {Attributes, Child, OptionValue, Reading} from "./shapes.d.ts" */
/** @typedef {{value: OptionValue, label: string, description?: string, user?: User}} Row */
/** @typedef {(typed: string) => Row[] | Promise<Row[]>} Source rows for what was typed; an Error it throws is shown */

let serial = 0;

/**
 * `free` allows text that is not in the list. `wait` is the pause in ms after a key before asking
 * again. `onEnter` is called for Enter when no list is in the way.
 * @param {object} wanted
 * @param {string} wanted.label
 * @param {Source} wanted.source
 * @param {boolean} wanted.free
 * @param {number} wanted.wait
 * @param {User[]} wanted.people
 * @param {Attributes} [wanted.attributes]
 * @param {() => void} [wanted.onEnter]
 */
export function drawCombobox({ label, source, free, wait, people, attributes = {}, onEnter }) {
  serial += 1;
  const list = el("div", { class: "listbox", role: "listbox", id: `combo-${serial}`, "aria-label": label });
  const input = el("input", {
    type: "text", class: "field", role: "combobox", autocomplete: "off", autocapitalize: "off", spellcheck: "false",
    "aria-expanded": "false", "aria-autocomplete": "list", "aria-controls": list.id, "aria-label": label,
    ...attributes,
  });
  /** @type {Row[]} */
  let rows = [];
  /** @type {string | null} */
  let rowsFor = null; // the text that `rows` answer
  let active = -1;
  /** @type {Row | null} */
  let picked = null; // the row whose label the input shows
  let asked = 0;
  /** @type {number | undefined} */
  let timer;

  const isOpen = () => popoverAnchor() === input;
  const close = () => {
    clearTimeout(timer);
    asked += 1;
    if (isOpen()) closePopover();
  };

  /** @param {Child} children */
  function show(children) {
    list.replaceChildren();
    append(list, [children]);
    if (!isOpen()) {
      openPopover(input, list, {
        closed: () => {
          input.setAttribute("aria-expanded", "false");
          input.removeAttribute("aria-activedescendant");
        },
      });
      input.setAttribute("aria-expanded", "true");
    }
    place();
  }

  async function ask() {
    clearTimeout(timer);
    asked += 1;
    const mine = asked;
    const typed = picked ? "" : input.value;
    /** @type {Row[]} */
    let answer;
    /** @type {number | undefined} */
    let slow;
    try {
      const given = source(typed);
      if (given instanceof Promise) {
        slow = setTimeout(() => mine === asked && show(el("p", { class: "list-empty" }, dots(), " Looking…")), 120);
        answer = await given;
      } else {
        answer = given;
      }
    } catch (error) {
      if (mine === asked) show(el("p", { class: "list-empty failure", role: "alert" }, sentence(error)));
      rows = [];
      active = -1;
      rowsFor = typed;
      return;
    } finally {
      clearTimeout(slow);
    }
    if (mine !== asked || document.activeElement !== input) return;
    rows = answer;
    rowsFor = typed;
    show(rows.length ? rows.map(drawRow) : el("p", { class: "list-empty" }, free ? "No suggestions: your text is sent as it is." : "Nothing matches."));
    activate(rows.length ? 0 : -1);
  }

  /** @param {Row} row @param {number} index */
  function drawRow(row, index) {
    return el(
      "div",
      {
        class: "option", role: "option", id: `${list.id}-${index}`,
        on: {
          pointerdown: (event) => event.preventDefault(), // the field keeps the focus
          click: () => pick(index),
          pointermove: () => activate(index, false),
        },
      },
      row.user && avatar(row.user, people, "small"),
      el("span", { class: "option-words" },
        el("span", { class: "option-label" }, row.label),
        row.description && el("span", { class: "option-description" }, row.description)),
    );
  }

  /** @param {number} index */
  function activate(index, scroll = true) {
    list.children[active]?.classList.remove("active");
    active = index;
    const row = active >= 0 ? list.children[active] : null;
    row?.classList.add("active");
    for (const [at, node] of [...list.children].entries()) node.setAttribute("aria-selected", String(at === active));
    if (row) input.setAttribute("aria-activedescendant", row.id);
    else input.removeAttribute("aria-activedescendant");
    if (scroll) row?.scrollIntoView({ block: "nearest" });
  }

  /** @param {number} index */
  function pick(index) {
    const row = rows[index];
    picked = row;
    input.value = row.label;
    input.removeAttribute("aria-invalid");
    close();
    input.dispatchEvent(new CustomEvent("picked", { bubbles: true }));
  }

  input.addEventListener("focus", ask);
  input.addEventListener("click", () => isOpen() || ask());
  input.addEventListener("blur", close);
  input.addEventListener("input", () => {
    picked = null;
    clearTimeout(timer);
    if (wait) timer = setTimeout(ask, wait);
    else ask();
  });

  /** Enter: take the marked row, but never one that answers an earlier text. */
  async function enter() {
    const stale = () => !picked && rowsFor !== input.value;
    if (stale()) await ask();
    if (stale()) return; // more was typed meanwhile
    if (isOpen() && active >= 0) pick(active);
    else onEnter?.();
  }

  input.addEventListener("keydown", (event) => {
    const step = stepOf(event);
    if (step && rows.length) {
      event.preventDefault();
      if (isOpen()) activate((active + step + rows.length) % rows.length);
      else ask();
    } else if (event.key === "Enter") {
      event.preventDefault();
      enter();
    } else if (event.key === "Tab" && isOpen() && active >= 0 && input.value && !picked && rowsFor === input.value) {
      pick(active);
    } else if (event.key === "Escape" && isOpen()) {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  });

  /** @returns {Reading<OptionValue>} */
  function read() {
    const typed = input.value.trim();
    if (picked) return { value: picked.value };
    if (!typed) return { value: null };
    if (free) return { value: typed };
    const same = rows.filter((row) => row.label.toLowerCase() === typed.toLowerCase());
    return same.length ? { value: same[0].value } : { error: "Choose one from the list." };
  }
  return { input, read };
}
