// A select menu: string, user, role, mentionable and channel kinds, single or multiple.

import { append, avatar, el, icon, nameOf } from "./dom.js";
import { closePopover, moveAnchor, openPopover, place, popoverAnchor } from "./popover.js";

const STRING = 3;
const USER = 5;
const ROLE = 6;
const MENTIONABLE = 7;
const CHANNEL = 8;
let serial = 0;

/** What may be chosen: [{value, label, description, emoji, user, default}]. */
export function optionsOf(component, world, channel) {
  if (component.type === STRING) return component.options ?? [];
  const defaults = new Set((component.default_values ?? []).map(({ id }) => id));
  const guild = world.channel(channel)?.guild ?? null;
  if (component.type === CHANNEL) {
    const kinds = component.channel_types ?? [];
    return (guild?.channels ?? [])
      .filter(({ type }) => !kinds.length || kinds.includes(type))
      .map(({ id, name }) => ({ value: id, label: `#${name}`, default: defaults.has(id) }));
  }
  if (component.type === ROLE) return [];
  const users = [...world.people, ...(world.bot ? [world.bot] : [])];
  return users.map((user) => ({ value: user.id, label: nameOf(user), user, default: defaults.has(user.id) }));
}

export function isSelect(component) {
  return [STRING, USER, ROLE, MENTIONABLE, CHANNEL].includes(component.type);
}

function emoji(option, people) {
  if (option.user) return avatar(option.user, people, "small");
  if (!option.emoji) return null;
  return el("span", { class: "emoji" }, option.emoji.id ? `:${option.emoji.name}:` : option.emoji.name);
}

/**
 * Draw a select. `choose(values)` is called when the person has decided (one choice, or the list closed
 * with another set than before). Returns the element; its `values` property is what is chosen now.
 */
export function drawSelect(component, { world, channel, choose, label = null }) {
  const options = optionsOf(component, world, channel);
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
    else if (picked.length === 1) append(shown, [emoji(picked[0], world.people), el("span", {}, picked[0].label)]);
    else append(shown, picked.map((option) => el("span", { class: "pill" }, option.label)));
    trigger.values = chosen;
    trigger.setAttribute("aria-label", picked.length ? `${name}: ${picked.map((o) => o.label).join(", ")}` : name);
  };
  const decide = (values) => {
    chosen = values;
    show();
    choose(values);
  };
  const opening = { trigger, options, most, least, name, decide, world, chosen: () => chosen };
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
  trigger.signature = JSON.stringify([component, options.map(({ value, label: said }) => [value, said])]);
  trigger.adopt = (older) => {
    // The message was redrawn with the same choices while this list was open: leave it open.
    older.handOver(trigger, decide);
    trigger.handOver = older.handOver;
    trigger.setAttribute("aria-expanded", "true");
    moveAnchor(trigger);
  };
  show();
  return trigger;
}

function openList(opening) {
  const { options, most, least, name, world } = opening;
  let { trigger, decide } = opening;
  const many = most > 1;
  const start = opening.chosen();
  const ticked = new Set(start);
  const list = el("div", {
    class: "listbox", role: "listbox", tabindex: "-1", "aria-label": name, "aria-multiselectable": String(many),
  });
  const note = el("p", { class: "list-note", role: "status" });
  const panel = el("div", { class: "select-list" }, el("p", { class: "sheet-title" }, name), list, note);
  let active = Math.max(0, options.findIndex(({ value }) => ticked.has(value)));
  let typed = "";
  let typedAt = 0;
  const rows = options.map((option, index) => drawRow(option, index));

  function drawRow(option, index) {
    return el(
      "div",
      { class: "option", role: "option", id: `option-${(serial += 1)}`, on: { click: () => pick(index), pointermove: () => activate(index, false) } },
      emoji(option, world.people),
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

  function activate(index, scroll = true) {
    if (!rows.length) return;
    rows[active]?.classList.remove("active");
    active = (index + rows.length) % rows.length;
    rows[active].classList.add("active");
    list.setAttribute("aria-activedescendant", rows[active].id);
    if (scroll) rows[active].scrollIntoView({ block: "nearest" });
  }

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

  const keys = {
    ArrowDown: () => activate(active + 1),
    ArrowUp: () => activate(active - 1),
    Home: () => activate(0),
    End: () => activate(rows.length - 1),
    Enter: () => (rows.length ? pick(active) : null),
    " ": () => (rows.length ? pick(active) : null),
    Tab: () => finish("done"),
    Escape: () => finish("cancelled"),
  };
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
  trigger.handOver = (newer, choose) => {
    trigger = newer;
    decide = choose;
  };
  openPopover(trigger, panel, {
    sheet: true,
    closed: (reason) => {
      trigger.setAttribute("aria-expanded", "false");
      if (reason !== "cancelled") settle();
    },
  });
  trigger.setAttribute("aria-expanded", "true");
  update();
  activate(active);
  place();
  list.focus({ preventScroll: true });
}
