// Flame graphs: a click on a frame makes it as wide as the graph, typing marks the frames that have the text in their name.
(function () {
  "use strict";

  function element(tag, attributes, text) {
    const el = document.createElement(tag);
    Object.entries(attributes).forEach(([k, v]) => el.setAttribute(k, v));
    if (text) el.textContent = text;
    return el;
  }

  // The frames from the outermost to this one, which are those that a click leaves.
  function path(frame, graph) {
    const frames = [];
    for (let f = frame; f && graph.contains(f); f = f.parentElement.closest(".fl")) frames.unshift(f);
    return frames;
  }

  function bar(graph, index) {
    const controls = element("p", { class: "flamebar" });
    const label = element("label", {}, "Find ");
    const input = element("input", { type: "search", "aria-label": "Find frames in flame graph " + (index + 1) });
    const found = element("output", {});
    const whole = element("button", { type: "button", hidden: "" }, "Whole graph");
    label.append(input);
    controls.append(label, found, whole);
    graph.before(controls);
    return { input, found, whole };
  }

  function zoom(graph, frame, whole) {
    graph.querySelectorAll(".fl").forEach((f) => f.classList.remove("wide", "off"));
    const kept = frame ? path(frame, graph) : [];
    kept.forEach((f) => {
      f.classList.add("wide");
      [...f.parentElement.children].forEach((other) => other !== f && other.classList.contains("fl") && other.classList.add("off"));
    });
    whole.hidden = kept.length < 2;
  }

  // Samples of a frame that lies below another found one count once.
  function search(graph, text, found) {
    const wanted = text.trim().toLowerCase();
    let share = 0, frames = 0;
    graph.querySelectorAll(".fl").forEach((f) => {
      const hit = wanted !== "" && f.firstElementChild.dataset.frame.toLowerCase().includes(wanted);
      f.classList.toggle("hit", hit);
      if (!hit) return;
      frames++;
      if (!f.parentElement.closest(".hit")) share += path(f, graph).reduce((of, p) => of * parseFloat(p.style.width) / 100, 1);
    });
    graph.classList.toggle("searched", wanted !== "");
    found.textContent = wanted === "" ? "" : frames + " frames, " + (100 * share).toFixed(1) + " %";
  }

  document.querySelectorAll(".flame").forEach((graph, index) => {
    const { input, found, whole } = bar(graph, index);
    input.addEventListener("input", () => search(graph, input.value, found));
    whole.addEventListener("click", () => zoom(graph, null, whole));
    graph.addEventListener("click", (e) => {
      const frame = e.target.closest(".fl");
      if (frame) zoom(graph, frame, whole);
    });
  });
})();
