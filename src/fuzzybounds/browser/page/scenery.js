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
    const u = Math.abs(x - width / 2) / width;
    const wave = Math.cos(u * waves) * 0.45 + Math.cos(u * waves * 2.3 + 1) * 0.25;
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
  const rows = 9;
  for (let row = 0; row < rows; row += 1) {
    const depth = (row + 0.6) / rows;
    const y = top + (bottom - top) * depth;
    context.lineWidth = 1 + 1.2 * depth;
    for (let place = 0; place < 7; place += 1) {
      // Low-discrepancy places look scattered, and are the same on every screen.
      const u = (row * 0.618034 + place * 0.381966 + place * place * 0.07) % 1;
      const length = (18 + 34 * ((place * 0.754877 + row * 0.569840) % 1)) * (0.6 + depth);
      for (const side of [-1, 1]) {
        const x = centre + side * (0.03 + 0.47 * u) * width;
        context.beginPath();
        context.moveTo(x - length / 2, y);
        context.quadraticCurveTo(x, y - 2.5 * depth, x + length / 2, y);
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
  const middle = 1.5 * high;
  context.save();
  context.translate(half, 0);
  context.fillStyle = COLOURS.shadow;
  context.beginPath();
  context.ellipse(0, middle + 0.30 * high, 0.94 * half, 0.26 * high, 0, 0, 2 * Math.PI);
  context.fill();
  const hull = (lift) => {
    context.beginPath();
    context.moveTo(-half, middle - high);
    context.quadraticCurveTo(-0.62 * half, middle - 0.42 * high, 0, middle - 0.42 * high);
    context.quadraticCurveTo(0.62 * half, middle - 0.42 * high, half, middle - high);
    context.quadraticCurveTo(0.86 * half, middle + 0.30 * high - lift, 0, middle + 0.36 * high - lift);
    context.quadraticCurveTo(-0.86 * half, middle + 0.30 * high - lift, -half, middle - high);
    context.closePath();
  };
  hull(0);
  context.fillStyle = vertical(context, middle - high, middle + 0.36 * high, COLOURS.hull);
  context.fill();
  // The opening, seen a little from above.
  context.beginPath();
  context.moveTo(-0.93 * half, middle - 0.88 * high);
  context.quadraticCurveTo(0, middle - 0.06 * high, 0.93 * half, middle - 0.88 * high);
  context.quadraticCurveTo(0.5 * half, middle - 0.62 * high, 0, middle - 0.60 * high);
  context.quadraticCurveTo(-0.5 * half, middle - 0.62 * high, -0.93 * half, middle - 0.88 * high);
  context.closePath();
  context.fillStyle = COLOURS.inside;
  context.fill();
  context.strokeStyle = COLOURS.rim;
  context.lineWidth = Math.max(1, 1.5 * scale);
  context.beginPath();
  context.moveTo(-half, middle - high);
  context.quadraticCurveTo(-0.5 * half, middle - 0.14 * high, 0, middle - 0.44 * high + 0.12 * high);
  context.quadraticCurveTo(0.5 * half, middle - 0.14 * high, half, middle - high);
  context.stroke();
  for (const at of [-0.3, 0.3]) {
    context.fillStyle = COLOURS.rim;
    context.fillRect((at - 0.03) * half, middle - 0.60 * high, 0.06 * half, 0.26 * high);
  }
  context.restore();
}
