// A chosen slash command with its options as fields: required ones first, optional ones to be added.

import { el, icon } from "./dom.js";
import { drawOption } from "./option_field.js";

/**
 * `command` is one of `commands.commandsFor`; `send(options)` is called with {name: value}, `cancel()` when
 * the person gives the command up. Returns {node, focus()}.
 */
export function drawCommandForm(command, { world, channel, send, cancel }) {
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

  const complete = async (option, typed) => {
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
      field.node.querySelector(".option-field-input").append(drop);
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
    const values = {};
    let wrong = null;
    for (const field of fields) {
      const found = field.check();
      if (found.error) wrong ??= field;
      else if (found.value !== null) values[field.option.name] = found.value;
    }
    if (wrong) wrong.input.focus();
    else send(values);
  }

  function focus() {
    (nextEmpty()?.input ?? fields.at(-1)?.input ?? button).focus();
  }

  node.addEventListener("keydown", (event) => {
    const empty = event.key === "Backspace" && event.target === fields[0]?.input && !event.target.value;
    if (event.key !== "Escape" && !empty) return;
    event.preventDefault();
    cancel();
  });
  required.forEach(add);
  drawExtras();
  return { node, focus };
}
