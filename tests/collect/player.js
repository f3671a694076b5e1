// A participant: looks at the screen (fake_time.js records it), follows a fuzzy controller, and
// presses keys.  It knows nothing of the page's state.

// What is written on the screen, but for the practice and whether one may answer.
window.isSignal = (text) => text === "Watch" || text === "Answer" || text.startsWith("Not yet");
window.wordsOnScreen = () => fake.texts.filter((text) => text !== "PRACTICE" && !isSignal(text));
window.mayAnswer = () => !fake.texts.some((text) => isSignal(text) && text !== "Answer");

window.Player = class {
  // `policy`: for "easy" and "hard" the probability to respond in a frame of 1/60 s, by frame and by
  // distance in steps of 1.5 px; without cues both are the same.  `lag`: s from frame to key.
  // `eager`: the probability to press a key in a frame in which no answer counts.
  constructor({ policy, seed, cued, lag = 0, eager = 0 }) {
    Object.assign(this, { cued, lag, eager, state: seed >>> 0 });
    this.policy = Object.fromEntries(
      Object.entries(policy).map(([name, { shape, values }]) => {
        const bytes = Uint8Array.from(atob(values), (letter) => letter.charCodeAt(0));
        return [name, { columns: shape[1], values: new Float32Array(bytes.buffer) }];
      }),
    );
    this.cue = "easy";
    this.forget();
  }

  uniform() {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let word = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) / 4294967296;
  }

  forget() {
    this.rested = null;
    this.home = null;
    this.moving = false;
    this.done = false;
  }

  press(key) {
    const code = key === " " ? "Space" : `Key${key.toUpperCase()}`;
    window.dispatchEvent(new KeyboardEvent("keydown", { key, code, bubbles: true }));
  }

  // Look at the frame that is on the screen, and perhaps respond.
  look() {
    const words = wordsOnScreen();
    if (words.length) {
      if (words[0] === "Easy" || words[0] === "Hard") this.cue = words[0].toLowerCase();
      this.forget();
      return;
    }
    if (!fake.drawn.length) return;
    const { x, width } = fake.drawn[0];
    const position = ((x + width / 2 - innerWidth / 2) / width) * 132;
    this.home ??= position;
    if (Math.abs(position - this.home) < 1e-6 && !this.moving) {
      this.rested = fake.now;
      return;
    }
    this.moving = true;
    if (this.done) return;
    if (!mayAnswer()) {
      if (this.eager > 0 && this.uniform() < this.eager) this.press(this.uniform() < 0.5 ? "m" : "c");
      return;
    }
    const frame = Math.round(((fake.now - this.rested) / 1000) * 60);
    const table = this.policy[this.cue];
    const column = Math.min(Math.round(Math.abs(position) / 1.5), table.columns - 1);
    const each = table.values[frame * table.columns + column] ?? 0;
    const chance = 1 - (1 - each) ** (60 / fake.rate);
    if (this.uniform() >= chance) return;
    this.done = true;
    const right = position === 0 ? this.uniform() < 0.5 : position > 0;
    const shown = fake.now;
    fake.now += this.lag * this.uniform() * 1000;
    this.press(right ? "m" : "c");
    fake.now = shown;
  }
};

// Play until a page with one of these titles, or a page with a form, is on the screen.  Between
// blocks the player waits until the page says that everything is saved.
window.playUntil = async (player, titles, { drop = 0, patient = true } = {}) => {
  const river = document.getElementById("river");
  const soon = () => new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = resolve;
    channel.port2.postMessage(0);
  });
  const title = () => document.querySelector("h1")?.textContent ?? "";
  for (let turn = 0; ; turn += 1) {
    if (!river.hidden) {
      for (let frame = 0; frame < 600 && !river.hidden; frame += 1) {
        // A dropped frame: the next one comes late.
        const late = drop > 0 && player.uniform() < drop ? 1 + Math.floor(player.uniform() * 4) : 0;
        fake.tick(((1 + late) * 1000) / fake.rate);
        if (!river.hidden) player.look();
      }
      await soon();
      continue;
    }
    if (titles.some((start) => title().startsWith(start))) return title();
    if (document.querySelector("form")) return title();
    fake.tick();
    const saved = document.querySelector(".saved");
    if (saved && patient && saved.textContent !== "Everything is saved.") {
      await new Promise((resolve) => setTimeout(resolve, 5));
    } else if (document.querySelector(".go button")) player.press(" ");
    if (turn % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 0));
    await soon();
  }
};

// Which phase of a trial is on the screen, by what is drawn.
window.phaseOnScreen = () => {
  if (document.getElementById("river").hidden) return "page";
  const words = wordsOnScreen();
  if (words.includes("Please wait")) return "penalty";
  if (words.some((text) => /^[+−]/.test(text))) return "feedback";
  if (words.length) return "cue";
  if (!fake.drawn.length) return "interval";
  if (fake.texts.some(isSignal)) return "decision";
  const { x, width } = fake.drawn[0];
  return Math.abs(x + width / 2 - innerWidth / 2) < 1e-6 ? "ready" : "decision";
};

window.lastPhase = "page";
window.trialsSeen = 0;

// Let frames pass until a phase begins, and count the trials that end meanwhile.  `answer`: press a key as soon as the canoe moves.
window.tickUntil = (phase, answer = true) => {
  for (let frame = 0; frame < 60000; frame += 1) {
    fake.tick();
    const now = phaseOnScreen();
    if (now === "feedback" && window.lastPhase !== "feedback") window.trialsSeen += 1;
    const known = now === window.lastPhase;
    window.lastPhase = now;
    if (now === phase && !known) return now;
    if (now === "page") return now;
    if (now === "decision" && answer) Player.prototype.press("m");
  }
  return "never";
};
