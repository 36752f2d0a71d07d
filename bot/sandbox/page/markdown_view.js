// Draws the tree of `markdown` as elements.

/** @import {Block, Child, Inline, List, Names} from "./shapes.d.ts" */

import { el } from "./dom.js";
import { parse, parseInline } from "./markdown.js";
import { format } from "./times.js";

const MOST_MARKS = 100;

/**
 * Text with Discord's Markdown as elements; no part of it is ever read as HTML. As in Discord's client
 * nothing more is shown after about a hundred marks.
 * @param {string} text
 * @param {Names} names
 */
export function markdown(text, names) {
  const fragment = document.createDocumentFragment();
  fragment.append(...parse(text).map((block) => drawBlock(block, names)));
  cutOff(fragment);
  return fragment;
}

/** Take out all that comes after the last mark that is shown. @param {DocumentFragment} drawn */
function cutOff(drawn) {
  const next = [...drawn.querySelectorAll("a, strong, em, u, s, code, time, .mention, .custom-emoji, .spoiler")][MOST_MARKS];
  if (!next) return;
  const rest = document.createRange();
  rest.setStartBefore(next);
  rest.setEndAfter(drawn.lastChild ?? next);
  rest.deleteContents();
}

/** An emoji: a character, or one of the application's own, read by its name. @param {{id?: string | null, name?: string | null}} emoji */
export function drawEmoji({ id, name }) {
  if (id === undefined || id === null) return el("span", { class: "emoji" }, name ?? "");
  const said = { class: "custom-emoji", title: `:${name}:` };
  const picture = el("img", { ...said, src: `/emojis/${id}.png`, alt: `:${name}:`, draggable: "false" });
  picture.addEventListener("error", () => picture.replaceWith(el("span", { ...said, role: "img", "aria-label": `:${name}:` }, el("span", {}, name ?? ""))));
  return picture;
}

/** One line (a title, a label): inline marks only. @param {string} text @param {Names} names */
export function markdownLine(text, names) {
  const fragment = document.createDocumentFragment();
  fragment.append(...drawAll(parseInline(text), names));
  return fragment;
}

/** @param {Inline[]} nodes @param {Names} names */
function drawAll(nodes, names) {
  return nodes.map((node) => drawInline(node, names));
}

/** @type {Record<number, "h3" | "h4" | "h5">} */
const HEADINGS = { 1: "h3", 2: "h4", 3: "h5" };

/** @param {Block} block @param {Names} names @returns {HTMLElement} */
function drawBlock(block, names) {
  switch (block.type) {
    case "heading":
      return el(HEADINGS[block.level], { class: `md-h${block.level}` }, drawAll(block.children, names));
    case "subtext":
      return el("p", { class: "md-subtext" }, drawAll(block.children, names));
    case "quote":
      return el("blockquote", {}, block.children.map((child) => drawBlock(child, names)));
    case "codeblock":
      return el("pre", { tabindex: "0" }, el("code", { "data-language": block.language }, block.text));
    case "list":
      return drawList(block, names);
    default:
      return el("p", {}, drawAll(block.children, names));
  }
}

/** @param {List} list @param {Names} names @returns {HTMLElement} */
function drawList(list, names) {
  const items = list.items.map((item) =>
    el("li", {}, drawAll(item.children, names), item.list && drawList(item.list, names)),
  );
  return list.ordered ? el("ol", { start: list.start }, items) : el("ul", {}, items);
}

/** @type {{strong: "strong", em: "em", underline: "u", strike: "s"}} */
const TAGS = { strong: "strong", em: "em", underline: "u", strike: "s" };

/** @param {Inline} node @param {Names} names @returns {Node} */
function drawInline(node, names) {
  switch (node.type) {
    case "text":
      return document.createTextNode(node.text);
    case "code":
      return el("code", {}, node.text);
    case "spoiler":
      return spoiler(drawAll(node.children, names));
    case "link":
      return link(node.url, drawAll(node.children, names), { title: node.title, names });
    case "user":
      return el("span", { class: "mention" }, `@${names.user(node.id) ?? "unknown-user"}`);
    case "channel":
      return place(node.id, null, names);
    case "role":
      return el("span", { class: "mention" }, "@role");
    case "everyone":
      return el("span", { class: "mention" }, node.text);
    case "command":
      return el("span", { class: "mention" }, `/${node.text}`);
    case "emoji":
      return drawEmoji({ id: node.id, name: node.text });
    case "time":
      return time(node.seconds, node.style);
    default:
      return el(TAGS[node.type], {}, drawAll(node.children, names));
  }
}

/** @param {number} seconds since 1970 @param {string} style */
function time(seconds, style) {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return document.createTextNode(`<t:${seconds}>`);
  const attributes = { datetime: date.toISOString(), title: format(date, "F"), "data-relative": style === "R" };
  return el("time", { class: "md-time", ...attributes }, format(date, style));
}

const ADDRESS_IN_DISCORD = /^https:\/\/(?:\w+\.)?discord\.com\/channels\/(?:\d+|@me)\/(\d+)(?:\/(\d+))?\/?$/;

/**
 * A link out of the page; anything but http and https is shown as text. An address in "Discord" of a
 * channel one can read leads to it in this page, and said by nothing but itself it is its name.
 * @param {string} url
 * @param {Child[]} children
 * @param {{title?: string, names?: Names}} [manner]
 */
export function link(url, children, { title, names } = {}) {
  const [, channel, message] = ADDRESS_IN_DISCORD.exec(url) ?? [];
  if (names && channel && names.channel(channel) !== null) {
    const bare = children.length === 1 && children[0] instanceof Text && children[0].data === url;
    if (bare) return place(channel, message ?? null, names);
    return el("a", { href: names.address(channel, message) }, children);
  }
  if (!/^https?:\/\//i.test(url)) return el("span", {}, children);
  /** A message may link to a thread before this page has heard of it. @param {Event} event */
  const click = (event) => {
    if (!names || !channel || names.channel(channel) === null) return;
    event.preventDefault();
    location.href = names.address(channel, message);
  };
  const elsewhere = { target: "_blank", rel: "noopener noreferrer" };
  return el("a", { href: url, title: title ?? url, ...elsewhere, on: { click } }, children);
}

/** A channel's name, or where a message is, to be pressed if one can go there. @param {string} channel @param {string | null} message @param {Names} names */
function place(channel, message, names) {
  const name = names.channel(channel);
  if (name === null) return el("span", { class: "mention" }, "#unknown");
  return el("a", { class: "mention", href: names.address(channel, message) }, message ? `#${name} › message` : `#${name}`);
}

/** Content that stays covered until it is pressed. @param {Child[]} children */
function spoiler(children) {
  const inner = el("span", { class: "spoiler-content" }, children);
  inner.inert = true;
  /** @type {HTMLElement} */
  const cover = el("span", { class: "spoiler", role: "button", tabindex: "0", "aria-label": "Spoiler: press to show" }, inner);
  /** @param {Event} event */
  const show = (event) => {
    if (!inner.inert) return;
    event.preventDefault();
    event.stopPropagation();
    inner.inert = false;
    cover.classList.add("shown");
    for (const name of ["role", "tabindex", "aria-label"]) cover.removeAttribute(name);
  };
  cover.addEventListener("click", show);
  cover.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") show(event);
  });
  return cover;
}
