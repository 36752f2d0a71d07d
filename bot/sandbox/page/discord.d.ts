// Discord's shapes, as far as the emulator sends them and the page draws them. For the type checker
// alone, as all `.d.ts` here: no browser loads them.

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

export interface Channel {
  id: Id;
  name: string;
  type: number;
  parent_id: Id | null;
}

// ---- commands -------------------------------------------------------------------------------

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
  contexts?: number[] | null;
  dm_permission?: boolean | null;
  options?: CommandOption[] | null;
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

/** Who used which command; `name` is there if it was one, the target if it was in a message's menu. */
export interface Use {
  user: User;
  name?: string;
  target_message_id?: Id;
}

/** A message, or (`local`) a row of this page alone for a command on its way. */
export interface Message {
  id: Id;
  channel_id: Id;
  author: User;
  flags: number;
  content?: string;
  timestamp?: string;
  edited_timestamp?: string | null;
  mentions?: User[];
  attachments?: Media[];
  components?: Component[];
  interaction_metadata?: Use;
  pending?: boolean;
  local?: boolean;
  state?: "sending" | "failed";
  error?: string;
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
  disabled?: boolean;
}

export interface SelectOption {
  value: string;
  label: string;
  description?: string | null;
  emoji?: Emoji | null;
  default?: boolean;
}

export interface Select {
  type: 3;
  custom_id: string;
  placeholder?: string | null;
  options: SelectOption[];
  min_values?: number | null;
  max_values?: number | null;
  disabled?: boolean;
  required?: boolean;
}

export interface TextInput {
  type: 4;
  custom_id: string;
  style: number;
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

export interface MediaItem {
  media: Media;
  description?: string | null;
}

export interface MediaGallery {
  type: 12;
  items: MediaItem[];
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
  | MediaGallery
  | Separator
  | Container;

/** What one fills in, in a form. */
export type Field = TextInput | Select;

/** A row of a form, older than labels: its input has a label of its own. */
export interface InputRow {
  type: 1;
  components: (TextInput & { label: string })[];
}

/** A part of a form. */
export type FormPart = TextDisplay | Label | InputRow;

export interface Modal {
  title: string;
  custom_id: string;
  components: FormPart[];
}
