// A chosen slash command with its options as fields: required ones first, optional ones to be added.

/** @import {CommandOption} from "./discord.d.ts" */
/** @import {FieldScene} from "./scenes.d.ts" */
/** @import {Leaf, OptionValue} from "./shapes.d.ts" */
/** @import {OptionField} from "./option_field.js" */
/** @typedef {Record<string, OptionValue>} Values option values by name */

import { el, icon } from "./dom.js";
import { drawOption } from "./option_field.js";

/**
 * Draw the form of one of `commands.commandsFor`; `cancel` is called when the person gives it up.
 * @param {Leaf} command
 * @param {FieldScene & {send(options: Values): void, cancel(): void}} scene
 */
export function drawCommandForm(command, { world, channel, send, cancel }) {
  /** @type {OptionField[]} */
  const fields = [];
  const rows = el("div", { class: "option-fields" });
  const extras = el("div", { class: "option-extras" });
  const button = el("button", { type: "button", class: "round send", "aria-label": `Send /${command.path}`, on: { click: submit } }, icon("send"));
  const node = el(
    "div",
    { class: "command-form", role: "group", "aria-label": `Command ${command.path}` },
    el("div", { class: "command-head" },
      el("span", { class: "command-words" },
        el("b", { class: "command-name" }, `/${command.path}`), " ", el("span", { class: "dim" }, command.description)),
      el("button", { type: "button", class: "round", "aria-label": "Give the command up", on: { click: cancel } }, icon("close")),
    ),
    rows,
    el("div", { class: "command-foot" }, extras, button),
  );
  const required = command.options.filter((option) => option.required);
  const optional = command.options.filter((option) => !option.required);

  /** @param {CommandOption} option @param {string} typed */
  const complete = async (option, typed) => {
    /** @type {Values} */
    const others = {};
    for (const field of fields) {
      const { value } = field.read();
      if (field.option.name !== option.name && value !== null && value !== undefined) others[field.option.name] = value;
    }
    const answer = await world.act("autocomplete", {
      channel, name: command.path, options: others, focused: option.name, value: typed,
    });
    if (!answer.ok) throw new Error(answer.error ?? "Loading options failed.");
    return answer.choices ?? [];
  };

  /** @param {CommandOption} option */
  function add(option) {
    const field = drawOption(option, { world, channel, complete, onEnter: submit });
    if (!option.required) {
      const drop = el("button", { type: "button", class: "round drop", "aria-label": `Leave ${option.name} out` }, icon("close"));
      drop.addEventListener("click", () => {
        fields.splice(fields.indexOf(field), 1);
        field.node.remove();
        drawExtras();
        focus();
      });
      field.holder.append(drop);
    }
    field.input.addEventListener("picked", () => nextEmpty()?.input.focus());
    fields.push(field);
    rows.append(field.node);
    return field;
  }

  function drawExtras() {
    const used = new Set(fields.map(({ option }) => option.name));
    extras.replaceChildren(
      ...optional.filter(({ name }) => !used.has(name)).map((option) =>
        el("button", {
          type: "button", class: "chip", title: option.description,
          on: { click: () => { const field = add(option); drawExtras(); field.input.focus(); } },
        }, icon("plus"), option.name)),
    );
  }

  function nextEmpty() {
    return fields.find(({ option, input }) => option.required && !input.value.trim());
  }

  function submit() {
    /** @type {Values} */
    const values = {};
    /** @type {OptionField | null} */
    let wrong = null;
    for (const field of fields) {
      const found = field.check();
      if (found.error) wrong ??= field;
      else if (found.value !== null && found.value !== undefined) values[field.option.name] = found.value;
    }
    if (wrong) wrong.input.focus();
    else send(values);
  }

  function focus() {
    (nextEmpty()?.input ?? fields.at(-1)?.input ?? button).focus();
  }

  node.addEventListener("keydown", (event) => {
    const first = fields[0]?.input;
    const empty = event.key === "Backspace" && event.target === first && !first?.value;
    if (event.key !== "Escape" && !empty) return;
    event.preventDefault();
    cancel();
  });
  for (const option of required) add(option);
  drawExtras();
  return { node, focus };
}
