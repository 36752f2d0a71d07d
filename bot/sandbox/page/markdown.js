// Discord's subset of Markdown, read into a tree of blocks and inlines (`shapes.d.ts`). The tree holds
// text only; `markdown_view` draws it.

/** @import {Block, Found, Inline, List} from "./shapes.d.ts" */
/** @typedef {{indent: number, mark: string, children: Inline[]}} Row */

const DEEPEST = 16; // nesting beyond this is shown as plain text
const FENCE = /```(?:([\w+.#-]{1,24})\n)?([\s\S]+?)```/y;
const HEADING = /(#{1,3})[ \t]+([^\n]+)(?:\n|$)/y;
const SUBTEXT = /-#[ \t]+([^\n]+)(?:\n|$)/y;
const QUOTE_REST = />>>[ \t]+([\s\S]+)/y;
const QUOTE_LINES = /(?:>[ \t][^\n]*(?:\n|$))+/y;
const BULLET_LINES = /[-*][ \t]+[^\n]+(?:\n|$)(?:(?:[-*]|[ \t]+(?:[-*]|\d{1,9}\.))[ \t]+[^\n]+(?:\n|$))*/y;
const NUMBER_LINES = /\d{1,9}\.[ \t]+[^\n]+(?:\n|$)(?:(?:\d{1,9}\.|[ \t]+(?:[-*]|\d{1,9}\.))[ \t]+[^\n]+(?:\n|$))*/y;
const LIST_LINE = /^([ \t]*)([-*]|\d{1,9}\.)[ \t]+([^\n]+)$/;

const ESCAPE = /\\([^A-Za-z0-9\s])/y;
const CODE = /(`{1,2})([^`](?:[\s\S]*?[^`])??)\1(?!`)/y;
const MASKED = /\[([^\]\n]{1,500})\]\(<?(https?:\/\/[^\s<>()]+(?:\([^\s<>()]*\)[^\s<>()]*)*)>?(?:[ \t]+"([^"\n]*)")?\)/y;
const BARE = /https?:\/\/[^\s<>]+/y;
const ANGLED = /<(https?:\/\/[^\s<>]+)>/y;
const TAGGED = /<(?:@!?(?<user>\d{1,25})|@&(?<role>\d{1,25})|#(?<channel>\d{1,25})|\/(?<command>[^\s:<>][^:<>]{0,99}):\d{1,25}|a?:(?<emoji>\w{1,32}):(?<picture>\d{1,25})|t:(?<time>-?\d{1,13})(?::(?<style>[tTdDfFRsS]))?)>/y;
const EVERYONE = /@(everyone|here)\b/y;
const PLAIN = /[^\\`*_~|[<@h]+/y;
/** @type {[string, "strong" | "underline" | "strike" | "spoiler" | "em"][]} */
const PAIRS = [
  ["**", "strong"],
  ["__", "underline"],
  ["~~", "strike"],
  ["||", "spoiler"],
  ["*", "em"],
  ["_", "em"],
];

/** @param {RegExp} pattern @param {string} text @param {number} position */
function at(pattern, text, position) {
  pattern.lastIndex = position;
  return pattern.exec(text);
}

/** Read `text` into blocks. Anything malformed stays the plain text it was. @param {string} text */
export function parse(text) {
  return parseBlocks(text.replace(/\r\n?/g, "\n"), false);
}

/** @param {string} text @param {boolean} quoted @returns {Block[]} */
function parseBlocks(text, quoted) {
  /** @type {Block[]} */
  const blocks = [];
  let loose = "";
  const flush = () => {
    const trimmed = loose.replace(/^\n+|\n+$/g, "");
    if (trimmed) blocks.push({ type: "paragraph", children: parseInline(trimmed) });
    loose = "";
  };
  let position = 0;
  while (position < text.length) {
    const lineStart = position === 0 || text[position - 1] === "\n" || loose === "";
    const found = blockAt(text, position, lineStart, quoted);
    if (found) {
      flush();
      blocks.push(found.node);
      position = found.end;
      continue;
    }
    const newline = text.indexOf("\n", position);
    const end = newline < 0 ? text.length : newline + 1;
    const fence = nextFence(text, position, end);
    loose += text.slice(position, fence ?? end);
    position = fence ?? end;
  }
  flush();
  return blocks;
}

/** Where on this line a code block begins, or null. @param {string} text @param {number} from @param {number} end */
function nextFence(text, from, end) {
  for (let mark = text.indexOf("```", from); mark >= 0 && mark < end; mark = text.indexOf("```", mark + 1)) {
    if (mark > from && at(FENCE, text, mark)) return mark;
  }
  return null;
}

/**
 * The block that begins here, if one does.
 * @param {string} text
 * @param {number} position
 * @param {boolean} lineStart
 * @param {boolean} quoted
 * @returns {Found<Block> | null}
 */
function blockAt(text, position, lineStart, quoted) {
  const fence = at(FENCE, text, position);
  if (fence) {
    const after = position + fence[0].length;
    return {
      node: { type: "codeblock", language: fence[1] ?? "", text: fence[2].replace(/^\n|\n$/g, "") },
      end: text[after] === "\n" ? after + 1 : after,
    };
  }
  if (!lineStart) return null;
  return lineBlockAt(text, position) ?? (quoted ? null : quoteAt(text, position));
}

/** @param {string} text @param {number} position @returns {Found<Block> | null} */
function lineBlockAt(text, position) {
  const heading = at(HEADING, text, position);
  if (heading) {
    const [whole, marks, words] = heading;
    return {
      node: { type: "heading", level: marks.length, children: parseInline(words.trim()) },
      end: position + whole.length,
    };
  }
  const subtext = at(SUBTEXT, text, position);
  if (subtext) {
    return { node: { type: "subtext", children: parseInline(subtext[1].trim()) }, end: position + subtext[0].length };
  }
  const list = at(BULLET_LINES, text, position) ?? at(NUMBER_LINES, text, position);
  return list && { node: parseList(list[0]), end: position + list[0].length };
}

/** @param {string} text @param {number} position @returns {Found<Block> | null} */
function quoteAt(text, position) {
  const rest = at(QUOTE_REST, text, position);
  if (rest) return { node: { type: "quote", children: parseBlocks(rest[1], true) }, end: text.length };
  const lines = at(QUOTE_LINES, text, position);
  if (!lines) return null;
  const inner = lines[0].replace(/^>[ \t]/gm, "").replace(/\n$/, "");
  return { node: { type: "quote", children: parseBlocks(inner, true) }, end: position + lines[0].length };
}

/** @param {Row} row @returns {List} */
function emptyList(row) {
  const ordered = /\d/.test(row.mark);
  return { type: "list", ordered, start: Number.parseInt(row.mark, 10) || 1, items: [] };
}

/** @param {string} text one or more lines that LIST_LINE fits */
function parseList(text) {
  /** @type {Row[]} */
  const rows = [];
  for (const line of text.replace(/\n$/, "").split("\n")) {
    const found = LIST_LINE.exec(line);
    if (found) rows.push({ indent: found[1].length, mark: found[2], children: parseInline(found[3]) });
  }
  const root = emptyList(rows[0]);
  const open = [{ indent: rows[0].indent, list: root }];
  let inner = open[0]; // the last of `open`
  for (const row of rows) {
    while (open.length > 1 && row.indent < inner.indent) {
      open.pop();
      inner = open[open.length - 1];
    }
    const parent = inner.list.items.at(-1);
    if (parent && row.indent > inner.indent && open.length < DEEPEST) {
      parent.list = emptyList(row);
      inner = { indent: row.indent, list: parent.list };
      open.push(inner);
    }
    inner.list.items.push({ children: row.children, list: null });
  }
  return root;
}

/** Read one run of text (it may hold line breaks) into inline nodes. @param {string} text */
export function parseInline(text, depth = 0) {
  /** @type {Inline[]} */
  const nodes = [];
  /** @type {Set<string>} */
  const hopeless = new Set(); // markers that have no partner in the rest of this text
  /** @param {string} piece */
  const say = (piece) => {
    const last = nodes.at(-1);
    if (last?.type === "text") last.text += piece;
    else nodes.push({ type: "text", text: piece });
  };
  let position = 0;
  while (position < text.length) {
    const found =
      tokenAt(text, position) ?? (depth < DEEPEST ? pairAt(text, position, depth, hopeless) : null);
    if (found) {
      if (found.node.type === "text") say(found.node.text);
      else nodes.push(found.node);
      position = found.end;
      continue;
    }
    const plain = at(PLAIN, text, position);
    const piece = plain ? plain[0] : text[position];
    say(piece);
    position += piece.length;
  }
  return nodes;
}

/** @type {[RegExp, (found: RegExpExecArray) => Inline][]} */
const TOKENS = [
  [ESCAPE, (found) => ({ type: "text", text: found[1] })],
  [CODE, (found) => ({ type: "code", text: found[2] })],
  [ANGLED, (found) => ({ type: "link", url: found[1], children: [{ type: "text", text: found[1] }] })],
  [TAGGED, (found) => tagged(found.groups ?? {})],
  // an emoji in its words breaks a link of Discord's, which then stays the text it is
  [MASKED, (found) => /<a?:\w+:\d+>/.test(found[1]) ? { type: "text", text: found[0] } : ({ type: "link", url: found[2], title: found[3], children: parseInline(found[1], DEEPEST - 2) })],
  [EVERYONE, (found) => ({ type: "everyone", text: found[0] })],
];

/** What no partner further on is needed for. @param {string} text @param {number} position @returns {Found<Inline> | null} */
function tokenAt(text, position) {
  for (const [pattern, read] of TOKENS) {
    const found = at(pattern, text, position);
    if (found) return { node: read(found), end: position + found[0].length };
  }
  const bare = at(BARE, text, position);
  return bare && bareLink(bare[0], position);
}

/** @param {Record<string, string>} groups of TAGGED @returns {Inline} */
function tagged(groups) {
  if (groups.user) return { type: "user", id: groups.user };
  if (groups.role) return { type: "role", id: groups.role };
  if (groups.channel) return { type: "channel", id: groups.channel };
  if (groups.command) return { type: "command", text: groups.command };
  if (groups.emoji) return { type: "emoji", text: groups.emoji, id: groups.picture };
  return { type: "time", seconds: Number(groups.time), style: groups.style ?? "f" };
}

/**
 * A link written as itself: punctuation that closes the sentence is not part of it.
 * @param {string} written
 * @param {number} position
 * @returns {Found<Inline> | null}
 */
function bareLink(written, position) {
  let url = written.replace(/[.,:;!?"'*_~|]+$/, "");
  while (url.endsWith(")") && url.split("(").length < url.split(")").length) url = url.slice(0, -1);
  if (!/^https?:\/\/./.test(url)) return null;
  return { node: { type: "link", url, children: [{ type: "text", text: url }] }, end: position + url.length };
}

/**
 * Words between two markers.
 * @param {string} text
 * @param {number} position
 * @param {number} depth
 * @param {Set<string>} hopeless
 * @returns {Found<Inline> | null}
 */
function pairAt(text, position, depth, hopeless) {
  for (const [marker, type] of PAIRS) {
    if (!text.startsWith(marker, position) || hopeless.has(marker)) continue;
    const start = position + marker.length;
    const close = closing(text, start, marker);
    if (close < 0) {
      hopeless.add(marker);
      continue;
    }
    if (marker.length === 1 && (/\s/.test(text[start]) || joinsWord(text, position, marker))) continue;
    const children = parseInline(text.slice(start, close), depth + 1);
    return { node: { type, children }, end: close + marker.length };
  }
  return null;
}

/** @param {string} text @param {number} position @param {string} marker */
function joinsWord(text, position, marker) {
  return marker === "_" && /[\p{L}\p{N}]/u.test(text[position - 1] ?? " ");
}

/**
 * The place of the marker that closes the one before `start`, or -1. Escapes and code are skipped.
 * @param {string} text
 * @param {number} start
 * @param {string} marker
 */
function closing(text, start, marker) {
  const letter = marker[0];
  for (let place = start; place < text.length; place += 1) {
    if (text[place] === "\\") {
      place += 1;
      continue;
    }
    const code = text[place] === "`" ? at(CODE, text, place) : null;
    if (code) {
      place += code[0].length - 1;
      continue;
    }
    if (text[place] !== letter) continue;
    let run = 1;
    while (text[place + run] === letter) run += 1;
    const fits = run >= marker.length && (marker.length > 1 || run !== 2);
    const last = place + run - marker.length;
    if (fits && last > start && closesHere(text, last, marker)) return last;
    place += run - 1;
  }
  return -1;
}

/** @param {string} text @param {number} place @param {string} marker */
function closesHere(text, place, marker) {
  if (marker.length > 1) return true;
  if (/\s/.test(text[place - 1])) return false;
  return marker === "*" || !/[\p{L}\p{N}]/u.test(text[place + 1] ?? " ");
}
