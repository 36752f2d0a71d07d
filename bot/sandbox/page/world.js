// What one person can see: servers, channels, people, messages, and what they have read.
// It announces changes as events named after what changed: "view", "messages", "unread", "typing", "link".

import { nameOf } from "./dom.js";
import { compareIds } from "./times.js";
import { Stream, post, read } from "./wire.js";

const TEXT_TYPES = new Set([0, 1, 5, 10, 11, 12]);
const TYPING_MS = 8000;
const PAGE_SIZE = 50;
export const EPHEMERAL = 64;

export class World extends EventTarget {
  me = null;
  people = [];
  bot = null;
  guilds = [];
  dms = [];
  commands = [];
  connected = true;
  lastIn = new Map(); // guild id -> the channel one was in last
  /** channel id -> {messages, complete, state: "loading" | "ready" | "failed", error} */
  #rooms = new Map();
  #unread = new Map(); // channel id -> Map(message id -> whether it calls this person)
  #typing = new Map();
  #stream = null;
  #entered = null; // the id of whom one is, or is about to be
  current = null;
  names = { user: (id) => this.userName(id), channel: (id) => this.channel(id)?.name ?? null };

  #say(name, detail = null) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** Become a person: load their view, then follow their stream. Raises Refused. */
  async enter(id) {
    this.#stream?.close();
    this.#stream = null;
    this.#rooms.clear();
    this.#unread.clear();
    this.#typing.clear();
    this.me = null;
    this.#entered = id;
    await this.refresh(id);
    if (this.#entered !== id) return;
    this.#stream = new Stream(id, {
      open: () => this.#reopened(),
      lost: () => this.#link(false),
      event: (event) => this.#hear(event),
    });
  }

  async refresh(id = this.me.id) {
    const view = await read("/page/view", { as: id });
    if (this.#entered !== id) return;
    Object.assign(this, view);
    await this.#countUnreadMail();
    this.#say("view");
  }

  #link(connected) {
    if (this.connected === connected) return;
    this.connected = connected;
    this.#say("link");
  }

  retry() {
    this.#stream?.retry();
  }

  async #reopened() {
    this.#link(true);
    try {
      await this.refresh();
      for (const id of [...this.#rooms.keys()]) if (id !== this.current) this.#rooms.delete(id);
      if (this.current) await this.load(this.current);
    } catch {
      // The stream is up but a request failed: the next reconnect reads again.
    }
  }

  // ---- places -------------------------------------------------------------------------------

  /** Every readable channel, direct messages first: {id, name, type, guild, parent_id, user}. */
  channels() {
    const mail = this.dms.map((dm) => ({
      id: dm.id, type: 1, name: nameOf(dm.recipient), user: dm.recipient, guild: null, parent_id: null,
    }));
    const rest = this.guilds.flatMap((guild) =>
      guild.channels.filter((channel) => TEXT_TYPES.has(channel.type)).map((channel) => ({ ...channel, guild })),
    );
    return [...mail, ...rest];
  }

  channel(id) {
    return this.channels().find((channel) => channel.id === id) ?? null;
  }

  user(id) {
    return this.people.find((person) => person.id === id) ?? (this.bot?.id === id ? this.bot : null);
  }

  userName(id) {
    const user = this.user(id);
    return user && nameOf(user);
  }

  // ---- messages -----------------------------------------------------------------------------

  room(id) {
    if (!this.#rooms.has(id)) {
      this.#rooms.set(id, { messages: [], complete: false, state: "loading", error: null });
    }
    return this.#rooms.get(id);
  }

  /** Read a channel's newest messages; what was heard on the stream meanwhile is kept. */
  async load(id) {
    const person = this.me.id;
    const room = this.room(id);
    room.touched = new Set(); // heard on the stream while the answer was on its way: newer than it
    try {
      const { messages } = await read("/page/messages", { as: person, channel: id });
      if (this.me?.id !== person) return;
      const heard = room.messages.filter((message) => message.local || room.touched.has(message.id));
      const before = messages.filter((message) => !room.touched.has(message.id));
      room.messages = [...before, ...heard].sort((left, right) => compareIds(left.id, right.id));
      room.complete = messages.length < PAGE_SIZE;
      room.state = "ready";
    } catch (error) {
      room.state = room.messages.length ? "ready" : "failed";
      room.error = error.message;
    }
    if (id === this.current) this.#markRead(id);
    this.#say("messages", { channel: id, loaded: true });
  }

  async loadOlder(id) {
    const room = this.room(id);
    const oldest = room.messages.find((message) => !message.local);
    if (room.complete || room.busy || !oldest) return;
    room.busy = true;
    try {
      const { messages } = await read("/page/messages", { as: this.me.id, channel: id, before: oldest.id });
      room.messages = [...messages, ...room.messages];
      room.complete = messages.length < PAGE_SIZE;
      this.#say("messages", { channel: id, older: true });
    } catch {
      // Scrolling up again asks again.
    } finally {
      room.busy = false;
    }
  }

  put(message) {
    const room = this.room(message.channel_id);
    const place = room.messages.findIndex(({ id }) => id === message.id);
    const fresh = place < 0;
    room.touched?.add(message.id);
    if (!fresh) room.messages[place] = message;
    else {
      const later = room.messages.findIndex(({ id }) => compareIds(id, message.id) > 0);
      room.messages.splice(later < 0 ? room.messages.length : later, 0, message);
    }
    this.#say("messages", { channel: message.channel_id, changed: message.id, fresh });
  }

  remove(channel, id) {
    const room = this.room(channel);
    room.touched?.add(id);
    this.#unread.get(channel)?.delete(id);
    room.messages = room.messages.filter((message) => message.id !== id);
    this.#say("messages", { channel, changed: id });
  }

  open(id) {
    this.current = id;
    const guild = this.channel(id)?.guild;
    if (guild) this.lastIn.set(guild.id, id);
    this.#markRead(id);
    this.#say("messages", { channel: id, opened: true });
    return this.load(id);
  }

  // ---- unread -------------------------------------------------------------------------------

  unread(id) {
    const calls = [...(this.#unread.get(id)?.values() ?? [])];
    return { count: calls.length, mentions: calls.filter(Boolean).length };
  }

  /** The person looks at the open channel again. */
  seen() {
    if (this.me && this.current) this.#markRead(this.current);
  }

  #lastRead() {
    return JSON.parse(localStorage.getItem(`read:${this.me.id}`) ?? "{}");
  }

  #markRead(id) {
    this.#unread.delete(id);
    const newest = this.#rooms.get(id)?.messages.findLast((message) => !message.local);
    if (newest) {
      localStorage.setItem(`read:${this.me.id}`, JSON.stringify({ ...this.#lastRead(), [id]: newest.id }));
    }
    this.#say("unread");
  }

  async #countUnreadMail() {
    const person = this.me.id;
    const lastRead = this.#lastRead();
    for (const dm of this.dms) {
      const last = lastRead[dm.id] ?? "0";
      if (dm.id === this.current || !dm.last_message_id || compareIds(dm.last_message_id, last) <= 0) continue;
      const { messages } = await read("/page/messages", { as: person, channel: dm.id });
      if (this.me?.id !== person) return;
      for (const message of messages) if (compareIds(message.id, last) > 0) this.#noteUnread(message);
    }
  }

  #noteUnread(message) {
    if (message.author.id === this.me.id) return;
    if (message.channel_id === this.current && !document.hidden) return this.#markRead(message.channel_id);
    const mail = this.channel(message.channel_id)?.type === 1;
    const calls = mail || Boolean(message.mentions?.some((user) => user.id === this.me.id));
    const unread = this.#unread.get(message.channel_id) ?? new Map();
    this.#unread.set(message.channel_id, unread.set(message.id, calls));
    return this.#say("unread");
  }

  // ---- the stream ---------------------------------------------------------------------------

  #hear(event) {
    switch (event.type) {
      case "message_create":
        return this.#created(event.message);
      case "message_update":
        return this.put(event.message);
      case "message_delete":
        return this.remove(event.channel_id, event.id);
      case "typing":
        return this.#noteTyping(event);
      case "bot":
        if (this.bot) this.bot = { ...this.bot, online: event.online };
        this.#say("view");
        return this.bot ? null : this.refresh().catch(() => null);
      case "people":
      case "commands":
      case "channel_create":
        return this.refresh().catch(() => null);
      default:
        return null;
    }
  }

  async #created(message) {
    this.#typing.delete(`${message.channel_id}:${message.author.id}`);
    this.put(message);
    if (!this.channel(message.channel_id)) await this.refresh().catch(() => null);
    else this.#noteUnread(message);
    this.#say("typing");
  }

  #noteTyping({ channel_id: channel, user_id: user }) {
    const key = `${channel}:${user}`;
    this.#typing.set(key, Date.now() + TYPING_MS);
    this.#say("typing");
    setTimeout(() => this.#say("typing"), TYPING_MS + 50);
  }

  typists(channel) {
    const now = Date.now();
    return [...this.#typing]
      .filter(([key, until]) => key.startsWith(`${channel}:`) && until > now)
      .map(([key]) => this.userName(key.split(":")[1]))
      .filter(Boolean);
  }

  // ---- acting -------------------------------------------------------------------------------

  /** What this person does. Never raises: a refusal comes back as {ok: false, error}. */
  async act(type, body) {
    try {
      return await post("/page/act", { as: this.me.id, type, ...body });
    } catch (error) {
      return { ok: false, error: error.message };
    }
  }
}
