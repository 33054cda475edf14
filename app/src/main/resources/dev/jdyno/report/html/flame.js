// Search in a flame graph: marks the frames whose name contains the text, and says what they are of B.
"use strict";
for (const box of document.querySelectorAll("input[data-flame]")) {
  const graph = document.getElementById(box.dataset.flame);
  const said = document.getElementById(box.dataset.flame + "-found");
  const frames = [...graph.querySelectorAll(".fl > span")];
  const all = Number(frames[0].dataset.ms);
  box.addEventListener("input", () => {
    const text = box.value.trim().toLowerCase();
    let ms = 0;
    let count = 0;
    for (const frame of frames) {
      const found = text !== "" && frame.dataset.frame.toLowerCase().includes(text);
      frame.classList.toggle("found", found);
      // a frame below one that was found is in its time already
      if (found) {
        count++;
        if (!frame.parentElement.parentElement.closest(".fl:has(> span.found)")) ms += Number(frame.dataset.ms);
      }
    }
    said.textContent = text === "" ? "" : `${count} frames, ${(100 * ms / all).toFixed(1)} % of B's CPU time`;
  });
}
