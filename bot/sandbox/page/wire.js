// Talking to the emulator: JSON requests and the stream of events.

/** @import {Id} from "./discord.d.ts" */
/** @import {StreamEvent} from "./shapes.d.ts" */

/** A request that the emulator refused or that never reached it; `message` is one sentence. */
export class Refused extends Error {}

/** @template Body @param {string} path @param {RequestInit} options @returns {Promise<Body>} as the emulator's contract has it */
async function request(path, options) {
  let response;
  try {
    response = await fetch(path, { cache: "no-store", ...options });
  } catch {
    throw new Refused("The local Discord is not reachable. Is it still running?");
  }
  const body = await response.json().catch(() => null);
  if (!response.ok) throw new Refused(body?.error ?? `The local Discord answered ${response.status}.`);
  return body;
}

/**
 * Ask for something. Raises Refused.
 * @template Body
 * @param {string} path
 * @param {Record<string, string>} query
 * @returns {Promise<Body>}
 */
export function read(path, query = {}) {
  const text = new URLSearchParams(query).toString();
  return request(text ? `${path}?${text}` : path, {});
}

/**
 * Have something done. Raises Refused.
 * @template Body
 * @param {string} path
 * @param {object} body
 * @returns {Promise<Body>}
 */
export function post(path, body) {
  return request(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}

const SHORTEST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 4000;
const HIDDEN_GRACE_MS = 5000;

/**
 * One person's event stream. It reconnects for ever with growing pauses, and lets go while the tab is
 * hidden: a browser opens at most six connections to one host, and a table of ten may be ten tabs.
 */
export class Stream {
  /** @type {EventSource | null} */
  #source = null;
  /** @type {number | undefined} */
  #timer = undefined;
  #wait = SHORTEST_WAIT_MS;
  #person;
  #listener;

  /**
   * @param {Id} person
   * @param {{open(): void, lost(): void, event(event: StreamEvent): void}} listener
   */
  constructor(person, listener) {
    this.#person = person;
    this.#listener = listener;
    document.addEventListener("visibilitychange", this.#visibility);
    this.#connect();
  }

  close() {
    document.removeEventListener("visibilitychange", this.#visibility);
    this.#letGo();
  }

  /** Try at once instead of waiting out the pause. */
  retry() {
    this.#letGo();
    this.#wait = SHORTEST_WAIT_MS;
    this.#connect();
  }

  #visibility = () => {
    clearTimeout(this.#timer);
    if (document.hidden) this.#timer = setTimeout(() => this.#letGo(), HIDDEN_GRACE_MS);
    else if (!this.#source) this.retry();
  };

  #letGo() {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
  }

  #connect() {
    const source = new EventSource(`/page/stream?as=${encodeURIComponent(this.#person)}`);
    this.#source = source;
    source.onopen = () => {
      this.#wait = SHORTEST_WAIT_MS;
      this.#listener.open();
    };
    source.onmessage = (message) => this.#listener.event(JSON.parse(message.data));
    source.onerror = () => {
      if (this.#source !== source) return;
      this.#letGo();
      this.#listener.lost();
      this.#timer = setTimeout(() => this.#connect(), this.#wait);
      this.#wait = Math.min(this.#wait * 1.6, LONGEST_WAIT_MS);
    };
  }
}
