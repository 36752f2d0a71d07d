// Message components: containers, sections, texts, pictures, rows of buttons and selects.

/** @import {Button, Component, Container, Section, Select} from "./discord.d.ts" */
/** @import {Scene} from "./scenes.d.ts" */
/** @import {Child} from "./shapes.d.ts" */

import { el } from "./dom.js";
import { drawEmoji, markdown } from "./markdown_view.js";
import { gallery } from "./media.js";
import { drawSelect } from "./select.js";

/** @type {Record<number, string>} */
const STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger" };

/**
 * Draw a message's components. A control shows a spinner until `scene.press` resolves.
 * @param {Component[]} components
 * @param {Scene} scene
 */
export function drawComponents(components, scene) {
  return components.map((component) => drawComponent(component, scene));
}

/** @param {Component} component @param {Scene} scene @returns {HTMLElement} */
function drawComponent(component, scene) {
  switch (component.type) {
    case 1:
      return el("div", { class: "action-row" }, drawComponents(component.components, scene));
    case 2:
      return button(component, scene);
    case 3:
      return messageSelect(component, scene);
    case 9:
      return section(component, scene);
    case 10:
      return el("div", { class: "md text-display" }, markdown(component.content, scene.world.names));
    case 12:
      return gallery(component.items);
    case 14:
      return el(component.divider === false ? "div" : "hr", { class: `separator ${component.spacing === 2 ? "large" : ""}` });
    case 17:
      return container(component, scene);
    default:
      return unknown(component);
  }
}

/** @param {{type: number}} component that Discord may have added since */
function unknown({ type }) {
  return el("p", { class: "unknown" }, `This page cannot draw component type ${type}.`);
}

/** @param {Container} component @param {Scene} scene */
function container(component, scene) {
  const accent = component.accent_color;
  return el(
    "div",
    {
      class: typeof accent === "number" ? "container accented" : "container",
      style: typeof accent === "number" ? { "--accent": colour(accent) } : {},
    },
    drawComponents(component.components, scene),
  );
}

/** Discord's colour number (0xRRGGBB) as CSS. @param {number} number */
function colour(number) {
  return `#${(number & 0xffffff).toString(16).padStart(6, "0")}`;
}

/** @param {Section} component @param {Scene} scene */
function section(component, scene) {
  return el(
    "div",
    { class: "section" },
    el("div", { class: "section-words" }, drawComponents(component.components, scene)),
    component.accessory && el("div", { class: "accessory" }, drawComponent(component.accessory, scene)),
  );
}

/** @param {Button} component @returns {Child[]} */
function face(component) {
  const emoji = component.emoji;
  return [
    emoji && drawEmoji(emoji),
    component.label && el("span", { class: "button-label" }, component.label),
  ];
}

/** @param {Button} component @param {Scene} scene */
function button(component, scene) {
  const style = STYLES[component.style] ?? "secondary";
  const node = el(
    "button",
    { type: "button", class: `button ${style}`, disabled: component.disabled, "data-custom-id": component.custom_id },
    face(component),
    el("span", { class: "spinner", "aria-hidden": "true" }),
  );
  node.addEventListener("click", () => busyWhile(node, () => scene.press(component, null)));
  return node;
}

/** @param {Select} component @param {Scene} scene */
function messageSelect(component, scene) {
  const { node } = drawSelect(component, { choose: (values) => busyWhile(node, () => scene.press(component, values)) });
  return node;
}

/** One press at a time: the control shows a spinner until the bot has answered. @param {HTMLElement} node @param {() => Promise<void>} work */
async function busyWhile(node, work) {
  if (node.classList.contains("busy")) return;
  node.classList.add("busy");
  node.setAttribute("aria-busy", "true");
  try {
    await work();
  } finally {
    node.classList.remove("busy");
    node.removeAttribute("aria-busy");
  }
}
