"use strict";
// One window of time and one instant in it, shared by the plots and the picture.

const data = JSON.parse(document.getElementById("data").textContent);
const time = { from: 0, to: data.end, now: null };
const shortest = Math.min(data.end, 4 * data.cycle);
const watchers = { window: [], now: [] };
let pending = new Set();

/** Tell all who watch, once a frame. */
function announce(what) {
  if (pending.size === 0) {
    requestAnimationFrame(() => {
      const told = pending;
      pending = new Set();
      for (const kind of told) watchers[kind].forEach((watcher) => watcher());
    });
  }
  pending.add(what);
}

function showInstant(instant) {
  time.now = Math.min(Math.max(instant, 0), data.end);
  announce("now");
}

function showWindow(from, to) {
  const span = Math.min(Math.max(to - from, shortest), data.end);
  time.from = Math.min(Math.max(from, 0), data.end - span);
  time.to = time.from + span;
  announce("window");
  announce("now");
}

/** A longer or shorter window about the instant shown, or about its middle. */
function scaleWindow(factor) {
  const inside = time.now !== null && time.now > time.from && time.now < time.to;
  const centre = inside ? time.now : (time.from + time.to) / 2;
  showWindow(centre - (centre - time.from) * factor, centre + (time.to - centre) * factor);
}

/** Number of the move that is programmed for an instant, from 0; -1 if there is none. */
function moveAt(instant) {
  const found = data.moves.findIndex((move) => instant < move.end);
  return found < 0 ? data.moves.length - 1 : found;
}

function placeOf(k) {
  if (k < 0) return "";
  const move = data.moves[k];
  return move.line ? `line ${move.line} (${move.kind})` : `move ${k + 1}`;
}

/** At most so many multiples of 1, 2 or 5 times a power of ten between two numbers. */
function roundTicks(low, high, most) {
  const raw = (high - low) / Math.max(most, 1);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10, 20].map((k) => k * power).find((x) => x >= raw);
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k <= Math.floor(high / step + 1e-9); k++) ticks.push(k * step);
  return ticks;
}

/** Four significant digits. */
function amount(x) {
  return x === null ? "-" : String(Number(x.toPrecision(4)));
}

function svgElement(name, attributes, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}
