// Draws the tree of `markdown` as elements. `names` resolves ids: {user(id), channel(id)} -> string | null.

import { el } from "./dom.js";
import { parse, parseInline } from "./markdown.js";
import { format } from "./times.js";

/** Text with Discord's Markdown as a fragment of elements; no part of it is ever read as HTML. */
export function markdown(text, names) {
  const fragment = document.createDocumentFragment();
  fragment.append(...parse(text).map((block) => drawBlock(block, names)));
  return fragment;
}

/** One line (a title, a label): inline marks only. */
export function markdownLine(text, names) {
  const fragment = document.createDocumentFragment();
  fragment.append(...drawAll(parseInline(String(text)), names));
  return fragment;
}

function drawAll(nodes, names) {
  return nodes.map((node) => drawInline(node, names));
}

function drawBlock(block, names) {
  switch (block.type) {
    case "heading":
      return el(`h${block.level + 2}`, { class: `md-h${block.level}` }, drawAll(block.children, names));
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

function drawList(list, names) {
  const items = list.items.map((item) =>
    el("li", {}, drawAll(item.children, names), item.list && drawList(item.list, names)),
  );
  return list.ordered ? el("ol", { start: list.start }, items) : el("ul", {}, items);
}

const TAGS = { strong: "strong", em: "em", underline: "u", strike: "s" };

function drawInline(node, names) {
  switch (node.type) {
    case "text":
      return document.createTextNode(node.text);
    case "code":
      return el("code", {}, node.text);
    case "spoiler":
      return spoiler(drawAll(node.children, names));
    case "link":
      return link(node.url, drawAll(node.children, names), node.title);
    case "user":
      return el("span", { class: "mention" }, `@${names.user(node.id) ?? "unknown-user"}`);
    case "channel":
      return el("span", { class: "mention" }, `#${names.channel(node.id) ?? "unknown"}`);
    case "role":
      return el("span", { class: "mention" }, "@role");
    case "everyone":
      return el("span", { class: "mention" }, node.text);
    case "command":
      return el("span", { class: "mention" }, `/${node.text}`);
    case "emoji":
      return document.createTextNode(`:${node.text}:`);
    case "time":
      return time(node);
    default:
      return el(TAGS[node.type], {}, drawAll(node.children, names));
  }
}

function time(node) {
  const date = new Date(node.seconds * 1000);
  if (Number.isNaN(date.getTime())) return document.createTextNode(`<t:${node.seconds}>`);
  const attributes = { datetime: date.toISOString(), title: format(date, "F"), class: "md-time" };
  if (node.style === "R") attributes["data-relative"] = true;
  return el("time", attributes, format(date, node.style));
}

/** A link out of the page; anything but http and https is shown as text. */
export function link(url, children, title) {
  if (!/^https?:\/\//i.test(url)) return el("span", {}, children);
  return el("a", { href: url, title: title ?? url, target: "_blank", rel: "noopener noreferrer" }, children);
}

/** Content that stays covered until it is pressed. */
export function spoiler(children, tag = "span") {
  const inner = el(tag, { class: "spoiler-content" }, children);
  inner.inert = true;
  const cover = el(tag, { class: "spoiler", role: "button", tabindex: "0", "aria-label": "Spoiler: press to show" }, inner);
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
