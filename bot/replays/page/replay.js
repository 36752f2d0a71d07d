// Shows a match that is over, step by step: cards move between the deck and the seats. Everything it
// says stands in the page's block of JSON; names reach the page as text only.

/** @typedef {{number: number, rank: string, suit: string, kind: string}} Card */
/** @typedef {{number: number, told: string, first: number, hands: number[][], middle: number[]}} Round */
/**
 * @typedef {object} Step
 * @property {number} round
 * @property {"deal" | "bid" | "doubt" | "leave" | "end"} kind
 * @property {number | null} seat
 * @property {string} told
 * @property {string} known
 * @property {string[]} coach
 * @property {string} standing
 * @property {number | null} bidder
 * @property {string} says
 * @property {number[]} used
 * @property {boolean | null} holds
 * @property {number | null} loser
 * @property {string[]} standings
 * @property {number | null} winner
 */
/**
 * @typedef {object} Match
 * @property {string} title
 * @property {string[]} names
 * @property {string[]} characters
 * @property {Record<string, string>} labels
 * @property {Card[]} deck
 * @property {Round[]} rounds
 * @property {Step[]} steps
 */

/** @param {string} id */
function part(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found;
}

/**
 * @param {string} tag @param {string} [name] @param {string} [text]
 */
function made(tag, name = "", text = "") {
  const node = document.createElement(tag);
  if (name) node.className = name;
  node.textContent = text;
  return node;
}

const match = /** @type {Match} */ (JSON.parse(part("match").textContent ?? "{}"));
const { labels, steps, rounds } = match;
const ACTIONS = steps.filter((one) => one.kind !== "end").length; // counted as in Discord: who has won is no step
const WAIT = 45; // milliseconds between two cards of a deal
const READING = { deal: 1500, bid: 1700, doubt: 3600, leave: 1700, end: 4000 };
const ICONS = {
  first: "M4 4h3v16H4zM20 4v16L8 12z",
  round_back: "M12 4v16L3 12zM21 4v16l-9-8z",
  back: "M17 4v16L6 12z",
  play: "M6 3v18l15-9z",
  pause: "M6 4h4v16H6zM14 4h4v16h-4z",
  next: "M7 4v16l11-8z",
  round_on: "M3 4v16l9-8zM12 4v16l9-8z",
};

let at = 0;
/** @type {number | undefined} */
let playing;

// -- what stands on the page from the beginning ------------------------------------------------

document.title = match.title;
part("title").textContent = match.title;
part("keys").textContent = labels.keys ?? "";
const line = /** @type {HTMLInputElement} */ (part("line"));
line.max = String(steps.length - 1);
line.setAttribute("aria-label", labels.steps ?? "");

/** @typedef {{box: HTMLElement, note: HTMLElement, slot: HTMLElement, says: HTMLElement}} Seat */
/** @param {string} name @returns {Seat} */
function seat(name) {
  const box = made("div", "seat");
  const head = made("div", "name");
  const note = made("span");
  head.append(made("b", "", name), note);
  const slot = made("div", "slot");
  const says = made("span", "says");
  box.append(head, slot, says);
  part("seats").append(box);
  return { box, note, slot, says };
}

const middle = rounds.some((round) => round.middle.length) ? seat(labels.middle ?? "") : null;
const seats = match.names.map(seat);
const crowd = seats.length + (middle ? 1 : 0);
document.body.className = crowd <= 4 ? "few" : crowd <= 6 ? "some" : "many";

/** @type {Map<number, HTMLElement>} */
const cards = new Map();
for (const card of match.deck) {
  const node = made("div", `card ${card.kind}`);
  const index = made("i", "", card.rank);
  if (card.suit) index.append(made("small", "", card.suit));
  node.append(index, made("b", "", card.suit || card.rank));
  cards.set(card.number, node);
  part("cards").append(node);
}

/** @param {keyof typeof ICONS} icon @param {() => void} act */
function button(icon, act) {
  const node = /** @type {HTMLButtonElement} */ (made("button", icon));
  node.type = "button";
  dress(node, icon);
  node.addEventListener("click", act);
  part("buttons").append(node);
  return node;
}

/** @param {HTMLButtonElement} node @param {keyof typeof ICONS} icon */
function dress(node, icon) {
  const drawing = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  drawing.setAttribute("viewBox", "0 0 24 24");
  drawing.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[icon]);
  drawing.append(path);
  node.replaceChildren(drawing);
  node.setAttribute("aria-label", labels[icon] ?? "");
  node.title = labels[icon] ?? "";
}

const buttons = {
  first: button("first", () => go(0)),
  roundBack: button("round_back", () => go(roundBack())),
  back: button("back", () => go(at - 1)),
  play: button("play", () => (playing ? pause() : play())),
  next: button("next", () => go(at + 1)),
  roundOn: button("round_on", () => go(roundOn())),
};

// -- moving ------------------------------------------------------------------------------------

/** @param {number} step */
function roundOf(step) {
  return rounds.findIndex((round) => round.number === steps[step]?.round);
}

function roundBack() {
  const now = rounds[roundOf(at)]?.first ?? 0;
  return at > now ? now : (rounds[roundOf(at) - 1]?.first ?? 0);
}

function roundOn() {
  return rounds[roundOf(at) + 1]?.first ?? steps.length - 1;
}

/** @param {number} step */
function go(step, { byHand = true } = {}) {
  if (byHand) pause();
  const to = Math.max(0, Math.min(steps.length - 1, step));
  const dealsAnew = steps[to]?.round !== steps[at]?.round;
  at = to;
  show(dealsAnew);
}

function play() {
  if (at === steps.length - 1) go(0);
  dress(buttons.play, "pause");
  tick();
}

function tick() {
  const kind = steps[at]?.kind ?? "end";
  playing = window.setTimeout(() => {
    if (at >= steps.length - 1) {
      pause();
      return;
    }
    go(at + 1, { byHand: false });
    tick();
  }, READING[kind]);
}

function pause() {
  window.clearTimeout(playing);
  playing = undefined;
  dress(buttons.play, "play");
}

// -- showing -----------------------------------------------------------------------------------

/** @param {boolean} dealsAnew whether the cards go back to the deck first */
function show(dealsAnew) {
  const step = /** @type {Step} */ (steps[at]);
  const round = /** @type {Round} */ (rounds[roundOf(at)]);
  part("where").textContent = `${round.told} · ${Math.min(at + 1, ACTIONS)}/${ACTIONS}`;
  part("told").textContent = step.told;
  part("known").textContent = step.known;
  showStanding(step);
  showCoach(step);
  showBids(round);
  for (const [number, one] of seats.entries()) showSeat(one, number, step, round);
  line.value = String(at);
  line.setAttribute("aria-valuetext", step.told);
  for (const node of [buttons.first, buttons.roundBack, buttons.back]) node.disabled = at === 0;
  for (const node of [buttons.next, buttons.roundOn]) node.disabled = at === steps.length - 1;
  if (dealsAnew) {
    gather();
    // the next frame: what lies in the deck is dealt from there
    requestAnimationFrame(() => requestAnimationFrame(() => lay(true)));
  } else lay(step.kind === "deal");
}

/** @param {Step} step */
function showStanding(step) {
  const node = part("standing");
  node.textContent = step.standing;
  if (step.bidder !== null && step.standing) node.append(made("small", "", match.names[step.bidder]));
}

/** @param {Step} step */
function showCoach(step) {
  const box = part("coach");
  const [heading, words] = box.children;
  box.hidden = !step.coach.length;
  if (heading) heading.textContent = labels.coach ?? "";
  words?.replaceChildren(...step.coach.map((sentence) => made("p", "", sentence)));
}

/** @param {Round} round */
function showBids(round) {
  const shown = steps.slice(round.first + 1, at + 1).filter((one) => one.round === round.number && one.kind !== "end");
  part("bids").replaceChildren(...shown.map((one, place) => {
    const who = one.seat === null ? "" : match.names[one.seat];
    const item = made("li", "", one.kind === "doubt" ? `${who}: ${one.says}!` : one.told);
    if (place === shown.length - 1) item.setAttribute("aria-current", "step");
    return item;
  }));
}

/** @param {Seat} one @param {number} number @param {Step} step @param {Round} round */
function showSeat(one, number, step, round) {
  const standing = step.standings[number];
  const dealt = (round.hands[number] ?? []).length > 0;
  const over = step.kind === "doubt" || step.kind === "end";
  const classes = one.box.classList;
  classes.toggle("acts", step.seat === number && !over);
  classes.toggle("loses", over && step.loser === number);
  classes.toggle("wins", step.winner === number);
  classes.toggle("gone", !dealt || standing === "forfeited");
  const gone = standing === "forfeited" ? labels.left : standing === "out" ? labels.out : "";
  one.note.textContent = gone ?? "";
  const said = latest(number, round);
  one.says.textContent = said?.text ?? "";
  one.says.classList.toggle("stands", step.bidder === number && !said?.doubts);
  one.says.classList.toggle("doubts", said?.doubts ?? false);
}

/** What a seat said last in this round, as far as it has gone. @param {number} number @param {Round} round */
function latest(number, round) {
  for (let place = at; place > round.first; place -= 1) {
    const step = steps[place];
    if (step?.seat !== number || step.round !== round.number) continue;
    if (step.kind === "doubt") return { text: `${step.says}!`, doubts: true };
    if (step.kind === "bid") return { text: step.standing, doubts: false };
  }
  return undefined;
}

// -- cards -------------------------------------------------------------------------------------

/** Where something stands on the felt. @param {HTMLElement} node */
function place(node) {
  const felt = part("cards").getBoundingClientRect();
  const box = node.getBoundingClientRect();
  return { left: box.left - felt.left, top: box.top - felt.top, width: box.width };
}

/** Put every card into the deck, face down, at once. */
function gather() {
  const deck = place(part("deck"));
  for (const node of cards.values()) {
    node.style.setProperty("--wait", "0ms");
    node.classList.add("down");
    node.classList.remove("used", "rests");
    node.style.zIndex = "0";
    node.style.transform = `translate(${deck.left}px, ${deck.top}px)`;
  }
}

/** Lay the cards as the step has them. @param {boolean} oneByOne whether they are dealt in turn */
function lay(oneByOne) {
  const step = /** @type {Step} */ (steps[at]);
  const round = /** @type {Round} */ (rounds[roundOf(at)]);
  const deck = place(part("deck"));
  /** @type {Map<number, {x: number, y: number, order: number, z: number}>} */
  const targets = new Map();
  const hands = [...round.hands.map((hand, number) => ({ hand, slot: seats[number]?.slot }))];
  if (middle) hands.push({ hand: round.middle, slot: middle.slot });
  for (const [number, { hand, slot }] of hands.entries()) {
    if (!slot) continue;
    const box = place(slot);
    const width = cards.values().next().value?.offsetWidth ?? 0;
    const stride = Math.min(width + 5, hand.length > 1 ? (box.width - width) / (hand.length - 1) : width);
    for (const [index, card] of hand.entries()) {
      const lift = step.used.includes(card) ? 0 : 10;
      targets.set(card, { x: box.left + index * stride, y: box.top + lift, order: index * hands.length + number, z: index + 1 });
    }
  }
  for (const [number, node] of cards) {
    const target = targets.get(number);
    node.classList.toggle("down", !target);
    node.classList.toggle("used", step.used.includes(number));
    node.classList.toggle("rests", Boolean(target) && step.used.length > 0 && !step.used.includes(number));
    node.style.setProperty("--wait", oneByOne && target ? `${target.order * WAIT}ms` : "0ms");
    node.style.zIndex = String(target?.z ?? 0);
    node.style.transform = `translate(${target?.x ?? deck.left}px, ${target?.y ?? deck.top}px)`;
  }
}

/** So many seats stand in a row. */
function arrange() {
  const narrow = window.innerWidth <= 820;
  const columns = narrow || crowd === 2 || crowd === 4 ? 2 : 3;
  part("seats").style.setProperty("--columns", String(columns));
  lay(false);
}

// -- keys --------------------------------------------------------------------------------------

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const onButton = event.target instanceof HTMLButtonElement;
  /** @type {Record<string, () => void>} */
  const acts = {
    ArrowRight: () => go(at + 1),
    ArrowLeft: () => go(at - 1),
    ArrowDown: () => go(roundOn()),
    ArrowUp: () => go(roundBack()),
    Home: () => go(0),
    End: () => go(steps.length - 1),
  };
  if (!onButton) acts[" "] = () => (playing ? pause() : play());
  const act = acts[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
line.addEventListener("input", () => go(Number(line.value)));
window.addEventListener("resize", arrange);
arrange();
show(true);
