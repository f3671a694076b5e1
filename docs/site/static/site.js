// A click on a figure opens it at full size.
document.addEventListener("click", (event) => {
  const image = event.target.closest("article img");
  if (image && !image.closest("a")) window.open(image.src, "_blank");
});
