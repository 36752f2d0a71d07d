// A form over the page: the bot's fields, Submit and Cancel. The browser's dialog keeps the focus inside.

/** @import {Field, FormPart, Id, Modal} from "./discord.d.ts" */
/** @import {FieldScene} from "./scenes.d.ts" */
/** @import {ModalField} from "./modal_field.js" */
/** @import {World} from "./world.js" */

import { el, icon } from "./dom.js";
import { standIn } from "./focus.js";
import { markdown } from "./markdown_view.js";
import { drawModalField } from "./modal_field.js";
import { closePopover, popoverAnchor } from "./popover.js";

const ROW = 1;
const TEXT_DISPLAY = 10;
const LABEL = 18;

/**
 * Show `modal`; what is filled in goes to the interaction that opened it.
 * @param {World} world
 * @param {Id} channel
 * @param {Modal} modal
 * @param {Id} interaction
 */
export function openModal(world, channel, modal, interaction) {
  /** @type {ModalField[]} */
  const fields = [];
  const parts = modal.components.map((component) => drawPart(component, fields, { world, channel }));
  const trouble = el("p", { class: "failure", role: "alert" });
  const submit = el("button", { type: "submit", class: "button primary" }, el("span", { class: "button-label" }, "Submit"), el("span", { class: "spinner" }));
  const dialog = el("dialog", { class: "modal", "aria-labelledby": "modal-title" });
  const close = () => dialog.close();
  const form = el("form", { novalidate: true },
    el("header", { class: "modal-head" },
      el("h2", { id: "modal-title" }, modal.title),
      el("button", { type: "button", class: "round", "aria-label": "Close the form", on: { click: close } }, icon("close"))),
    el("div", { class: "modal-parts" },
      el("p", { class: "modal-note" }, `This form goes to ${world.bot?.username ?? "the bot"} in the local sandbox.`),
      parts, trouble),
    el("footer", { class: "modal-foot" },
      el("button", { type: "button", class: "button secondary", on: { click: close } }, "Cancel"), submit));
  dialog.append(form);

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (submit.classList.contains("busy")) return;
    const values = collect(fields);
    if (!values) return;
    submit.classList.add("busy");
    trouble.textContent = "";
    const answer = await world.act("submit", { interaction_id: interaction, values });
    submit.classList.remove("busy");
    if (answer.ok) dialog.close();
    else trouble.textContent = answer.error ?? "Something went wrong. Try again.";
    trouble.scrollIntoView({ block: "nearest" });
  });
  dialog.addEventListener("cancel", (event) => {
    if (!popoverAnchor()) return;
    event.preventDefault();
    closePopover("cancelled");
  });
  const opener = document.activeElement;
  dialog.addEventListener("close", () => {
    closePopover("cancelled");
    dialog.remove();
    // the browser gives the focus back to what opened the form, unless that was redrawn meanwhile
    if (opener instanceof HTMLElement && !opener.isConnected) standIn(opener)?.focus({ preventScroll: true });
  });
  document.body.append(dialog);
  dialog.showModal();
  fields[0]?.focus();
}

/** Draw a part; its field, if it has one, is added to `fields`. @param {FormPart} component @param {ModalField[]} fields @param {FieldScene} scene */
function drawPart(component, fields, scene) {
  /** @param {Field} inner @param {{label?: string | null, description?: string | null}} words */
  const add = (inner, { label, description }) => {
    const field = drawModalField(inner, { ...scene, label: label ?? "", description });
    fields.push(field);
    return field.node;
  };
  switch (component.type) {
    case TEXT_DISPLAY:
      return el("div", { class: "md" }, markdown(component.content, scene.world.names));
    case LABEL:
      return add(component.component, component);
    case ROW:
      return el("div", {}, component.components.map((input) => add(input, input)));
    default:
      return unknown(component);
  }
}

/** @param {{type: number}} component that Discord may have added since */
function unknown({ type }) {
  return el("p", { class: "unknown" }, `This page cannot draw form part type ${type}.`);
}

/** {custom_id: value} of all fields, or null after pointing at the first wrong one. @param {ModalField[]} fields */
function collect(fields) {
  const found = fields.map((field) => ({ field, ...field.read() }));
  const wrong = found.find(({ error }) => error);
  if (wrong) {
    wrong.field.focus();
    return null;
  }
  return Object.fromEntries(found.map(({ field, value }) => [field.id, value]));
}
