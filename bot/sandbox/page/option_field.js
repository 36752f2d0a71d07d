// One option of a slash command as a field, by Discord's option type.

/** @import {Choice, CommandOption, User} from "./discord.d.ts" */
/** @import {FieldScene} from "./scenes.d.ts" */
/** @import {Attributes, OptionValue, Reading} from "./shapes.d.ts" */
/** @import {Row, Source} from "./combobox.js" */
/** @import {World} from "./world.js" */
/** @typedef {FieldScene & {complete(option: CommandOption, typed: string): Promise<Choice[]>, onEnter(): void}} OptionScene */
/** @typedef {{input: HTMLInputElement, read(): Reading<OptionValue>}} Control read gives null when it is empty */
/** @typedef {{free?: boolean, wait?: number, attributes?: Attributes}} Manner */
/** @typedef {(source: Source, manner: Manner) => Control} Listed */
/** @typedef {ReturnType<typeof drawOption>} OptionField */

import { el, nameOf } from "./dom.js";
import { drawCombobox } from "./combobox.js";

const STRING = 3;
const INTEGER = 4;
const USER = 6;
const AUTOCOMPLETE_WAIT_MS = 160;

/**
 * Draw an option with its name and hint. `read` gives what is filled in, `check` shows what is wrong too.
 * @param {CommandOption} option
 * @param {OptionScene} scene
 */
export function drawOption(option, scene) {
  const label = option.required ? `${option.name} (required)` : option.name;
  const { input, read } = control(option, label, scene);
  const error = el("span", { class: "field-error", role: "alert" });
  const holder = el("div", { class: "option-field-input" }, input);
  const node = el("div", { class: "option-field" },
    el("label", { class: "option-field-name" }, el("b", {}, option.name), option.required ? null : el("span", { class: "dim" }, " optional")),
    holder, el("span", { class: "option-field-hint" }, option.description), error);
  input.addEventListener("input", () => {
    error.textContent = "";
    input.removeAttribute("aria-invalid");
  });
  const check = () => {
    const found = read();
    if (found.value === null && option.required) found.error = "This option is required.";
    error.textContent = found.error ?? "";
    if (found.error) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
    return found;
  };
  return { node, holder, input, option, read, check };
}

/** @param {CommandOption} option @param {string} label @param {OptionScene} scene @returns {Control} */
function control(option, label, scene) {
  /** @type {Listed} */
  const listed = (source, { free = false, wait = 0, attributes = {} }) =>
    drawCombobox({ label, source, free, wait, attributes, people: scene.world.people, onEnter: scene.onEnter });
  if (option.choices?.length) {
    const rows = option.choices.map(({ name, value }) => ({ label: name, value }));
    return listed((typed) => containing(rows, typed), { attributes: { placeholder: "Choose" } });
  }
  if (option.autocomplete) return completed(option, scene, listed);
  switch (option.type) {
    case USER:
      return listed((typed) => containing(everybody(scene.world), typed), { attributes: { placeholder: "Choose a person" } });
    case INTEGER:
      return number(option, label, scene);
    case STRING:
      return plain(option, label, scene);
    default:
      return unsupported(`This page cannot fill in option type ${option.type}.`);
  }
}

/** @param {CommandOption} option @param {OptionScene} scene @param {Listed} listed @returns {Control} */
function completed(option, scene, listed) {
  /** @type {Source} */
  const source = async (typed) => {
    const choices = await scene.complete(option, typed);
    return choices.map(({ name, value }) => ({ label: name, value }));
  };
  const box = listed(source, { free: true, wait: AUTOCOMPLETE_WAIT_MS, attributes: lengths(option) });
  if (option.type === STRING) return box;
  return {
    input: box.input,
    read: () => {
      const found = box.read();
      return typeof found.value === "string" ? numeric(found.value, option) : found;
    },
  };
}

/** @param {World} world @returns {Row[]} */
function everybody(world) {
  /** @type {User[]} */
  const users = [...world.people, ...(world.bot ? [world.bot] : [])];
  return users.map((user) => ({ value: user.id, label: nameOf(user), user }));
}

/** The rows that hold what was typed, those that begin with it first. @param {Row[]} rows @param {string} typed */
function containing(rows, typed) {
  const sought = typed.trim().toLowerCase();
  /** @param {Row} row */
  const fits = (row) => row.label.toLowerCase().includes(sought);
  /** @param {Row} row */
  const begins = (row) => (row.label.toLowerCase().startsWith(sought) ? 0 : 1);
  return rows.filter(fits).sort((left, right) => begins(left) - begins(right));
}

/** @param {CommandOption} option @returns {Attributes} */
function lengths(option) {
  return { maxlength: option.max_length ?? null, minlength: option.min_length ?? null };
}

/** @param {string} label @param {OptionScene} scene @param {Attributes} attributes */
function textInput(label, scene, attributes) {
  const input = el("input", {
    type: "text", class: "field", autocomplete: "off", autocapitalize: "off", spellcheck: "false", "aria-label": label, ...attributes,
  });
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    scene.onEnter();
  });
  return input;
}

/** @param {CommandOption} option @param {string} label @param {OptionScene} scene @returns {Control} */
function plain(option, label, scene) {
  const input = textInput(label, scene, lengths(option));
  /** @returns {Reading<string>} */
  const read = () => {
    const typed = input.value.trim();
    if (!typed) return { value: null };
    if (typed.length < (option.min_length ?? 0)) return { error: `At least ${option.min_length} characters.` };
    return { value: typed };
  };
  return { input, read };
}

/** @param {CommandOption} option @param {string} label @param {OptionScene} scene @returns {Control} */
function number(option, label, scene) {
  const { min_value: least, max_value: most } = option;
  const placeholder = Number.isFinite(least) && Number.isFinite(most) ? `${least} to ${most}` : "A number";
  const input = textInput(label, scene, { inputmode: "numeric", placeholder });
  return { input, read: () => numeric(input.value.trim(), option) };
}

/** @param {string} typed @param {CommandOption} option @returns {Reading<number>} */
function numeric(typed, option) {
  if (!typed) return { value: null };
  const value = Number(typed);
  if (!Number.isSafeInteger(value)) return { error: "Give a whole number, such as 3." };
  if (option.min_value !== undefined && option.min_value !== null && value < option.min_value) return { error: `At least ${option.min_value}.` };
  if (option.max_value !== undefined && option.max_value !== null && value > option.max_value) return { error: `At most ${option.max_value}.` };
  return { value };
}

/** @param {string} sentence @returns {Control} */
function unsupported(sentence) {
  const input = el("input", { type: "text", class: "field", disabled: true, placeholder: sentence });
  return { input, read: () => ({ value: null }) };
}
