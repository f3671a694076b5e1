// Before the page loads: a clock, frames and event times that move only when a test says so, and a
// canvas that records what is drawn on the screen; it draws only while `fake.blind` is false.
(() => {
  const options = window.fakeOptions ?? {};
  const fake = { now: 1000, rate: options.rate ?? 60, callbacks: [], frames: 0, drawn: [], texts: [], blind: !options.pixels };
  window.fake = fake;
  performance.now = () => fake.now;
  window.requestAnimationFrame = (callback) => fake.callbacks.push(callback);
  Object.defineProperty(Event.prototype, "timeStamp", { get: () => fake.now });

  // One frame after `milliseconds` (by default a frame of the display).
  fake.tick = (milliseconds = 1000 / fake.rate) => {
    fake.now += milliseconds;
    fake.frames += 1;
    const due = fake.callbacks;
    fake.callbacks = [];
    for (const callback of due) callback(fake.now);
  };

  const record = {
    drawImage(image, x, y, width, height) {
      // The river covers everything: what was drawn before is gone.
      if (x === 0 && y === 0) Object.assign(fake, { drawn: [], texts: [] });
      else fake.drawn.push({ x, y, width, height });
    },
    fillText: (text) => fake.texts.push(text),
  };
  const nothing = new Proxy(() => nothing, {
    get: (_, name) => (name === Symbol.toPrimitive ? () => 0 : nothing),
    set: () => true,
  });
  const real = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function getContext(...given) {
    const context = options.pixels ? real.apply(this, given) : nothing;
    if (this.id !== "river") return context;
    return new Proxy(context, {
      get(_, name) {
        const seen = (...values) => {
          record[name]?.(...values);
          return fake.blind ? nothing : context[name](...values);
        };
        return options.pixels && typeof context[name] !== "function" ? context[name] : seen;
      },
      set(_, name, value) {
        if (!fake.blind) context[name] = value;
        return true;
      },
    });
  };
})();
