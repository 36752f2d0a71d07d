// Lists that open beside a control: one at a time, above or below it; a sheet at the bottom of a phone.

const MARGIN = 8;
const PHONE = matchMedia("(max-width: 640px)");
let open = null;

/**
 * Show `panel` beside `anchor` until `closePopover` or a press elsewhere. It is placed inside the
 * anchor's dialog if there is one, as everything outside an open dialog is inert.
 * `sheet` makes it a sheet on phones. `closed(reason)` is called once, with "away" or "done".
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

/** The control was redrawn: keep its open list where it is, beside the new control. */
export function moveAnchor(anchor) {
  open.anchor = anchor;
  place();
}

export function place() {
  if (!open || !open.anchor.isConnected || open.panel.classList.contains("sheet")) return;
  const { anchor, panel } = open;
  const box = anchor.getBoundingClientRect();
  const view = window.visualViewport;
  const height = view?.height ?? innerHeight;
  const width = Math.min(Math.max(box.width, 220), innerWidth - 2 * MARGIN);
  panel.style.width = `${width}px`;
  panel.style.maxHeight = "";
  const wanted = Math.min(panel.scrollHeight + 2, 340);
  const above = box.top - MARGIN;
  const below = height - box.bottom - MARGIN;
  const under = below >= wanted || below >= above;
  panel.style.maxHeight = `${Math.max(96, Math.min(340, under ? below : above))}px`;
  panel.style.left = `${Math.max(MARGIN, Math.min(box.left, innerWidth - width - MARGIN))}px`;
  panel.style.top = under ? `${box.bottom + 4}px` : "";
  panel.style.bottom = under ? "" : `${innerHeight - box.top + 4}px`;
}

document.addEventListener(
  "pointerdown",
  (event) => {
    if (open && !open.panel.contains(event.target) && !open.anchor.contains(event.target)) closePopover("away");
  },
  true,
);
addEventListener("resize", place);
window.visualViewport?.addEventListener("resize", place);
document.addEventListener(
  "scroll",
  (event) => {
    if (open && event.target instanceof Node && !open.panel.contains(event.target)) place();
  },
  true,
);
