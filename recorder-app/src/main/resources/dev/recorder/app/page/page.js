// Asks this host again and again how things are, and shows it. Changes nothing anywhere.

import {curve, timeline} from "/lines.js";
import {notes, rows, show, text} from "/tables.js";
import {age, ago, clock, count, many, rate, took, waits} from "/words.js";

const ASK_EVERY = 400;
const ASK_HIDDEN = 5000;
const ANSWER_WITHIN = 5000;
const OLD_AFTER = 3000;
const SHOWN_TAKEOVERS = 10;
const RANGES = {"15m": 900000, "1h": 3600000, "24h": 86400000, "7d": 604800000};

const element = (id) => document.getElementById(id);
const body = element("board");

let board = null;
let drawn = "";
let answeredAt = performance.now();
let refusal = null;
let failures = 0;

// ---- asking

async function ask() {
  const giveUp = new AbortController();
  const limit = setTimeout(() => giveUp.abort(), ANSWER_WITHIN);
  try {
    const answer = await fetch("/page.json", {signal: giveUp.signal, cache: "no-store"});
    if (!answer.ok) throw new Refused((await answer.text()).trim());
    board = await answer.json();
    answeredAt = performance.now();
    refusal = null;
    failures = 0;
    draw();
  } catch (failure) {
    failures++;
    refusal = failure instanceof Refused ? failure.message : null;
    drawTrouble();
  } finally {
    clearTimeout(limit);
    const pause = document.hidden ? ASK_HIDDEN : ASK_EVERY;
    next = setTimeout(ask, Math.min(ASK_HIDDEN, pause * 2 ** Math.min(failures, 4)));
  }
}

class Refused extends Error {}

let next = 0;
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) {
    clearTimeout(next);
    ask();
  }
});

// ---- what is old

/** Why what is shown may not be so any more; null if it is of now. */
function trouble() {
  const silence = performance.now() - answeredAt;
  if (silence > OLD_AFTER) {
    const host = board?.host ?? "this host";
    const why = refusal === null ? "does not answer" : `refuses to answer (${refusal})`;
    return `${host} ${why}, for ${age(silence)}${board === null ? "" : ": what follows is old"}`;
  }
  return board?.trouble ?? null;
}

function drawTrouble() {
  const words = trouble();
  show(element("trouble"), words !== null);
  text(element("trouble"), words ?? "");
  document.body.classList.toggle("old", words !== null);
  drawVerdict(words);
  if (board !== null && board.age_ms !== null) {
    text(element("age"), `Looked at ${clock(board.age_ms + performance.now() - answeredAt)}.`);
  }
}

function drawVerdict(old) {
  const graves = ["critical", "warning"].map((grave) => board?.notes.filter((note) => note.severity === grave).length ?? 0);
  const [critical, warnings] = graves;
  let verdict = "Looking …";
  let tone = "";
  if (old !== null) {
    [verdict, tone] = ["Out of touch", "critical"];
  } else if (critical + warnings > 0) {
    const more = critical + warnings - 1;
    const [worst] = board.notes; // The gravest comes first.
    const whom = [worst.recorder, worst.host].filter((name) => name !== null).join(" on ");
    const what = worst.sentence.split(": ")[0];
    verdict = `${whom === "" ? "" : `${whom}: `}${what}${more > 0 ? `, and ${more} more` : ""}`;
    tone = critical > 0 ? "critical" : "warning";
  } else if (board !== null && board.age_ms !== null) {
    verdict = board.counts.recorders === 0 ? "Nothing to record yet" : "All is well";
  }
  text(element("verdict"), verdict);
  element("verdict").className = tone;
  const mark = tone === "critical" ? "✕ " : tone === "warning" ? "! " : "";
  document.title = `${mark}${verdict} · recorder ${board?.host ?? ""}`;
}

// ---- the board

function draw() {
  drawTrouble();
  show(body, board.age_ms !== null); // Without a look there is nothing to be said.
  const counts = board.counts;
  text(element("who"), board.host);
  text(
    element("sub"),
    `${many(counts.recorders, "recorder", "recorders")} on ${many(counts.alive, "living host", "living hosts")},` +
      ` as ${board.host} sees them; version ${board.version}`);
  show(element("notes"), board.notes.length > 0);
  notes(element("note-list"), board.notes);
  drawFigures(counts);
  drawRecorders(counts);
  drawHosts(counts);
  drawTakeovers();
  drawRequests();
  drawLocks();
}

function drawFigures(counts) {
  text(element("figure-hosts"), `${count(counts.alive)} of ${count(counts.hosts)}`);
  text(element("figure-recorders"), `${count(counts.recorded)} of ${count(counts.recorders)}`);
  const grave = board.recorders.some((recorder) => recorder.state === "nobody" || recorder.state === "stuck");
  element("figure-recorders").className = grave ? "critical" : "";
  text(element("figure-lag"), waits(board.total.lag));
  text(element("figure-rate"), rate(board.total.rate));
  curve(element("total-lag"), board.total.lags, 2, "Longest wait of a row");
  curve(element("total-rate"), board.total.rates, 1, "Rows recorded in a second");
}

const TONES = {stuck: "strong critical", paused: "strong warning"};

function drawRecorders(counts) {
  const left = counts.recorders + counts.retired - board.recorders.length;
  text(element("recorders-more"), left > 0 ? `and ${many(left, "more", "more")} without a note` : "");
  show(element("recorders-empty"), board.recorders.length === 0);
  rows(element("recorder-rows"), board.recorders, (recorder) => recorder.name, (recorder) => [
    {words: recorder.name, small: recorder.kind === "log" ? "" : recorder.kind},
    active(recorder),
    {words: recorder.kind === "log" ? recorder.others.join(", ") || "none" : ""},
    {words: recorder.kind === "log" ? count(recorder.epoch) : ""},
    {words: recorder.kind === "log" ? count(recorder.last_slot) : ""},
    {words: recorder.kind === "log" ? ago(recorder.settled_ms) : ""},
    {words: recorder.waiting === null ? "–" : count(recorder.waiting) + (recorder.more ? "+" : "")},
    {words: waits(recorder.lag), drawing: (svg) => curve(svg, recorder.lags, 2, `Wait of ${recorder.name}`)},
    recorder.kind === "log"
      ? {words: rate(recorder.rate), drawing: (svg) => curve(svg, recorder.rates, 1, `Rows a second of ${recorder.name}`)}
      : {words: ""},
  ]);
}

function active(recorder) {
  if (recorder.state === "nobody") {
    const since = recorder.since_ms === null ? [] : [`for ${age(recorder.since_ms)}`];
    const last = recorder.holder === null ? [] : [`last ${recorder.holder}`];
    return {words: "no host", small: [...since, ...last].join(", "), tone: "critical"};
  }
  if (recorder.state === "retired") {
    return {words: "retired", tone: "muted"};
  }
  const isUsual = recorder.state === "active" || recorder.state === "works";
  if (recorder.kind !== "log") {
    return {words: recorder.others.join(", "), small: isUsual ? "" : recorder.state, tone: TONES[recorder.state] ?? ""};
  }
  const since = recorder.since_ms === null ? "" : `for ${age(recorder.since_ms)}`;
  return {words: recorder.holder, small: isUsual ? since : recorder.state, tone: TONES[recorder.state] ?? "strong"};
}

function drawHosts(counts) {
  const left = counts.hosts - board.hosts.length;
  text(element("hosts-more"), left > 0 ? `and ${count(left)} more` : "");
  rows(element("host-rows"), board.hosts, (host) => host.name, (host) => [
    {words: host.name, small: host.self ? "this page" : ""},
    {words: host.state, tone: host.state === "alive" ? "" : host.state === "silent" ? "warning" : "muted"},
    {words: host.active.join(", ") + (host.actives > host.active.length ? ` and ${host.actives - host.active.length} more` : "")},
    {words: count(host.able)},
    {words: ago(host.beat_ms)},
    {words: host.version},
  ]);
}

function drawTakeovers() {
  show(element("takeovers-empty"), board.takeovers.length === 0);
  show(element("ranges"), board.takeovers.length > 0);
  rows(
    element("takeover-rows"),
    board.takeovers.slice(0, SHOWN_TAKEOVERS),
    (receipt) => `${receipt.recorder} ${receipt.epoch} ${receipt.reason}`,
    (receipt) => [
      {words: receipt.recorder},
      {words: clock(receipt.ago_ms, receipt.ago_ms > 86400000 / 2), small: ago(receipt.ago_ms)},
      {words: receipt.from ?? "–"},
      {words: receipt.to, tone: "strong"},
      {words: receipt.reason},
      {words: took(receipt.gap_ms)},
      {words: count(receipt.epoch)},
    ]);
  const range = document.querySelector("input[name=range]:checked").value;
  // Anew when something has changed, or time has moved by a pixel or so; else what is pointed at
  // would go away.
  const known = JSON.stringify([
    range, window.innerWidth, Math.floor(performance.now() / (RANGES[range] / 600)),
    board.takeovers.map((receipt) => [receipt.recorder, receipt.epoch]),
    board.recorders.map((recorder) => [recorder.name, recorder.holder, recorder.state]),
  ]);
  if (known !== drawn) {
    drawn = known;
    timeline(element("timeline"), board, RANGES[range]);
  }
}

function drawRequests() {
  show(element("requests"), board.requests.length > 0);
  rows(element("request-rows"), board.requests, (request) => request.recorder, (request) => [
    {words: request.recorder},
    {words: request.waiting === null ? "–" : count(request.waiting) + (request.more ? "+" : "")},
    {words: waits(request.oldest)},
    {words: count(request.errors) + (request.more_errors ? "+" : ""), tone: request.errors > 0 ? "warning" : ""},
    {words: count(request.complete)},
  ]);
}

function drawLocks() {
  const locks = board.locks;
  const left = locks.count - locks.rows.length;
  text(element("locks-more"), left > 0 ? `and ${count(left)} more` : "");
  show(element("locks-empty"), locks.count === 0);
  text(element("locks-empty"), locks.unseen ?? "No locks are held or waits for one.");
  rows(element("lock-rows"), locks.rows, (lock, place) => `${place} ${lock.kind} ${lock.name}`, (lock) => [
    {words: lock.name},
    {words: lock.kind},
    {words: lock.state, tone: lock.state === "waiting" ? "strong" : ""},
    {words: lock.holder},
    {words: lock.since_ms === null ? "" : age(lock.since_ms)},
  ]);
}

// ---- how far back

const wished = location.hash.slice(1);
for (const input of document.querySelectorAll("input[name=range]")) {
  input.checked = Object.hasOwn(RANGES, wished) ? input.value === wished : input.checked;
  input.addEventListener("change", () => {
    history.replaceState(null, "", `#${input.value}`);
    if (board !== null) drawTakeovers();
  });
}
window.addEventListener("resize", () => board !== null && drawTakeovers());

setInterval(drawTrouble, 500);
ask();
body.setAttribute("aria-busy", "false");
