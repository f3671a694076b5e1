// What the reader sees and moves.  `current` is a copy of the chosen fit; every change of it ends in
// update(), which recomputes the surface and redraws.
const section = document.querySelector("#explorer");
const data = JSON.parse(document.querySelector("#explorer-data").textContent);
const form = section.querySelector("form");
const canvas = section.querySelector("canvas");
const overlay = section.querySelector(".surface svg");
const river = section.querySelector(".river svg");
const slider = section.querySelector("input[type=range]");
const playButton = section.querySelector("[name=play]");
// The same picture on the first screen.
const walk = document.querySelector(".walk");
const walkButton = walk.querySelector("[name=walk]");
const GRID = 121;
const LABELS = {
  VS: ["#2b7fb3", "2 3"], S: ["#00527f", ""], M: ["#00704f", "7 4"], L: ["#b34700", "9 3 2 3"], VL: ["#8a5a00", "4 2"],
};
const STEMS = {
  time: { S: "short", M: "medium", L: "long" }, position: { S: "small", M: "medium", L: "large" },
};
const UNIT = { time: "s", position: "px" };
const CIVIDIS = ["00224e", "002e6a", "1a386f", "32436d", "434e6c", "535a6d", "61656f", "6f7073", "7d7c78", "8c8878",
  "9b9476", "aba072", "bcae6c", "cdbb63", "dec958", "f0d846", "fee838"].map((hex) =>
  [0, 2, 4].map((place) => parseInt(hex.slice(place, place + 2), 16)));
let fitted, current, times, positions, surface, boundary, corners, end, pathNumber = 7, now = 0, timer = null;

const words = (variable, label) => "very ".repeat(label.length - 1) + STEMS[variable][label.at(-1)];
const consequent = (rule) => (rule === null ? "no rule" : rule === 1 ? "stop" : rule === 0 ? "continue" : `stop to ${rule}`);
const rounded = (variable, value) => String(+value.toFixed(variable === "time" ? 2 : 0)).replace("-", "−");
const steps = (reach) => Array.from({ length: GRID }, (_, place) => (reach * place) / (GRID - 1));

function element(parent, name, attributes, text) {
  const made = document.createElementNS(parent.namespaceURI, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  parent.append(made);
  return made;
}

// --- which fit ---------------------------------------------------------------------------------------------------
function fill(select, values, chosen) {
  select.replaceChildren(...values.map((value) => new Option(value[1], value[0], false, value[0] === chosen)));
}
function choose() {
  const { subject, labels, window: blocks } = form.elements;
  const ofSubject = data.fits.filter((fit) => fit.subject === subject.value);
  const numbers = [...new Set(ofSubject.map((fit) => String(fit.rules.length)))];
  fill(labels, numbers.map((number) => [number, number]), numbers.includes(labels.value) ? labels.value : numbers[0]);
  const windows = ofSubject.filter((fit) => String(fit.rules.length) === labels.value).map((fit) => fit.window);
  fill(blocks, windows.map((name) => [name, `${name} blocks`]), windows.includes(blocks.value) ? blocks.value : windows[0]);
  fitted = ofSubject.find((fit) => String(fit.rules.length) === labels.value && fit.window === blocks.value);
  reset();
}
function reset() {
  pause();
  current = structuredClone(fitted);
  times = steps(current.time.range);
  positions = steps(current.position.range);
  corners = drawPath(pathNumber, current.time.range);
  buildTable();
  for (const variable of ["time", "position"]) buildMemberships(variable);
  update();
}

// --- rules -------------------------------------------------------------------------------------------------------
function buildTable() {
  const table = section.querySelector("table.rules");
  table.tHead.replaceChildren();
  table.tBodies[0].replaceChildren();
  const head = table.tHead.insertRow();
  element(head, "th", { scope: "col" }, "position \\ time");
  for (const label of current.names) element(head, "th", { scope: "col" }, words("time", label));
  [...current.names.keys()].reverse().forEach((j) => {
    const row = table.tBodies[0].insertRow();
    element(row, "th", { scope: "row" }, words("position", current.names[j]));
    current.names.forEach((_, i) => {
      const button = element(row.insertCell(), "button", { type: "button", "data-cell": `${i},${j}` });
      button.addEventListener("click", () => toggle(i, j));
    });
  });
}
// Continue, stop, no rule, and round again; the last rule stays.
function toggle(i, j) {
  const rule = current.rules[i][j];
  const last = current.rules.flat().filter((other) => other !== null).length === 1;
  current.rules[i][j] = rule === null ? 0 : rule === 0 ? 1 : last ? 0 : null;
  update();
}
function sayRules() {
  const list = section.querySelector(".rule-sentences");
  list.replaceChildren();
  current.rules.forEach((row, i) => row.forEach((rule, j) => {
    const [time, position] = [words("time", current.names[i]), words("position", current.names[j])];
    const button = section.querySelector(`[data-cell="${i},${j}"]`);
    button.className = rule === null ? "none" : rule >= 0.5 ? "stop" : "continue";
    button.setAttribute("aria-label", `time ${time}, position ${position}: ${consequent(rule)}; press to change`);
    button.replaceChildren();
    const word = rule === null ? "–" : rule === 1 ? "stop" : rule === 0 ? "continue" : String(rule);
    element(button, "b", { class: "long" }, word);
    element(button, "b", { class: "letter" }, word[0] === "s" || word[0] === "c" ? word[0].toUpperCase() : word);
    element(button, "span", { class: "share", "aria-hidden": "true" });
    if (rule !== null) {
      element(list, "li", { "data-rule": `${i},${j}` }, `If time is ${time} and position is ${position}, ${consequent(rule)}.`);
    }
  }));
}

// --- memberships and their handles -------------------------------------------------------------------------------
const BOX = { width: 360, height: 150, left: 30, right: 12, top: 26, bottom: 34 };
function scaleOf(variable) {
  const { centers, range } = fitted[variable];
  const low = Math.min(0, ...centers), high = Math.max(range, ...centers);
  const inner = BOX.width - BOX.left - BOX.right;
  return {
    low, high,
    x: (value) => BOX.left + (inner * (value - low)) / (high - low),
    value: (x) => low + ((x - BOX.left) / inner) * (high - low),
    y: (degree) => BOX.height - BOX.bottom - (BOX.height - BOX.bottom - BOX.top) * degree,
  };
}
function buildMemberships(variable) {
  const svg = section.querySelector(`svg[data-variable="${variable}"]`);
  svg.replaceChildren();
  const scale = scaleOf(variable);
  axes(svg, scale, variable);
  current.names.forEach((label, i) => {
    const [colour, dashes] = LABELS[label] ?? ["#444", ""];
    element(svg, "path", { class: "curve", "data-label": i, stroke: colour, "stroke-dasharray": dashes });
    element(svg, "text", { class: "name", "data-label": i, fill: colour }, label);
    for (const part of ["widths", "centers"]) {
      const what = part === "centers" ? "centre" : "width";
      const handle = element(svg, "g", {
        role: "slider", tabindex: 0, class: what, "data-variable": variable, "data-part": part, "data-label": i,
        "aria-label": `${what} of ${words(variable, label)} ${variable}`, "aria-orientation": "horizontal",
        "aria-valuemin": part === "centers" ? scale.low : least(variable),
        "aria-valuemax": part === "centers" ? scale.high : 2 * (scale.high - scale.low),
      });
      element(handle, "circle", { class: "target", r: 15 });
      element(handle, ...(part === "centers" ? ["circle", { class: "knob", r: 7, fill: colour }]
        : ["rect", { class: "knob", x: -6, y: -6, width: 12, height: 12, fill: "#fff", stroke: colour }]));
      makeMovable(handle, scale, variable, part, i);
    }
  });
}
const least = (variable) => 0.005 * fitted[variable].range;
function set(handle, variable, part, i, value) {
  const [low, high] = [Number(handle.getAttribute("aria-valuemin")), Number(handle.getAttribute("aria-valuemax"))];
  current[variable][part][i] = Math.max(low, Math.min(high, value));
  update();
}
function makeMovable(handle, scale, variable, part, i) {
  const svg = handle.ownerSVGElement;
  const memberships = current[variable];
  const at = (event) => scale.value(((event.clientX - svg.getBoundingClientRect().left) / svg.getBoundingClientRect().width) * BOX.width);
  let offset = 0;
  handle.addEventListener("pointerdown", (event) => {
    handle.setPointerCapture(event.pointerId);
    offset = shownAt(memberships, scale, part, i) - at(event);
    handle.focus();
    event.preventDefault();
  });
  handle.addEventListener("pointermove", (event) => {
    if (!handle.hasPointerCapture(event.pointerId)) return;
    const value = at(event) + offset;
    set(handle, variable, part, i, part === "centers" ? value : Math.abs(value - memberships.centers[i]));
  });
  handle.addEventListener("keydown", (event) => {
    const unit = 0.01 * (scale.high - scale.low);
    const moves = { ArrowRight: unit, ArrowUp: unit, ArrowLeft: -unit, ArrowDown: -unit, PageUp: 10 * unit, PageDown: -10 * unit };
    const ends = { Home: -Infinity, End: Infinity };
    if (!(event.key in moves || event.key in ends)) return;
    event.preventDefault();
    set(handle, variable, part, i, event.key in ends ? ends[event.key] : memberships[part][i] + moves[event.key]);
  });
}
// A width's handle is one width to the right of the centre, or to the left where there is more room.
function shownAt(memberships, scale, part, i) {
  if (part === "centers") return memberships.centers[i];
  const right = memberships.centers[i] + memberships.widths[i], left = memberships.centers[i] - memberships.widths[i];
  return right <= scale.high || scale.high - memberships.centers[i] >= memberships.centers[i] - scale.low ? right : left;
}
function drawMemberships(variable) {
  const svg = section.querySelector(`svg[data-variable="${variable}"]`);
  const scale = scaleOf(variable);
  const exponent = EXPONENT[current.convention];
  const memberships = current[variable];
  memberships.centers.forEach((center, i) => {
    const points = Array.from({ length: 121 }, (_, place) => {
      const value = scale.low + ((scale.high - scale.low) * place) / 120;
      return `${scale.x(value).toFixed(1)},${scale.y(Math.exp(-exponent * ((value - center) / memberships.widths[i]) ** 2)).toFixed(1)}`;
    });
    svg.querySelector(`path[data-label="${i}"]`).setAttribute("d", `M${points.join("L")}`);
    const name = svg.querySelector(`text.name[data-label="${i}"]`);
    name.setAttribute("x", scale.x(center));
    name.setAttribute("y", BOX.top - 12);
    for (const part of ["centers", "widths"]) {
      const handle = svg.querySelector(`[data-part="${part}"][data-label="${i}"]`);
      const x = Math.max(BOX.left, Math.min(BOX.width - BOX.right, scale.x(shownAt(memberships, scale, part, i))));
      handle.setAttribute("transform", `translate(${x},${scale.y(part === "centers" ? 1 : Math.exp(-exponent))})`);
      handle.setAttribute("aria-valuenow", memberships[part][i]);
      handle.setAttribute("aria-valuetext", `${rounded(variable, memberships[part][i])} ${UNIT[variable]}`);
    }
  });
}
function ticks(high) {
  const size = 10 ** Math.floor(Math.log10(high / 3));
  const step = [1, 2, 5, 10].map((factor) => factor * size).find((candidate) => high / candidate <= 6);
  return Array.from({ length: Math.floor(high / step + 1e-9) + 1 }, (_, place) => place * step);
}
function axes(svg, scale, variable) {
  const bottom = BOX.height - BOX.bottom;
  // Fitted centres may lie below 0: the axis stands at 0, not at the left end.
  element(svg, "path", { class: "axis", d: `M${scale.x(0)},${BOX.top}V${bottom}M${BOX.left},${bottom}H${BOX.width - BOX.right}` });
  for (const value of ticks(scale.high)) element(svg, "text", { class: "tick", x: scale.x(value), y: bottom + 14 }, +value.toFixed(2));
  for (const degree of [0, 1]) element(svg, "text", { class: "tick side", x: BOX.left - 5, y: scale.y(degree) + 4 }, degree);
  element(svg, "text", { class: "title", x: (BOX.left + BOX.width) / 2, y: BOX.height - 3 },
    variable === "time" ? "Elapsed time (s)" : "Distance from the centre (px)");
}

// --- surface, boundary and canoe ---------------------------------------------------------------------------------
const FRAME = { width: 480, height: 320, left: 46, right: 10, top: 10, bottom: 40 };
const across = (time) => FRAME.left + ((FRAME.width - FRAME.left - FRAME.right) * time) / current.time.range;
const up = (position) => FRAME.height - FRAME.bottom - ((FRAME.height - FRAME.bottom - FRAME.top) * position) / current.position.range;
function colourOf(value) {
  const place = Math.max(0, Math.min(1, value)) * (CIVIDIS.length - 1);
  const low = Math.min(Math.floor(place), CIVIDIS.length - 2);
  return [0, 1, 2].map((part) => CIVIDIS[low][part] + (CIVIDIS[low + 1][part] - CIVIDIS[low][part]) * (place - low));
}
function paint() {
  const context = canvas.getContext("2d");
  const image = context.createImageData(GRID, GRID);
  surface.forEach((column, i) => column.forEach((value, j) => {
    image.data.set([...colourOf(value), 255], 4 * ((GRID - 1 - j) * GRID + i));
  }));
  context.putImageData(image, 0, 0);
  walk.querySelector("canvas").getContext("2d").putImageData(image, 0, 0);
}
function lineOf(xs, ys) {
  let pen = "M";
  return xs.map((x, i) => {
    if (ys[i] === null) { pen = "M"; return ""; }
    const part = `${pen}${across(x).toFixed(1)},${up(ys[i]).toFixed(1)}`;
    pen = "L";
    return part;
  }).join("");
}
function drawSurface() {
  paint();
  overlay.replaceChildren();
  const bottom = FRAME.height - FRAME.bottom;
  for (const value of ticks(current.time.range)) element(overlay, "text", { class: "tick", x: across(value), y: bottom + 15 }, +value.toFixed(2));
  for (const value of ticks(current.position.range)) element(overlay, "text", { class: "tick side", x: FRAME.left - 6, y: up(value) + 4 }, value);
  element(overlay, "text", { class: "title", x: (FRAME.left + FRAME.width) / 2, y: FRAME.height - 6 }, "Elapsed time (s)");
  element(overlay, "text", { class: "title", transform: `translate(12,${(FRAME.top + bottom) / 2}) rotate(-90)` }, "Distance from the centre (px)");
  const line = lineOf(times, boundary);
  element(overlay, "path", { class: "boundary under", d: line });
  element(overlay, "path", { class: "boundary", d: line });
  // A path beyond the positions of the plot is cut off at its frame.
  const clip = element(overlay, "clipPath", { id: "explorer-plot" });
  element(clip, "rect", { x: FRAME.left, y: FRAME.top, width: FRAME.width - FRAME.left - FRAME.right, height: bottom - FRAME.top });
  const seen = [...times.filter((time) => time < end), end];
  const path = lineOf(seen, seen.map((time) => Math.abs(positionAt(corners, time))));
  element(overlay, "path", { class: "path", d: path, "clip-path": "url(#explorer-plot)" });
  element(overlay, "circle", { class: "canoe", r: 6 });
}
function drawCanoe() {
  const position = positionAt(corners, now);
  const dot = overlay.querySelector(".canoe");
  dot.setAttribute("cx", across(now));
  dot.setAttribute("cy", up(Math.abs(position)));
  dot.style.display = Math.abs(position) > current.position.range ? "none" : "";
  river.querySelector(".boat").setAttribute("transform", `translate(${220 + position / 2.1},26)`);
  walk.querySelector(".surface svg").innerHTML = overlay.innerHTML.replaceAll("explorer-plot", "walk-plot");
  walk.querySelector(".river svg").innerHTML = river.innerHTML;
  const timeLogs = logDegrees(current, "time", now), positionLogs = logDegrees(current, "position", Math.abs(position));
  const share = shares(current, timeLogs, positionLogs);
  const strongest = Math.max(...share.flat());
  share.forEach((row, i) => row.forEach((active, j) => {
    const button = section.querySelector(`[data-cell="${i},${j}"]`);
    button.style.setProperty("--lit", active);
    button.classList.toggle("strongest", active === strongest);
    button.querySelector(".share").textContent = current.rules[i][j] === null ? "" : `active ${Math.round(100 * active)} %`;
    section.querySelector(`[data-rule="${i},${j}"]`)?.classList.toggle("strongest", active === strongest);
  }));
  slider.value = now;
  slider.setAttribute("aria-valuetext", `${now.toFixed(2)} s`);
  const level = outputOf(current.rules, timeLogs, positionLogs);
  section.querySelector(".now").value =
    `${now.toFixed(2)} s, ${Math.abs(position).toFixed(0)} px ${position < 0 ? "left" : "right"} of the centre: O = ${level.toFixed(2)}`;
}
// A canoe that reaches the boundary is not watched any longer: its path ends there.
function findCrossing() {
  const at = Array.from({ length: 601 }, (_, place) => (current.time.range * place) / 600);
  const crossing = at.find((time) => output(current, time, positionAt(corners, time)) >= THRESHOLD);
  end = crossing ?? current.time.range;
  slider.max = end;
  section.querySelector(".crossing").textContent = crossing === undefined
    ? "This path does not reach the implied boundary."
    : `This path reaches the implied boundary at ${crossing.toFixed(2)} s, and the subject responds.`;
}

// --- running -----------------------------------------------------------------------------------------------------
function pause() {
  cancelAnimationFrame(timer);
  timer = null;
  playButton.textContent = walkButton.textContent = "Run the canoe";
}
function play() {
  if (now >= end) now = 0;
  playButton.textContent = walkButton.textContent = "Pause";
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  let last = null;
  const tick = (at) => {
    last ??= at;
    // Twice as fast as the task; where motion is unwelcome in jumps of a step.
    if (!still || at - last >= 500) {
      now = Math.min(now + (still ? STEP : (2 * (at - last)) / 1000), end);
      last = at;
      drawCanoe();
    }
    if (now < end) timer = requestAnimationFrame(tick);
    else pause();
  };
  timer = requestAnimationFrame(tick);
}

function update() {
  surface = surfaceOf(current, times, positions);
  boundary = boundaryOf(current, times, positions, surface);
  findCrossing();
  now = Math.min(now, end);
  sayRules();
  for (const variable of ["time", "position"]) drawMemberships(variable);
  drawSurface();
  drawCanoe();
  section.querySelector("[name=reset]").disabled = JSON.stringify(current) === JSON.stringify(fitted);
}

form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("change", choose);
section.querySelector("[name=reset]").addEventListener("click", reset);
for (const button of [playButton, walkButton]) button.addEventListener("click", () => (timer === null ? play() : pause()));
walk.hidden = false;
section.querySelector("[name=another]").addEventListener("click", () => {
  pathNumber += 1;
  now = 0;
  corners = drawPath(pathNumber, current.time.range);
  update();
});
slider.addEventListener("input", () => {
  pause();
  now = Number(slider.value);
  drawCanoe();
});
fill(form.elements.subject, [...new Set(data.fits.map((fit) => fit.subject))].map((name) => [name, name]), data.fits[0].subject);
choose();

// For tests, and for the curious: what is shown, as numbers.
globalThis.explorer = { get state() { return { fit: current, times, positions, surface, boundary, now, path: corners }; } };
