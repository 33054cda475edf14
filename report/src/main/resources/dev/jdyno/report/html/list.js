// Counts the ticked results of a list: two of them can be compared. Without this script the server says what is missing.
(function () {
  "use strict";
  for (const form of document.querySelectorAll("form[data-pick]")) {
    const says = form.querySelector("output");
    const nothing = says.textContent;
    const ticked = () => form.querySelectorAll("input:checked").length;
    const show = () => {
      const n = ticked();
      says.textContent = n === 0 ? nothing : n === 1 ? "Tick one more." : n === 2 ? "Two are ticked." : n + " are ticked, leave two.";
      form.classList.toggle("ready", n === 2);
    };
    form.addEventListener("change", show);
    form.addEventListener("submit", (e) => {
      if (ticked() !== 2) e.preventDefault();
    });
    addEventListener("pageshow", show); // a page that comes back from the browser's memory has its ticks
  }
})();
