// The canoe's walk: random numbers by name, the directions of a trial, and the analytic position.

const TWO_32 = 4294967296;

// Mix the bits of a 32-bit word (the finaliser of MurmurHash3).
function mixed(word) {
  word = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
  return (word ^ (word >>> 16)) >>> 0;
}

// Uniform numbers in [0, 1) that depend on the session's seed (32 hexadecimal digits), the
// stream ("trial" or "practice") and the number of the trial alone: sfc32 after twelve rounds.
export function uniforms(seed, stream, number) {
  const words = [0, 8, 16, 24].map((at) => parseInt(seed.slice(at, at + 8), 16));
  let a = mixed(words[0] ^ number);
  let b = mixed(words[1] ^ (stream === "practice" ? 0x9e3779b9 : 0));
  let c = words[2];
  let d = words[3];
  const next = () => {
    const sum = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum | 0;
    return (sum >>> 0) / TWO_32;
  };
  for (let round = 0; round < 12; round += 1) next();
  return next;
}

// Everything about a trial that chance decides, drawn before it begins.  `start` is where the canoe
// rests (px); `signal` is when responses begin to count (s from the first movement), null where they
// do from the start.
export function drawTrial(design, seed, stream, number, condition = null) {
  const uniform = uniforms(seed, stream, number);
  const hard = uniform() < design.hard_share;
  const side = uniform();
  const name = condition ?? (hard ? "hard" : "easy");
  const steps = Math.ceil(design.deadline_s / design.canoe.step_s);
  const p0 = design.conditions[name].p0;
  const chances = Array.from({ length: steps }, () => uniform());
  const places = drawStart(design, uniform());
  // As if the canoe had come from the centre: position is evidence wherever it starts.
  const left = 1 / (1 + (p0 / (1 - p0)) ** places);
  const heading = side < left ? -1 : 1;
  const directions = chances.map((chance) => (chance < p0 ? heading : -heading));
  const gated = design.gate && uniform() >= design.gate.ungated;
  const signal = gated ? drawSignal(design.gate, uniform()) : null;
  return { condition: name, heading, directions, start: places * stepLength(design), signal };
}

function stepLength({ canoe }) {
  return canoe.speed * canoe.step_s;
}

// How many whole steps right of the centre a trial starts, each place as often.
function drawStart(design, uniform) {
  const furthest = Math.floor(design.canoe.start_px / stepLength(design) + 1e-9);
  return Math.floor(uniform * (2 * furthest + 1)) - furthest;
}

// By inversion; an exponential distribution is cut at the latest time.
function drawSignal({ distribution, earliest_s: earliest, mean_s: mean, latest_s: latest }, uniform) {
  const range = latest - earliest;
  if (distribution === "uniform") return earliest + uniform * range;
  const scale = mean - earliest;
  return earliest - scale * Math.log1p(uniform * Math.expm1(-range / scale));
}

// Position in world px, right positive, at a time in s from the first movement.  The free walk is
// clipped at the edges: a canoe beyond an edge waits there until its walk comes back.
export function positionAt(design, { directions, start }, time) {
  const { speed, step_s: step, world } = design.canoe;
  const at = Math.min(Math.floor(time / step + 1e-9), directions.length - 1);
  let walked = 0;
  for (let index = 0; index < at; index += 1) walked += directions[index];
  const free = start + walked * speed * step + directions[at] * speed * (time - at * step);
  return Math.max(-world / 2, Math.min(world / 2, free));
}
