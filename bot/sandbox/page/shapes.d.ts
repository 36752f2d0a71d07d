// The page's own shapes, and what the emulator tells the page beside Discord's (`discord.d.ts`).

import type { Channel, Choice, Command, CommandOption, Id, Message, Modal, User } from "./discord.d.ts";

// ---- people and places ----------------------------------------------------------------------

export interface Person extends User {
  name: string;
  color: string;
  dms_open: boolean;
  pings?: number; // only from /page/people: messages that call them, anywhere
}

export interface Bot extends User {
  username: string;
  online: boolean;
}

export interface Guild {
  id: Id;
  name: string;
  members: Id[];
  moderators: Id[];
  channels: Channel[];
}

export interface Mail {
  id: Id;
  recipient: User;
  last_message_id: Id | null;
}

/** One's marks at a channel: something new, how many messages call one, the last one read. */
export interface Marks {
  channel_id: Id;
  unread: boolean;
  pings: number;
  last: Id;
}

/** A channel one can read, with where it is: in a guild, or with the user at the other end. */
export interface Place extends Channel {
  guild: Guild | null;
  user?: User;
}

/** What `/page/view` answers. */
export interface View {
  me: Person;
  people: Person[];
  bot: Bot | null;
  guilds: Guild[];
  dms: Mail[];
  commands: Command[];
  reads: Marks[];
}

/** Resolves ids in a text. */
export interface Names {
  user(id: Id): string | null;
  channel(id: Id): string | null;
  /** Where this page shows a channel one can read, or a message in it. */
  address(channel: Id, message?: Id | null): string;
}

// ---- commands -------------------------------------------------------------------------------

export type OptionValue = string | number;

/** A command, or one subcommand, with its whole path: "odds liars". */
export interface Leaf {
  path: string;
  description: string;
  options: CommandOption[];
}

// ---- messages -------------------------------------------------------------------------------

/** One channel's messages, oldest first, as far as they were read. */
export interface Room {
  messages: Message[];
  complete: boolean;
  state: "loading" | "ready" | "failed";
  error: string | null;
  busy: boolean; // older ones are being read
  touched: Set<Id>; // heard of on the stream since the newest were asked for
}

// ---- components -----------------------------------------------------------------------------

/** What was filled in (null: nothing), or what is wrong with it. */
export interface Reading<Value> {
  value?: Value | null;
  error?: string;
}

// ---- the emulator's answers -----------------------------------------------------------------

/** What `/page/act` answers, or why nothing came of it. */
export interface Answer {
  ok: boolean;
  error?: string;
  answer?: string;
  interaction_id?: Id;
  message?: Message;
  modal?: Modal;
  choices?: Choice[];
  channel?: Channel;
}

/** What the stream brings. */
export type StreamEvent =
  | { type: "message_create" | "message_update"; message: Message }
  | { type: "message_delete"; channel_id: Id; id: Id }
  | ({ type: "read" } & Marks)
  | { type: "bot"; online: boolean }
  | { type: "people" | "commands" | "channel_create" | "channel_delete" | "guild_delete" | "interaction" | "modal" };

/** What `world` tells of a change to a channel's messages. */
export interface MessagesChange {
  channel: Id;
  changed?: Id;
  fresh?: boolean;
  loaded?: boolean;
  older?: boolean;
  opened?: boolean;
}

/** Shows a form of the bot's; `interaction` is the one that opened it. */
export type ShowModal = (modal: Modal, interaction: Id) => void;

// ---- elements -------------------------------------------------------------------------------

export type Child = string | Node | null | undefined | false | Child[];

export type Listeners = { [Name in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Name]) => unknown };

export interface Attributes {
  on?: Listeners;
  data?: Record<string, string>;
  style?: Record<string, string>;
  [name: string]: string | number | boolean | null | undefined | object;
}

// ---- Markdown -------------------------------------------------------------------------------

export type Inline =
  | { type: "text" | "code" | "everyone" | "command"; text: string }
  | { type: "emoji"; text: string; id: string }
  | { type: "strong" | "em" | "underline" | "strike" | "spoiler"; children: Inline[] }
  | { type: "link"; url: string; title?: string; children: Inline[] }
  | { type: "user" | "role" | "channel"; id: Id }
  | { type: "time"; seconds: number; style: string };

export interface List {
  type: "list";
  ordered: boolean;
  start: number;
  items: { children: Inline[]; list: List | null }[];
}

export type Block =
  | { type: "paragraph" | "subtext"; children: Inline[] }
  | { type: "heading"; level: number; children: Inline[] }
  | { type: "quote"; children: Block[] }
  | { type: "codeblock"; language: string; text: string }
  | List;

/** A piece of Markdown and where in the text it ends. */
export interface Found<Node> {
  node: Node;
  end: number;
}
