// What one person can see: servers, channels, people, messages, and what they have read.
// It announces changes as events named after what changed: "view", "messages", "unread", "link".

/** @import {Command, Id, Message, User} from "./discord.d.ts" */
/** @import {Answer, Bot, Guild, Mail, Marks, MessagesChange, Names, Person, Place, Room, StreamEvent, View} from "./shapes.d.ts" */

import { nameOf, sentence } from "./dom.js";
import { compareIds } from "./times.js";
import { Stream, post, read } from "./wire.js";

const TEXT_TYPES = new Set([0, 1, 5, 10, 11, 12]);
const PAGE_SIZE = 50;
export const EPHEMERAL = 64;

/**
 * The page's own address of a person, a channel, and a message to be shown there.
 * @param {Id} as
 * @param {Id | null} channel
 * @param {Id | null} [message]
 */
export function addressOf(as, channel, message) {
  const fields = { as, ...(channel ? { in: channel } : {}), ...(message ? { at: message } : {}) };
  return `#${new URLSearchParams(fields)}`;
}

/** "messages": what changed in which channel. */
class MessagesEvent extends Event {
  /** @param {MessagesChange} change */
  constructor(change) {
    super("messages");
    this.change = change;
  }
}

export class World extends EventTarget {
  /** @type {Person | null} */
  me = null;
  /** @type {Person[]} */
  people = [];
  /** @type {Bot | null} */
  bot = null;
  /** @type {Guild[]} */
  guilds = [];
  /** @type {Mail[]} */
  dms = [];
  /** @type {Command[]} */
  commands = [];
  connected = true;
  /** Guild id -> the channel one was in last. @type {Map<Id, Id>} */
  lastIn = new Map();
  /** By channel id. @type {Map<Id, Room>} */
  #rooms = new Map();
  /** By channel id. @type {Map<Id, Marks>} */
  #marks = new Map();
  /** How often the view was asked for, and which of these askings is the latest that was answered. */
  #asked = 0;
  #answered = 0;
  /** Channel id -> how often the view had been asked for when the stream last told of its marks. @type {Map<Id, number>} */
  #marked = new Map();
  /** @type {Stream | null} */
  #stream = null;
  /** Whom one is, or is about to be. @type {Id | null} */
  #entered = null;
  /** The channel that is open. @type {Id | null} */
  current = null;
  /** @type {Names} */
  names = {
    user: (id) => this.userName(id),
    channel: (id) => this.channel(id)?.name ?? null,
    address: (channel, message) => addressOf(this.self.id, channel, message),
  };

  /** @param {"view" | "unread" | "link"} name */
  #say(name) {
    this.dispatchEvent(new Event(name));
  }

  /** @param {MessagesChange} change */
  #tell(change) {
    this.dispatchEvent(new MessagesEvent(change));
  }

  /** Have `listener` called with every change to a channel's messages. @param {(change: MessagesChange) => void} listener */
  onMessages(listener) {
    this.addEventListener("messages", (event) => event instanceof MessagesEvent && listener(event.change));
  }

  /** Whom one plays. Raises Error while that is nobody: before `enter` is through. */
  get self() {
    if (!this.me) throw new Error("You are nobody yet. Wait until the page is loaded.");
    return this.me;
  }

  /** Whether one still plays that person: what they did is not for the next one's eyes. @param {Person | null} person */
  is(person) {
    return this.me !== null && this.me.id === person?.id;
  }

  /** Become a person: load their view, then follow their stream. Raises Refused. @param {Id} id */
  async enter(id) {
    this.#stream?.close();
    this.#stream = null;
    this.#rooms.clear();
    this.#marks.clear();
    this.#marked.clear();
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

  /** Read the whole view again; what was heard on the stream meanwhile is newer and stays. Raises Refused. */
  async refresh(id = this.self.id) {
    this.#asked += 1;
    const asking = this.#asked;
    /** @type {View} */
    const view = await read("/page/view", { as: id });
    if (this.#entered !== id || asking < this.#answered) return; // a later asking was answered before
    this.#answered = asking;
    const { reads, ...rest } = view;
    Object.assign(this, rest);
    const heard = [...this.#marks].filter(([channel]) => (this.#marked.get(channel) ?? 0) >= asking);
    this.#marks = new Map([...reads.map(/** @returns {[Id, Marks]} */ (marks) => [marks.channel_id, marks]), ...heard]);
    this.seen();
    this.#say("view");
  }

  /** @param {boolean} connected */
  #link(connected) {
    if (this.connected === connected) return;
    this.connected = connected;
    this.#say("link");
  }

  /** Connect at once instead of waiting out the pause. */
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

  /** Every readable channel, direct messages first. @returns {Place[]} */
  channels() {
    const mail = this.dms.map((dm) => ({
      id: dm.id, type: 1, name: nameOf(dm.recipient), user: dm.recipient, guild: null, parent_id: null,
    }));
    const rest = this.guilds.flatMap((guild) =>
      guild.channels.filter((channel) => TEXT_TYPES.has(channel.type)).map((channel) => ({ ...channel, guild })),
    );
    return [...mail, ...rest];
  }

  /** A readable channel by its id. @param {Id | null} id */
  channel(id) {
    return this.channels().find((channel) => channel.id === id) ?? null;
  }

  /** A person or the bot. @param {Id} id @returns {User | null} */
  user(id) {
    return this.people.find((person) => person.id === id) ?? (this.bot?.id === id ? this.bot : null);
  }

  /** @param {Id} id */
  userName(id) {
    const user = this.user(id);
    return user && nameOf(user);
  }

  // ---- messages -----------------------------------------------------------------------------

  /** What is known of a channel's messages. @param {Id} id */
  room(id) {
    const known = this.#rooms.get(id);
    if (known) return known;
    /** @type {Room} */
    const room = { messages: [], complete: false, state: "loading", error: null, busy: false, touched: new Set() };
    this.#rooms.set(id, room);
    return room;
  }

  /** Read a channel's newest messages; what was heard on the stream meanwhile is kept. @param {Id} id */
  async load(id) {
    const person = this.self.id;
    const room = this.room(id);
    room.touched = new Set(); // heard on the stream while the answer was on its way: newer than it
    try {
      /** @type {{messages: Message[]}} */
      const { messages } = await read("/page/messages", { as: person, channel: id });
      if (this.me?.id !== person) return;
      const heard = room.messages.filter((message) => message.local || room.touched.has(message.id));
      const before = messages.filter((message) => !room.touched.has(message.id));
      room.messages = [...before, ...heard].sort((left, right) => compareIds(left.id, right.id));
      room.complete = messages.length < PAGE_SIZE;
      room.state = "ready";
    } catch (error) {
      room.state = room.messages.length ? "ready" : "failed";
      room.error = sentence(error);
    }
    this.#tell({ channel: id, loaded: true });
  }

  /** Read what came before the oldest message shown. @param {Id} id */
  async loadOlder(id) {
    const room = this.room(id);
    const oldest = room.messages.find((message) => !message.local);
    if (room.complete || room.busy || !oldest) return;
    room.busy = true;
    try {
      /** @type {{messages: Message[]}} */
      const { messages } = await read("/page/messages", { as: this.self.id, channel: id, before: oldest.id });
      room.messages = [...messages, ...room.messages];
      room.complete = messages.length < PAGE_SIZE;
      this.#tell({ channel: id, older: true });
    } catch {
      // Scrolling up again asks again.
    } finally {
      room.busy = false;
    }
  }

  /** Add or redraw a message. @param {Message} message */
  put(message) {
    const room = this.room(message.channel_id);
    const place = room.messages.findIndex(({ id }) => id === message.id);
    const fresh = place < 0;
    room.touched.add(message.id);
    if (!fresh) room.messages[place] = message;
    else {
      const later = room.messages.findIndex(({ id }) => compareIds(id, message.id) > 0);
      room.messages.splice(later < 0 ? room.messages.length : later, 0, message);
    }
    this.#tell({ channel: message.channel_id, changed: message.id, fresh });
  }

  /** @param {Id} channel @param {Id} id */
  remove(channel, id) {
    const room = this.room(channel);
    room.touched.add(id);
    room.messages = room.messages.filter((message) => message.id !== id);
    this.#tell({ channel, changed: id });
  }

  /** Turn to a channel; resolves when its messages were read. @param {Id} id */
  open(id) {
    this.current = id;
    const guild = this.channel(id)?.guild;
    if (guild) this.lastIn.set(guild.id, id);
    this.#tell({ channel: id, opened: true });
    this.seen();
    return this.load(id);
  }

  // ---- unread -------------------------------------------------------------------------------

  /** Whether something new is there, and how many messages there call one. @param {Id} id */
  unread(id) {
    const { unread = false, pings = 0 } = this.#looking(id) ? {} : (this.#marks.get(id) ?? {});
    return { unread, pings };
  }

  /** The last message one has read there, if something came after it. @param {Id} id @returns {Id | null} */
  leftOffAt(id) {
    const marks = this.#marks.get(id);
    return marks?.unread ? marks.last : null;
  }

  /** The person looks at the open channel: the emulator is told, if that is news. */
  seen() {
    const id = this.current;
    const marks = id && this.#marks.get(id);
    if (!this.me || !marks || !this.#looking(id)) return;
    if (marks.unread || marks.pings) this.act("read", { channel: id });
    this.#marks.set(id, { ...marks, unread: false, pings: 0 });
    this.#say("unread");
  }

  /** @param {Id} id */
  #looking(id) {
    return id === this.current && !document.hidden;
  }

  /** @param {Marks} marks */
  #mark(marks) {
    this.#marked.set(marks.channel_id, this.#asked);
    this.#marks.set(marks.channel_id, marks);
    if (this.#looking(marks.channel_id)) this.seen();
    else this.#say("unread");
  }

  // ---- the stream ---------------------------------------------------------------------------

  /** @param {StreamEvent} event */
  #hear(event) {
    switch (event.type) {
      case "message_create":
        return this.#created(event.message);
      case "message_update":
        return this.put(event.message);
      case "message_delete":
        return this.remove(event.channel_id, event.id);
      case "read":
        return this.#mark(event);
      case "bot":
        if (this.bot) this.bot = { ...this.bot, online: event.online };
        this.#say("view");
        return this.bot ? null : this.refresh().catch(() => null);
      case "people":
      case "commands":
      case "channel_create":
      case "channel_delete":
      case "guild_delete":
        return this.refresh().catch(() => null);
      default:
        return null;
    }
  }

  /** @param {Message} message */
  async #created(message) {
    this.put(message);
    if (!this.channel(message.channel_id)) await this.refresh().catch(() => null);
  }

  // ---- acting -------------------------------------------------------------------------------

  /**
   * What this person does. Never raises: a refusal comes back as {ok: false, error}.
   * @param {string} type
   * @param {object} body
   * @returns {Promise<Answer>}
   */
  async act(type, body) {
    try {
      return await post("/page/act", { as: this.self.id, type, ...body });
    } catch (error) {
      return { ok: false, error: sentence(error) };
    }
  }
}
