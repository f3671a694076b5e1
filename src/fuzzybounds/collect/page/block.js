// One block of trials as a pure state machine.  Times are s on the clock of the page.
//
// A trial is cue, ready (the canoe at rest), decision, feedback, penalty (after some errors) and
// interval.  Phases end on a schedule, start + nominal durations, so that a block lasts the sum of
// its trials' totals to within a frame; only the decision begins with a frame, the first that
// shows the canoe moving, and its time counts from that frame.  With a gate, responses count from
// the frame that shows the signal, the first at or after its time; keys before it are answered.

import { drawTrial, positionAt } from "canoe/walk.js";

// A page that shows nothing for longer than this was hidden or asleep: what was missed of a phase
// is shown after it, so the schedule shifts.  The canoe itself never waits.
const LATE_S = 0.25;
// How long the answer to a key before the signal is shown.
const EARLY_S = 1.2;

export function startBlock(design, run, time) {
  const block = { design, run, elapsed: 0, done: 0, coins: run.coins, over: false, lastFrame: null };
  return nextTrial(block, time);
}

// `run` says what the block belongs to: seed, number of the block, number of its first trial,
// coins so far, and for practice the conditions to show.
function nextTrial(block, begun) {
  const { design, run } = block;
  const number = run.firstTrial + block.done;
  const stream = run.practice ? "practice" : "trial";
  const condition = run.practice ? run.practice[block.done] : null;
  const drawn = drawTrial(design, run.seed, stream, number, condition);
  const trial = { ...drawn, number, begun, phase: "cue", shown: null, path: null };
  return { ...block, trial: { ...trial, signalled: null, early: 0, answered: null } };
}

function decisionStart(block) {
  return block.trial.begun + block.design.phases.cue + block.design.phases.ready;
}

// When the present phase ends by the schedule; the decision ends by a key or at the deadline.
function phaseEnd(block) {
  const { trial, design } = block;
  const responded = decisionStart(block) + (trial.watched ?? 0);
  switch (trial.phase) {
    case "cue":
      return trial.begun + design.phases.cue;
    case "ready":
      return decisionStart(block);
    case "decision":
      return trial.onset + design.deadline_s;
    case "feedback":
      return responded + design.phases.feedback;
    case "penalty":
      return responded + design.phases.feedback + trial.penalty;
    default:
      return trial.begun + trial.total;
  }
}

// Apply an event to a block: {type: "frame" | "key", time, side}.  Returns the block and what is
// to be noted: trials and log entries, in order.
export function stepBlock(block, event) {
  if (block.over) return { block, notes: [] };
  if (event.type === "key") return pressKey(block, event);
  return showFrame(block, event.time);
}

function note(block, name, time, value = "") {
  const trial = block.trial?.number ?? "";
  return { kind: "event", name, time, value, block: block.run.block, trial };
}

function showFrame(block, time) {
  const notes = [];
  const missed = block.lastFrame === null ? 0 : time - block.lastFrame;
  let now = { ...block, lastFrame: time };
  if (missed > LATE_S && block.trial.phase !== "decision") now = shifted(now, missed, time, notes);
  while (!now.over && time >= phaseEnd(now)) {
    const { trial } = now;
    if (trial.phase === "cue") {
      now = inPhase(now, "ready");
    } else if (trial.phase === "ready") {
      const onset = { ...trial, phase: "decision", onset: time, path: link(null, 0, trial.start), gap: 0 };
      now = { ...now, trial: { ...onset, shown: time } };
      notes.push(note(now, "onset", time, drawnText(now.design, trial)));
      return { block: signalled(now, time, notes), notes };
    } else if (trial.phase === "decision") {
      const ended = conclude(now, now.design.deadline_s, null, time);
      now = ended.block;
      notes.push(...ended.notes);
      const late = time - (trial.onset + now.design.deadline_s);
      if (late > LATE_S) now = shifted(now, late, time, notes);
    } else if (trial.phase === "feedback") {
      now = inPhase(now, trial.penalty > 0 ? "penalty" : "interval");
    } else if (trial.phase === "penalty") {
      now = inPhase(now, "interval");
    } else {
      notes.push(note(now, "trial_end", time));
      now = endTrial(now);
    }
  }
  if (!now.over && now.trial.phase === "decision") now = signalled(watch(now, time), time, notes);
  if (!now.over && now.trial.shown === null) {
    notes.push(note(now, now.trial.phase, time));
    now = { ...now, trial: { ...now.trial, shown: time } };
  }
  return { block: now, notes };
}

function inPhase(block, phase) {
  return { ...block, trial: { ...block.trial, phase, shown: null } };
}

// Another frame of the moving canoe.
function watch(block, time) {
  const { trial } = block;
  const watched = time - trial.onset;
  if (watched <= trial.path.time) return block;
  const position = positionAt(block.design, trial, watched);
  const gap = Math.max(trial.gap, watched - trial.path.time);
  return { ...block, trial: { ...trial, gap, path: link(trial.path, watched, position) } };
}

// The frame that shows the signal, from which on responses count.
function signalled(block, time, notes) {
  const { trial, design } = block;
  const watched = time - trial.onset;
  if (!design.gate || trial.signalled !== null || watched < (trial.signal ?? 0)) return block;
  notes.push(note(block, "signal", time));
  if (design.gate.sound) notes.push({ kind: "sound", block: block.run.block, trial: trial.number });
  return { ...block, trial: { ...trial, signalled: watched } };
}

// Paths are linked lists: a longer one shares all of the shorter.
function link(before, time, position) {
  return { before, time, position };
}

function pressKey(block, event) {
  const { trial } = block;
  if (trial.phase !== "decision") {
    const early = trial.phase === "cue" || trial.phase === "ready";
    return { block, notes: [note(block, early ? "early_key" : "late_key", event.time, event.side)] };
  }
  const watched = event.time - trial.onset;
  if (rounded(watched, 5) <= 0) return { block, notes: [note(block, "early_key", event.time, event.side)] };
  if (watched >= block.design.deadline_s) {
    return { block, notes: [note(block, "late_key", event.time, event.side)] };
  }
  if (block.design.gate && (trial.signalled === null || watched < trial.signalled)) {
    const early = { ...trial, early: trial.early + 1, answered: event.time };
    return { block: { ...block, trial: early }, notes: [note(block, "early_press", event.time, event.side)] };
  }
  return conclude(block, watched, event.side, event.time);
}

// A response, or the deadline: the trial's record is complete.
function conclude(block, watched, side, time) {
  const { trial, design, run } = block;
  const condition = design.conditions[trial.condition];
  // Digits beyond these are below the resolution of any clock here.
  const rt = rounded(watched, 5);
  const position = rounded(positionAt(design, trial, rt), 3);
  const correct = side !== null && side === (trial.heading > 0 ? "right" : "left");
  const penalty = correct ? 0 : condition.penalty_s;
  const reward = correct ? condition.payoff : -condition.payoff;
  const total = rounded(rt + overhead(design) + penalty, 5);
  const frames = pathRows(trial.path, rt);
  const gap = Math.max(trial.gap, rt - frames.at(-1)[0]);
  const path = [...frames, [rt, position]];
  const record = {
    session: run.session,
    block: run.block,
    trial: trial.number,
    rt: side === null ? 0 : rt,
    total,
    reward,
    condition: trial.condition,
    correct: correct ? 1 : 0,
    position,
    ...(design.canoe.start_px > 0 ? { start: trial.start } : {}),
    ...(design.gate ? { signal: signalTime(trial), early: trial.early } : {}),
    path: { time: path.map((row) => row[0]), position: path.map((row) => row[1]) },
  };
  const coins = block.coins + (run.practice ? 0 : reward);
  const outcome = { side, correct, reward, penalty, total, watched: rt, position };
  const next = {
    ...block,
    coins,
    trial: { ...trial, ...outcome, phase: "feedback", shown: null, path: null, rt: record.rt },
  };
  const notes = [note(block, side === null ? "deadline" : "response", time, side ?? "")];
  notes.push(note(block, "frames", time, `${frames.length} longest_ms=${(1000 * gap).toFixed(1)}`));
  if (1000 * gap > design.display.gap_ms) notes.push(note(block, "gap", time, rounded(1000 * gap, 1)));
  if (!run.practice) notes.push({ kind: "trial", record });
  else notes.push(note(block, "practice", time, `${record.rt} ${reward > 0 ? "correct" : "incorrect"}`));
  return { block: next, notes };
}

// What the log has of the signal: when it was shown; nothing on trials without a gate.  A page that
// showed nothing until the deadline never showed it: it was due before.
function signalTime(trial) {
  return trial.signal === null ? "" : rounded(trial.signalled ?? trial.signal, 5);
}

function endTrial(block) {
  const { trial, design, run } = block;
  const elapsed = block.elapsed + trial.total;
  const done = block.done + 1;
  const over = run.practice ? done >= run.practice.length : elapsed >= design.block_s;
  const ended = { ...block, elapsed, done, over };
  return over ? ended : nextTrial(ended, trial.begun + trial.total);
}

function shifted(block, seconds, time, notes) {
  notes.push(note(block, "schedule_shift", time, rounded(seconds, 3)));
  return { ...block, trial: { ...block.trial, begun: block.trial.begun + seconds } };
}

export function overhead(design) {
  const { cue, ready, feedback, interval } = design.phases;
  return cue + ready + feedback + interval;
}

// Frames of a path before the response, first to last.  A key can be older than a frame that was
// drawn before its event arrived.
function pathRows(path, before) {
  const rows = [];
  for (let at = path; at; at = at.before) {
    const time = rounded(at.time, 5);
    if (time < before || !at.before) rows.push([time, rounded(at.position, 3)]);
  }
  return rows.reverse();
}

function drawnText(design, trial) {
  const letters = trial.directions.map((direction) => (direction > 0 ? "R" : "L")).join("");
  const start = design.canoe.start_px > 0 ? ` start=${trial.start}` : "";
  const signal = design.gate ? ` signal=${trial.signal === null ? "none" : rounded(trial.signal, 5)}` : "";
  return `${trial.condition} ${trial.heading > 0 ? "R" : "L"} ${letters}${start}${signal}`;
}

export function rounded(value, digits) {
  return Number(value.toFixed(digits));
}

// What a block looks like now: all that the drawing needs, and nothing that the participant may
// not know.
export function pictureOf(block) {
  const { trial, design, run } = block;
  const cued = design.experiment === "A";
  const base = { practice: Boolean(run.practice), block: run.block, coins: block.coins };
  const condition = cued ? trial.condition : null;
  const payoff = cued ? design.conditions[trial.condition].payoff : null;
  if (trial.phase === "cue") return { ...base, kind: "cue", condition, payoff };
  if (trial.phase === "ready") return { ...base, kind: "canoe", position: trial.start, condition };
  if (trial.phase === "decision") {
    const signal = design.gate ? signalOf(trial, block.lastFrame) : null;
    return { ...base, kind: "canoe", position: trial.path.position, condition, signal };
  }
  if (trial.phase === "feedback" || trial.phase === "penalty") {
    const { side, correct, reward, position } = trial;
    return { ...base, kind: trial.phase, side, correct, reward, position, condition };
  }
  return { ...base, kind: "interval" };
}

function signalOf(trial, time) {
  if (trial.signalled !== null) return "go";
  return trial.answered !== null && time < trial.answered + EARLY_S ? "early" : "wait";
}
