// Before the page loads: a clock, frames and event times that move only when a test says so, and a
// canvas that records what is drawn on the screen instead of drawing it.
(() => {
  const options = window.fakeOptions ?? {};
  const fake = { now: 1000, rate: options.rate ?? 60, callbacks: [], frames: 0, drawn: [], texts: [] };
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

  if (options.pixels) return;
  const nothing = new Proxy(() => nothing, {
    get: (_, name) => (name === Symbol.toPrimitive ? () => 0 : nothing),
    set: () => true,
  });
  const screenContext = new Proxy(
    {
      drawImage(image, x, y, width, height) {
        // The river covers everything: what was drawn before is gone.
        if (x === 0 && y === 0) Object.assign(fake, { drawn: [], texts: [] });
        else fake.drawn.push({ x, y, width, height });
      },
      fillText: (text) => fake.texts.push(text),
    },
    { get: (own, name) => own[name] ?? nothing, set: () => true },
  );
  HTMLCanvasElement.prototype.getContext = function getContext() {
    return this.id === "river" ? screenContext : nothing;
  };
})();
