// The shapes that the page reads and draws: Discord's own, as far as the emulator sends them, and
// the page's. For the type checker alone; no browser loads this file.

import type { World } from "./world.js";

// ---- people and places ----------------------------------------------------------------------

/** A snowflake: digits, too long for a number. */
export type Id = string;

export interface User {
  id: Id;
  name?: string;
  username?: string;
  global_name?: string | null;
  bot?: boolean;
  color?: string | number;
}

export interface Person extends User {
  name: string;
  color: string;
  dms_open: boolean;
}

export interface Bot extends User {
  username: string;
  online: boolean;
}

export interface Channel {
  id: Id;
  name: string;
  type: number;
  parent_id: Id | null;
}

export interface Guild {
  id: Id;
  name: string;
  members: Id[];
  channels: Channel[];
}

export interface Mail {
  id: Id;
  recipient: User;
  last_message_id: Id | null;
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
}

/** Resolves ids in a text. */
export interface Names {
  user(id: Id): string | null;
  channel(id: Id): string | null;
}

// ---- commands -------------------------------------------------------------------------------

export type OptionValue = string | number | boolean;

export interface Choice {
  name: string;
  value: string | number;
}

export interface CommandOption {
  type: number;
  name: string;
  description?: string;
  required?: boolean;
  autocomplete?: boolean;
  choices?: Choice[] | null;
  options?: CommandOption[] | null;
  channel_types?: number[] | null;
  min_value?: number | null;
  max_value?: number | null;
  min_length?: number | null;
  max_length?: number | null;
}

export interface Command {
  id: Id;
  type?: number;
  name: string;
  description?: string;
  guild_id?: Id;
  contexts?: number[] | null;
  dm_permission?: boolean | null;
  options?: CommandOption[] | null;
}

/** A command, or one subcommand, with its whole path: "odds liars". */
export interface Leaf {
  path: string;
  description: string;
  options: CommandOption[];
}

// ---- messages -------------------------------------------------------------------------------

export interface Media {
  url?: string;
  filename?: string;
  description?: string | null;
  content_type?: string;
  size?: number;
  width?: number | null;
  height?: number | null;
}

export interface Embed {
  title?: string | null;
  description?: string | null;
  url?: string | null;
  color?: number | null;
  timestamp?: string | null;
  image?: Media | null;
  thumbnail?: Media | null;
  footer?: { text?: string | null } | null;
  author?: { name?: string | null; url?: string | null } | null;
  fields?: EmbedField[] | null;
}

export interface EmbedField {
  name: string;
  value: string;
  inline?: boolean;
}

/** Who used which command; `name` is there if it was one. */
export interface Use {
  user: User;
  name?: string;
}

/** A message, or (`local`) a row of this page alone for a command on its way. */
export interface Message {
  id: Id;
  channel_id: Id;
  author: User;
  flags: number;
  type?: number;
  content?: string;
  timestamp?: string;
  edited_timestamp?: string | null;
  mentions?: User[];
  attachments?: Media[];
  embeds?: Embed[];
  components?: Component[];
  interaction_metadata?: Use;
  interaction?: Use;
  referenced_message?: Message | null;
  pending?: boolean;
  local?: boolean;
  state?: "sending" | "failed";
  error?: string;
}

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

export interface Emoji {
  id?: Id | null;
  name: string;
}

export interface ActionRow {
  type: 1;
  components: Component[];
}

export interface Button {
  type: 2;
  style: number;
  label?: string | null;
  emoji?: Emoji | null;
  custom_id?: string;
  url?: string;
  disabled?: boolean;
}

export interface SelectOption {
  value: string;
  label: string;
  description?: string | null;
  emoji?: Emoji | null;
  default?: boolean;
  user?: User;
}

export interface Select {
  type: 3 | 5 | 6 | 7 | 8;
  custom_id: string;
  placeholder?: string | null;
  options?: SelectOption[];
  default_values?: { id: Id }[] | null;
  channel_types?: number[] | null;
  min_values?: number | null;
  max_values?: number | null;
  disabled?: boolean;
  required?: boolean;
  label?: string | null;
}

export interface TextInput {
  type: 4;
  custom_id: string;
  style: number;
  label?: string | null;
  value?: string | null;
  placeholder?: string | null;
  min_length?: number | null;
  max_length?: number | null;
  required?: boolean;
}

export interface Section {
  type: 9;
  components: Component[];
  accessory?: Component | null;
}

export interface TextDisplay {
  type: 10;
  content: string;
}

export interface Thumbnail {
  type: 11;
  media: Media;
  description?: string | null;
  spoiler?: boolean;
}

export interface MediaItem {
  media: Media;
  description?: string | null;
  spoiler?: boolean;
}

export interface MediaGallery {
  type: 12;
  items: MediaItem[];
}

export interface FileCard {
  type: 13;
  file: Media;
  name?: string;
  size?: number;
  spoiler?: boolean;
}

export interface Separator {
  type: 14;
  divider?: boolean;
  spacing?: number;
}

export interface Container {
  type: 17;
  components: Component[];
  accent_color?: number | null;
  spoiler?: boolean;
}

export interface FileUpload {
  type: 19;
  custom_id: string;
  required?: boolean;
  label?: string | null;
}

export interface RadioGroup {
  type: 21;
  custom_id: string;
  options: SelectOption[];
  required?: boolean;
  label?: string | null;
}

export interface CheckboxGroup {
  type: 22;
  custom_id: string;
  options: SelectOption[];
  min_values?: number | null;
  max_values?: number | null;
  required?: boolean;
  label?: string | null;
}

export interface Checkbox {
  type: 23;
  custom_id: string;
  default?: boolean;
  required?: boolean;
  label?: string | null;
}

export interface Label {
  type: 18;
  label: string;
  description?: string | null;
  component: Field;
}

/** What a message is made of. */
export type Component =
  | ActionRow
  | Button
  | Select
  | Section
  | TextDisplay
  | Thumbnail
  | MediaGallery
  | FileCard
  | Separator
  | Container;

/** What one fills in, in a form. */
export type Field = TextInput | Select | FileUpload | RadioGroup | CheckboxGroup | Checkbox;

/** A part of a form; the old kind of row holds one text input. */
export type FormPart = TextDisplay | Label | { type: 1; components: Field[] };

export interface Modal {
  title: string;
  custom_id: string;
  components: FormPart[];
}

/** Tells the bot that a control was used; resolves when the bot has answered. */
export type Press = (component: Button | Select, values: string[] | null) => Promise<void>;

/** What drawing a message's components needs to know. */
export interface Scene {
  world: World;
  channel: Id;
  press: Press;
}

/** What drawing a whole message needs to know. */
export interface MessageScene extends Scene {
  failure: string | null;
  dismiss(): void;
}

/** What filling in an option or a field needs to know. */
export interface FieldScene {
  world: World;
  channel: Id;
}

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
  | { type: "typing"; channel_id: Id; user_id: Id }
  | { type: "bot"; online: boolean }
  | { type: "people" | "commands" | "channel_create" | "interaction" | "modal" };

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
  | { type: "text" | "code" | "everyone" | "command" | "emoji"; text: string }
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
