// The fields of a form (modal): text, selects, radio group, checkboxes; each checks itself.

/** @import {Checkbox, CheckboxGroup, Field, RadioGroup, Select, TextInput} from "./discord.d.ts" */
/** @import {FieldScene} from "./scenes.d.ts" */
/** @import {Reading} from "./shapes.d.ts" */
/** @typedef {string | string[] | boolean} Filled */
/** @typedef {FieldScene & {label: string, description?: string | null}} LabelScene */
/** @typedef {FieldScene & {id: string, label: string, told: string, required: boolean}} ControlScene `told`: ids of the words about it */
/** @typedef {{node: HTMLElement, counter?: HTMLElement | null, focusable(): HTMLElement, read(): Reading<Filled>}} Control */
/** @typedef {ReturnType<typeof drawModalField>} ModalField */

import { el } from "./dom.js";
import { drawSelect, isSelect, optionsOf } from "./select.js";

const TEXT_INPUT = 4;
const FILE_UPLOAD = 19;
const RADIO_GROUP = 21;
const CHECKBOX_GROUP = 22;
const CHECKBOX = 23;
const LONGEST_TEXT = 4000;
let serial = 0;

/**
 * Draw what a Label or an action row holds; `label` and `description` are its words.
 * @param {Field} component
 * @param {LabelScene} scene
 */
export function drawModalField(component, { label, description, world, channel }) {
  serial += 1;
  const id = `field-${serial}`;
  const required = component.type !== CHECKBOX && component.required !== false;
  const told = [description ? `${id}-about` : null, `${id}-error`].filter(Boolean).join(" ");
  const control = draw(component, { id, label, told, required, world, channel });
  const error = el("p", { class: "field-error", id: `${id}-error`, role: "alert" });
  const name = [label, required && el("span", { class: "star", "aria-hidden": "true" }, " *")];
  const single = component.type === TEXT_INPUT;
  const node = el(
    single ? "div" : "fieldset",
    { class: "modal-field" },
    single ? el("label", { class: "modal-label", for: id }, name) : el("legend", { class: "modal-label" }, name),
    description && el("p", { class: "modal-about", id: `${id}-about` }, description),
    control.node, control.counter, error,
  );
  const clear = () => {
    error.textContent = "";
    node.classList.remove("wrong");
  };
  node.addEventListener("input", clear);
  node.addEventListener("change", clear);
  const read = () => {
    const found = control.read();
    error.textContent = found.error ?? "";
    node.classList.toggle("wrong", Boolean(found.error));
    control.focusable().setAttribute("aria-invalid", String(Boolean(found.error)));
    return found;
  };
  return { node, id: component.custom_id, read, focus: () => control.focusable().focus() };
}

/** @param {Field} component @param {ControlScene} scene @returns {Control} */
function draw(component, scene) {
  if (component.type === TEXT_INPUT) return textInput(component, scene);
  if (isSelect(component)) return select(component, scene);
  if (component.type === RADIO_GROUP) return ticks(component, scene, "radio");
  if (component.type === CHECKBOX_GROUP) return ticks(component, scene, "checkbox");
  if (component.type === CHECKBOX) return checkbox(component, scene);
  return undrawn(component, scene);
}

/** @param {{type: number}} component that Discord may have added since @param {ControlScene} scene @returns {Control} */
function undrawn({ type }, scene) {
  const words = type === FILE_UPLOAD ? "Files cannot be given in the local sandbox." : `This page cannot draw field type ${type}.`;
  const node = el("p", { class: "unknown", tabindex: "-1" }, words);
  return { node, focusable: () => node, read: () => (scene.required ? { error: words } : { value: [] }) };
}

/** @param {TextInput} component @param {ControlScene} scene @returns {Control} */
function textInput(component, { id, told, required }) {
  const long = component.style === 2;
  const most = component.max_length ?? LONGEST_TEXT;
  const least = component.min_length ?? 0;
  /** @type {HTMLInputElement | HTMLTextAreaElement} */
  const input = el(long ? "textarea" : "input", {
    class: "field", id, type: long ? null : "text", rows: long ? "4" : null, maxlength: most, autocomplete: "off",
    placeholder: component.placeholder ?? null, "aria-describedby": told, "aria-required": String(required),
  });
  input.value = component.value ?? "";
  const counter = component.max_length ? el("span", { class: "counter", "aria-hidden": "true" }) : null;
  const count = () => {
    if (counter) counter.textContent = `${input.value.length}/${most}`;
  };
  input.addEventListener("input", count);
  count();
  const read = () => {
    const value = input.value;
    if (!value.trim()) return required ? { error: "This field is required." } : { value: "" };
    if (value.length < least) return { error: `At least ${least} characters; you wrote ${value.length}.` };
    return { value };
  };
  return { node: input, counter, focusable: () => input, read };
}

/** @param {Select} component @param {ControlScene} scene @returns {Control} */
function select(component, { label, required, world, channel }) {
  const least = required ? Math.max(component.min_values ?? 1, 1) : component.min_values ?? 1;
  const { node, values: chosen } = drawSelect(
    { ...component, min_values: required ? least : 0 },
    { world, channel, label, choose: () => node.dispatchEvent(new Event("change", { bubbles: true })) },
  );
  const most = Math.min(component.max_values ?? 1, Math.max(optionsOf(component, world, channel).length, 1));
  const read = () => {
    const values = chosen();
    if (!values.length && !required) return { value: [] };
    if (values.length >= least) return { value: values };
    if (most === 1) return { error: "Choose one." };
    return { error: least === most ? `Choose ${least}.` : `Choose at least ${least}.` };
  };
  return { node, focusable: () => node, read };
}

/** @param {RadioGroup | CheckboxGroup} component @param {ControlScene} scene @param {"radio" | "checkbox"} kind @returns {Control} */
function ticks(component, { id, told, required }, kind) {
  const inputs = component.options.map((option, index) => {
    const input = el("input", { type: kind, name: id, id: `${id}-${index}`, value: option.value, "aria-describedby": told });
    input.checked = option.default ?? false;
    return input;
  });
  const node = el("div", { class: "ticks", role: kind === "radio" ? "radiogroup" : "group" },
    component.options.map((option, index) => tickRow(inputs[index], option)));
  const least = component.type === RADIO_GROUP ? 1 : component.min_values ?? 1;
  const most = component.type === RADIO_GROUP ? 1 : component.max_values ?? inputs.length;
  const read = () => {
    const values = inputs.filter((input) => input.checked).map((input) => input.value);
    if (!values.length && !required) return { value: kind === "radio" ? null : [] };
    if (values.length < least) return { error: kind === "radio" ? "Choose one." : `Choose at least ${least}.` };
    if (values.length > most) return { error: `Choose at most ${most}.` };
    return { value: kind === "radio" ? values[0] : values };
  };
  return { node, focusable: () => inputs.find((input) => input.checked) ?? inputs[0], read };
}

/** @param {HTMLInputElement} input @param {{label: string, description?: string | null}} option */
function tickRow(input, { label, description }) {
  return el("label", { class: "tick-row" }, input,
    el("span", { class: "option-words" },
      el("span", { class: "option-label" }, label),
      description && el("span", { class: "option-description" }, description)));
}

/** @param {Checkbox} component @param {ControlScene} scene @returns {Control} */
function checkbox(component, { id, label, told }) {
  const input = el("input", { type: "checkbox", id, "aria-describedby": told, "aria-label": label });
  input.checked = component.default ?? false;
  const node = el("div", { class: "ticks" }, tickRow(input, { label: "Yes" }));
  return { node, focusable: () => input, read: () => ({ value: input.checked }) };
}
