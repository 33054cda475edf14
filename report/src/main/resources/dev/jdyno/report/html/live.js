// Shows the events of a run that goes on: phase, progress, round, knee, note, end. All texts are set as text, never as HTML.
(function () {
  "use strict";
  const section = document.querySelector("[data-live]");
  if (!section) return;
  const at = id => document.getElementById(id);
  const digits = v => v === null || v === undefined ? "–" : v >= 100 ? v.toFixed(0) : v.toPrecision(3);
  const share = v => v === null || v === undefined ? "–" : (100 * v).toFixed(1) + " %";
  const rounds = [];
  let knee = null;

  function draw() {
    const plot = at("plot");
    const most = Math.max(...rounds.map(r => r.qps), 1);
    const widest = Math.max(...rounds.map(r => r.concurrency), knee === null ? 1 : knee.hi);
    const x = n => 30 + 550 * n / widest;
    const y = q => 200 - 180 * q / most;
    const sorted = [...rounds].sort((a, b) => a.concurrency - b.concurrency);
    plot.replaceChildren();
    const add = (tag, attributes, text) => {
      const el = document.createElementNS("http://www.w3.org/2000/svg", tag);
      Object.entries(attributes).forEach(([k, v]) => el.setAttribute(k, v));
      if (text) el.textContent = text;
      plot.appendChild(el);
    };
    if (knee !== null) {
      add("rect", { x: x(knee.lo), y: 20, width: x(knee.hi) - x(knee.lo), height: 180, fill: "var(--line)", "fill-opacity": 0.5 });
      add("line", { x1: x(knee.concurrency), y1: 20, x2: x(knee.concurrency), y2: 200, stroke: "var(--muted)", "stroke-dasharray": "4 4", "data-knee": "" });
    }
    add("line", { x1: 30, y1: 200, x2: 580, y2: 200, stroke: "var(--line)" });
    add("polyline", { points: sorted.map(r => x(r.concurrency) + "," + y(r.qps)).join(" "), fill: "none", stroke: "var(--measured)", "stroke-width": 2 });
    sorted.forEach(r => add("circle", { cx: x(r.concurrency), cy: y(r.qps), r: 4, fill: "var(--measured)" }));
    add("text", { x: 30, y: 14, fill: "var(--muted)", "font-size": 12 }, digits(most) + " requests/s");
    add("text", { x: 580, y: 216, fill: "var(--muted)", "font-size": 12, "text-anchor": "end" }, Math.round(widest) + " in flight");
  }

  function row(r) {
    const tr = document.createElement("tr");
    [r.concurrency, digits(r.qps), digits(r.p50), digits(r.p99), share(r.errorShare), digits(r.cpuCores), share(r.gcShare)]
      .forEach(v => { const td = document.createElement("td"); td.className = "n"; td.textContent = v; tr.appendChild(td); });
    at("table").appendChild(tr);
  }

  function note(says) {
    const li = document.createElement("li");
    li.textContent = says;
    at("notes").appendChild(li);
  }

  const events = new EventSource(section.dataset.live);
  // who reconnects gets all rounds again
  events.onopen = () => { rounds.length = 0; knee = null; at("table").replaceChildren(); at("notes").replaceChildren(); };
  const on = (kind, what) => events.addEventListener(kind, e => what(JSON.parse(e.data)));
  on("phase", e => { at("phase").textContent = e.says; });
  on("progress", e => {
    at("qps").textContent = digits(e.qps);
    at("seconds").textContent = e.seconds.toFixed(0) + (e.of === null ? "" : " of " + e.of.toFixed(0));
  });
  on("round", r => { rounds.push(r); row(r); draw(); });
  on("knee", k => {
    knee = k;
    at("knee").textContent = digits(k.concurrency) + " in flight (" + digits(k.lo) + " to " + digits(k.hi) + ")";
    draw();
  });
  on("note", e => note(e.says));
  on("end", e => { at("phase").textContent = e.says; events.close(); });
})();
