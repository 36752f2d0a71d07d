// A legacy embed: a card with a coloured edge.

/** @import {Embed, EmbedField} from "./discord.d.ts" */
/** @import {Child, Names} from "./shapes.d.ts" */

import { el } from "./dom.js";
import { link, markdown, markdownLine } from "./markdown_view.js";
import { picture } from "./media.js";
import { stamp } from "./times.js";

/** @param {Embed} embed @param {Names} names */
export function drawEmbed(embed, names) {
  const title = embed.title && markdownLine(embed.title, names);
  const image = embed.image?.url && picture(embed.image, { description: embed.title ?? "Picture" });
  const thumbnail = embed.thumbnail?.url && picture(embed.thumbnail, { className: "thumbnail", description: "Thumbnail" });
  const foot = [embed.footer?.text, embed.timestamp && stamp(new Date(embed.timestamp))].filter(Boolean).join(" • ");
  return el(
    "article",
    { class: "embed", style: embed.color ? { "--accent": colour(embed.color) } : {} },
    el("div", { class: "embed-words" },
      embed.author?.name && el("div", { class: "embed-author" }, linked(embed.author.url, embed.author.name)),
      title && el("div", { class: "embed-title" }, linked(embed.url, title)),
      embed.description && el("div", { class: "md" }, markdown(embed.description, names)),
      embed.fields?.length ? el("div", { class: "embed-fields" }, embed.fields.map((field) => drawField(field, names))) : null,
      image,
      foot && el("div", { class: "embed-footer" }, foot)),
    thumbnail,
  );
}

/** @param {string | null | undefined} url @param {Child} words */
function linked(url, words) {
  return url ? link(url, [words]) : words;
}

/** @param {EmbedField} field @param {Names} names */
function drawField(field, names) {
  return el(
    "div",
    { class: field.inline ? "embed-field inline" : "embed-field" },
    el("div", { class: "embed-field-name" }, markdownLine(field.name, names)),
    el("div", { class: "md" }, markdown(field.value, names)),
  );
}

/** Discord's colour number (0xRRGGBB) as CSS. @param {number} number */
export function colour(number) {
  return `#${(number & 0xffffff).toString(16).padStart(6, "0")}`;
}
