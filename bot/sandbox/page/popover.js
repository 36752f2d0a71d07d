// Lists that open beside a control: one at a time, above or below it; a sheet at the bottom of a phone.

/** @typedef {"away" | "done" | "cancelled"} Reason what closed a list: a press elsewhere, a choice, a change of mind */

const MARGIN = 8;
const ROOM = 240; // what a list should have above a form, in pixels
const PHONE = matchMedia("(max-width: 640px)");
/** @type {{anchor: HTMLElement, panel: HTMLElement, closed: (reason: Reason) => void} | null} */
let open = null;

/**
 * Show `panel` beside `anchor` until `closePopover` or a press elsewhere. It is placed inside the
 * anchor's dialog if there is one, as everything outside an open dialog is inert.
 * `sheet` makes it a sheet on phones. `closed` is called once.
 * @param {HTMLElement} anchor
 * @param {HTMLElement} panel
 * @param {{sheet?: boolean, closed?: (reason: Reason) => void}} options
 */
export function openPopover(anchor, panel, { sheet = false, closed = () => null } = {}) {
  closePopover("away");
  panel.classList.add("popover");
  panel.classList.toggle("sheet", sheet && PHONE.matches);
  (anchor.closest("dialog") ?? document.body).append(panel);
  open = { anchor, panel, closed };
  place();
  return panel;
}

/** Close the list that is open, if one is. @param {Reason} reason */
export function closePopover(reason = "done") {
  if (!open) return;
  const { panel, closed } = open;
  open = null;
  panel.remove();
  closed(reason);
}

/** The control whose list is open, or null. */
export function popoverAnchor() {
  return open?.anchor ?? null;
}

/** The control was redrawn: keep its open list where it is, beside the new control. @param {HTMLElement} anchor */
export function moveAnchor(anchor) {
  if (!open) return;
  open.anchor = anchor;
  place();
}

/**
 * Above what a list has to stay: above the command's name if there is room, at least above the
 * label of the field.
 * @param {HTMLElement} anchor
 */
function topOf(anchor) {
  const field = anchor.closest(".option-field, .modal-field") ?? anchor;
  const form = anchor.closest(".command-form") ?? field;
  const top = form.getBoundingClientRect().top;
  return top > ROOM ? top : field.getBoundingClientRect().top;
}

/** Put the open list where there is room for it. */
export function place() {
  if (!open?.anchor.isConnected || open.panel.classList.contains("sheet")) return;
  const { anchor, panel } = open;
  const box = anchor.getBoundingClientRect();
  const view = window.visualViewport;
  const height = view?.height ?? innerHeight;
  const width = Math.min(Math.max(box.width, 220), innerWidth - 2 * MARGIN);
  panel.style.width = `${width}px`;
  panel.style.maxHeight = "";
  const wanted = Math.min(panel.scrollHeight + 2, 340);
  const top = topOf(anchor);
  const above = top - MARGIN;
  const below = height - box.bottom - MARGIN;
  const under = below >= wanted || below >= above;
  panel.style.maxHeight = `${Math.max(96, Math.min(340, under ? below : above))}px`;
  panel.style.left = `${Math.max(MARGIN, Math.min(box.left, innerWidth - width - MARGIN))}px`;
  panel.style.top = under ? `${box.bottom + 4}px` : "";
  panel.style.bottom = under ? "" : `${innerHeight - top + 4}px`;
}

/** Whether the open list or the control it belongs to holds the node. @param {Node | null} node */
function holds(node) {
  return open !== null && (open.panel.contains(node) || open.anchor.contains(node));
}

document.addEventListener(
  "pointerdown",
  (event) => {
    const pressed = event.target instanceof Node ? event.target : null;
    if (open && !holds(pressed)) closePopover("away");
  },
  true,
);
document.addEventListener("focusin", (event) => {
  const focused = event.target instanceof Node ? event.target : null;
  if (open && !holds(focused)) closePopover("away"); // the keyboard has left the list
});
addEventListener("resize", place);
window.visualViewport?.addEventListener("resize", place);
document.addEventListener(
  "scroll",
  (event) => {
    if (open && event.target instanceof Node && !open.panel.contains(event.target)) place();
  },
  true,
);
