// The list of messages: rows are kept by id and redrawn in place; the bottom stays the bottom.

/** @import {Button, Id, Message, Select} from "./discord.d.ts" */
/** @import {MessageScene} from "./scenes.d.ts" */
/** @import {MessagesChange, Place, Room, ShowModal} from "./shapes.d.ts" */
/** @import {World} from "./world.js" */

import { appsFor } from "./commands.js";
import { dots, el, icon } from "./dom.js";
import { bequeath, standIn } from "./focus.js";
import { continues, drawMessage, plainText, timeOf } from "./message.js";
import { closePopover, openPopover, popoverAnchor } from "./popover.js";
import { inheritList } from "./select.js";
import { compareIds, format, startOfDay } from "./times.js";
import { EPHEMERAL } from "./world.js";

const NEAR_BOTTOM_PX = 90;
const NEAR_TOP_PX = 120;

export class Timeline {
  #world;
  #openModal;
  #scroller;
  #list;
  #pill;
  #voice;
  /** By message id, or by the name of a row that is no message. @type {Map<string, {row: HTMLElement, signature: string}>} */
  #rows = new Map();
  /** Message id -> sentence. @type {Map<Id, string>} */
  #failures = new Map();
  /** @type {Id | null} */
  #shown = null;
  #stick = true;
  /** The last message one had read when the channel was opened, if there was something new. @type {Id | null} */
  #leftOffAt = null;

  /**
   * @param {World} world
   * @param {{scroller: HTMLElement, list: HTMLElement, pill: HTMLElement, voice: HTMLElement}} parts of the page
   * @param {ShowModal} openModal
   */
  constructor(world, parts, openModal) {
    this.#world = world;
    this.#openModal = openModal;
    this.#scroller = parts.scroller;
    this.#list = parts.list;
    this.#pill = parts.pill;
    this.#voice = parts.voice;
    world.onMessages((change) => this.#changed(change));
    world.addEventListener("view", () => this.draw());
    this.#scroller.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    this.#pill.addEventListener("click", () => this.toBottom());
    const settle = new ResizeObserver(() => this.#stick && this.#jump());
    settle.observe(this.#scroller);
    settle.observe(this.#list);
  }

  /** Show the newest message, and stay with it. */
  toBottom() {
    this.#stick = true;
    this.#pill.hidden = true;
    this.#jump();
  }

  /** Bring a message into view, if it is in the list. Returns whether it is. @param {Id} id */
  show(id) {
    const row = this.#rows.get(id)?.row;
    if (!row?.isConnected) return false;
    this.#stick = false;
    row.scrollIntoView({ block: "center" });
    row.focus({ preventScroll: true });
    row.classList.remove("sought");
    row.getBoundingClientRect(); // so that a second look begins anew
    row.classList.add("sought");
    row.addEventListener("animationend", () => row.classList.remove("sought"), { once: true });
    return true;
  }

  #jump() {
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
  }

  #scrolled() {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    this.#stick = scrollHeight - scrollTop - clientHeight < NEAR_BOTTOM_PX;
    if (this.#stick) this.#pill.hidden = true;
    if (scrollTop < NEAR_TOP_PX && this.#shown) this.#world.loadOlder(this.#shown);
  }

  /** @param {MessagesChange} change */
  #changed({ channel, changed, fresh, opened }) {
    if (channel !== this.#world.current) return;
    if (opened) this.#clear(channel);
    if (changed) this.#failures.delete(changed);
    this.draw(changed);
    if (!fresh) return;
    const message = this.#world.room(channel).messages.find(({ id }) => id === changed);
    if (!message || message.author.id === this.#world.self.id) return;
    this.#voice.textContent = `${message.author.username ?? ""}: ${plainText(message)}`;
    if (!this.#stick) this.#pill.hidden = false;
  }

  /** @param {Id} channel */
  #clear(channel) {
    closePopover("cancelled");
    this.#shown = channel;
    this.#leftOffAt = this.#world.leftOffAt(channel);
    this.#rows.clear();
    this.#failures.clear();
    this.#list.replaceChildren();
    this.#stick = true;
    this.#pill.hidden = true;
  }

  /** Bring the list in line with the world; `redrawn` is a message the bot has just redrawn. @param {Id} [redrawn] */
  draw(redrawn) {
    const channel = this.#world.channel(this.#shown);
    if (!channel || !this.#world.me) return;
    const room = this.#world.room(channel.id);
    const anchor = this.#stick ? null : this.#firstVisible();
    const top = anchor?.getBoundingClientRect().top ?? 0;
    const wanted = [this.#opening(channel, room)];
    /** @type {Message | null} */
    let above = null;
    let isNew = this.#leftOffAt === null; // once the line is drawn, it is not drawn again
    for (const message of room.messages) {
      const day = startOfDay(timeOf(message));
      const newDay = !above || startOfDay(timeOf(above)) !== day;
      if (newDay) wanted.push(this.#dayRow(day));
      const firstNew = !isNew && this.#isNew(message);
      if (firstNew) wanted.push(this.#kept("new", "", () => el("li", { class: "day new" }, el("span", {}, "New"))));
      isNew ||= firstNew;
      wanted.push(this.#row(message, !newDay && !firstNew && continues(message, above), redrawn));
      above = message;
    }
    this.#arrange(wanted);
    const alive = new Set(room.messages.map(({ id }) => id));
    for (const id of this.#rows.keys()) if (/^\d+$/.test(id) && !alive.has(id)) this.#rows.delete(id);
    if (this.#stick) this.#jump();
    else if (anchor?.isConnected) this.#scroller.scrollTop += anchor.getBoundingClientRect().top - top;
  }

  /** Whether it came while one was away: not one's own, and nobody else's affair. @param {Message} message */
  #isNew(message) {
    const public_ = !message.local && !(message.flags & EPHEMERAL);
    return public_ && message.author.id !== this.#world.self.id && compareIds(message.id, this.#leftOffAt ?? "0") > 0;
  }

  #firstVisible() {
    const edge = this.#scroller.getBoundingClientRect().top;
    /** @param {Element} row */
    const isMessage = (row) => row instanceof HTMLElement && row.dataset.id;
    return [...this.#list.children].find((row) => isMessage(row) && row.getBoundingClientRect().bottom > edge);
  }

  /** @param {HTMLElement[]} wanted */
  #arrange(wanted) {
    /** @type {Set<Element>} */
    const keep = new Set(wanted);
    const focused = document.activeElement;
    const left = [...this.#list.children].find((node) => node.contains(focused) && !keep.has(node));
    const redrawn = wanted.some(({ dataset: { id } }) => left instanceof HTMLElement && id === left.dataset.id);
    for (const node of [...this.#list.children]) if (!keep.has(node)) node.remove();
    if (left && !redrawn) this.#scroller.focus({ preventScroll: true }); // its message is gone
    wanted.forEach((node, index) => {
      if (this.#list.children[index] !== node) this.#list.insertBefore(node, this.#list.children[index] ?? null);
    });
  }

  /** @param {string} key @param {string} signature @param {() => HTMLElement} make */
  #kept(key, signature, make) {
    const known = this.#rows.get(key);
    if (known?.signature === signature) return known.row;
    const row = make();
    this.#rows.set(key, { row, signature });
    return row;
  }

  /** @param {Place} channel @param {Room} room */
  #opening(channel, room) {
    const signature = JSON.stringify([room.state, room.complete, room.error, channel.name, room.messages.length === 0]);
    return this.#kept("opening", signature, () => el("li", { class: "opening" }, this.#openingWords(channel, room)));
  }

  /** @param {Place} channel @param {Room} room */
  #openingWords(channel, room) {
    if (room.state === "loading") {
      return [1, 2, 3].map((n) => el("div", { class: `ghost of-${n}`, role: n === 1 ? "status" : null, "aria-label": n === 1 ? "Loading messages" : null }));
    }
    if (room.state === "failed") {
      return el("div", { class: "trouble", role: "alert" }, icon("warn"), el("p", {}, room.error),
        el("button", { type: "button", class: "button secondary", on: { click: () => this.#world.load(channel.id) } }, "Try again"));
    }
    if (!room.complete) return el("p", { class: "older", role: "status" }, dots(), " Earlier messages");
    const mail = channel.type === 1;
    return [
      el("span", { class: "opening-mark", "aria-hidden": "true" }, icon(mail ? "at" : "hash")),
      el("h2", {}, mail ? channel.name : `Welcome to #${channel.name}`),
      el("p", {}, mail
        ? `Direct messages between you and ${channel.name}. Nobody else sees them.`
        : "This is where the channel begins. Type / to see what the bot can do."),
    ];
  }

  /** @param {number} day its midnight, in milliseconds */
  #dayRow(day) {
    return this.#kept(`day-${day}`, "", () =>
      el("li", { class: "day" }, el("span", {}, format(new Date(day), "D"))));
  }

  /** @param {Message} message @param {boolean} grouped @param {Id} [redrawn] */
  #row(message, grouped, redrawn) {
    const failure = this.#failures.get(message.id) ?? null;
    const signature = this.#signature(message, failure);
    const known = this.#rows.get(message.id);
    const same = known?.signature === signature && message.id !== redrawn;
    const row = same ? known.row : drawMessage(message, this.#scene(message, failure));
    if (!same) {
      if (known) inherit(row, known.row);
      this.#rows.set(message.id, { row, signature });
    }
    row.classList.toggle("grouped", grouped);
    return row;
  }

  /** What a row shows: if it changes, the row is redrawn. @param {Message | undefined} message @param {string | null} failure */
  #signature(message, failure) {
    return JSON.stringify([message, failure, this.#apps()]);
  }

  /** The commands in the menu of a message here. @returns {string[]} */
  #apps() {
    const channel = this.#world.channel(this.#shown);
    return channel ? appsFor(this.#world, channel) : [];
  }

  /** @param {Message} message @param {string | null} failure @returns {MessageScene} */
  #scene(message, failure) {
    const world = this.#world;
    return {
      apps: this.#apps(),
      openApps: (anchor) => this.#openApps(message, anchor),
      world,
      channel: message.channel_id,
      failure,
      press: (component, values) => this.#press(message, component, values),
      dismiss: () => this.#dismiss(message),
    };
  }

  /** @param {Message} message @param {Button | Select} component @param {string[] | null} values */
  async #press(message, component, values) {
    if (this.#failures.delete(message.id)) this.#dropFailure(message.id);
    const place = { channel: message.channel_id, message: message.id, custom_id: component.custom_id };
    const person = this.#world.me;
    const answer = await (values === null
      ? this.#world.act("click", place)
      : this.#world.act("select", { ...place, values }));
    if (!this.#world.is(person)) return;
    if (!answer.ok) this.#fail(message, answer.error ?? "This interaction failed");
    else if (answer.modal && answer.interaction_id) this.#openModal(answer.modal, answer.interaction_id);
  }

  /** @param {Message} message @param {HTMLElement} anchor */
  #openApps(message, anchor) {
    const items = this.#apps().map((name) =>
      el("button", { type: "button", role: "menuitem", class: "option app", on: { click: () => this.#useApp(message, name) } }, name));
    const panel = el("div", { class: "apps", role: "menu", "aria-label": "Apps" }, items);
    panel.addEventListener("keydown", (event) => event.key === "Escape" && closePopover("cancelled"));
    openPopover(anchor, panel, { sheet: true });
    items[0]?.focus();
  }

  /** @param {Message} message @param {string} name */
  async #useApp(message, name) {
    closePopover();
    if (this.#failures.delete(message.id)) this.#dropFailure(message.id);
    const person = this.#world.me;
    const answer = await this.#world.act("menu", { channel: message.channel_id, message: message.id, name });
    if (!this.#world.is(person)) return;
    if (!answer.ok) this.#fail(message, answer.error ?? "This interaction failed");
    else if (answer.modal && answer.interaction_id) this.#openModal(answer.modal, answer.interaction_id);
  }

  /** The line is added to the row as it is: a full redraw would lose what a select shows. @param {Message} message @param {string} sentence */
  #fail(message, sentence) {
    const known = this.#rows.get(message.id);
    if (!known) return;
    this.#failures.set(message.id, sentence);
    this.#dropFailureLine(known.row);
    const line = el("p", { class: "failure", role: "alert" }, icon("warn"), ` ${sentence}`);
    known.row.querySelector(".message-content")?.after(line);
    known.signature = this.#signature(message, sentence);
    if (this.#stick) this.#jump();
  }

  /** @param {Id} id */
  #dropFailure(id) {
    const known = this.#rows.get(id);
    if (!known || !this.#shown) return;
    this.#dropFailureLine(known.row);
    const message = this.#world.room(this.#shown).messages.find((one) => one.id === id);
    known.signature = this.#signature(message, null);
  }

  /** @param {HTMLElement} row */
  #dropFailureLine(row) {
    row.querySelector(".message-content + .failure")?.remove();
  }

  /** @param {Message} message */
  async #dismiss(message) {
    if (!message.local) {
      const answer = await this.#world.act("dismiss", { channel: message.channel_id, message: message.id });
      if (!answer.ok) return this.#fail(message, answer.error ?? "The message could not be dismissed.");
    }
    return this.#world.remove(message.channel_id, message.id);
  }
}

/** Carry over what a redraw must not lose: loaded pictures, the focus, a list that is open. @param {HTMLElement} row @param {HTMLElement} older */
function inherit(row, older) {
  const loaded = new Map();
  for (const image of older.querySelectorAll("img")) if (image.complete && image.naturalWidth) loaded.set(image.src, image);
  for (const image of row.querySelectorAll("img")) {
    const known = loaded.get(image.src);
    if (!known || known.className !== image.className) continue;
    known.alt = image.alt;
    image.closest(".frame")?.classList.remove("loading");
    image.replaceWith(known);
    loaded.delete(known.src);
  }
  const opener = popoverAnchor();
  const focused = document.activeElement;
  if (opener && older.contains(opener)) {
    const { customId = "" } = opener.dataset;
    /** @type {HTMLElement | null} */
    const heir = row.querySelector(`button[data-custom-id="${CSS.escape(customId)}"]`);
    queueMicrotask(() => inheritList(opener, heir) || closePopover("cancelled"));
  }
  bequeath(older, row);
  if (focused instanceof HTMLElement && older.contains(focused)) {
    queueMicrotask(() => standIn(focused)?.focus({ preventScroll: true }));
  }
}
