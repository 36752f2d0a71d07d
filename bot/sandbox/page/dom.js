// Building elements. Nothing in this page ever parses a string as HTML: text is always a text node.

/**
 * Make one element. `attributes` may hold `class`, `on` ({event: listener}), `data` ({key: value}),
 * `style` ({property: value}), booleans (present or absent) and plain attributes; null is left out.
 * Children are nodes, strings (text nodes), arrays of them, or null.
 */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
    } else if (name === "data") {
      Object.assign(node.dataset, value);
    } else if (name === "style") {
      for (const [property, setting] of Object.entries(value)) {
        node.style.setProperty(property, setting);
      }
    } else {
      node.setAttribute(name, value === true ? "" : String(value));
    }
  }
  append(node, children);
  return node;
}

export function append(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child);
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

/** A line drawing by name; decoration only, so it is hidden from assistive technology. */
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

export function dots() {
  return el("span", { class: "dots", "aria-hidden": "true" }, el("i"), el("i"), el("i"));
}

/** The colour of a user as CSS: the person's own, else one that follows from the id. */
export function colorOf(user, people) {
  const own = people.find((person) => person.id === user.id)?.color ?? user.color;
  if (typeof own === "number") return `#${own.toString(16).padStart(6, "0")}`;
  if (typeof own === "string" && /^(#[0-9a-f]{3,8}|hsl\([\d\s.,%deg]+\))$/i.test(own)) return own;
  let sum = 7;
  for (const digit of String(user.id)) sum = (sum * 31 + digit.charCodeAt(0)) % 360;
  return `hsl(${sum} 55% 42%)`;
}

export function nameOf(user) {
  return user.name ?? user.global_name ?? user.username ?? "Somebody";
}

export function initials(name) {
  const words = String(name).trim().split(/[\s_-]+/u).filter(Boolean);
  const letters = words.length > 1 ? [...words[0]][0] + [...words.at(-1)][0] : [...(words[0] ?? "?")][0];
  return letters.toUpperCase();
}

export function avatar(user, people, size = "") {
  return el(
    "span",
    { class: `avatar ${size}`, style: { "--own": colorOf(user, people) }, "aria-hidden": "true" },
    initials(nameOf(user)),
  );
}
