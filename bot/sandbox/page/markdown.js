// Discord's subset of Markdown, read into a tree. The tree holds text only; `markdown_view` draws it.
//
// Blocks:  {type: "paragraph" | "heading" | "subtext" | "quote" | "list" | "codeblock", ...}
// Inlines: {type: "text" | "strong" | "em" | "underline" | "strike" | "spoiler" | "code" | "link"
//           | "user" | "channel" | "role" | "everyone" | "command" | "time" | "emoji", ...}

const DEEPEST = 16; // nesting beyond this is shown as plain text
const FENCE = /```(?:([\w+.#-]{1,24})\n)?([\s\S]+?)```/y;
const HEADING = /(#{1,3})[ \t]+([^\n]+)(?:\n|$)/y;
const SUBTEXT = /-#[ \t]+([^\n]+)(?:\n|$)/y;
const QUOTE_REST = />>>[ \t]+([\s\S]+)/y;
const QUOTE_LINES = /(?:>[ \t][^\n]*(?:\n|$))+/y;
const BULLET_LINES = /[-*][ \t]+[^\n]+(?:\n|$)(?:(?:[-*]|[ \t]+(?:[-*]|\d{1,9}\.))[ \t]+[^\n]+(?:\n|$))*/y;
const NUMBER_LINES = /\d{1,9}\.[ \t]+[^\n]+(?:\n|$)(?:(?:\d{1,9}\.|[ \t]+(?:[-*]|\d{1,9}\.))[ \t]+[^\n]+(?:\n|$))*/y;
const LIST_LINE = /^([ \t]*)([-*]|\d{1,9}\.)[ \t]+(.+)$/;

const ESCAPE = /\\([^A-Za-z0-9\s])/y;
const CODE = /(`{1,2})([^`](?:[\s\S]*?[^`])??)\1(?!`)/y;
const MASKED = /\[([^\]\n]{1,500})\]\(<?(https?:\/\/[^\s<>()]+(?:\([^\s<>()]*\)[^\s<>()]*)*)>?(?:[ \t]+"([^"\n]*)")?\)/y;
const BARE = /https?:\/\/[^\s<>]+/y;
const ANGLED = /<(https?:\/\/[^\s<>]+)>/y;
const TAGGED = /<(?:@!?(?<user>\d{1,25})|@&(?<role>\d{1,25})|#(?<channel>\d{1,25})|\/(?<command>[^\s:<>][^:<>]{0,99}):\d{1,25}|a?:(?<emoji>\w{1,32}):\d{1,25}|t:(?<time>-?\d{1,13})(?::(?<style>[tTdDfFRsS]))?)>/y;
const EVERYONE = /@(everyone|here)\b/y;
const PLAIN = /[^\\`*_~|[<@h]+/y;
const PAIRS = [
  ["**", "strong"],
  ["__", "underline"],
  ["~~", "strike"],
  ["||", "spoiler"],
  ["*", "em"],
  ["_", "em"],
];

function at(pattern, text, position) {
  pattern.lastIndex = position;
  return pattern.exec(text);
}

/** Read `text` into blocks. Anything malformed stays the plain text it was. */
export function parse(text) {
  return parseBlocks(String(text).replace(/\r\n?/g, "\n"), false);
}

function parseBlocks(text, quoted) {
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
      blocks.push(found.block);
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

/** Where on this line a code block begins, or null. */
function nextFence(text, from, end) {
  for (let mark = text.indexOf("```", from); mark >= 0 && mark < end; mark = text.indexOf("```", mark + 1)) {
    if (mark > from && at(FENCE, text, mark)) return mark;
  }
  return null;
}

function blockAt(text, position, lineStart, quoted) {
  let found = at(FENCE, text, position);
  if (found) {
    const block = { type: "codeblock", language: found[1] ?? "", text: found[2].replace(/^\n|\n$/g, "") };
    const after = position + found[0].length;
    return { block, end: text[after] === "\n" ? after + 1 : after };
  }
  if (!lineStart) return null;
  if ((found = at(HEADING, text, position))) {
    const block = { type: "heading", level: found[1].length, children: parseInline(found[2].trim()) };
    return { block, end: position + found[0].length };
  }
  if ((found = at(SUBTEXT, text, position))) {
    const block = { type: "subtext", children: parseInline(found[1].trim()) };
    return { block, end: position + found[0].length };
  }
  if (!quoted && (found = at(QUOTE_REST, text, position))) {
    return { block: { type: "quote", children: parseBlocks(found[1], true) }, end: text.length };
  }
  if (!quoted && (found = at(QUOTE_LINES, text, position))) {
    const inner = found[0].replace(/^>[ \t]/gm, "").replace(/\n$/, "");
    return { block: { type: "quote", children: parseBlocks(inner, true) }, end: position + found[0].length };
  }
  if ((found = at(BULLET_LINES, text, position) ?? at(NUMBER_LINES, text, position))) {
    return { block: parseList(found[0]), end: position + found[0].length };
  }
  return null;
}

function parseList(text) {
  const rows = text.replace(/\n$/, "").split("\n").map((line) => {
    const [, indent, mark, rest] = LIST_LINE.exec(line);
    return { indent: indent.length, mark, children: parseInline(rest) };
  });
  const make = (row) => ({
    type: "list",
    ordered: /\d/.test(row.mark),
    start: Number.parseInt(row.mark, 10) || 1,
    items: [],
  });
  const root = make(rows[0]);
  const open = [{ indent: rows[0].indent, list: root }];
  for (const row of rows) {
    while (open.length > 1 && row.indent < open.at(-1).indent) open.pop();
    const parent = open.at(-1).list.items.at(-1);
    if (parent && row.indent > open.at(-1).indent && open.length < DEEPEST) {
      parent.list = make(row);
      open.push({ indent: row.indent, list: parent.list });
    }
    open.at(-1).list.items.push({ children: row.children, list: null });
  }
  return root;
}

/** Read one run of text (it may hold line breaks) into inline nodes. */
export function parseInline(text, depth = 0) {
  const nodes = [];
  const hopeless = new Set(); // markers that have no partner in the rest of this text
  const say = (piece) => {
    if (nodes.at(-1)?.type === "text") nodes.at(-1).text += piece;
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

function tokenAt(text, position) {
  let found;
  const take = (node) => ({ node, end: position + found[0].length });
  if ((found = at(ESCAPE, text, position))) return take({ type: "text", text: found[1] });
  if ((found = at(CODE, text, position))) return take({ type: "code", text: found[2] });
  if ((found = at(ANGLED, text, position))) {
    return take({ type: "link", url: found[1], children: [{ type: "text", text: found[1] }] });
  }
  if ((found = at(TAGGED, text, position))) return take(tagged(found.groups));
  if ((found = at(MASKED, text, position))) {
    return take({ type: "link", url: found[2], title: found[3], children: parseInline(found[1], DEEPEST - 2) });
  }
  if ((found = at(EVERYONE, text, position))) return take({ type: "everyone", text: found[0] });
  if ((found = at(BARE, text, position))) return bareLink(found[0], position);
  return null;
}

function tagged(groups) {
  if (groups.user) return { type: "user", id: groups.user };
  if (groups.role) return { type: "role", id: groups.role };
  if (groups.channel) return { type: "channel", id: groups.channel };
  if (groups.command) return { type: "command", text: groups.command };
  if (groups.emoji) return { type: "emoji", text: groups.emoji };
  return { type: "time", seconds: Number(groups.time), style: groups.style ?? "f" };
}

/** A link written as itself: punctuation that closes the sentence is not part of it. */
function bareLink(written, position) {
  let url = written.replace(/[.,:;!?"'*_~|]+$/, "");
  while (url.endsWith(")") && url.split("(").length < url.split(")").length) url = url.slice(0, -1);
  if (!/^https?:\/\/./.test(url)) return null;
  return { node: { type: "link", url, children: [{ type: "text", text: url }] }, end: position + url.length };
}

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

function joinsWord(text, position, marker) {
  return marker === "_" && /[\p{L}\p{N}]/u.test(text[position - 1] ?? " ");
}

/** The place of the marker that closes the one before `start`, or -1. Escapes and code are skipped. */
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

function closesHere(text, place, marker) {
  if (marker.length > 1) return true;
  if (/\s/.test(text[place - 1])) return false;
  return marker === "*" || !/[\p{L}\p{N}]/u.test(text[place + 1] ?? " ");
}
