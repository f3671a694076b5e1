// From a picture of the machine to pixels.  Drawing depends on the picture alone.

import { CANOE, paintCanoe, paintRiver } from "canoe/scenery.js";

const INK = "#22363d";
const QUIET = "#5b7078";
const GOOD = "#2f7d57";
const BAD = "#b4452f";
const CARD = "rgba(255, 255, 255, 0.94)";
const EASY = "#2b7a86";
const HARD = "#8a5a2b";
const FONT = '"Inter", "Segoe UI", system-ui, "Helvetica Neue", Arial, sans-serif';

// Where the world lies on the screen: 840 px of the canoe's world, and the canoe itself at both
// ends, fill the width if the height allows.
export function viewOf(width, height, world) {
  const scale = Math.min((0.97 * width) / (world + CANOE.length), height / 520);
  const top = 0.40 * height;
  const bottom = 0.84 * height;
  const centre = width / 2;
  // Words keep their size, but on pictures of the task.
  const type = Math.min(1, height / 560);
  const water = 0.62 * height;
  return { width, height, scale, top, bottom, centre, water, type, reach: (world / 2) * scale };
}

// Paint what does not move, once for a size and a pixel ratio.
export function prepare(makeCanvas, view, ratio) {
  const layer = (width, height, paint) => {
    const canvas = makeCanvas(Math.ceil(width * ratio), Math.ceil(height * ratio));
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    paint(context);
    return canvas;
  };
  const { width, height, scale } = view;
  return {
    river: layer(width, height, (context) => paintRiver(context, view)),
    canoe: layer(CANOE.length * scale, 3 * CANOE.height * scale, (c) => paintCanoe(c, scale)),
  };
}

export function draw(context, view, layers, picture, text) {
  context.drawImage(layers.river, 0, 0, view.width, view.height);
  if (picture.kind !== "cue" && picture.kind !== "interval") {
    drawCanoe(context, view, layers, picture.position);
  }
  if (picture.practice) drawTag(context, view, text("block.practice"));
  if (picture.kind === "cue") drawCue(context, view, picture, text);
  if (picture.kind === "feedback") drawFeedback(context, view, picture, text);
  if (picture.kind === "penalty") drawPenalty(context, view, text);
  if (picture.signal) drawSignal(context, view, picture.signal, text);
}

function drawCanoe(context, view, layers, position) {
  const width = CANOE.length * view.scale;
  const height = 3 * CANOE.height * view.scale;
  const x = view.centre + position * view.scale - width / 2;
  context.drawImage(layers.canoe, x, view.water - height / 2, width, height);
}

function drawTag(context, view, words) {
  write(context, view, words, view.centre, 0.06 * view.height, 15, QUIET, 600);
}

function write(context, view, words, x, y, size, colour, weight = 400) {
  context.font = `${weight} ${size * view.type}px ${FONT}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = colour;
  context.fillText(words, x, y);
}

function card(context, view, wide, high, colour, fill = CARD) {
  const [width, height] = [wide * view.type, high * view.type];
  const x = view.centre - width / 2;
  const y = 0.22 * view.height - height / 2;
  context.save();
  context.shadowColor = "rgba(34, 54, 61, 0.18)";
  context.shadowBlur = 22;
  context.shadowOffsetY = 6;
  context.fillStyle = fill;
  context.beginPath();
  context.roundRect(x, y, width, height, 14);
  context.fill();
  context.restore();
  if (colour) {
    context.fillStyle = colour;
    context.beginPath();
    context.roundRect(x, y, 8, height, [14, 0, 0, 14]);
    context.fill();
  }
  return y + height / 2;
}

// Coins in a row of discs: many are at stake on easy trials, one on hard ones.
function coins(context, x, y, radius, count) {
  for (let place = 0; place < count; place += 1) {
    const at = x + (place - (count - 1) / 2) * radius * 1.15;
    context.beginPath();
    context.arc(at, y, radius, 0, 2 * Math.PI);
    context.fillStyle = "#e7b84b";
    context.fill();
    context.lineWidth = 1.5;
    context.strokeStyle = "#b98a22";
    context.stroke();
  }
}

function drawCue(context, view, picture, text) {
  if (picture.condition === null) {
    const middle = card(context, view, 190, 84, null);
    write(context, view, text("cue.none"), view.centre, middle, 22, QUIET, 500);
    return;
  }
  const easy = picture.condition === "easy";
  const colour = easy ? EASY : HARD;
  const middle = card(context, view, 330, 132, colour);
  write(context, view, text(`cue.${picture.condition}`), view.centre, middle - 28 * view.type, 32, colour, 650);
  const stake = text("cue.stake", { coins: picture.payoff });
  write(context, view, stake, view.centre + 26 * view.type, middle + 26 * view.type, 20, INK, 500);
  coins(context, view.centre - 46 * view.type, middle + 26 * view.type, 9 * view.type, easy ? 5 : 1);
}

function drawFeedback(context, view, picture, text) {
  const colour = picture.correct ? GOOD : BAD;
  const middle = card(context, view, 330, 132, colour);
  const sign = picture.reward > 0 ? "+" : "−";
  write(context, view, `${sign}${Math.abs(picture.reward)}`, view.centre, middle - 20 * view.type, 46, colour, 680);
  const outcome = picture.side === null ? "missed" : picture.correct ? "correct" : "incorrect";
  write(context, view, text(`feedback.${outcome}`), view.centre, middle + 34 * view.type, 18, QUIET, 500);
}

function drawPenalty(context, view, text) {
  const middle = card(context, view, 330, 100, null);
  write(context, view, text("feedback.wait"), view.centre, middle, 22, QUIET, 500);
}

// Whether a response counts already: by a word, by the shape beside it, and by light and dark.
function drawSignal(context, view, signal, text) {
  const go = signal === "go";
  const middle = card(context, view, signal === "early" ? 520 : 330, 84, null, go ? INK : CARD);
  write(context, view, text(`signal.${signal}`), view.centre, middle, 24, go ? CARD : INK, go ? 650 : 500);
  if (go) for (const side of [-1, 1]) arrow(context, view.centre + side * 128 * view.type, middle, side * 22 * view.type);
}

// A triangle that points to the side where `size` leads.
function arrow(context, x, y, size) {
  context.beginPath();
  context.moveTo(x + 0.7 * size, y);
  context.lineTo(x - 0.3 * size, y - 0.6 * size);
  context.lineTo(x - 0.3 * size, y + 0.6 * size);
  context.closePath();
  context.fill();
}
