// The page: events of the browser into the machine, its effects out, its pictures on the canvas.

import { localBackend, serverBackend } from "canoe/backends.js";
import { draw, prepare, viewOf } from "canoe/drawing.js";
import { browserEnvironment, hexadecimal } from "canoe/environment.js";
import { initialState, picture, step } from "canoe/machine.js";
import { element, renderScreen, screenKey } from "canoe/screens.js";

const canvas = document.getElementById("river");
const sheet = document.getElementById("sheet");
const environment = browserEnvironment();

function deviceNow() {
  const coarse = matchMedia("(pointer: coarse)").matches && matchMedia("(hover: none)").matches;
  return {
    refusal: coarse ? "touch" : null,
    width: innerWidth,
    height: innerHeight,
    fullScreen: Boolean(document.fullscreenElement) || innerHeight >= screen.height,
  };
}

// A text by its dotted name, with {values} filled in.
function textsOf(study) {
  return (name, values = {}) => {
    const words = name.split(".").reduce((part, key) => part?.[key], study.texts);
    if (words === undefined) throw new Error(`no text ${name}`);
    return words.replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole);
  };
}

async function loadStudy() {
  const embedded = document.getElementById("study");
  if (embedded) return { study: JSON.parse(embedded.textContent), local: true };
  const answer = await fetch("api/study");
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return { study: await answer.json(), local: false };
}

// One tab at a time; a browser without locks has only the server's own check.
function onlyTab(study) {
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((resolve) => {
    const hold = (lock) => {
      resolve(lock !== null);
      return lock ? new Promise(() => {}) : undefined;
    };
    navigator.locks.request(`canoe ${study.name}`, { ifAvailable: true }, hold).catch(() => resolve(true));
  });
}

async function main() {
  const { study, local } = await loadStudy();
  const text = textsOf(study);
  document.title = study.title;
  document.documentElement.lang = study.language;
  const device = deviceNow();
  if (!(await onlyTab(study))) device.refusal = "second_tab";
  let state = initialState(study, device);
  const task = openTask({ study, local, text, get: () => state, send });

  function send(event) {
    const next = step(state, { time: environment.now(), ...event });
    state = next.state;
    for (const effect of next.effects) task.perform(effect);
    task.show();
  }

  task.show();
  if (!device.refusal) {
    await task.open();
    send({ type: "opened" });
  }
  environment.onKey((key) => send({ type: "key", ...key }), () => study.design.keys);
  const onFrame = (time) => {
    send({ type: "frame", time });
    environment.requestFrame(onFrame);
  };
  environment.requestFrame(onFrame);
  watchDevice(send);
}

function watchDevice(send) {
  const tell = (name, value) => send({ type: "device", name, value, device: sizeNow() });
  const sizeNow = () => {
    const { width, height, fullScreen } = deviceNow();
    return { width, height, fullScreen };
  };
  addEventListener("blur", () => tell("blur", ""));
  addEventListener("focus", () => tell("focus", ""));
  addEventListener("resize", () => tell("resize", `${innerWidth}x${innerHeight}`));
  document.addEventListener("visibilitychange", () => tell("visibility", document.visibilityState));
  document.addEventListener("fullscreenchange", () => tell("full_screen", document.fullscreenElement ? "on" : "off"));
}

// Everything with consequences: storage, messages, the canvas and the pages of text.
function openTask({ study, local, text, get, send }) {
  const { design } = study;
  const coins = Object.entries(design.conditions).map(([name, condition]) => [`${name}_coins`, condition.payoff]);
  const values = {
    ...Object.fromEntries(coins),
    left: design.keys.left.toUpperCase(),
    right: design.keys.right.toUpperCase(),
    penalty: design.conditions.easy.penalty_s,
    deadline: design.deadline_s,
    block_s: design.block_s,
    blocks: design.blocks,
    heard: design.gate?.sound ? text("signal.heard") : "",
  };
  let backend = null;
  let run = null;
  let code = null;
  let origin = 0;
  let number = 0;
  let events = [];
  let shownKey = null;
  let surface = null;
  let due = null;

  const tools = {
    text,
    study,
    get local() {
      return local && !globalThis.canoeHost;
    },
    values,
    makeCanvas: environment.makeCanvas,
    go: () => send({ type: "go" }),
    submit: (given) => send({ type: "submit", values: given, utc: environment.utc() }),
    download: () => download(),
  };

  const post = (kind, content = {}) => {
    number += 1;
    const message = { run, code, number, kind, events, ...content };
    events = [];
    backend.add(message);
  };

  async function start({ takeover, agreed, ...effect }) {
    if (design.gate?.sound) environment.openAudio();
    const given = environment.randomWords(8);
    run = hexadecimal(given.slice(0, 4));
    code = effect.code;
    number = 0;
    origin = environment.now();
    const { width, height } = deviceNow();
    const request = {
      run,
      code,
      seed: hexadecimal(given.slice(4)),
      takeover,
      consent: { version: study.consent.version, sha256: study.consent.sha256, agreed },
      client: {
        utc: environment.utc(),
        user_agent: navigator.userAgent,
        language: study.language,
        window: `${width}x${height}`,
        screen: `${screen.width}x${screen.height}`,
        pixel_ratio: devicePixelRatio,
        scale: viewOf(width, height, design.canoe.world).scale,
      },
    };
    try {
      const answer = await backend.start(request);
      send(answer.refused ? { type: "refused", reason: answer.refused } : { type: "started", answer });
    } catch {
      send({ type: "refused", reason: "unreachable" });
    }
  }

  // Once, after everything of this moment is posted.
  function handOverSoon() {
    if (!local) return;
    clearTimeout(due);
    due = setTimeout(handOver, 0);
  }

  // A host of the page, such as JATOS, may take all data so far: canoeHost resolves when it has them.
  async function handOver() {
    if (!globalThis.canoeHost) return download();
    send({ type: "saved", pending: 1 });
    try {
      await globalThis.canoeHost(backend.file(code));
      send({ type: "saved", pending: 0 });
    } catch {
      send({ type: "saved", pending: 1, problem: "unreachable" });
      download();
    }
  }

  function download() {
    const file = backend.file(code);
    const address = URL.createObjectURL(new Blob([JSON.stringify(file)], { type: "application/json" }));
    const done = String(get().run.block - 1).padStart(2, "0");
    element("a", { href: address, download: `${study.name}_${code}_blocks-${done}.json` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  }

  const effects = {
    start,
    event({ name, time, value, block, trial }) {
      events.push({ time: Number((time - origin).toFixed(4)), event: name, value: String(value), block, trial });
    },
    sound(place) {
      const latency = environment.playTone();
      const value = latency === null ? "no_sound" : `latency_ms=${(1000 * latency).toFixed(1)}`;
      effects.event({ ...place, name: "tone", time: environment.now(), value });
    },
    trial: ({ record }) => post("trial", { trial: record }),
    answers: ({ answers }) => post("answers", { answers }),
    checked({ rate }) {
      const { width, height, fullScreen } = deviceNow();
      post("display", { display: { rate: Number(rate.toFixed(2)), width, height, full_screen: fullScreen } });
    },
    finish() {
      post("finish");
      handOverSoon();
    },
    block_end() {
      post("events");
      handOverSoon();
    },
    full_screen: () => document.documentElement.requestFullscreen?.().catch(() => {}),
  };

  function surfaceFor(width, height, ratio) {
    const key = `${width} ${height} ${ratio}`;
    if (surface?.key === key) return surface;
    const view = viewOf(width, height, design.canoe.world);
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const context = canvas.getContext("2d", { alpha: false });
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    surface = { key, view, context, layers: prepare(environment.makeCanvas, view, ratio) };
    return surface;
  }

  return {
    async open() {
      const changed = ({ superseded, ...saved }) => {
        // What a host has is said when it has taken it.
        if (!globalThis.canoeHost) send({ type: "saved", ...saved });
        if (superseded) send({ type: "superseded" });
      };
      backend = await (local ? localBackend : serverBackend)(study, changed);
    },
    perform: (effect) => effects[effect.kind](effect),
    show() {
      const state = get();
      const playing = picture(state);
      if (canvas.hidden === Boolean(playing)) {
        canvas.hidden = !playing;
        sheet.hidden = Boolean(playing);
      }
      if (playing) {
        const { view, context, layers } = surfaceFor(innerWidth, innerHeight, devicePixelRatio || 1);
        draw(context, view, layers, playing, text);
        shownKey = null;
        return;
      }
      const key = screenKey(state);
      if (key === shownKey) return;
      shownKey = key;
      sheet.replaceChildren(renderScreen(state, tools) ?? "");
      sheet.querySelector("[autofocus]")?.focus();
    },
  };
}

main().catch((error) => {
  const message = document.getElementById("failure");
  message.hidden = false;
  message.querySelector("code").textContent = String(error.message ?? error);
});
