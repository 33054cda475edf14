// Flame graphs: a click on a frame makes it as wide as the graph, typing marks the frames that have the text in their name.
// Rows of the JDK and of libraries (data-library) below each other are folded into the first of them until a click opens it.
(function () {
  "use strict";

  const FEWEST_ROWS = 3; // that are worth folding
  const MOST_NAMES = 3; // of libraries that a folded row names

  function element(tag, attributes, text) {
    const el = document.createElement(tag);
    Object.entries(attributes).forEach(([k, v]) => el.setAttribute(k, v));
    if (text) el.textContent = text;
    return el;
  }

  const label = (frame) => frame.firstElementChild;
  const library = (frame) => label(frame).dataset.library || "";
  const above = (frame) => frame.parentElement.closest(".fl");
  const below = (frame) => (frame.children[1] ? [...frame.children[1].children] : []);

  // The frames from the outermost to this one, which are those that a click leaves.
  function path(frame, graph) {
    const frames = [];
    for (let f = frame; f && graph.contains(f); f = above(f)) frames.unshift(f);
    return frames;
  }

  function bar(graph, index) {
    const controls = element("p", { class: "flamebar" });
    const find = element("label", {}, "Find ");
    const input = element("input", { type: "search", "aria-label": "Find frames in flame graph " + (index + 1) });
    const found = element("output", {});
    const whole = element("button", { type: "button", hidden: "" }, "Whole graph");
    const all = element("button", { type: "button", "aria-pressed": "false", hidden: "" }, "Show library rows");
    const at = element("output", { class: "at" });
    find.append(input);
    controls.append(find, found, whole, all, at);
    graph.before(controls);
    return { input, found, whole, all, at };
  }

  // A frame of a library or the JDK with those below it, as far as no other comes between; native code ends it only.
  function run(first) {
    const rest = [], names = [library(first)];
    let rows = 1;
    const walk = (frame, row) => {
      rows = Math.max(rows, row);
      below(frame).filter((f) => library(f) !== "").forEach((f) => {
        rest.push(f);
        if (!names.includes(library(f)) && library(f) !== "native") names.push(library(f));
        walk(f, row + 1);
      });
    };
    walk(first, 1);
    return { first, rest, names, rows, open: false, hit: false, name: label(first).textContent };
  }

  function runs(frame, found) {
    const starts = library(frame) !== "" && library(frame) !== "native";
    const own = starts ? run(frame) : null;
    if (own && own.rows >= FEWEST_ROWS) found.push(own);
    // what lies below a run begins anew where it ends
    const ends = own ? [frame, ...own.rest].flatMap(below).filter((f) => library(f) === "") : below(frame);
    ends.forEach((f) => runs(f, found));
    return found;
  }

  function show(r) {
    const shut = !r.open && !r.hit;
    const named = r.names.slice(0, MOST_NAMES).join(", ") + (r.names.length > MOST_NAMES ? ", …" : "");
    r.first.classList.add("run");
    r.first.classList.toggle("shut", shut);
    r.rest.forEach((f) => f.classList.toggle("folded", shut));
    label(r.first).textContent = shut ? r.name + " + " + (r.rows - 1) + " rows of " + named : r.name;
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

  // Samples of a frame that lies below another found one count once. Folded rows with a found frame are shown.
  function search(graph, text, found, folds) {
    const wanted = text.trim().toLowerCase();
    let share = 0, frames = 0;
    graph.querySelectorAll(".fl").forEach((f) => {
      const hit = wanted !== "" && label(f).dataset.frame.toLowerCase().includes(wanted);
      f.classList.toggle("hit", hit);
      if (!hit) return;
      frames++;
      if (!f.parentElement.closest(".hit")) share += path(f, graph).reduce((of, p) => of * parseFloat(p.style.width) / 100, 1);
    });
    folds.forEach((r) => {
      r.hit = r.rest.some((f) => f.classList.contains("hit"));
      show(r);
    });
    graph.classList.toggle("searched", wanted !== "");
    found.textContent = wanted === "" ? "" : frames + " frames, " + (100 * share).toFixed(1) + " %";
  }

  // The nearest frames below that a reader sees.
  function seen(frame) {
    return below(frame)
      .filter((f) => !f.classList.contains("off"))
      .flatMap((f) => (f.classList.contains("folded") ? seen(f) : [f]));
  }

  function seenAbove(frame, graph) {
    let f = above(frame);
    while (f && graph.contains(f) && f.classList.contains("folded")) f = above(f);
    return f && graph.contains(f) ? f : null;
  }

  // Where a key leads from a frame; null where there is none.
  function next(frame, key, graph) {
    const parent = seenAbove(frame, graph);
    const beside = parent ? seen(parent) : [frame];
    switch (key) {
      case "ArrowUp": return parent;
      case "ArrowDown": return seen(frame)[0] || null;
      case "ArrowLeft": return beside[beside.indexOf(frame) - 1] || null;
      case "ArrowRight": return beside[beside.indexOf(frame) + 1] || null;
      default: return null;
    }
  }

  document.querySelectorAll(".flame").forEach((graph, index) => {
    const { input, found, whole, all, at } = bar(graph, index);
    const root = graph.querySelector(".fl");
    if (!root) return;
    const folds = runs(root, []);
    let current = root;

    const foldOf = (frame) => folds.find((r) => r.first === frame);
    const turn = (r) => {
      r.open = !r.open;
      show(r);
    };
    const goTo = (frame) => {
      current.classList.remove("at");
      current = frame;
      current.classList.add("at");
      label(current).scrollIntoView({ block: "nearest", inline: "nearest" });
      at.textContent = label(current).title;
    };

    folds.forEach(show);
    all.hidden = folds.length === 0;
    all.addEventListener("click", () => {
      const open = all.getAttribute("aria-pressed") === "false";
      all.setAttribute("aria-pressed", String(open));
      folds.forEach((r) => {
        r.open = open;
        show(r);
      });
    });
    input.addEventListener("input", () => search(graph, input.value, found, folds));
    whole.addEventListener("click", () => zoom(graph, null, whole));
    graph.addEventListener("click", (e) => {
      const frame = e.target.closest(".fl");
      if (!frame) return;
      current.classList.remove("at");
      current = frame;
      const fold = foldOf(frame);
      if (fold && frame.classList.contains("shut")) turn(fold);
      else zoom(graph, frame, whole);
    });
    graph.addEventListener("focus", () => graph.matches(":focus-visible") && goTo(current));
    graph.addEventListener("blur", () => {
      current.classList.remove("at");
      at.textContent = "";
    });
    graph.addEventListener("keydown", (e) => {
      if (e.ctrlKey || e.altKey || e.metaKey) return;
      const fold = foldOf(current);
      if (e.key.startsWith("Arrow")) {
        const to = next(current, e.key, graph);
        if (to) goTo(to);
      } else if (e.key === "Enter") zoom(graph, current, whole);
      else if (e.key === "Escape") zoom(graph, null, whole);
      else if (e.key === " " && fold) turn(fold);
      else if (e.key !== " ") return;
      e.preventDefault();
    });
  });
})();
