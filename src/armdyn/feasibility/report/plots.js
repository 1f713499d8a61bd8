// The plots over time: drawn anew as wide as they are shown, zoomed, and read at the cursor.

const margin = { left: 62, right: 10, top: 24, bottom: 20 };
const plotHeight = 150;
const names = { programmed: "required", achieved: "achieved", lower: "from", upper: "to" };
const panels = [...document.querySelectorAll("svg.panel")].map((svg, k) => ({
  svg,
  ...data.panels[k],
  paths: [...svg.querySelectorAll(".curve")],
  wide: [...svg.querySelectorAll(".wide")],
  spans: [...svg.querySelectorAll(".exceeded rect")],
  boundary: svg.querySelector(".boundary"),
  lines: svg.querySelector(".lines"),
  times: svg.querySelector(".times"),
  cursor: svg.querySelector(".cursor"),
  reading: svg.parentNode.querySelector(".reading"),
  width: 1000,
}));

function xOf(panel, instant) {
  const share = (instant - time.from) / (time.to - time.from);
  return margin.left + share * (panel.width - margin.left - margin.right);
}

function instantAt(panel, event) {
  const box = panel.svg.getBoundingClientRect();
  const x = ((event.clientX - box.left) / box.width) * panel.width;
  const share = (x - margin.left) / (panel.width - margin.left - margin.right);
  return time.from + Math.min(Math.max(share, 0), 1) * (time.to - time.from);
}

function heldX(panel, instant) {
  return Math.min(Math.max(xOf(panel, instant), margin.left), panel.width - margin.right);
}

/** A curve in the window; of many points to a pixel the least and the greatest are drawn. */
function curveData(panel, curve) {
  const { step, values } = curve;
  const [low, high] = panel.range;
  const inner = plotHeight - margin.top - margin.bottom;
  const y = (v) => plotHeight - margin.bottom - inner * Math.min(Math.max((v - low) / (high - low), 0), 1);
  const first = Math.max(0, Math.floor(time.from / step));
  const last = Math.min(values.length - 1, Math.ceil(time.to / step));
  const bucket = Math.max(1, Math.floor((last - first) / (2 * panel.width)));
  const drawn = [];
  const point = (k) => drawn.push(`${heldX(panel, k * step).toFixed(1)} ${y(values[k]).toFixed(1)}`);
  for (let k = first; k <= last; k += bucket) {
    let least = -1, greatest = -1;
    for (let i = k; i < Math.min(k + bucket, last + 1); i++) {
      if (values[i] === null) continue;
      if (least < 0 || values[i] < values[least]) least = i;
      if (greatest < 0 || values[i] > values[greatest]) greatest = i;
    }
    if (least < 0) continue;
    point(Math.min(least, greatest));
    if (least !== greatest) point(Math.max(least, greatest));
  }
  return drawn.length ? "M" + drawn.join("L") : "";
}

function drawPanel(panel) {
  panel.width = Math.max(320, panel.svg.clientWidth || 1000);
  const right = panel.width - margin.right;
  panel.svg.setAttribute("viewBox", `0 0 ${panel.width} ${plotHeight}`);
  for (const shape of panel.wide) {
    if (shape.tagName === "rect") shape.setAttribute("width", right - margin.left);
    else if (shape.hasAttribute("d")) shape.setAttribute("d", shape.getAttribute("d").replace(/H[\d.]+/g, `H${right}`));
  }
  for (const span of panel.spans) {
    const [a, b] = [heldX(panel, +span.dataset.from), heldX(panel, +span.dataset.to)];
    const seen = +span.dataset.to > time.from && +span.dataset.from < time.to;
    span.setAttribute("x", a);
    span.setAttribute("width", seen ? Math.max(1.5, b - a) : 0);
  }
  panel.curves.forEach((curve, k) => panel.paths[k].setAttribute("d", curveData(panel, curve)));
  drawMoves(panel);
  const most = Math.max(2, Math.floor(panel.width / 100));
  panel.times.replaceChildren(
    ...roundTicks(time.from, time.to, most).map((instant) =>
      svgElement("text", { x: xOf(panel, instant), y: plotHeight - 5, class: "time" }, `${Number(instant.toFixed(6))} s`)
    )
  );
}

function drawMoves(panel) {
  const ends = data.moves.filter((move) => move.end >= time.from && move.end <= time.to);
  const line = (move) => `M${xOf(panel, move.end).toFixed(1)} ${margin.top}V${plotHeight - margin.bottom}`;
  panel.boundary.setAttribute("d", ends.map(line).join(""));
  const labels = [];
  data.moves.forEach((move, k) => {
    const [a, b] = [heldX(panel, move.start), heldX(panel, move.end)];
    if (b - a >= 22) {
      labels.push(svgElement("text", { x: (a + b) / 2, y: margin.top - 7, class: "line" }, move.line || k + 1));
    }
  });
  panel.lines.replaceChildren(...labels);
}

function readPanel(panel) {
  if (time.now === null) return;
  const inside = time.now >= time.from && time.now <= time.to;
  const x = xOf(panel, time.now).toFixed(1);
  panel.cursor.setAttribute("d", inside ? `M${x} ${margin.top}V${plotHeight - margin.bottom}` : "");
  const values = panel.curves.map((curve) => {
    const k = Math.min(Math.max(Math.round(time.now / curve.step), 0), curve.values.length - 1);
    return `${names[curve.role]} ${amount(curve.values[k])}`;
  });
  panel.reading.textContent = `${values.join(", ")} ${panel.unit}`;
}

/** Moving reads; dragging chooses a window; a double click shows all. */
function listenTo(panel) {
  let start = null;
  const mark = svgElement("rect", { class: "window", y: margin.top, height: plotHeight - margin.top - margin.bottom, width: 0 });
  panel.svg.append(mark);
  panel.svg.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "touch" || event.button !== 0) return;
    start = instantAt(panel, event);
    panel.svg.setPointerCapture(event.pointerId);
  });
  panel.svg.addEventListener("pointermove", (event) => {
    const here = instantAt(panel, event);
    stopPlaying();
    showInstant(here);
    if (start === null) return;
    const [a, b] = [Math.min(start, here), Math.max(start, here)];
    mark.setAttribute("x", xOf(panel, a));
    mark.setAttribute("width", xOf(panel, b) - xOf(panel, a));
  });
  const end = (event) => {
    if (start === null) return;
    const here = instantAt(panel, event);
    const far = Math.abs(xOf(panel, here) - xOf(panel, start)) > 6;
    if (far && event.type === "pointerup") showWindow(Math.min(start, here), Math.max(start, here));
    start = null;
    mark.setAttribute("width", 0);
  };
  panel.svg.addEventListener("pointerup", end);
  panel.svg.addEventListener("pointercancel", end);
  panel.svg.addEventListener("dblclick", () => showWindow(0, data.end));
}
