// The whole task as a pure state machine: step(state, event) returns the next state and effects.
// Nothing here reads a clock, draws a random number, or touches the page.
//
// Events carry the time (s) at which they happened:
//   frame                                  a frame is about to be drawn
//   key      {key, side}                   a key went down; side is "left" or "right" for those keys
//   submit   {values}                      a form was sent
//   opened                                 the storage is ready
//   started  {answer}, refused {reason}    what the storage says of a participant code
//   saved    {pending, problem}            trials that are not acknowledged yet
//   device   {name, value}                 blur, visibility, full screen: for the event log
// Effects are kinds of work for the page: start, answers, checked, event, trial, block_end, finish, full_screen.

import { pictureOf, startBlock, stepBlock } from "canoe/block.js";
import { addTrial, noTrials } from "canoe/summary.js";

const RATE_FRAMES = 90;

export function initialState(study, device) {
  return {
    study,
    device,
    screen: device.refusal ? "refused" : "opening",
    refusal: device.refusal ?? null,
    page: 0,
    answers: {},
    code: "",
    problem: null,
    run: null,
    block: null,
    tally: noTrials(),
    pending: 0,
    saveProblem: null,
    check: null,
  };
}

export function step(state, event) {
  const effects = [];
  const put = (effect) => effects.push(effect);
  const next = reduce(state, event, put);
  return { state: next, effects };
}

function reduce(state, event, put) {
  if (event.type === "saved") {
    return { ...state, pending: event.pending, saveProblem: event.problem ?? null };
  }
  if (event.type === "superseded") return { ...state, screen: "superseded", block: null };
  if (event.type === "device") {
    if (state.run) put(logged(state, event.name, event.time, event.value));
    return { ...state, device: { ...state.device, ...event.device } };
  }
  const handler = SCREENS[state.screen];
  return handler ? handler(state, event, put) : state;
}

function logged(state, name, time, value = "") {
  const number = state.block && !state.block.over ? state.block.run.block : "";
  const trial = state.block && !state.block.over ? state.block.trial.number : "";
  return { kind: "event", name, time, value, block: number, trial };
}

function isGo(event) {
  return event.type === "go" || (event.type === "key" && (event.key === " " || event.key === "Enter"));
}

const SCREENS = {
  // What an earlier page left behind is being sent.
  opening: (state, event) => (event.type === "opened" ? { ...state, screen: "consent" } : state),

  consent(state, event) {
    if (event.type !== "submit") return state;
    if (!event.values.agree) return { ...state, problem: "consent_needed" };
    return { ...state, screen: "code", problem: null, agreed: event.utc };
  },

  code(state, event, put) {
    if (event.type !== "submit") return state;
    const code = event.values.code.trim();
    if (!new RegExp(state.study.code_pattern).test(code)) return { ...state, code, problem: "code_form" };
    put({ kind: "start", code, takeover: false, agreed: state.agreed });
    return { ...state, code, problem: null, screen: "starting" };
  },

  starting(state, event, put) {
    if (event.type === "refused") {
      const busy = event.reason === "busy";
      return { ...state, screen: busy ? "busy" : "code", problem: busy ? null : event.reason };
    }
    if (event.type !== "started") return state;
    const run = event.answer;
    const begun = { ...state, run, tally: run.tally };
    if (run.block > run.last_block) {
      // Interrupted in the last block: nothing is left to play.
      put({ kind: "finish" });
      return { ...begun, screen: "debriefing" };
    }
    if (run.block > run.first_block) return { ...begun, screen: "check", check: newCheck(), resumed: true };
    return { ...begun, screen: state.study.questions.length ? "questions" : "instructions", page: 0 };
  },

  busy(state, event, put) {
    if (event.type === "key" && event.key === "Escape") return { ...state, screen: "code" };
    if (!isGo(event)) return state;
    put({ kind: "start", code: state.code, takeover: true, agreed: state.agreed });
    return { ...state, screen: "starting" };
  },

  questions(state, event, put) {
    if (event.type !== "submit") return state;
    put({ kind: "answers", answers: event.values });
    return { ...state, screen: "instructions", page: 0 };
  },

  instructions(state, event) {
    const last = state.study.instruction_pages - 1;
    const back = event.type === "key" && event.key === "ArrowLeft";
    if (back) return { ...state, page: Math.max(0, state.page - 1) };
    const on = isGo(event) || (event.type === "key" && event.key === "ArrowRight");
    if (!on) return state;
    if (state.page < last) return { ...state, page: state.page + 1 };
    return beginPractice(state, event.time);
  },

  practice(state, event, put) {
    const next = inBlock(state, event, put);
    return next.block.over ? { ...next, screen: "practised", block: null } : next;
  },

  practised(state, event) {
    if (event.type === "key" && event.key.toLowerCase() === "r") return beginPractice(state, event.time);
    return isGo(event) ? { ...state, screen: "check", check: newCheck() } : state;
  },

  check(state, event, put) {
    if (event.type === "frame") return { ...state, check: measured(state.check, event.time) };
    if (event.type === "key" && event.key.toLowerCase() === "f") put({ kind: "full_screen" });
    if (event.type === "key" && event.key.toLowerCase() === "r") return { ...state, check: newCheck() };
    if (!isGo(event) || state.check.rate === null) return state;
    put({ kind: "checked", rate: state.check.rate });
    return { ...state, screen: "before" };
  },

  // Before a block: the first, the next, or the one with which an interrupted session goes on.
  before(state, event, put) {
    return isGo(event) ? beginBlock(state, event.time, put) : state;
  },

  block(state, event, put) {
    const next = inBlock(state, event, put);
    if (!next.block.over) return next;
    put({ ...logged(next, "block_end", event.time, next.block.coins), block: next.run.block });
    put({ kind: "block_end" });
    const run = { ...next.run, block: next.run.block + 1, trial: next.run.trial + next.block.done };
    const earned = next.block.coins - state.tally.coinsBefore;
    const done = { ...next, run, block: null, resumed: false, earned };
    if (run.block <= run.last_block) return { ...done, screen: "break" };
    put({ kind: "finish" });
    return { ...done, screen: "debriefing" };
  },

  break(state, event, put) {
    if (event.type === "key" && event.key.toLowerCase() === "f") put({ kind: "full_screen" });
    return isGo(event) ? beginBlock(state, event.time, put) : state;
  },
};

function beginPractice(state, time) {
  const { design } = state.study;
  if (design.practice.length === 0) return { ...state, screen: "check", check: newCheck() };
  const run = { seed: state.run.seed, block: 0, firstTrial: 1, coins: 0, practice: design.practice };
  return { ...state, screen: "practice", block: startBlock(design, run, time) };
}

function beginBlock(state, time, put) {
  const { run, tally } = state;
  const begun = {
    seed: run.seed,
    session: run.session,
    block: run.block,
    firstTrial: run.trial,
    coins: tally.coins,
  };
  const block = startBlock(state.study.design, begun, time);
  const name = state.resumed ? "resumed_at_block" : "block_start";
  put({ kind: "event", name, time, value: run.block, block: run.block, trial: "" });
  return { ...state, screen: "block", block, tally: { ...tally, coinsBefore: tally.coins } };
}

function inBlock(state, event, put) {
  if (event.type !== "frame" && !(event.type === "key" && event.side)) return state;
  const { block, notes } = stepBlock(state.block, event);
  let tally = state.tally;
  for (const note of notes) {
    put(note);
    if (note.kind === "trial") tally = addTrial(tally, note.record);
  }
  return { ...state, block, tally };
}

// The display: how long its frames last.
function newCheck() {
  return { times: [], rate: null };
}

function measured(check, time) {
  if (check.rate !== null) return check;
  const times = [...check.times, time];
  if (times.length <= RATE_FRAMES) return { ...check, times };
  const lengths = times.slice(1).map((shown, index) => shown - times[index]);
  const median = lengths.sort((a, b) => a - b)[Math.floor(lengths.length / 2)];
  return { times, rate: 1 / median };
}

// What the canvas shows; null where a page of text is shown instead.
export function picture(state) {
  const playing = state.screen === "block" || state.screen === "practice";
  return playing && state.block && !state.block.over ? pictureOf(state.block) : null;
}
