// Dates as Discord writes them, in the browser's own language and zone.

/** @type {Record<string, Intl.DateTimeFormatOptions>} */
const STYLES = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
  s: { dateStyle: "short", timeStyle: "short" },
  S: { dateStyle: "short", timeStyle: "medium" },
};
/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const STEPS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
];
const SECOND = STEPS[STEPS.length - 1];
const DISCORD_EPOCH_MS = 1_420_070_400_000;

/** A date in one of Discord's styles: t, T, d, D, f, F, s, S or R. @param {Date} date @param {string} style */
export function format(date, style) {
  if (Number.isNaN(date.getTime())) return "an unknown time";
  if (style === "R") return relative(date);
  return new Intl.DateTimeFormat(undefined, STYLES[style] ?? STYLES.f).format(date);
}

/** "in 5 minutes", "2 days ago". @param {Date} date @param {number} now */
export function relative(date, now = Date.now()) {
  const seconds = Math.round((date.getTime() - now) / 1000);
  const [unit, size] = STEPS.find(([, length]) => Math.abs(seconds) >= length) ?? SECOND;
  return new Intl.RelativeTimeFormat(undefined, { numeric: "auto" }).format(Math.round(seconds / size), unit);
}

/** "14:05" today, "Yesterday at 14:05", or date and time. @param {Date} date @param {Date} now */
export function stamp(date, now = new Date()) {
  const days = Math.round((startOfDay(now) - startOfDay(date)) / 86_400_000);
  const clock = format(date, "t");
  if (days === 0) return clock;
  if (days === 1) return `Yesterday at ${clock}`;
  return `${format(date, "d")} ${clock}`;
}

/** The midnight before, in milliseconds. @param {Date} date */
export function startOfDay(date) {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

/** When a snowflake was made. @param {string} id */
export function madeAt(id) {
  return new Date(Number(BigInt(id) >> 22n) + DISCORD_EPOCH_MS);
}

/** Order of two snowflakes, which are too long for a number. @param {string} left @param {string} right */
export function compareIds(left, right) {
  return left.length - right.length || (left < right ? -1 : left > right ? 1 : 0);
}

/** Keep every shown "in 5 seconds" true. Returns nothing; runs for the life of the page. */
export function keepRelativeTimesTrue() {
  setInterval(() => {
    for (const node of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll("time[data-relative]"))) {
      const said = relative(new Date(node.dateTime));
      if (node.textContent !== said) node.textContent = said;
    }
  }, 1000);
}
