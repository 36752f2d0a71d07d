// The fields of a form (modal): texts and selects; each checks itself.

/** @import {Field, Select, TextInput} from "./discord.d.ts" */
/** @import {FieldScene} from "./scenes.d.ts" */
/** @import {Reading} from "./shapes.d.ts" */
/** @typedef {string | string[]} Filled */
/** @typedef {FieldScene & {label: string, description?: string | null}} LabelScene */
/** @typedef {FieldScene & {id: string, label: string, told: string, required: boolean}} ControlScene `told`: ids of the words about it */
/** @typedef {{node: HTMLElement, counter?: HTMLElement | null, focusable(): HTMLElement, read(): Reading<Filled>}} Control */
/** @typedef {ReturnType<typeof drawModalField>} ModalField */

import { el } from "./dom.js";
import { drawSelect } from "./select.js";

const TEXT_INPUT = 4;
const SELECT = 3;
const LONGEST_TEXT = 4000;
let serial = 0;

/**
 * Draw what a Label holds; `label` and `description` are its words.
 * @param {Field} component
 * @param {LabelScene} scene
 */
export function drawModalField(component, { label, description, world, channel }) {
  serial += 1;
  const id = `field-${serial}`;
  const required = component.required !== false;
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
  if (component.type === SELECT) return select(component, scene);
  return undrawn(component, scene);
}

/** @param {{type: number}} component that Discord may have added since @param {ControlScene} scene @returns {Control} */
function undrawn({ type }, scene) {
  const words = `This page cannot draw field type ${type}.`;
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
function select(component, { label, required }) {
  const least = required ? Math.max(component.min_values ?? 1, 1) : component.min_values ?? 1;
  const { node, values: chosen } = drawSelect(
    { ...component, min_values: required ? least : 0 },
    { label, choose: () => node.dispatchEvent(new Event("change", { bubbles: true })) },
  );
  const most = Math.min(component.max_values ?? 1, component.options.length);
  const read = () => {
    const values = chosen();
    if (!values.length && !required) return { value: [] };
    if (values.length >= least) return { value: values };
    if (most === 1) return { error: "Choose one." };
    return { error: least === most ? `Choose ${least}.` : `Choose at least ${least}.` };
  };
  return { node, focusable: () => node, read };
}
