// The picture in space: turned by mouse, finger or keys; the arm follows the cursor in time.

const picture = document.getElementById("picture");
const scene = data.scene;
const first = { azimuth: +picture.dataset.azimuth, elevation: +picture.dataset.elevation };
const view = { ...first, zoom: 1, scale: 1, middle: [0, 0] };
const views = {
  front: { azimuth: 0, elevation: 0 },
  side: { azimuth: -90, elevation: 0 },
  top: { azimuth: -90, elevation: 90 },
  free: first,
};
const strokes = [...picture.querySelectorAll(":scope > path")];
const labels = [...picture.querySelectorAll(".label")];
const kinds = scene.strokes.map((stroke) => stroke.kind);

/** To the right and upwards, as seen now, in metres. */
function seen([x, y, z]) {
  const radians = Math.PI / 180;
  const [a, e] = [view.azimuth * radians, view.elevation * radians];
  return [
    -Math.sin(a) * x + Math.cos(a) * y,
    -Math.sin(e) * (Math.cos(a) * x + Math.sin(a) * y) + Math.cos(e) * z,
  ];
}

/** From points in space to places in the drawing. */
function projection() {
  const { width, height } = picture.viewBox.baseVal;
  const scale = view.zoom * view.scale;
  return (point) => {
    const [right, up] = seen(point);
    return [width / 2 + scale * (right - view.middle[0]), height / 2 - scale * (up - view.middle[1])];
  };
}

/** Look from somewhere, everything in sight and as large as can be. */
function lookFrom(where) {
  Object.assign(view, where, { zoom: 1 });
  const { width, height } = picture.viewBox.baseVal;
  const border = 2 * picture.dataset.border;
  const places = scene.corners.map(seen);
  const spans = [0, 1].map((k) => places.map((place) => place[k])).map((x) => [Math.min(...x), Math.max(...x)]);
  const sizes = spans.map(([low, high]) => Math.max(high - low, 1e-9));
  view.middle = spans.map(([low, high]) => (low + high) / 2);
  view.scale = Math.min((width - border) / sizes[0], (height - border) / sizes[1]);
  drawPicture();
}

function polyline(points, place) {
  return points.length ? "M" + points.map((p) => place(p).map((x) => x.toFixed(1)).join(" ")).join("L") : "";
}

/** Between the samples of a path at an instant. */
function pointAt(path, instant) {
  const { times, points } = path;
  let low = 0, high = times.length - 1;
  if (instant >= times[high]) return points[high];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= instant) low = middle;
    else high = middle;
  }
  const share = (instant - times[low]) / (times[high] - times[low] || 1);
  return points[low].map((x, i) => x + share * (points[high][i] - x));
}

function postureAt(instant) {
  const { step, points } = scene.postures;
  const last = points.length - 1;
  const k = Math.min(Math.floor(instant / step), last);
  const next = points[Math.min(k + 1, last)];
  const share = Math.min(instant / step - k, 1);
  const flat = points[k].map((x, i) => x + share * (next[i] - x));
  return Array.from({ length: flat.length / 3 }, (_, i) => flat.slice(3 * i, 3 * i + 3));
}

/** What moves with the cursor. */
function movingParts() {
  const instant = time.now ?? 0;
  const posture = postureAt(instant);
  const now = (path) => (time.now === null ? [] : [[pointAt(path, instant), pointAt(path, instant)]]);
  return {
    arm: scene.edges.map(([a, b]) => [posture[a], posture[b]]),
    joints: posture.slice(0, -1).map((point) => [point, point]),
    "path programmed": [scene.tool.programmed.points],
    "path achieved": [scene.tool.achieved.points],
    "now programmed": now(scene.tool.programmed),
    "now achieved": now(scene.tool.achieved),
  };
}

const moving = ["arm", "joints", "now programmed", "now achieved"];

function drawPicture() {
  const place = projection();
  drawStrokes(kinds, place);
  const places = scene.labels.map((label) => place(label.at));
  const centre = [0, 1].map((k) => places.reduce((sum, at) => sum + at[k], 0) / places.length);
  labels.forEach((label, k) => drawLabel(label, scene.labels[k].kind, places[k], centre));
}

function drawMoving() {
  drawStrokes(moving, projection());
}

function drawStrokes(wanted, place) {
  const parts = movingParts();
  kinds.forEach((kind, k) => {
    if (!wanted.includes(kind)) return;
    const drawn = parts[kind] ?? scene.strokes[k].parts;
    strokes[k].setAttribute("d", drawn.map((points) => polyline(points, place)).join(""));
  });
}

/** A point's name stands on the side away from the middle of all points. */
function drawLabel(label, kind, [x, y], centre) {
  label.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
  if (kind !== "end") return;
  const far = +picture.dataset.away;
  const length = Math.hypot(x - centre[0], y - centre[1]) || 1;
  const dx = (far * (x - centre[0])) / length;
  const word = label.querySelector("text");
  word.setAttribute("x", dx);
  word.setAttribute("y", (far * (y - centre[1])) / length + 4);
  word.setAttribute("text-anchor", dx > far / 3 ? "start" : dx < -far / 3 ? "end" : "middle");
}

/** As wide as the page; not so high on narrow ones. */
function fitPicture() {
  const width = Math.max(300, picture.clientWidth || 1000);
  picture.setAttribute("viewBox", `0 0 ${width} ${Math.round(Math.min(560, Math.max(300, 0.62 * width)))}`);
  lookFrom({});
}

function turn(azimuth, elevation) {
  view.azimuth += azimuth;
  view.elevation = Math.min(Math.max(view.elevation + elevation, -90), 90);
  drawPicture();
}

function zoom(factor) {
  view.zoom = Math.min(Math.max(view.zoom * factor, 0.2), 50);
  drawPicture();
}

function listenToPicture() {
  let last = null;
  picture.addEventListener("pointerdown", (event) => {
    last = event;
    picture.setPointerCapture(event.pointerId);
  });
  picture.addEventListener("pointermove", (event) => {
    if (!last) return;
    turn(-0.4 * (event.clientX - last.clientX), 0.4 * (event.clientY - last.clientY));
    last = event;
  });
  for (const kind of ["pointerup", "pointercancel"]) picture.addEventListener(kind, () => (last = null));
  picture.addEventListener("wheel", (event) => {
    if (document.activeElement !== picture && !event.ctrlKey) return; // the page scrolls
    event.preventDefault();
    zoom(Math.exp(-0.0015 * event.deltaY));
  }, { passive: false });
  const keys = {
    ArrowLeft: () => turn(5, 0),
    ArrowRight: () => turn(-5, 0),
    ArrowUp: () => turn(0, 5),
    ArrowDown: () => turn(0, -5),
    "+": () => zoom(1.2),
    "=": () => zoom(1.2),
    "-": () => zoom(1 / 1.2),
    0: () => lookFrom(first),
  };
  picture.addEventListener("keydown", (event) => {
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keys[event.key]();
  });
}
