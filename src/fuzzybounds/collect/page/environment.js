// What the page gets from the browser: a clock, frames, keys and random numbers.  Nothing else
// asks for them, so that a test can replace each.

const LEFT_ALONE = "input, textarea, select, button, a, summary";

export function browserEnvironment(target = globalThis) {
  // Made after a key or a click, before which browsers stay silent.  A trial goes on without sound.
  let audio = null;
  const sounding = (act) => {
    try {
      audio ??= new AudioContext({ latencyHint: "interactive" });
      return act(audio);
    } catch {
      return null;
    }
  };
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
    openAudio: () => sounding((opened) => opened.resume()),
    // A short tone now; returns how late the speakers are by the browser's own account (s).
    playTone: () => sounding(playTone),
    randomWords: (count) => Array.from(crypto.getRandomValues(new Uint32Array(count))),
    makeCanvas(width, height) {
      const canvas = document.createElement("canvas");
      Object.assign(canvas, { width, height });
      return canvas;
    },
  };
}

const TONE_S = 0.15;

function playTone(audio) {
  const [tone, volume, now] = [audio.createOscillator(), audio.createGain(), audio.currentTime];
  tone.frequency.value = 880;
  volume.gain.setValueAtTime(0.3, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + TONE_S);
  tone.connect(volume).connect(audio.destination);
  tone.start(now);
  tone.stop(now + TONE_S);
  return audio.baseLatency + (audio.outputLatency ?? 0);
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
