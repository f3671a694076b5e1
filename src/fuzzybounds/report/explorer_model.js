// The fuzzy model as fuzzybounds.paper.fuzzy.controller computes it.  A fit has memberships of time (s) and
// position (px), and rules[i][j], the consequent for time label i and position label j: 1 stop,
// 0 continue, null where there is no rule.
const EXPONENT = { width: 1, deviation: 0.5 };
const THRESHOLD = 0.5;

function logDegrees(fit, variable, value) {
  const { centers, widths } = fit[variable];
  return centers.map((center, i) => -EXPONENT[fit.convention] * ((value - center) / widths[i]) ** 2);
}

// Certainty of every premise that has a rule, as a share of their sum: by logs, so that nothing underflows.
function shares(fit, timeLogs, positionLogs) {
  let largest = -Infinity;
  fit.rules.forEach((row, i) => row.forEach((rule, j) => {
    if (rule !== null) largest = Math.max(largest, timeLogs[i] + positionLogs[j]);
  }));
  const weights = fit.rules.map((row, i) => row.map((rule, j) =>
    rule === null ? 0 : Math.exp(timeLogs[i] + positionLogs[j] - largest)));
  const total = weights.flat().reduce((sum, weight) => sum + weight, 0);
  return weights.map((row) => row.map((weight) => weight / total));
}

// The output O of Eq. fuzzy_O; the hot loop of the page, so it allocates nothing.
function outputOf(rules, timeLogs, positionLogs) {
  let largest = -Infinity;
  for (let i = 0; i < rules.length; i++) {
    for (let j = 0; j < rules[i].length; j++) {
      if (rules[i][j] !== null) largest = Math.max(largest, timeLogs[i] + positionLogs[j]);
    }
  }
  let total = 0, stop = 0;
  for (let i = 0; i < rules.length; i++) {
    for (let j = 0; j < rules[i].length; j++) {
      if (rules[i][j] === null) continue;
      const weight = Math.exp(timeLogs[i] + positionLogs[j] - largest);
      total += weight;
      stop += weight * rules[i][j];
    }
  }
  return stop / total;
}

function output(fit, time, position) {
  return outputOf(fit.rules, logDegrees(fit, "time", time), logDegrees(fit, "position", Math.abs(position)));
}

function surfaceOf(fit, times, positions) {
  const timeLogs = times.map((time) => logDegrees(fit, "time", time));
  const positionLogs = positions.map((position) => logDegrees(fit, "position", position));
  return timeLogs.map((time) => positionLogs.map((position) => outputOf(fit.rules, time, position)));
}

// The smallest position at which O reaches the threshold, for every time; null where it never does.
function boundaryOf(fit, times, positions, surface) {
  return times.map((time, number) => {
    const first = surface[number].findIndex((value) => value >= THRESHOLD);
    if (first <= 0) return first === 0 ? 0 : null;
    const timeDegrees = logDegrees(fit, "time", time);
    let low = positions[first - 1], high = positions[first];
    for (let halving = 0; halving < 40; halving++) {
      const middle = (low + high) / 2;
      if (outputOf(fit.rules, timeDegrees, logDegrees(fit, "position", middle)) >= THRESHOLD) high = middle;
      else low = middle;
    }
    return high;
  });
}

// The canoe moves at 90 px/s and draws its direction every half second: to the right with
// probability 0.65, an easy trial.  Random numbers by a small generator, the same on every visit.
const SPEED = 90, STEP = 0.5, EDGE = 420, EASY = 0.65;

function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function drawPath(seed, longest) {
  const random = randomNumbers(seed);
  const corners = [0];
  while ((corners.length - 1) * STEP < longest) {
    corners.push(corners.at(-1) + (random() < EASY ? 1 : -1) * SPEED * STEP);
  }
  return corners;
}

function positionAt(corners, time) {
  const step = Math.min(Math.floor(time / STEP), corners.length - 2);
  const walked = corners[step] + (corners[step + 1] - corners[step]) * (time / STEP - step);
  return Math.max(-EDGE, Math.min(EDGE, walked));
}
