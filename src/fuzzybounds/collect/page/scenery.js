// The river and the canoe, drawn once for a size of the screen and then copied in every frame.
// Both are symmetric: nothing in them hints at a side.

export const CANOE = { length: 132, height: 30 };
const COLOURS = {
  sky: ["#f3f6f3", "#dfeae8"],
  far: "#c5d8d2",
  near: "#a9c4ba",
  shore: "#8fae9f",
  water: ["#a9cdd6", "#86b6c6", "#6a9fb4"],
  ripple: "rgba(255, 255, 255, 0.28)",
  bank: ["#c9cfa9", "#b3bd92"],
  reed: ["#94a574", "#a4b283"],
  post: "#f7f3ea",
  band: "#c4553b",
  mark: "rgba(255, 255, 255, 0.6)",
  hull: ["#b8683a", "#8a4522"],
  inside: "#5d2f18",
  rim: "#e9c595",
  shadow: "rgba(35, 74, 90, 0.30)",
};

function vertical(context, top, bottom, colours) {
  const gradient = context.createLinearGradient(0, top, 0, bottom);
  colours.forEach((colour, index) => gradient.addColorStop(index / (colours.length - 1), colour));
  return gradient;
}

function hills(context, view, base, height, waves, colour) {
  const { width } = view;
  context.beginPath();
  context.moveTo(0, base);
  for (let x = 0; x <= width; x += 4) {
    const u = (x - width / 2) / width;
    const wave = 0.3 * Math.cos(u * waves + Math.PI) + 0.15 * Math.cos(u * waves * 2.3);
    context.lineTo(x, base - height * (0.55 + wave));
  }
  context.lineTo(width, base);
  context.closePath();
  context.fillStyle = colour;
  context.fill();
}

export function paintRiver(context, view) {
  const { width, height, top, bottom, water } = view;
  context.fillStyle = vertical(context, 0, top, COLOURS.sky);
  context.fillRect(0, 0, width, top + 1);
  hills(context, view, top, height * 0.13, 9, COLOURS.far);
  hills(context, view, top, height * 0.075, 15, COLOURS.near);
  context.fillStyle = COLOURS.shore;
  context.fillRect(0, top - 4, width, 6);
  context.fillStyle = vertical(context, top, bottom, COLOURS.water);
  context.fillRect(0, top, width, bottom - top);
  paintRipples(context, view);
  context.fillStyle = vertical(context, bottom, height, COLOURS.bank);
  context.fillRect(0, bottom, width, height - bottom);
  context.fillStyle = "rgba(255, 255, 255, 0.35)";
  context.fillRect(0, bottom - 2, width, 2);
  paintReeds(context, view);
  for (const side of [-1, 1]) paintPost(context, view, view.centre + side * view.reach);
  context.strokeStyle = COLOURS.mark;
  context.lineWidth = 1.5;
  context.setLineDash([5, 7]);
  context.beginPath();
  context.moveTo(view.centre, water + 34 * view.scale);
  context.lineTo(view.centre, bottom - 10);
  context.stroke();
  context.setLineDash([]);
}

function paintRipples(context, { width, top, bottom, centre }) {
  context.strokeStyle = COLOURS.ripple;
  context.lineCap = "round";
  const rows = 8;
  for (let row = 0; row < rows; row += 1) {
    const depth = (row + 0.6) / rows;
    const y = top + (bottom - top) * depth;
    context.lineWidth = 1 + 1.2 * depth;
    for (let place = 0; place < 4; place += 1) {
      // Scattered by the golden ratio: the same on every screen, and the same on both sides.
      const u = (place + ((row * 0.618034 + place * 0.381966) % 1) * 0.7) / 4;
      const length = width * (0.018 + 0.03 * ((place * 0.754877 + row * 0.56984) % 1)) * (0.6 + depth);
      for (const side of [-1, 1]) {
        const x = centre + side * (0.04 + 0.46 * u) * width;
        context.beginPath();
        context.moveTo(x - length / 2, y);
        context.quadraticCurveTo(x, y - 2.5 * depth, x + length / 2, y);
        context.stroke();
      }
    }
  }
}

// Reeds on the near bank, mirrored at the centre.
function paintReeds(context, { width, height, bottom, centre, scale }) {
  context.lineCap = "round";
  for (let tuft = 0; tuft < 9; tuft += 1) {
    const u = (tuft + ((tuft * 0.618034) % 1) * 0.8) / 9;
    const foot = bottom + (height - bottom) * (0.12 + 0.5 * ((tuft * 0.754877) % 1));
    for (const side of [-1, 1]) {
      const x = centre + side * (0.1 + 0.4 * u) * width;
      for (let blade = -2; blade <= 2; blade += 1) {
        const long = (16 + 9 * ((tuft * 0.38 + blade * 0.29 + 2) % 1)) * scale;
        context.strokeStyle = blade % 2 ? COLOURS.reed[0] : COLOURS.reed[1];
        context.lineWidth = 1.6 * scale;
        context.beginPath();
        context.moveTo(x + side * blade * 2.2 * scale, foot);
        context.quadraticCurveTo(
          x + side * blade * 3 * scale, foot - long * 0.6, x + side * blade * 5.5 * scale, foot - long);
        context.stroke();
      }
    }
  }
}

// A mooring post at each end of the canoe's reach.
function paintPost(context, view, x) {
  const { scale, water } = view;
  const w = 7 * scale;
  const up = 74 * scale;
  const foot = water - 16 * scale;
  context.fillStyle = COLOURS.shadow;
  context.beginPath();
  context.ellipse(x, foot, 2.2 * w, 0.6 * w, 0, 0, 2 * Math.PI);
  context.fill();
  context.fillStyle = COLOURS.post;
  context.fillRect(x - w / 2, foot - up, w, up);
  context.fillStyle = COLOURS.band;
  context.fillRect(x - w / 2, foot - up, w, up * 0.16);
  context.fillRect(x - w / 2, foot - up * 0.68, w, up * 0.16);
}

// The canoe, in a box of its length and three times its height, its waterline in the middle.
export function paintCanoe(context, scale) {
  const half = (CANOE.length / 2) * scale;
  const high = CANOE.height * scale;
  const line = 1.5 * high;
  // Both gunwales run from end to end; the near one hangs lower.
  const [near, far] = [line + 0.2 * high, line - 0.24 * high];
  context.save();
  context.translate(half, 0);
  context.fillStyle = COLOURS.shadow;
  context.beginPath();
  context.ellipse(0, line + 0.33 * high, 0.86 * half, 0.2 * high, 0, 0, 2 * Math.PI);
  context.fill();
  context.beginPath();
  context.moveTo(-half, line - high);
  context.quadraticCurveTo(0, far, half, line - high);
  context.quadraticCurveTo(0, near, -half, line - high);
  context.fillStyle = COLOURS.inside;
  context.fill();
  context.fillStyle = COLOURS.rim;
  for (const at of [-0.34, 0.3]) {
    context.fillRect(at * half, line - 0.66 * high, 0.04 * half, 0.24 * high);
  }
  context.beginPath();
  context.moveTo(-half, line - high);
  context.quadraticCurveTo(0, near, half, line - high);
  context.bezierCurveTo(0.95 * half, line + 0.1 * high, 0.8 * half, line + 0.36 * high, 0.5 * half, line + 0.36 * high);
  context.lineTo(-0.5 * half, line + 0.36 * high);
  context.bezierCurveTo(-0.8 * half, line + 0.36 * high, -0.95 * half, line + 0.1 * high, -half, line - high);
  context.fillStyle = vertical(context, line - high, line + 0.36 * high, COLOURS.hull);
  context.fill();
  context.strokeStyle = COLOURS.rim;
  context.lineWidth = Math.max(1, 1.8 * scale);
  context.lineCap = "round";
  context.beginPath();
  context.moveTo(-half + scale, line - high + scale);
  context.quadraticCurveTo(0, near, half - scale, line - high + scale);
  context.stroke();
  context.restore();
}
