// Building elements. Nothing in this page ever parses a string as HTML: text is always a text node.

/** @import {User} from "./discord.d.ts" */
/** @import {Attributes, Child} from "./shapes.d.ts" */

/**
 * Make one element. `attributes` may hold `class`, `on` ({event: listener}), `data` ({key: value}),
 * `style` ({property: value}), booleans (present or absent) and plain attributes; null is left out.
 * Children are nodes, strings (text nodes), arrays of them, or null.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  const { on = {}, data = {}, style = {}, ...plain } = attributes;
  for (const [name, value] of Object.entries(plain)) {
    if (value === null || value === undefined || value === false) continue;
    node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const [event, listener] of Object.entries(on)) {
    // a name and its listener come from one entry of Listeners, so they fit each other
    node.addEventListener(event, /** @type {EventListener} */ (listener));
  }
  Object.assign(node.dataset, data);
  for (const [property, setting] of Object.entries(style)) node.style.setProperty(property, setting);
  append(node, children);
  return node;
}

/**
 * Add children as `el` does.
 * @template {Node & ParentNode} Parent
 * @param {Parent} node
 * @param {Child[]} children
 */
export function append(node, children) {
  for (const child of children) {
    if (Array.isArray(child)) append(node, child);
    else if (child !== null && child !== undefined && child !== false) node.append(child);
  }
  return node;
}

const DRAWINGS = {
  menu: "M3 6h18M3 12h18M3 18h18",
  close: "M6 6l12 12M18 6L6 18",
  send: "M4 12l16-8-6 16-3-6z",
  people: "M9 11a3.5 3.5 0 100-7 3.5 3.5 0 000 7zM2.5 20c0-4 3-6 6.5-6s6.5 2 6.5 6M16 4.5a3.5 3.5 0 010 6.5M18 14.5c2.2.8 3.5 2.7 3.5 5.5",
  hash: "M10 4L8 20M16 4l-2 16M4.5 9h16M3.5 15h16",
  at: "M16 12a4 4 0 10-8 0 4 4 0 008 0zm0 0v1.5a2.5 2.5 0 005 0V12a9 9 0 10-4 7.5",
  thread: "M5 4v9a4 4 0 004 4h10M15 13l4 4-4 4",
  plus: "M12 5v14M5 12h14",
  down: "M6 9l6 6 6-6",
  check: "M5 12.5l4.5 4.5L19 7.5",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 15a3 3 0 100-6 3 3 0 000 6z",
  file: "M6 3h8l4 4v14H6zM14 3v4h4",
  out: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
  slash: "M6 3.5h12a2.5 2.5 0 012.5 2.5v12a2.5 2.5 0 01-2.5 2.5H6A2.5 2.5 0 013.5 18V6A2.5 2.5 0 016 3.5zM14 7.5l-4 9",
  warn: "M12 4L2.5 20h19zM12 10v4M12 17v.5",
};

/** A line drawing by name; decoration only, so it is hidden from assistive technology. @param {keyof typeof DRAWINGS} name */
export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", DRAWINGS[name]);
  svg.append(path);
  return svg;
}

/** Three dots that say: wait. */
export function dots() {
  return el("span", { class: "dots", "aria-hidden": "true" }, el("i"), el("i"), el("i"));
}

/** The colour of a user as CSS: the person's own, else one that follows from the id. @param {User} user @param {User[]} people */
export function colorOf(user, people) {
  const own = people.find((person) => person.id === user.id)?.color ?? user.color;
  if (typeof own === "number") return `#${own.toString(16).padStart(6, "0")}`;
  if (typeof own === "string" && /^(#[0-9a-f]{3,8}|hsl\([\d\s.,%deg]+\))$/i.test(own)) return own;
  let sum = 7;
  for (const digit of String(user.id)) sum = (sum * 31 + digit.charCodeAt(0)) % 360;
  return `hsl(${sum} 55% 42%)`;
}

/** What a user is called. @param {User} user */
export function nameOf(user) {
  return user.name ?? user.global_name ?? user.username ?? "Somebody";
}

/** One or two letters that stand for a name. @param {string} name */
export function initials(name) {
  const words = name.trim().split(/[\s_-]+/u).filter(Boolean);
  const letters = words.length > 1 ? [...words[0]][0] + [...words[words.length - 1]][0] : [...(words[0] ?? "?")][0];
  return letters.toUpperCase();
}

/** A user's round mark. @param {User} user @param {User[]} people @param {"" | "tiny" | "small" | "medium"} size */
export function avatar(user, people, size = "") {
  return el(
    "span",
    // the letters are drawn by the stylesheet: as text they would belong to a button's words
    { class: `avatar ${size}`, style: { "--own": colorOf(user, people) }, "aria-hidden": "true", data: { initials: initials(nameOf(user)) } },
  );
}

/** Where an arrow key leads in a list: 1 down, -1 up, 0 for any other key. @param {KeyboardEvent} event */
export function stepOf(event) {
  if (event.key === "ArrowDown") return 1;
  return event.key === "ArrowUp" ? -1 : 0;
}

/**
 * Let the arrow keys, Home and End lead from one control to the next in a list of them; Tab does too.
 * @param {HTMLElement} list
 * @param {string} selector of the controls
 */
export function arrowKeys(list, selector) {
  list.addEventListener("keydown", (event) => {
    /** @type {(Element | null)[]} */
    const controls = [...list.querySelectorAll(selector)].filter((one) => one instanceof HTMLElement && one.offsetParent);
    const at = controls.indexOf(document.activeElement);
    const last = controls.length - 1;
    /** @type {Record<string, number>} */
    const ways = { ArrowDown: at === last ? 0 : at + 1, ArrowUp: at > 0 ? at - 1 : last, Home: 0, End: last };
    const next = at >= 0 ? controls[ways[event.key]] : null;
    if (!(next instanceof HTMLElement)) return;
    event.preventDefault();
    next.focus();
  });
}

/** What went wrong, in words. @param {unknown} error */
export function sentence(error) {
  return error instanceof Error ? error.message : String(error);
}
