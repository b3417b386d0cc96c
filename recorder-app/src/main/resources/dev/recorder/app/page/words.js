// How figures are written. Nothing here knows the page.

const whole = new Intl.NumberFormat("en");
const tenths = new Intl.NumberFormat("en", {maximumFractionDigits: 1, minimumFractionDigits: 1});

/** For how long, in words that are short: 4 s, 3 min, 5 h, 12 d. */
export function age(ms) {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min`;
  const hours = Math.floor(seconds / 3600);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}

/** How long ago; what was a moment ago is now, so that nothing flickers. */
export function ago(ms) {
  return ms === null ? "–" : ms < 3000 ? "now" : `${age(ms)} ago`;
}

/** How long something took, more exactly than an age. */
export function took(ms) {
  if (ms === null) return "–";
  if (ms < 1000) return `${whole.format(ms)} ms`;
  return ms < 60000 ? `${tenths.format(ms / 1000)} s` : age(ms);
}

/** Seconds that something waits. */
export function waits(seconds) {
  if (seconds === null) return "–";
  if (seconds === 0) return "none";
  return seconds < 10 ? `${tenths.format(seconds)} s` : age(seconds * 1000);
}

export function count(number) {
  return number === null ? "–" : whole.format(number);
}

/** Of something in a second. */
export function rate(number) {
  if (number === null) return "–";
  return number > 0 && number < 10 ? tenths.format(number) : whole.format(Math.round(number));
}

export function many(number, one, more) {
  return `${whole.format(number)} ${number === 1 ? one : more}`;
}

/** When that was, on this reader's clock. */
export function clock(ms, withDate) {
  const then = new Date(Date.now() - ms);
  const time = then.toLocaleTimeString("en-GB", {hour: "2-digit", minute: "2-digit"});
  return withDate ? `${then.toLocaleDateString("en-GB", {day: "numeric", month: "short"})} ${time}` : time;
}
