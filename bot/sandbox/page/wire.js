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

/**
 * One person's event stream; it reconnects for ever with growing pauses. A WebSocket: a browser opens six
 * other connections to one host, whatever number of its tabs asks.
 */
export class Stream {
  /** @type {WebSocket | null} */
  #socket = null;
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
    this.#connect();
  }

  close() {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  /** Try at once instead of waiting out the pause. */
  retry() {
    this.close();
    this.#wait = SHORTEST_WAIT_MS;
    this.#connect();
  }

  #connect() {
    const address = `${location.origin.replace("http", "ws")}/page/stream?as=${encodeURIComponent(this.#person)}`;
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.onopen = () => {
      if (this.#socket !== socket) return;
      this.#wait = SHORTEST_WAIT_MS;
      this.#listener.open();
    };
    socket.onmessage = (message) => {
      if (this.#socket === socket) this.#listener.event(JSON.parse(message.data));
    };
    socket.onclose = () => {
      if (this.#socket !== socket) return;
      this.#listener.lost();
      this.#timer = setTimeout(() => this.#connect(), this.#wait);
      this.#wait = Math.min(this.#wait * 1.6, LONGEST_WAIT_MS);
    };
  }
}
