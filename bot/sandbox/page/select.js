// A select menu: one choice or several of its options.

/** @import {Select, SelectOption} from "./discord.d.ts" */
/** @typedef {(values: string[]) => void} Decide */
/**
 * A select on the page: what it offers, and how its open list is handed to its redrawn self.
 * @typedef {{signature: string, decide: Decide, handOver: ((heir: HTMLElement, decide: Decide) => void) | null}} Drawn
 */

import { append, el, icon } from "./dom.js";
import { drawEmoji } from "./markdown_view.js";
import { closePopover, moveAnchor, openPopover, place, popoverAnchor } from "./popover.js";

/** @type {WeakMap<Element, Drawn>} */
const drawn = new WeakMap();
let serial = 0;

/**
 * Draw a select. `choose(values)` is called when the person has decided (one choice, or the list closed
 * with another set than before). Returns the element, and what is chosen now.
 * @param {Select} component
 * @param {{choose: Decide, label?: string | null}} scene
 */
export function drawSelect(component, { choose, label = null }) {
  const { options } = component;
  const most = Math.min(component.max_values ?? 1, Math.max(options.length, 1));
  const least = component.min_values ?? 1;
  let chosen = options.filter((option) => option.default).map(({ value }) => value);
  const shown = el("span", { class: "select-shown" });
  const name = label ?? component.placeholder ?? "Make a selection";
  const trigger = el(
    "button",
    {
      type: "button", class: "select", role: "combobox", "aria-haspopup": "listbox", "aria-expanded": "false",
      "aria-label": name, disabled: component.disabled ?? false, "data-custom-id": component.custom_id,
    },
    shown, el("span", { class: "spinner", "aria-hidden": "true" }), icon("down"),
  );
  const show = () => {
    const picked = options.filter(({ value }) => chosen.includes(value));
    shown.replaceChildren();
    shown.classList.toggle("placeholder", picked.length === 0);
    if (!picked.length) shown.append(component.placeholder ?? "Make a selection");
    else if (picked.length === 1) append(shown, [picked[0].emoji && drawEmoji(picked[0].emoji), el("span", {}, picked[0].label)]);
    else append(shown, picked.map((option) => el("span", { class: "pill" }, option.label)));
    trigger.setAttribute("aria-label", picked.length ? `${name}: ${picked.map((o) => o.label).join(", ")}` : name);
  };
  /** @type {Decide} */
  const decide = (values) => {
    chosen = values;
    show();
    choose(values);
  };
  const signature = JSON.stringify(component);
  drawn.set(trigger, { signature, decide, handOver: null });
  const opening = { trigger, options, most, least, name, decide, chosen: () => chosen };
  trigger.addEventListener("click", () => {
    if (popoverAnchor() === trigger) closePopover();
    else if (!trigger.classList.contains("busy")) openList(opening);
  });
  trigger.addEventListener("keydown", (event) => {
    if (["ArrowDown", "ArrowUp"].includes(event.key)) {
      event.preventDefault();
      trigger.click();
    }
  });
  show();
  return { node: trigger, values: () => chosen };
}

/**
 * The message of `older` was redrawn while its list was open: if the redrawn select offers the same,
 * the list is left open beside that. Returns whether it is.
 * @param {HTMLElement} older
 * @param {HTMLElement | null} heir
 */
export function inheritList(older, heir) {
  const before = drawn.get(older);
  const now = heir && drawn.get(heir);
  if (!heir || !now || !before?.handOver || before.signature !== now.signature) return false;
  before.handOver(heir, now.decide);
  now.handOver = before.handOver;
  heir.setAttribute("aria-expanded", "true");
  heir.setAttribute("aria-controls", older.getAttribute("aria-controls") ?? "");
  moveAnchor(heir);
  return true;
}

/**
 * @typedef {object} Opening
 * @property {HTMLElement} trigger
 * @property {SelectOption[]} options
 * @property {number} most
 * @property {number} least
 * @property {string} name
 * @property {Decide} decide
 * @property {() => string[]} chosen
 */

/** @param {Opening} opening */
function openList(opening) {
  const { options, most, least, name } = opening;
  let { trigger, decide } = opening;
  const many = most > 1;
  const start = opening.chosen();
  const ticked = new Set(start);
  serial += 1;
  const list = el("div", {
    class: "listbox", role: "listbox", id: `listbox-${serial}`, tabindex: "-1", "aria-label": name, "aria-multiselectable": String(many),
  });
  const note = el("p", { class: "list-note", role: "status" });
  const panel = el("div", { class: "select-list" }, el("p", { class: "sheet-title" }, name), list, note);
  let active = Math.max(0, options.findIndex(({ value }) => ticked.has(value)));
  let typed = "";
  let typedAt = 0; // when the last letter was, in milliseconds
  const rows = options.map((option, index) => drawRow(option, index));

  /** @param {SelectOption} option @param {number} index */
  function drawRow(option, index) {
    serial += 1;
    return el(
      "div",
      { class: "option", role: "option", id: `option-${serial}`, on: { click: () => pick(index), pointermove: () => activate(index, false) } },
      option.emoji && drawEmoji(option.emoji),
      el("span", { class: "option-words" },
        el("span", { class: "option-label" }, option.label),
        option.description && el("span", { class: "option-description" }, option.description)),
      el("span", { class: "tick", "aria-hidden": "true" }, icon("check")),
    );
  }

  function update() {
    rows.forEach((row, index) => {
      row.setAttribute("aria-selected", String(ticked.has(options[index].value)));
      row.classList.toggle("full", many && ticked.size >= most && !ticked.has(options[index].value));
    });
    if (!many) return;
    const range = least === most ? `${least}` : `${least} to ${most}`;
    note.textContent = `Choose ${range}; ${ticked.size} chosen.`;
  }

  /** @param {number} index */
  function activate(index, scroll = true) {
    if (!rows.length) return;
    rows[active]?.classList.remove("active");
    active = (index + rows.length) % rows.length;
    rows[active].classList.add("active");
    list.setAttribute("aria-activedescendant", rows[active].id);
    if (scroll) rows[active].scrollIntoView({ block: "nearest" });
  }

  /** @param {number} index */
  function pick(index) {
    const { value } = options[index];
    if (many) {
      if (ticked.has(value)) ticked.delete(value);
      else if (ticked.size < most) ticked.add(value);
      update();
      return;
    }
    const values = least === 0 && ticked.has(value) ? [] : [value];
    closePopover("done");
    trigger.focus();
    decide(values);
  }

  function settle() {
    const values = options.map(({ value }) => value).filter((value) => ticked.has(value));
    const same = values.length === start.length && values.every((value) => start.includes(value));
    if (many && !same && values.length >= least) decide(values);
  }

  /** @type {Record<string, () => void>} */
  const keys = {
    ArrowDown: () => activate(active + 1),
    ArrowUp: () => activate(active - 1),
    Home: () => activate(0),
    End: () => activate(rows.length - 1),
    Enter: () => rows.length && pick(active),
    " ": () => rows.length && pick(active),
    Tab: () => finish("done"),
    Escape: () => finish("cancelled"),
  };
  /** @param {"done" | "cancelled"} reason */
  const finish = (reason) => {
    closePopover(reason);
    trigger.focus();
  };
  list.addEventListener("keydown", (event) => {
    if (keys[event.key]) {
      event.preventDefault();
      event.stopPropagation();
      keys[event.key]();
    } else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) {
      typed = (event.timeStamp - typedAt > 700 ? "" : typed) + event.key.toLowerCase();
      typedAt = event.timeStamp;
      const found = options.findIndex(({ label }) => label.toLowerCase().startsWith(typed));
      if (found >= 0) activate(found);
    }
  });
  append(list, rows);
  if (!rows.length) list.append(el("p", { class: "list-empty" }, "Nothing to choose from here."));
  if (many) {
    panel.append(el("button", { type: "button", class: "button primary list-done", on: { click: () => finish("done") } }, "Done"));
  }
  const opener = drawn.get(trigger);
  if (opener) {
    opener.handOver = (heir, choose) => {
      trigger = heir;
      decide = choose;
    };
  }
  openPopover(trigger, panel, {
    sheet: true,
    closed: (reason) => {
      trigger.setAttribute("aria-expanded", "false");
      trigger.removeAttribute("aria-controls");
      if (reason !== "cancelled") settle();
    },
  });
  trigger.setAttribute("aria-expanded", "true");
  trigger.setAttribute("aria-controls", list.id);
  update();
  activate(active);
  place();
  list.focus({ preventScroll: true });
}
