// Where one writes: plain messages, and `/` for the command picker.

/** @import {Id, Message} from "./discord.d.ts" */
/** @import {Leaf, Place, ShowModal} from "./shapes.d.ts" */
/** @import {Values} from "./command_form.js" */
/** @import {World} from "./world.js" */

import { el, icon, stepOf } from "./dom.js";
import { drawCommandForm } from "./command_form.js";
import { commandsFor, matching } from "./commands.js";
import { closePopover, openPopover, place, popoverAnchor } from "./popover.js";

const LONGEST = 2000;
const SHOW_SENDING_AFTER_MS = 180;
const DISCORD_EPOCH_MS = 1_420_070_400_000;

export class Composer {
  #world;
  #openModal;
  #sent;
  #place; // where the composer is drawn
  /** @type {Place | null} */
  #channel = null;
  /** Channel id -> what was being written there. @type {Map<Id, string>} */
  #drafts = new Map();
  /** @type {ReturnType<typeof drawCommandForm> | null} */
  #form = null;
  #list = el("div", { class: "listbox commands", role: "listbox", id: "commands", "aria-label": "Commands" });
  /** @type {Leaf[]} */
  #shown = [];
  #active = 0;
  /** @type {HTMLTextAreaElement} */
  text = this.#drawText();
  error = el("p", { class: "failure", role: "alert" });
  /** @type {HTMLElement} */
  bar = this.#drawBar();

  /** @param {World} world @param {HTMLElement} place_ @param {ShowModal} openModal @param {() => void} sent done whenever something is sent */
  constructor(world, place_, openModal, sent) {
    this.#world = world;
    this.#place = place_;
    this.#openModal = openModal;
    this.#sent = sent;
    this.#place.replaceChildren(this.error, this.bar);
  }

  /** Turn to a channel; what was being written in the last one is kept for it. @param {Place} channel */
  turnTo(channel) {
    const same = this.#channel?.id === channel.id;
    if (!same) {
      if (this.#channel) this.#drafts.set(this.#channel.id, this.text.value);
      this.#leaveForm();
      this.text.value = this.#drafts.get(channel.id) ?? "";
    }
    this.#channel = channel;
    const name = channel.type === 1 ? `@${channel.name}` : `#${channel.name}`;
    this.text.placeholder = `Message ${name}`;
    this.text.setAttribute("aria-label", `Message ${name}. Type a slash for commands.`);
    if (!same) this.#grow();
  }

  /** Another person writes now: nothing of the last one's is kept. */
  forget() {
    this.#drafts.clear();
    this.#channel = null;
    this.text.value = "";
    this.#leaveForm();
  }

  /** Put the cursor where one writes. */
  focus() {
    (this.#form ?? this.text).focus();
  }

  /** @returns {HTMLTextAreaElement} */
  #drawText() {
    return el("textarea", {
      class: "composer-text", rows: "1", maxlength: LONGEST, enterkeyhint: "send", role: "combobox",
      "aria-expanded": "false", "aria-controls": "commands", "aria-autocomplete": "list",
      on: {
        input: () => { this.#grow(); this.#suggest(); },
        keydown: (event) => this.#key(event),
        blur: () => popoverAnchor() === this.bar && closePopover(),
        focus: () => this.text.value.startsWith("/") && this.#suggest(),
      },
    });
  }

  /** @returns {HTMLElement} */
  #drawBar() {
    return el("div", { class: "composer-bar" },
      el("button", { type: "button", class: "round", "aria-label": "Commands", on: { pointerdown: (event) => event.preventDefault(), click: () => this.#slash() } }, icon("slash")),
      this.text,
      el("button", { type: "button", class: "round send", "aria-label": "Send message", on: { pointerdown: (event) => event.preventDefault(), click: () => this.#send() } }, icon("send")));
  }

  #grow() {
    this.text.style.height = "auto";
    this.text.style.height = `${Math.min(this.text.scrollHeight, 180)}px`;
    this.error.textContent = "";
    this.bar.classList.toggle("filled", this.text.value.trim() !== "");
  }

  // ---- the command picker -------------------------------------------------------------------

  #slash() {
    if (!this.#channel) return;
    this.text.value = "/";
    this.text.focus();
    this.#suggest();
  }

  #commands() {
    return this.#channel ? commandsFor(this.#world, this.#channel) : [];
  }

  #suggest() {
    const found = /^\/([^\n]*)$/.exec(this.text.value);
    if (!found) return popoverAnchor() === this.bar ? closePopover() : null;
    const exact = this.#commands().filter(({ path }) => found[1] === `${path} `);
    const longer = this.#commands().some(({ path }) => path.startsWith(found[1]) && found[1]);
    if (exact.length === 1 && !longer) return this.#choose(exact[0]);
    this.#shown = matching(this.#commands(), found[1]);
    this.#list.replaceChildren(...(this.#shown.length ? this.#shown.map((command, index) => this.#commandRow(command, index)) : [this.#nothing()]));
    if (popoverAnchor() !== this.bar) {
      openPopover(this.bar, this.#list, { closed: () => this.#closed() });
      this.text.setAttribute("aria-expanded", "true");
    }
    this.#activate(0);
    return place();
  }

  #closed() {
    this.text.setAttribute("aria-expanded", "false");
    this.text.removeAttribute("aria-activedescendant");
  }

  #nothing() {
    const words = this.#world.commands.length
      ? "No command fits. What you wrote would be sent as a message."
      : "The bot has no commands yet. They appear as soon as it is online.";
    return el("p", { class: "list-empty" }, words);
  }

  /** @param {Leaf} command @param {number} index */
  #commandRow(command, index) {
    const names = command.options.map((option) => el("span", { class: option.required ? "pill" : "pill dim" }, option.name));
    return el("div", {
      class: "option", role: "option", id: `command-${index}`,
      on: { pointerdown: (event) => event.preventDefault(), click: () => this.#choose(command), pointermove: () => this.#activate(index, false) },
    },
    el("span", { class: "option-words" },
      el("span", { class: "option-label" }, `/${command.path}`, " ", names),
      el("span", { class: "option-description" }, command.description)));
  }

  /** @param {number} index */
  #activate(index, scroll = true) {
    const rows = [...this.#list.querySelectorAll(".option")];
    this.#active = rows.length ? (index + rows.length) % rows.length : -1;
    rows.forEach((row, place_) => {
      row.classList.toggle("active", place_ === this.#active);
      row.setAttribute("aria-selected", String(place_ === this.#active));
    });
    const row = rows[this.#active];
    if (row) this.text.setAttribute("aria-activedescendant", row.id);
    if (scroll) row?.scrollIntoView({ block: "nearest" });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.isComposing) return;
    const picking = popoverAnchor() === this.bar && this.#shown.length > 0;
    const step = stepOf(event);
    if (picking && step) this.#activate(this.#active + step);
    else if (picking && ["Enter", "Tab"].includes(event.key) && !event.shiftKey) this.#choose(this.#shown[this.#active]);
    else if (event.key === "Escape" && popoverAnchor() === this.bar) closePopover();
    else if (event.key === "Enter" && !event.shiftKey) this.#send();
    else return;
    event.preventDefault();
  }

  /** @param {Leaf} command */
  #choose(command) {
    if (!this.#channel) return;
    closePopover();
    this.text.value = "";
    const channel = this.#channel.id;
    this.#form = drawCommandForm(command, {
      world: this.#world,
      channel,
      send: (options) => this.#command(channel, command.path, options),
      cancel: () => { this.#leaveForm(); this.text.focus(); },
    });
    this.#place.replaceChildren(this.#form.node);
    this.#form.focus();
  }

  #leaveForm() {
    closePopover();
    if (!this.#form) return;
    this.#form = null;
    this.#place.replaceChildren(this.error, this.bar);
    this.#grow();
  }

  // ---- sending ------------------------------------------------------------------------------

  async #send() {
    const content = this.text.value.trim();
    if (!content || !this.#channel) return;
    const channel = this.#channel.id;
    const person = this.#world.me;
    this.text.value = "";
    this.#grow();
    this.#sent();
    const answer = await this.#world.act("send", { channel, content });
    if (answer.ok || !this.#world.is(person)) return;
    if (this.#channel?.id === channel && !this.text.value) this.text.value = content;
    this.#grow();
    this.error.textContent = answer.error ?? "The message was not sent.";
  }

  /** @param {Id} channel @param {string} name @param {Values} options */
  async #command(channel, name, options) {
    this.#leaveForm();
    this.text.focus();
    this.#sent();
    const person = this.#world.me;
    const row = this.#localRow(channel, name);
    const timer = setTimeout(() => this.#world.is(person) && this.#world.put(row), SHOW_SENDING_AFTER_MS);
    const answer = await this.#world.act("slash", { channel, name, options });
    clearTimeout(timer);
    if (!this.#world.is(person)) return;
    if (!answer.ok) {
      this.#world.put({ ...row, state: "failed", error: answer.error ?? "The application did not respond" });
      return;
    }
    this.#world.remove(channel, row.id);
    if (answer.modal && answer.interaction_id) this.#openModal(answer.modal, answer.interaction_id);
  }

  /** A row of this page alone, while a command is on its way or when it failed. @param {Id} channel @param {string} name @returns {Message} */
  #localRow(channel, name) {
    const author = this.#world.bot ?? { id: "0", username: "The bot" };
    return {
      id: String((BigInt(Date.now() - DISCORD_EPOCH_MS) << 22n) + 4_194_303n),
      local: true, state: "sending", channel_id: channel, flags: 64, author: { ...author, bot: true },
      interaction_metadata: { user: this.#world.self, name },
    };
  }
}
