// Pages of text: one function for each screen of the machine, from the state to elements.

import { draw, prepare, viewOf } from "canoe/drawing.js";
import { accuracy, meanTime } from "canoe/summary.js";

export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null) node.setAttribute(name, value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

const h = element;

// What a screen looks like depends on this alone; the page draws it again when it changes.
export function screenKey(state) {
  const { screen, page, problem, pending, saveProblem, check, device } = state;
  const more = screen === "check" ? [check.rate, device] : [];
  if (SAVING.includes(screen)) more.push(pending > 0, saveProblem);
  return JSON.stringify([screen, page, problem, ...more]);
}

// Screens that say whether everything is saved; others stay as they are, whatever was filled in.
const SAVING = ["opening", "before", "break", "debriefing"];

export function renderScreen(state, tools) {
  const render = SCREENS[state.screen];
  return render ? render(state, tools) : null;
}

function paragraphs(text, name, values) {
  return text(name, values).split("\n").filter(Boolean).map((line) => h("p", {}, ...marked(line)));
}

// **bold** and [[key]] are all the markup that texts have.
function marked(line) {
  return line.split(/(\*\*.+?\*\*|\[\[.+?\]\])/).filter(Boolean).map((part) => {
    if (part.startsWith("**")) return h("strong", {}, part.slice(2, -2));
    if (part.startsWith("[[")) return h("kbd", {}, part.slice(2, -2));
    return part;
  });
}

function sheet(title, ...content) {
  return h("main", { class: "sheet" }, h("h1", {}, title), ...content);
}

function goButton(tools, label, key = null) {
  const text = key ? [label, " ", h("kbd", {}, key)] : [label];
  return h("p", { class: "go" }, h("button", { type: "button", onclick: tools.go }, ...text));
}

function form(tools, ...content) {
  const send = (event) => {
    event.preventDefault();
    const values = Object.fromEntries(new FormData(event.target));
    tools.submit(values);
  };
  return h("form", { onsubmit: send, autocomplete: "off" }, ...content);
}

function problemOf(state, text) {
  return state.problem ? h("p", { class: "problem", role: "alert" }, text(`problems.${state.problem}`)) : null;
}

// Whether everything is on disk: one quiet line.
const isSaved = ({ pending, saveProblem }) => pending === 0 && !saveProblem;
function savedLine(state, { text, local }) {
  if (state.saveProblem) {
    return h("p", { class: "problem", role: "status" }, text(`saving.${state.saveProblem}`));
  }
  if (local) return null;
  const name = state.pending > 0 ? "saving.waiting" : "saving.saved";
  return h("p", { class: "quiet saved", role: "status" }, text(name));
}

const SCREENS = {
  refused: (state, { text }) =>
    sheet(text("refused.title"), ...paragraphs(text, `refused.${state.refusal}`)),

  consent(state, tools) {
    const { text, study } = tools;
    const body = h("div", { class: "consent", tabindex: "0" });
    // Scripts do not run when set like this, and the page's policy forbids them too.
    body.innerHTML = study.consent.html;
    return h(
      "main",
      { class: "sheet" },
      body,
      form(
        tools,
        h("label", { class: "check" }, h("input", { type: "checkbox", name: "agree" }), text("consent.agree")),
        problemOf(state, text),
        h("p", { class: "go" }, h("button", {}, text("go.continue"))),
      ),
    );
  },

  code(state, tools) {
    const { text } = tools;
    const input = { name: "code", id: "code", value: state.code, autofocus: true, maxlength: 32 };
    return sheet(
      text("code.title"),
      ...paragraphs(text, "code.body"),
      form(
        tools,
        h("label", { for: "code", class: "quiet" }, text("code.label")),
        h("input", { ...input, spellcheck: "false", class: "code" }),
        problemOf(state, text),
        h("p", { class: "go" }, h("button", {}, text("go.continue"))),
      ),
    );
  },

  opening: (state, tools) =>
    sheet(tools.text("starting.title"), state.saveProblem ? savedLine(state, tools) : null),

  starting: (_, { text }) => sheet(text("starting.title")),

  busy: (_, tools) =>
    sheet(
      tools.text("busy.title"),
      ...paragraphs(tools.text, "busy.body"),
      goButton(tools, tools.text("busy.go"), "Enter"),
    ),

  questions(state, tools) {
    const { text, study } = tools;
    const fields = study.questions.map(({ name, label, choices }) => {
      const input = choices
        ? h("select", { name, id: name }, h("option", { value: "" }, "–"),
            ...choices.map((choice) => h("option", { value: choice }, choice)))
        : h("input", { name, id: name, maxlength: 64 });
      return h("div", { class: "field" }, h("label", { for: name }, label), input);
    });
    return sheet(
      text("questions.title"),
      ...paragraphs(text, "questions.body"),
      form(tools, ...fields, h("p", { class: "go" }, h("button", {}, text("go.continue")))),
    );
  },

  instructions(state, tools) {
    const { text, study } = tools;
    const page = study.texts.instructions[state.page];
    const last = state.page === study.instruction_pages - 1;
    const values = tools.values;
    const dots = study.texts.instructions.map((_, index) =>
      h("span", { class: index === state.page ? "dot now" : "dot" }));
    return sheet(
      text(`instructions.${state.page}.title`, values),
      page.picture ? pictureFor(page.picture, tools) : null,
      ...paragraphs(text, `instructions.${state.page}.body`, values),
      h("p", { class: "dots", "aria-hidden": "true" }, ...dots),
      goButton(tools, text(last ? "go.practice" : "go.next"), "Space"),
    );
  },

  practised: (_, tools) =>
    sheet(
      tools.text("practised.title"),
      ...paragraphs(tools.text, "practised.body", tools.values),
      goButton(tools, tools.text("go.continue"), "Space"),
    ),

  check(state, tools) {
    const { text, study } = tools;
    const { display } = study.design;
    const { rate } = state.check;
    const { width, height, fullScreen } = state.device;
    const line = (good, name, values) =>
      h("li", { class: good === null ? "wait" : good ? "good" : "bad" }, text(`check.${name}`, values));
    const wide = width >= display.minimum_width && height >= display.minimum_height;
    return sheet(
      text("check.title"),
      ...paragraphs(text, "check.body"),
      h(
        "ul",
        { class: "checks" },
        rate === null
          ? line(null, "measuring")
          : line(rate >= display.minimum_rate, rate >= display.minimum_rate ? "rate" : "slow", { rate: Math.round(rate) }),
        line(wide, wide ? "size" : "small", { width, height, ...display }),
        line(fullScreen, fullScreen ? "full" : "not_full"),
      ),
      rate === null ? null : goButton(tools, text("go.continue"), "Space"),
    );
  },

  before(state, tools) {
    const { text } = tools;
    const values = { ...tools.values, block: state.run.block, blocks: state.run.last_block, coins: withMinus(state.tally.coins) };
    const name = state.resumed ? "resumed" : "before";
    return sheet(
      text(`${name}.title`, values),
      ...paragraphs(text, `${name}.body`, values),
      savedLine(state, tools),
      goButton(tools, text("go.start"), "Space"),
    );
  },

  break(state, tools) {
    const { text } = tools;
    const { run, tally, earned } = state;
    const values = { block: run.block - 1, left: run.last_block - run.block + 1, blocks: run.last_block };
    return sheet(
      text("break.title", values),
      h(
        "dl",
        { class: "numbers" },
        number(text("break.earned"), signed(earned), earned < 0 ? "bad" : "good"),
        number(text("break.total"), withMinus(tally.coins)),
        number(text("break.left"), values.left),
      ),
      progress(run),
      ...paragraphs(text, "break.body", values),
      savedLine(state, tools),
      downloadLine(tools),
      goButton(tools, text("go.next_block"), "Space"),
    );
  },

  debriefing(state, tools) {
    const { text } = tools;
    const { tally } = state;
    const share = (value) => (value === null ? "–" : `${Math.round(100 * value)} %`);
    const seconds = (value) => (value === null ? "–" : `${value.toFixed(1)} s`);
    const row = (name) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, text(`debriefing.${name}`)),
        h("td", {}, tally[name].trials),
        h("td", {}, share(accuracy(tally[name]))),
        h("td", {}, seconds(meanTime(tally[name]))),
      );
    const heads = ["", "trials", "accuracy", "time"].map((name) =>
      h("th", { scope: "col" }, name ? text(`debriefing.${name}`) : ""));
    return sheet(
      text("debriefing.title"),
      savedLine(state, tools),
      isSaved(state) ? h("p", {}, text("debriefing.close")) : null,
      h("dl", { class: "numbers" }, number(text("debriefing.total"), withMinus(tally.coins))),
      h("table", {}, h("thead", {}, h("tr", {}, ...heads)), h("tbody", {}, row("easy"), row("hard"))),
      barsOf(tally.blocks, text("debriefing.blocks")),
      ...paragraphs(text, `debriefing.body.${tools.study.design.experiment}`, tools.values),
      downloadLine(tools),
    );
  },

  superseded: (_, { text }) => sheet(text("superseded.title"), ...paragraphs(text, "superseded.body")),
};

function withMinus(value) {
  return String(value).replace("-", "−");
}

function signed(value) {
  return value < 0 ? withMinus(value) : `+${value}`;
}

function number(label, value, kind = "") {
  return h("div", { class: kind }, h("dt", {}, label), h("dd", {}, String(value)));
}

function progress({ block, first_block: first, last_block: last }) {
  const done = (100 * (block - first)) / (last - first + 1);
  const bar = h("span", {});
  bar.style.width = `${done}%`;
  return h("div", { class: "progress", "aria-hidden": "true" }, bar);
}

function downloadLine(tools) {
  if (!tools.local) return null;
  const button = h("button", { type: "button", class: "second", onclick: tools.download }, tools.text("saving.download"));
  return h("p", { class: "download" }, button, " ", h("span", { class: "quiet" }, tools.text("saving.local")));
}

// Coins of each block as bars above or below a line at zero.
function barsOf(blocks, label) {
  const space = "http://www.w3.org/2000/svg";
  const shape = (tag, attributes) => {
    const node = document.createElementNS(space, tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    return node;
  };
  const coins = blocks.map((block) => block.coins);
  const highest = Math.max(1, ...coins);
  const scale = 96 / (highest - Math.min(0, ...coins));
  const zero = 2 + highest * scale;
  const width = 600 / Math.max(blocks.length, 10);
  const svg = shape("svg", { viewBox: "0 0 600 100", preserveAspectRatio: "none", role: "img", "aria-label": label });
  coins.forEach((value, index) => {
    const height = Math.abs(value) * scale;
    const place = { x: (index + 0.14) * width, y: value < 0 ? zero : zero - height, width: 0.72 * width, height };
    svg.append(shape("rect", { ...place, class: value < 0 ? "bad" : "good" }));
  });
  svg.append(shape("line", { x1: 0, x2: 600, y1: zero, y2: zero }));
  return h("figure", {}, svg, h("figcaption", { class: "quiet" }, label));
}

// A small picture of the task itself, drawn by the same code.
function pictureFor(picture, { text, study, makeCanvas }) {
  const width = 640;
  const height = 300;
  const ratio = Math.min(globalThis.devicePixelRatio || 1, 2);
  const canvas = makeCanvas(width * ratio, height * ratio);
  const view = viewOf(width, height, study.design.canoe.world);
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  const layers = prepare(makeCanvas, view, ratio);
  draw(context, view, layers, { practice: false, ...picture }, text);
  canvas.className = "picture";
  return canvas;
}
