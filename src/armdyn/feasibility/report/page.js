// Everything that can be pressed, and the first drawing.

const slider = document.getElementById("cursor");
const instantText = document.getElementById("instant");
const playButton = document.getElementById("play");
let playing = null;

function showCursor() {
  if (time.now === null) return;
  slider.value = (1000 * time.now) / data.end;
  instantText.textContent = `${time.now.toFixed(3)} s, ${placeOf(moveAt(time.now))}`;
  slider.setAttribute("aria-valuetext", instantText.textContent);
}

function stopPlaying() {
  if (playing !== null) cancelAnimationFrame(playing);
  playing = null;
  playButton.textContent = "▶ Play";
}

/** Move the cursor as time passes. */
function play() {
  if (playing !== null) return stopPlaying();
  const start = time.now === null || time.now >= time.to ? time.from : time.now;
  const began = performance.now();
  playButton.textContent = "❚❚ Stop";
  const step = (clock) => {
    const instant = start + Math.max(0, clock - began) / 1000;
    showInstant(Math.min(instant, time.to));
    if (instant >= time.to) return stopPlaying();
    playing = requestAnimationFrame(step);
  };
  playing = requestAnimationFrame(step);
}

function press(button) {
  const { turn: wanted, zoom: how, time: stretch } = button.dataset;
  if (wanted) lookFrom(views[wanted]);
  if (how) zoom(how === "in" ? 1.25 : 0.8);
  if (stretch === "all") showWindow(0, data.end);
  else if (stretch) scaleWindow(stretch === "in" ? 0.5 : 2);
}

function drawAll() {
  fitPicture();
  panels.forEach(drawPanel);
  panels.forEach(readPanel);
}

document.documentElement.classList.add("scripts");
watchers.window.push(() => panels.forEach(drawPanel));
watchers.now.push(() => panels.forEach(readPanel), drawMoving, showCursor);
panels.forEach(listenTo);
listenToPicture();
slider.addEventListener("input", () => { stopPlaying(); showInstant((slider.value / 1000) * data.end); });
playButton.addEventListener("click", play);
document.querySelectorAll("[data-turn], [data-zoom], [data-time]").forEach((button) => {
  button.addEventListener("click", () => press(button));
});
document.querySelectorAll("a[data-from]").forEach((link) => {
  link.addEventListener("click", () => {
    const [from, to] = [+link.dataset.from, +link.dataset.to];
    showWindow(from, to);
    showInstant((from + to) / 2);
    const group = document.querySelector(link.getAttribute("href"));
    if (group instanceof HTMLDetailsElement) group.open = true;
  });
});
// a link into something folded up unfolds it
window.addEventListener("hashchange", () => {
  const target = document.getElementById(location.hash.slice(1));
  if (target instanceof HTMLDetailsElement) target.open = true;
});
// what is folded up is printed, too
window.addEventListener("beforeprint", () => {
  document.querySelectorAll("details").forEach((part) => (part.open = true));
  showWindow(0, data.end);
});
let resizing = 0;
window.addEventListener("resize", () => {
  cancelAnimationFrame(resizing);
  resizing = requestAnimationFrame(drawAll);
});
drawAll();
