// What the page gets from the browser: a clock, frames, keys and random numbers.  Nothing else
// asks for them, so that a test can replace each.

const LEFT_ALONE = "input, textarea, select, button, a, summary";

export function browserEnvironment(target = globalThis) {
  return {
    now: () => performance.now() / 1000,
    utc: () => new Date().toISOString(),
    requestFrame: (show) => target.requestAnimationFrame((time) => show(time / 1000)),
    onKey(press, keys) {
      target.addEventListener("keydown", (event) => {
        if (event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
        if (event.target instanceof Element && event.target.closest(LEFT_ALONE)) return;
        if (event.key === " " || event.key.startsWith("Arrow")) event.preventDefault();
        press({ key: event.key, side: sideOf(event, keys()), time: event.timeStamp / 1000 });
      });
    },
    randomWords: (count) => Array.from(crypto.getRandomValues(new Uint32Array(count))),
    makeCanvas(width, height) {
      const canvas = document.createElement("canvas");
      Object.assign(canvas, { width, height });
      return canvas;
    },
  };
}

// By the letter on the key; by its place only where the layout has no Latin letters.
function sideOf(event, keys) {
  const latin = /^[a-z]$/i.test(event.key);
  const letter = latin ? event.key.toLowerCase() : event.code.replace(/^Key/, "").toLowerCase();
  if (event.key.length !== 1) return null;
  return letter === keys.left ? "left" : letter === keys.right ? "right" : null;
}

export function hexadecimal(words) {
  return words.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}
