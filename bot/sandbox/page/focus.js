// The focus stays where it was while messages are redrawn under it.

const CONTROLS = "button, a[href], [role=button]";

/** A control of a message that was redrawn -> what has taken its place. @type {WeakMap<HTMLElement, HTMLElement>} */
const heirs = new WeakMap();

/** What is on the page for `control` now: itself, or what it was redrawn as; null if that is gone. @param {HTMLElement} control */
export function standIn(control) {
  /** @type {HTMLElement | undefined} */
  let now = control;
  while (now && !now.isConnected) now = heirs.get(now);
  return now ?? null;
}

/** The message drawn as `older` is now drawn as `row`: remember what became of each control. @param {HTMLElement} older @param {HTMLElement} row */
export function bequeath(older, row) {
  for (const control of controlsOf(older)) heirs.set(control, heirOf(control, older, row) ?? row);
  heirs.set(older, row);
}

/** @param {HTMLElement} row */
function controlsOf(row) {
  /** @type {HTMLElement[]} */
  const controls = [];
  for (const one of row.querySelectorAll(CONTROLS)) if (one instanceof HTMLElement) controls.push(one);
  return controls;
}

/**
 * The control with the same custom_id, else with the same words, else the nearest that can be used.
 * @param {HTMLElement} control
 * @param {HTMLElement} older
 * @param {HTMLElement} row
 * @returns {HTMLElement | null}
 */
function heirOf(control, older, row) {
  const all = controlsOf(row);
  const usable = all.filter((one) => !one.matches(":disabled"));
  const { customId } = control.dataset;
  const same = usable.find((one) => customId && one.dataset.customId === customId);
  const words = control.textContent;
  const said = same ?? usable.find((one) => words && one.textContent === words);
  if (said) return said;
  const at = controlsOf(older).indexOf(control);
  /** @param {HTMLElement} one */
  const distance = (one) => Math.abs(all.indexOf(one) - at);
  return usable.sort((left, right) => distance(left) - distance(right))[0] ?? null;
}
