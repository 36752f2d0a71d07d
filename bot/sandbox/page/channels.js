// The drawer: servers on the left, their channels or one's direct messages beside them.

/** @import {Channel, Id} from "./discord.d.ts" */
/** @import {Child, Guild} from "./shapes.d.ts" */
/** @import {World} from "./world.js" */
/** @typedef {(channel: Id) => void} Go */

import { append, avatar, el, icon, initials, nameOf } from "./dom.js";

const THREADS = new Set([10, 11, 12]);
const READABLE = new Set([0, 2, 5, 13, 15]);

/**
 * Draw rail and channel list. `go` opens a channel, `mail` the direct messages with the bot.
 * @param {World} world
 * @param {{rail: Element, head: Element, channels: Element}} parts
 * @param {{go: Go, mail(): void}} way
 */
export function drawPlaces(world, parts, { go, mail }) {
  const current = world.channel(world.current);
  const guild = current?.guild ?? null;
  drawRail(world, parts.rail, guild, go, mail);
  parts.head.replaceChildren(el("h1", {}, guild ? guild.name : "Direct messages"));
  parts.channels.replaceChildren();
  append(parts.channels, [guild && guildList(world, guild, go), mailList(world, guild, go, mail)]);
}

/** The red badge with the number of messages that call one; for others only who listens is told. @param {{unread: boolean, pings: number}} marks */
function badge({ unread, pings }) {
  if (pings) return el("span", { class: "badge" }, pings > 99 ? "99+" : String(pings), el("span", { class: "unseen" }, " unread"));
  return unread ? el("span", { class: "unseen" }, ", unread") : null;
}

/** The marks of several channels together. @param {World} world @param {{id: Id}[]} channels */
function together(world, channels) {
  const marks = channels.map(({ id }) => world.unread(id));
  return { unread: marks.some(({ unread }) => unread), pings: marks.reduce((sum, { pings }) => sum + pings, 0) };
}

/** @param {World} world @param {Element} rail @param {Guild | null} current @param {Go} go @param {() => void} mail */
function drawRail(world, rail, current, go, mail) {
  const home = el("button", {
    type: "button", class: "rail-item", title: "Direct messages", "aria-current": current ? null : "true", data: { channel: "mail" },
    on: { click: () => (world.dms[0] ? go(world.dms[0].id) : mail()) },
  }, icon("at"), el("span", { class: "unseen" }, "Direct messages "), badge(together(world, world.dms)));
  const guilds = world.guilds.map((guild) => {
    const channels = world.channels().filter((channel) => channel.guild === guild);
    const marks = together(world, channels);
    const last = channels.find(({ id }) => id === world.lastIn.get(guild.id));
    const first = last ?? channels.find(({ type }) => READABLE.has(type));
    return el("button", {
      type: "button", class: `rail-item ${marks.unread ? "unread" : ""}`, title: guild.name,
      "aria-current": guild === current ? "true" : null, data: { channel: guild.id }, on: { click: () => first && go(first.id) },
    }, el("span", { "aria-hidden": "true" }, initials(guild.name)), el("span", { class: "unseen" }, `${guild.name} `), badge(marks));
  });
  rail.replaceChildren(home, el("hr"), ...guilds);
}

/** @param {World} world @param {Guild} guild @param {Go} go */
function guildList(world, guild, go) {
  const channels = guild.channels.filter(({ type }) => READABLE.has(type));
  if (!channels.length) return [];
  return [
    el("h2", { class: "list-title" }, "Channels"),
    el("ul", { class: "place-list" }, channels.map((channel) => channelRow(world, guild, channel, go))),
  ];
}

/** @param {World} world @param {Guild} guild @param {Channel} channel @param {Go} go */
function channelRow(world, guild, channel, go) {
  const threads = guild.channels.filter(({ type, parent_id: parent }) => THREADS.has(type) && parent === channel.id);
  return el("li", {},
    placeButton(world, channel, icon("hash"), channel.name, go),
    threads.length ? el("ul", { class: "place-list threads" }, threads.map((thread) =>
      el("li", {}, placeButton(world, thread, icon("thread"), thread.name, go)))) : null);
}

/** @param {World} world @param {{id: Id}} channel @param {Child} mark @param {string} name @param {Go} go */
function placeButton(world, channel, mark, name, go) {
  const marks = world.unread(channel.id);
  return el("button", {
    type: "button", class: `place ${marks.unread ? "unread" : ""}`, "aria-current": channel.id === world.current ? "page" : null,
    on: { click: () => go(channel.id) }, data: { channel: channel.id },
  }, mark, el("span", { class: "place-name" }, name), badge(marks));
}

/** @param {World} world @param {Guild | null} guild @param {Go} go @param {() => void} mail @returns {Child[]} */
function mailList(world, guild, go, mail) {
  const rows = world.dms.map((dm) => el("li", {},
    placeButton(world, dm, avatar(dm.recipient, world.people, "small"), nameOf(dm.recipient), go)));
  const known = world.dms.some(({ recipient }) => recipient.id === world.bot?.id);
  if (world.bot && !known) {
    rows.push(el("li", {}, el("button", { type: "button", class: "place", on: { click: mail } },
      avatar(world.bot, world.people, "small"), el("span", { class: "place-name" }, `Write to ${nameOf(world.bot)}`))));
  }
  const empty = rows.length ? null : el("p", { class: "dim list-note" }, "Nobody to write to until the bot is online.");
  return [guild && el("h2", { class: "list-title" }, "Direct messages"), el("ul", { class: "place-list" }, rows), empty];
}
