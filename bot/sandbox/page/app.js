// The page's start: reads who and where from the address (#as=ID&in=ID), wires the parts together.

/** @import {Id} from "./discord.d.ts" */
/** @import {Person, Place, ShowModal} from "./shapes.d.ts" */

import { drawPlaces } from "./channels.js";
import { Composer } from "./composer.js";
import { arrowKeys, avatar, el, icon } from "./dom.js";
import { openModal } from "./modal.js";
import { applyTheme, drawMembers, personButton } from "./people.js";
import { Timeline } from "./timeline.js";
import { compareIds, keepRelativeTimesTrue } from "./times.js";
import { Refused, read } from "./wire.js";
import { World, addressOf } from "./world.js";

const RETRY_MS = 1500;
const world = new World();
/** @type {ShowModal} */
const showModal = (modal, interaction) => world.current && openModal(world, world.current, modal, interaction);
const timeline = new Timeline(
  world,
  { scroller: part("scroller"), list: part("messages"), pill: part("pill"), voice: part("voice") },
  showModal,
);
const composer = new Composer(world, part("composer"), showModal, () => timeline.toBottom());
let entering = 0;

/** An element that `index.html` has. @param {string} id */
function part(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no part #${id}.`);
  return found;
}

// ---- the address ----------------------------------------------------------------------------

function address() {
  const fields = new URLSearchParams(location.hash.slice(1));
  return { as: fields.get("as"), channel: fields.get("in"), message: fields.get("at") };
}

/** @param {Id} as @param {Id | null} channel */
function goTo(as, channel) {
  location.hash = addressOf(as, channel);
}

/** @param {Id} channel */
function go(channel) {
  closeDrawer();
  goTo(world.self.id, channel);
}

/** @param {Id} person */
function become(person) {
  goTo(person, world.channel(world.current)?.type === 1 ? null : world.current);
}

/** The message that a link led to, until it is found. @type {Id | null} */
let sought = null;

/** Show the message that a link led to; what is older than the messages read so far is read first. */
async function showSought() {
  const place = world.channel(world.current);
  if (!sought || !place) return;
  const wanted = sought;
  const room = world.room(place.id);
  while (!timeline.show(wanted)) {
    const oldest = room.messages.at(0);
    if (room.state === "loading" || room.busy) return; // called again when that is done
    const before = room.messages.length;
    if (!room.complete && oldest && compareIds(wanted, oldest.id) < 0) await world.loadOlder(place.id);
    if (wanted !== sought || place.id !== world.current) return;
    if (room.messages.length > before) continue;
    notice("That message is no longer there.");
    break;
  }
  sought = null;
}

async function mail() {
  const answer = await world.act("open_dm", {});
  if (!answer.ok || !answer.channel) return notice(answer.error ?? "The direct messages could not be opened.");
  await world.refresh();
  return go(answer.channel.id);
}

/** Follow the address: another person, another channel, or both. */
async function follow() {
  entering += 1;
  const turn = entering;
  const { as, channel, message } = address();
  try {
    /** @type {{people: Person[]}} */
    const { people } = await read("/page/people");
    const person = people.find(({ id, name }) => id === as || name.toLowerCase() === as?.toLowerCase()) ?? people[0];
    if (turn !== entering) return;
    if (!person) throw new Refused("There is nobody in this sandbox yet.");
    if (world.me?.id !== person.id) {
      composer.forget();
      world.current = null;
      await world.enter(person.id);
    } else if (channel && !world.channel(channel)) {
      await world.refresh();
    }
    if (turn !== entering) return;
    document.getElementById("trouble")?.remove();
    const place = world.channel(channel) ?? firstChannel();
    if (person.id !== as || place?.id !== channel || message) {
      history.replaceState(null, "", addressOf(person.id, place?.id ?? null));
    }
    closeDrawer();
    sought = message;
    if (place && place.id !== world.current) open(place);
    else drawAll();
    await showSought();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (turn !== entering) return;
    showTrouble(error.message);
    setTimeout(() => turn === entering && follow(), RETRY_MS);
  }
}

function firstChannel() {
  return world.channels().find(({ guild, type }) => guild && type === 0) ?? world.channels()[0] ?? null;
}

/** @param {Place} place */
function open(place) {
  world.open(place.id);
  drawAll();
  composer.turnTo(place);
  if (matchMedia("(hover: hover)").matches) composer.focus();
}

// ---- drawing --------------------------------------------------------------------------------

function drawAll() {
  if (!world.me) return;
  if (world.current && !world.channel(world.current)) {
    world.current = null; // it was deleted while it was looked at
    follow();
    return;
  }
  drawDrawer();
  drawTop();
  drawNotices();
  drawMembers(world, part("members"));
  const place = world.channel(world.current);
  if (place) composer.turnTo(place);
}

function drawDrawer() {
  if (!world.me) return;
  const focused = document.activeElement;
  const held = focused instanceof HTMLElement && part("drawer").contains(focused) ? focused.dataset.channel : null;
  drawPlaces(world, { rail: part("rail"), head: part("place-head"), channels: part("channels") }, { go, mail });
  if (held) focusIn(part("drawer"), `[data-channel="${CSS.escape(held)}"]`);
  const unread = world.channels().reduce((sum, { id }) => sum + world.unread(id).pings, 0);
  document.getElementById("menu-badge")?.toggleAttribute("hidden", unread === 0);
  const place = world.channel(world.current);
  const where = place ? (place.type === 1 ? `@${place.name}` : `#${place.name}`) : "Local sandbox";
  document.title = `${unread ? `(${unread}) ` : ""}${world.me.name} in ${where} · Local sandbox`;
}

/** Give the focus to the first control that fits. @param {HTMLElement} inside @param {string} selector */
function focusIn(inside, selector) {
  const found = inside.querySelector(selector);
  if (found instanceof HTMLElement) found.focus();
}

function drawTop() {
  const place = world.channel(world.current);
  const mark = place?.user ? avatar(place.user, world.people, "small") : icon((place?.type ?? 0) >= 10 ? "thread" : "hash");
  const canThread = place?.guild && place.type === 0;
  const unread = world.channels().some(({ id }) => world.unread(id).pings);
  const signature = JSON.stringify([world.me, place?.id, place?.name]);
  if (part("top").dataset.drawn === signature) return; // leave the focus and an open list alone
  part("top").dataset.drawn = signature;
  part("self").replaceChildren(personButton(world, { become }));
  part("top").replaceChildren(
    el("button", { type: "button", class: "round", id: "menu", "aria-label": "Servers and channels", on: { click: openDrawer } },
      icon("menu"), el("span", { id: "menu-badge", class: "dot", hidden: !unread })),
    place ? mark : "", el("h2", { id: "place-name" }, place?.name ?? "No channel"),
    el("span", { class: "space" }),
    canThread ? el("button", { type: "button", class: "round", "aria-label": "New thread", title: "New thread", on: { click: () => askThread(place) } }, icon("thread")) : "",
    el("button", { type: "button", class: "round", id: "members-button", "aria-label": "Members", title: "Members", on: { click: () => document.body.classList.toggle("members-shown") } }, icon("people")),
    personButton(world, { become, short: true }),
  );
  part("scroller").setAttribute("aria-label", place ? `Messages in ${place.name}` : "Messages");
}

function drawNotices() {
  const notices = [];
  if (!world.connected) {
    notices.push(el("div", { class: "notice warn", id: "reconnecting" }, el("span", { class: "spinner" }), "Connection lost. Reconnecting…",
      el("button", { type: "button", class: "text-button", on: { click: () => world.retry() } }, "Try now")));
  } else if (!world.bot) {
    notices.push(el("div", { class: "notice" }, icon("warn"), "No bot has connected to this sandbox yet."));
  } else if (!world.bot.online) {
    notices.push(el("div", { class: "notice warn", id: "bot-offline" }, icon("warn"), `${world.bot.username} is offline. Buttons and commands will fail until it is back.`));
  }
  part("notices").replaceChildren(...notices);
}

/** Say something for six seconds. @param {string} sentence */
function notice(sentence) {
  const line = el("div", { class: "notice warn", role: "alert" }, icon("warn"), sentence);
  part("notices").append(line);
  setTimeout(() => line.remove(), 6000);
}

/** @param {string} sentence */
function showTrouble(sentence) {
  document.getElementById("trouble")?.remove();
  document.body.append(el("div", { id: "trouble", role: "alert" }, icon("warn"), el("h1", {}, "The local Discord does not answer"),
    el("p", {}, sentence), el("p", { class: "dim" }, "Trying again by itself."),
    el("button", { type: "button", class: "button primary", on: { click: follow } }, "Try now")));
}

/** @param {Place} place */
function askThread(place) {
  const input = el("input", { class: "field", type: "text", maxlength: 100, required: true, "aria-label": "Name of the thread", autocomplete: "off" });
  const error = el("p", { class: "field-error", role: "alert" });
  const dialog = el("dialog", { class: "modal", "aria-label": "New thread" });
  const form = el("form", {},
    el("header", { class: "modal-head" }, el("h2", {}, `New thread in #${place.name}`)),
    el("div", { class: "modal-parts" }, el("label", { class: "modal-field" }, el("span", { class: "modal-label" }, "Name"), input), error),
    el("footer", { class: "modal-foot" },
      el("button", { type: "button", class: "button secondary", on: { click: () => dialog.close() } }, "Cancel"),
      el("button", { type: "submit", class: "button primary" }, "Create")));
  dialog.append(form);
  dialog.addEventListener("close", () => dialog.remove());
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const answer = await world.act("thread", { channel: place.id, name: input.value.trim() });
    if (!answer.ok) {
      error.textContent = answer.error ?? "The thread could not be opened.";
      return;
    }
    dialog.close();
    await world.refresh();
    if (answer.channel) go(answer.channel.id);
  });
  document.body.append(dialog);
  dialog.showModal();
}

// ---- the drawer on a phone ------------------------------------------------------------------

const narrow = matchMedia("(max-width: 760px)");

function setDrawer() {
  const shown = document.body.classList.contains("drawer-shown");
  part("shade").hidden = !shown;
  part("drawer").inert = narrow.matches && !shown;
  part("main").inert = narrow.matches && shown;
}

function openDrawer() {
  document.body.classList.add("drawer-shown");
  setDrawer();
  focusIn(part("drawer"), "[aria-current=page]");
}

/** The focus goes back to what opened the drawer, or the list of members. */
function closeDrawer() {
  const { classList } = document.body;
  const opener = classList.contains("drawer-shown") ? "#menu" : "#members-button";
  const shown = classList.contains("drawer-shown") || classList.contains("members-shown");
  const inside = part("drawer").contains(document.activeElement) || document.activeElement === document.body;
  classList.remove("drawer-shown", "members-shown");
  setDrawer();
  if (shown && inside) focusIn(part("top"), opener);
}

part("shade").addEventListener("click", closeDrawer);
part("members").addEventListener("click", (event) => event.target === event.currentTarget && closeDrawer());
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !event.defaultPrevented) closeDrawer();
});
narrow.addEventListener("change", setDrawer);

// ---- the height above an on-screen keyboard -------------------------------------------------

function fit() {
  const view = window.visualViewport;
  if (!view || view.scale > 1.01) return;
  document.documentElement.style.setProperty("--height", `${Math.round(view.height)}px`);
  scrollTo(0, 0);
}
window.visualViewport?.addEventListener("resize", fit);

// ---- go -------------------------------------------------------------------------------------

world.addEventListener("view", drawAll);
world.addEventListener("unread", drawDrawer);
world.addEventListener("link", drawNotices);
world.onMessages(({ loaded, older, channel }) => (loaded || older) && channel === world.current && showSought());
addEventListener("hashchange", follow);
document.addEventListener("visibilitychange", () => world.seen());
arrowKeys(part("channels"), ".place");
arrowKeys(part("rail"), ".rail-item");
applyTheme();
setDrawer();
fit();
keepRelativeTimesTrue();
follow();
