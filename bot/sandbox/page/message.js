// One message as a row: who, when, what, and the lines around it (command used, ephemeral, failed).

/** @import {Component, Message} from "./discord.d.ts" */
/** @import {MessageScene} from "./scenes.d.ts" */
/** @import {World} from "./world.js" */

import { append, avatar, dots, el, icon, nameOf } from "./dom.js";
import { drawComponents } from "./components.js";
import { markdown } from "./markdown_view.js";
import { attachments } from "./media.js";
import { format, madeAt, stamp } from "./times.js";
import { EPHEMERAL } from "./world.js";

const LOADING = 128;
const COMPONENTS_V2 = 32768;
const GROUP_MS = 7 * 60 * 1000;
const MARKS = /[*_~|\x60#>]+/g; // Markdown's marks; \x60 is the backtick

/** Whether the bot has yet to fill it in. @param {Message} message */
export function isThinking(message) {
  return Boolean(message.pending || message.flags & LOADING);
}

/** When it was written. @param {Message} message */
export function timeOf(message) {
  return message.timestamp ? new Date(message.timestamp) : madeAt(message.id);
}

/** @param {Message} message */
function commandName(message) {
  return message.interaction_metadata?.name ?? null;
}

/**
 * Whether a message continues the one above it: same author, soon after, no line of its own on top.
 * @param {Message} message
 * @param {Message | null} above
 */
export function continues(message, above) {
  if (!above || above.author.id !== message.author.id || commandName(message)) return false;
  if ((message.flags & EPHEMERAL) !== (above.flags & EPHEMERAL)) return false;
  return timeOf(message).getTime() - timeOf(above).getTime() < GROUP_MS;
}

/** A message's words, for the live region. @param {Message} message */
export function plainText(message) {
  /** @type {(string | null | undefined)[]} */
  const words = [message.content];
  /** @param {Component[]} components */
  const walk = (components) => {
    for (const component of components) {
      if (component.type === 10) words.push(component.content);
      if ("components" in component) walk(component.components);
    }
  };
  walk(message.components ?? []);
  const text = words.filter(Boolean).join(" ").replace(MARKS, "").replace(/\s+/g, " ").trim();
  return text.length > 280 ? `${text.slice(0, 279)}…` : text;
}

/**
 * Draw a message. `scene.failure` is the sentence under one whose last press went wrong.
 * @param {Message} message
 * @param {MessageScene} scene
 */
export function drawMessage(message, scene) {
  const { world } = scene;
  const ephemeral = Boolean(message.flags & EPHEMERAL);
  const mine = message.mentions?.some((user) => user.id === world.self.id);
  const row = el("li", {
    class: `message ${ephemeral ? "ephemeral" : ""} ${mine ? "mentioned" : ""} ${message.local ? "local" : ""}`,
    tabindex: "-1",
    data: { id: message.id },
  });
  append(row, [
    usedLine(message, world),
    avatar(message.author, world.people),
    el("div", { class: "message-body" },
      heading(message),
      el("div", { class: "message-content" }, content(message, scene)),
      scene.failure && el("p", { class: "failure", role: "alert" }, icon("warn"), ` ${scene.failure}`),
      ephemeral && message.state !== "sending" && ephemeralLine(scene)),
  ]);
  if (scene.apps.length && !ephemeral && !message.local && !isThinking(message)) addApps(row, scene);
  return row;
}

/** Open the message's menu by its button, the right mouse button, or a long press. @param {HTMLElement} row @param {MessageScene} scene */
function addApps(row, scene) {
  /** @type {HTMLElement} */
  const button = el("button", {
    type: "button", class: "apps-button", tabindex: "-1", "aria-label": "Apps", "aria-haspopup": "menu", title: "Apps",
    on: { click: () => scene.openApps(button) },
  }, "⋯");
  row.append(button);
  row.addEventListener("contextmenu", (event) => {
    if (event.target instanceof Element && event.target.closest("a, img, input, textarea")) return;
    event.preventDefault();
    scene.openApps(button);
  });
}

/** @param {Message} message */
function heading(message) {
  const when = timeOf(message);
  return el("div", { class: "message-head" },
    el("span", { class: "author" }, nameOf(message.author)),
    message.author.bot && el("span", { class: "tag" }, "APP"),
    el("time", { datetime: when.toISOString(), title: format(when, "F"), class: "when" }, stamp(when)));
}

/** @param {Message} message @param {World} world */
function usedLine(message, world) {
  const command = commandName(message);
  const user = message.interaction_metadata?.user;
  if (!command || !user) return null;
  return el("div", { class: "used" },
    el("span", { class: "spine", "aria-hidden": "true" }),
    avatar(user, world.people, "tiny"),
    el("span", { class: "used-words" },
      el("b", {}, nameOf(user)), " used ",
      el("span", { class: "mention" }, message.interaction_metadata?.target_message_id ? command : `/${command}`)));
}

/** @param {Message} message @param {MessageScene} scene */
function content(message, scene) {
  const { world } = scene;
  if (message.local) return localContent(message);
  if (isThinking(message)) {
    return el("p", { class: "thinking", role: "status" }, dots(), ` ${nameOf(message.author)} is thinking…`);
  }
  /** @type {HTMLElement[]} */
  const parts = [];
  if (message.content) {
    const big = /^(?:\s|\p{Extended_Pictographic}|\uFE0F|\u200D|<a?:\w+:\d+>){1,40}$/u.test(message.content);
    parts.push(el("div", { class: big ? "md jumbo" : "md" }, markdown(message.content, world.names)));
  }
  if (!(message.flags & COMPONENTS_V2)) parts.push(...attachments(message.attachments ?? []));
  parts.push(...drawComponents(message.components ?? [], scene));
  if (message.edited_timestamp) {
    const when = new Date(message.edited_timestamp);
    const mark = el("span", { class: "edited", title: format(when, "F") }, "(edited)");
    const last = parts.length === 1 && parts[0].classList.contains("md") ? parts[0].lastElementChild : null;
    if (last?.tagName === "P") last.append(" ", mark);
    else parts.push(mark);
  }
  return parts;
}

/** @param {Message} message */
function localContent(message) {
  if (message.state === "sending") return el("p", { class: "thinking", role: "status" }, dots(), " Sending command…");
  return el("p", { class: "failure", role: "alert" }, icon("warn"), ` ${message.error}`);
}

/** @param {MessageScene} scene */
function ephemeralLine(scene) {
  return el("p", { class: "only-you" }, icon("eye"), " Only you can see this · ",
    el("button", { type: "button", class: "text-button", on: { click: () => scene.dismiss() } }, "Dismiss message"));
}
