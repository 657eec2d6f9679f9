"use strict";
// A map larger, in the same file; tables that go on to the right; all that is folded open on paper.
(() => {
  const dialog = document.getElementById("large");
  const image = dialog.querySelector("img");
  for (const button of document.querySelectorAll("button.see"))
    button.addEventListener("click", () => {
      const small = button.querySelector("img");
      image.src = small.src;
      image.alt = small.alt;
      dialog.showModal();
    });
  dialog.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => image.removeAttribute("src"));
  const tables = document.querySelectorAll(".scroll");
  const mark = (one) =>
    one.classList.toggle("more", one.scrollLeft + one.clientWidth < one.scrollWidth - 1);
  for (const one of tables)
    one.addEventListener("scroll", () => mark(one), {passive: true});
  const markAll = () => tables.forEach(mark);
  addEventListener("resize", markAll);
  markAll();
  addEventListener("beforeprint", () => {
    for (const one of document.querySelectorAll("details:not([open])")) {
      one.open = true;
      one.dataset.folded = "";
    }
  });
  addEventListener("afterprint", () => {
    for (const one of document.querySelectorAll("details[data-folded]")) {
      one.open = false;
      delete one.dataset.folded;
    }
  });
})();
