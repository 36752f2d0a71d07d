// Pictures and files. Only what the emulator itself serves is loaded: this page never reaches the network.

/** @import {Media, MediaItem} from "./discord.d.ts" */

import { el, icon } from "./dom.js";
import { link } from "./markdown_view.js";

/** The same-origin path of a file that the emulator serves, or null for anything else. @param {string} url */
export function localPath(url) {
  try {
    const whole = new URL(url, location.href);
    const loopback = ["127.0.0.1", "localhost", "[::1]", location.hostname].includes(whole.hostname);
    return loopback && whole.pathname.startsWith("/attachments/") ? whole.pathname + whole.search : null;
  } catch {
    return null;
  }
}

/**
 * An image that can be enlarged, or a line saying why there is none.
 * @param {Media} media
 * @param {{description?: string | null, className?: string}} words
 */
export function picture(media, { description = null, className = "picture" } = {}) {
  const path = localPath(media.url ?? "");
  const said = description ?? media.description ?? media.filename ?? "Picture";
  if (!path) {
    return el("span", { class: "no-picture" }, "Picture elsewhere, not loaded here: ", link(media.url ?? "", [media.url ?? "no address"]));
  }
  const image = el("img", {
    src: path, alt: said, class: className, loading: "eager", decoding: "async",
    width: media.width ?? null, height: media.height ?? null,
  });
  const frame = el("button", {
    type: "button", class: "frame loading", "aria-label": `Enlarge: ${said}`,
    on: { click: () => enlarge(path, said) },
  }, image);
  image.addEventListener("load", () => frame.classList.remove("loading"));
  image.addEventListener("error", () => {
    frame.replaceWith(el("span", { class: "no-picture", role: "img", "aria-label": said }, icon("warn"), ` ${said} could not be loaded.`));
  });
  return frame;
}

/** @param {string} path @param {string} said */
function enlarge(path, said) {
  const dialog = el("dialog", { class: "lightbox", "aria-label": said });
  dialog.append(
    el("img", { src: path, alt: said }),
    el("button", { type: "button", class: "round", "aria-label": "Close the picture", on: { click: () => dialog.close() } }, icon("close")),
  );
  dialog.addEventListener("click", (event) => event.target instanceof HTMLButtonElement || dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** Several pictures side by side: 1 to 10 items of a MediaGallery. @param {MediaItem[]} items */
export function gallery(items) {
  return el(
    "div",
    { class: `gallery of-${Math.min(items.length, 4)}` },
    items.map((item) => picture(item.media, { description: item.description })),
  );
}

/** A file as a card with name, size in bytes and a way to save it. @param {{url?: string, name?: string, size?: number}} file */
function fileCard(file) {
  const path = localPath(file.url ?? "");
  const name = file.name ?? decodeURIComponent(path?.split("/").at(-1) ?? "file");
  return el(
    "div",
    { class: "file-card" },
    icon("file"),
    el("span", { class: "file-words" },
      path ? el("a", { href: path, download: name }, name) : el("span", {}, name),
      typeof file.size === "number" && el("span", { class: "file-size" }, bytes(file.size))),
  );
}

/** @param {number} size */
function bytes(size) {
  if (size < 1024) return `${size} bytes`;
  return size < 1024 ** 2 ? `${(size / 1024).toFixed(1)} KB` : `${(size / 1024 ** 2).toFixed(1)} MB`;
}

/** A message's own attachments: images as pictures, everything else as cards. @param {Media[]} files */
export function attachments(files) {
  return files.map((file) => {
    const drawable = /^image\/(png|jpeg|gif|webp|svg\+xml)/.test(file.content_type ?? "") || /\.(png|jpe?g|gif|webp)$/i.test(file.filename ?? "");
    return drawable ? picture(file) : fileCard({ url: file.url, name: file.filename, size: file.size });
  });
}
