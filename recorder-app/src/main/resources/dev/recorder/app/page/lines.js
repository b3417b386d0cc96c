// Drawings: curves of the last quarter of an hour, and the time line of takeovers.

import {age, clock, took} from "/words.js";

const SPACE = "http://www.w3.org/2000/svg";
const LANE = 30;
const BAR = 16;
const AXIS = 22;

function draw(parent, name, attributes, words) {
  const element = document.createElementNS(SPACE, name);
  Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
  if (words !== undefined) element.textContent = words;
  parent.append(element);
  return element;
}

/** A curve from the oldest value to the newest; where nothing is known there is none. */
export function curve(svg, values, least, label) {
  const known = JSON.stringify(values);
  if (svg.dataset.known === known) return;
  svg.dataset.known = known;
  const most = Math.max(least, ...values.map((value) => value ?? 0));
  const last = Math.max(1, values.length - 1);
  svg.replaceChildren();
  svg.setAttribute("viewBox", `0 0 ${last} 20`);
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("aria-label", `${label}, the last ${Math.round(values.length / 6)} minutes`);
  for (const run of runs(values)) {
    const points = run.map(([at, value]) => `${at} ${(19 - (18 * value) / most).toFixed(2)}`);
    const ends = [run[0][0], run[run.length - 1][0]];
    draw(svg, "path", {class: "area", d: `M${ends[0]} 20L${points.join("L")}L${ends[1]} 20Z`});
    draw(svg, "path", {class: "line", d: `M${points.join("L")}${run.length === 1 ? "h.01" : ""}`});
  }
}

function runs(values) {
  const all = [];
  let run = null;
  values.forEach((value, at) => {
    if (value === null) {
      run = null;
    } else {
      if (run === null) all.push((run = []));
      run.push([at, value]);
    }
  });
  return all;
}

/** Who was active for a recorder when, the earliest first; ages of beginning and end. */
function terms(recorder, receipts) {
  const own = receipts.filter((receipt) => receipt.recorder === recorder.name).reverse();
  const spans = [];
  let holder = own.length > 0 ? own[0].from : recorder.holder;
  let from = Infinity;
  for (const receipt of own) {
    const until = receipt.ago_ms + (receipt.gap_ms ?? 0);
    if (holder !== null) spans.push({holder, from, until: Math.min(from, until)});
    holder = receipt.to;
    from = receipt.ago_ms;
  }
  if (holder !== null) spans.push({holder, from, until: Math.min(from, lastSign(recorder))});
  return {spans, own};
}

/** Of a recorder that nobody has: when somebody was last known to have it. */
function lastSign(recorder) {
  return recorder.state === "nobody" ? Math.min(recorder.since_ms ?? Infinity, 7 * 86400000) : 0;
}

const UNPLANNED = new Set(["died", "silent", "stuck"]);

/** A lane for each log: bars while somebody was active, a mark for each takeover. */
export function timeline(svg, board, range) {
  const logs = board.recorders.filter((recorder) => recorder.kind === "log").slice(0, 24);
  const width = Math.max(280, svg.parentElement.clientWidth);
  const names = Math.min(140, width * 0.26);
  const height = logs.length * LANE + AXIS;
  svg.replaceChildren();
  svg.toggleAttribute("hidden", logs.length === 0);
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const x = (ms) => width - 1 - ((width - names - 1) * Math.min(ms, range)) / range;
  axis(svg, x, range, height, width < 500 ? 3 : 6);
  const shades = new Map(board.hosts.map((host) => host.name).sort().map((name, at) => [name, at % 4]));
  logs.forEach((recorder, lane) => {
    const y = lane * LANE + (LANE - BAR) / 2;
    draw(svg, "text", {class: "lane", x: 0, y: y + 12}, shortened(recorder.name, names / 7.4));
    draw(svg, "line", {class: "base", x1: x(range), x2: x(0), y1: y + BAR / 2, y2: y + BAR / 2});
    const {spans, own} = terms(recorder, board.takeovers);
    spans.filter((span) => span.until < range).forEach((span) => bar(svg, x, y, span, shades));
    own.filter((receipt) => receipt.ago_ms < range).forEach((receipt) => mark(svg, x, y, receipt));
    if (recorder.state === "nobody") {
      const from = x(lastSign(recorder));
      draw(svg, "rect", {class: "nobody", x: Math.min(from, x(0) - 4), y, width: Math.max(4, x(0) - from), height: BAR});
    }
  });
}

function bar(svg, x, y, span, shades) {
  const width = Math.max(1, x(span.until) - x(span.from) - 1);
  const shade = shades.get(span.holder) ?? 3;
  const rect = draw(svg, "rect", {class: `term shade-${shade}`, x: x(span.from), y, width, height: BAR, rx: 2});
  draw(rect, "title", {}, span.holder);
  if (width > span.holder.length * 7 + 12) {
    draw(svg, "text", {class: `holder shade-${shade}`, x: x(span.from) + 6, y: y + 12}, span.holder);
  }
}

function mark(svg, x, y, receipt) {
  const gap = receipt.gap_ms ?? 0;
  const width = Math.max(3, x(receipt.ago_ms) - x(receipt.ago_ms + gap));
  const kind = UNPLANNED.has(receipt.reason) ? "unplanned" : "planned";
  const rect = draw(svg, "rect", {class: `mark ${kind}`, x: x(receipt.ago_ms) - width, y: y - 4, width, height: BAR + 8});
  const whom = receipt.from === null ? receipt.to : `${receipt.from} → ${receipt.to}`;
  const lasted = receipt.gap_ms === null ? "" : `, no host for ${took(receipt.gap_ms)}`;
  draw(rect, "title", {}, `${receipt.reason}: ${whom}${lasted}, ${age(receipt.ago_ms)} ago`);
}

function axis(svg, x, range, height, parts) {
  for (let part = 0; part <= parts; part++) {
    const ms = (range * part) / parts;
    draw(svg, "line", {class: "tick", x1: x(ms), x2: x(ms), y1: 0, y2: height - AXIS + 4});
    const anchor = part === 0 ? "end" : part === parts ? "start" : "middle";
    const words = part === 0 ? "now" : clock(ms, range > 86400000);
    draw(svg, "text", {class: "when", x: x(ms), y: height - 4, "text-anchor": anchor}, words);
  }
}

function shortened(name, most) {
  return name.length <= most ? name : `${name.slice(0, Math.max(1, Math.floor(most) - 1))}…`;
}
