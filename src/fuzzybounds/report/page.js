"use strict";

// Sort: a header's button orders its table's rows, first upwards, then downwards.
function keyOf(cell) {
  const text = cell.dataset.sort ?? cell.textContent.trim();
  const number = Number(text);
  return text !== "" && Number.isFinite(number) ? number : text.toLowerCase();
}
function compare(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en", { numeric: true });
}
for (const table of document.querySelectorAll("table.sortable")) {
  const headers = [...table.tHead.rows[0].cells];
  headers.forEach((header, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...header.childNodes);
    header.append(button);
    button.addEventListener("click", () => {
      const down = header.getAttribute("aria-sort") === "ascending";
      headers.forEach((other) => other.removeAttribute("aria-sort"));
      header.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...table.tBodies[0].rows];
      rows.sort((a, b) => compare(keyOf(a.cells[column]), keyOf(b.cells[column])) * (down ? -1 : 1));
      table.tBodies[0].append(...rows);
    });
  });
}

// Filter: rows whose verdict is ticked and that have every word of the text.
const form = document.querySelector(".filters");
const claims = [...document.querySelectorAll("#claims > li")];
function filter() {
  const chosen = new Set(new FormData(form).getAll("verdict"));
  const words = form.elements.text.value.toLowerCase().split(/\s+/);
  let shown = 0;
  for (const row of claims) {
    const text = row.textContent.toLowerCase();
    row.hidden = !(chosen.has(row.dataset.verdict) && words.every((word) => text.includes(word)));
    shown += !row.hidden;
  }
  form.querySelector("output").value = `${shown} of ${claims.length} claims`;
}
form.addEventListener("input", filter);
form.addEventListener("submit", (event) => event.preventDefault());
filter(); // a browser may keep what was typed when a page is loaded again

// A link to a claim unfolds it, and shows it again where the filter hides it.
function unfold() {
  const row = claims.find((claim) => claim.id === location.hash.slice(1));
  if (!row) return;
  if (row.hidden) {
    form.reset();
    filter();
  }
  row.querySelector("details").open = true;
  row.scrollIntoView();
}
addEventListener("hashchange", unfold);
unfold();

// Enlarge: a figure fills the window; arrows lead on, Esc or a click leads back.
const dialog = document.querySelector("#enlarged");
const large = dialog.querySelector("img");
const openers = [...document.querySelectorAll(".enlarge")];
let current = 0;
function show(number) {
  current = (number + openers.length) % openers.length;
  const image = openers[current].querySelector("img");
  large.src = image.src;
  large.alt = image.alt;
  dialog.querySelector("strong").textContent = image.alt;
}
openers.forEach((opener, number) => opener.addEventListener("click", () => {
  show(number);
  dialog.showModal();
}));
dialog.addEventListener("click", () => dialog.close());
dialog.addEventListener("close", () => openers[current].focus());
dialog.addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step) show(current + step);
});

// Print everything: a folded part would be left out.
addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details")) details.open = true;
});
