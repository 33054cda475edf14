// Draws every <figure data-chart> with uPlot. The figure holds a .plot box, with a picture for readers without scripts, and its figures as JSON:
//   {x: {label, zero, to, axis: "linear" | "log" | "nines"}, y: {label, unit, log, zero, to}, zoom, links: [one URL for each x, or none],
//    series: [{name, style: "points" | "scatter" | "line" | "dashed" | "dots" | "area" | "stack" | "steps", colour: "--measured", x: [], y: [], lo: [], hi: []}],
//    marks: [{at, lo, hi, label, top}]}
// Series of style "stack" hold running sums on the same x, the whole first; the tooltip shows the parts.
// On an axis of nines, x is how often the share beyond is a tenth: 1 stands for 90 %, 2 for 99 %.
// Charts that zoom share their time with those below the same [data-time].
// lo/hi draw an interval at each point; a mark is a vertical line with its interval as a band.
(function () {
  "use strict";
  const charts = [];
  const zooming = []; // those of them that zoom, each with whose time it has

  function colour(el, name) {
    return getComputedStyle(el).getPropertyValue(name).trim() || "#888";
  }

  const family = getComputedStyle(document.body).fontFamily;

  function figures(v) {
    const size = Math.abs(v);
    const text = v.toFixed(size >= 99.95 || size === 0 ? 0 : size >= 9.995 ? 1 : size >= 0.1 ? 2 : 3);
    return text.includes(".") ? text.replace(/0+$/, "").replace(/\.$/, "") : text;
  }

  const NINES = [Math.log10(2), 1, 2, 3, 4, 5, 6, 7, 8, 9];

  // Of the ticks of a logarithmic axis those that get a label.
  const oneTwoFive = (_, ticks) => ticks.map((v) => ("125".includes(v.toExponential(0)[0]) ? v : null));

  function xText(spec, x) {
    return spec.x.axis === "nines" ? (100 * (1 - 10 ** -x)).toFixed(Math.max(0, Math.ceil(x - 1e-9) - 2)) + " %" : figures(x);
  }

  // The series are aligned on their x: two points on one x would fall together, so the later one moves a hair.
  function apart(xs) {
    const hair = (Math.abs(xs[xs.length - 1]) || 1) * 1e-7;
    const out = [];
    xs.forEach((x, i) => out.push(i > 0 && x <= out[i - 1] ? out[i - 1] + hair : x));
    return out;
  }

  function strokes(s, col) {
    const line = { label: s.name, stroke: col, width: 2, points: { show: false }, spanGaps: true };
    switch (s.style) {
      case "points": return { ...line, width: 1.5, points: { show: true, size: 8, width: 1.5, stroke: col, fill: col } };
      case "scatter": return { ...line, width: 0, paths: () => null, points: { show: true, size: 8, width: 0, stroke: col, fill: col } };
      case "dots": return { ...line, width: 0, paths: () => null, points: { show: true, size: 5, width: 0, stroke: col, fill: col } };
      case "dashed": return { ...line, width: 1.75, dash: [7, 5] };
      case "area": return { ...line, width: 1.25, fill: col + "22" };
      case "stack": return { ...line, width: 0, fill: col };
      case "steps": return { ...line, width: 1.25, fill: col + "22", paths: uPlot.paths.stepped({ align: 1 }) };
      default: return line;
    }
  }

  function drawMarks(u, el, marks) {
    const ctx = u.ctx, px = devicePixelRatio, box = u.bbox;
    ctx.save();
    for (const m of marks) {
      const at = u.valToPos(m.at, "x", true);
      const lo = u.valToPos(m.lo, "x", true), hi = u.valToPos(m.hi, "x", true);
      ctx.fillStyle = colour(el, "--knee-soft");
      ctx.fillRect(lo, box.top, Math.max(hi - lo, px), box.height);
      ctx.strokeStyle = ctx.fillStyle = colour(el, "--knee");
      ctx.lineWidth = 1.5 * px;
      ctx.beginPath();
      ctx.moveTo(at, box.top);
      ctx.lineTo(at, box.top + box.height);
      ctx.stroke();
      ctx.font = `600 ${12 * px}px ${family}`;
      const width = ctx.measureText(m.label).width;
      const right = Math.max(hi, at) + 6 * px, left = Math.min(lo, at) - 6 * px;
      // beyond the knee the throughput is high and before it the response time is low: the free corners
      const onRight = m.top ? left - width < box.left : right + width < box.left + box.width;
      ctx.textAlign = onRight ? "left" : "right";
      ctx.textBaseline = m.top ? "top" : "bottom";
      ctx.fillText(m.label, onRight ? right : left, m.top ? box.top + 6 * px : box.top + box.height - 8 * px);
    }
    ctx.restore();
  }

  function drawIntervals(u, el, series, xs) {
    const ctx = u.ctx, px = devicePixelRatio;
    ctx.save();
    ctx.lineWidth = 1.5 * px;
    series.forEach((s, k) => {
      if (!s.lo || !s.lo.length) return;
      ctx.strokeStyle = colour(el, s.colour);
      xs[k].forEach((x, i) => {
        const at = u.valToPos(x, "x", true), half = 4 * px;
        const lo = u.valToPos(s.lo[i], "y", true), hi = u.valToPos(s.hi[i], "y", true);
        if (lo - hi < 9 * px) return; // the point itself hides it
        ctx.beginPath();
        ctx.moveTo(at, lo);
        ctx.lineTo(at, hi);
        ctx.moveTo(at - half, lo);
        ctx.lineTo(at + half, lo);
        ctx.moveTo(at - half, hi);
        ctx.lineTo(at + half, hi);
        ctx.stroke();
      });
    });
    ctx.restore();
  }

  function showTip(u, tip, spec) {
    const i = u.cursor.idx;
    if (i == null || u.cursor.left < 0) {
      tip.style.display = "none";
      return;
    }
    tip.textContent = "";
    const head = document.createElement("b");
    const [name, unit] = spec.x.label.split(", ");
    head.textContent = name + " " + xText(spec, u.data[0][i]) + (unit ? " " + unit : "");
    tip.append(head);
    spec.series.forEach((s, k) => {
      let y = u.data[k + 1][i];
      if (y == null) return;
      if (s.style === "stack" && k + 1 < spec.series.length) y -= u.data[k + 2][i];
      const row = document.createElement("span"), name = document.createElement("em");
      name.textContent = s.name;
      row.append(name, figures(y) + (spec.y.unit ? " " + spec.y.unit : ""));
      tip.append(row);
    });
    tip.style.display = "block";
    const left = u.valToPos(u.data[0][i], "x");
    const room = u.over.clientWidth - tip.offsetWidth;
    tip.style.left = (left + 12 > room ? Math.max(0, left - tip.offsetWidth - 12) : left + 12) + "px";
    tip.style.top = "8px";
  }

  function others(u) {
    const own = zooming.find((z) => z.chart === u);
    return own ? zooming.filter((z) => z !== own && z.time === own.time).map((z) => z.chart) : [];
  }

  function zoomOthers(u) {
    const min = u.posToVal(u.select.left, "x"), max = u.posToVal(u.select.left + u.select.width, "x");
    if (max > min) others(u).forEach((other) => other.setScale("x", { min, max }));
  }

  function resetOthers(u) {
    others(u).forEach((other) => other.setData(other.data));
  }

  // A click leads to what the nearest point stands for; the end of a drag does not.
  function follow(u, links) {
    let from = 0;
    u.over.style.cursor = "pointer";
    u.over.addEventListener("mousedown", (e) => { from = e.clientX; });
    u.over.addEventListener("click", (e) => {
      const to = links[u.cursor.idx];
      if (to && Math.abs(e.clientX - from) < 4) location.href = to;
    });
  }

  function build(figure) {
    const spec = JSON.parse(figure.querySelector("script").textContent);
    const box = figure.querySelector(".plot");
    const xs = spec.series.map((s) => apart(s.x));
    const most = (values) => values.reduce((a, b) => Math.max(a, b), 0);
    const yMax = most(spec.series.flatMap((s) => s.y.concat(s.hi || [])));
    const xMax = most(xs.flat());
    const xEnd = Math.max(xMax, spec.x.to || 0);
    const xMin = xs.flat().reduce((a, b) => Math.min(a, b), xMax);
    const axis = (extra) => ({
      stroke: colour(box, "--muted"),
      font: "12px " + family,
      labelFont: "12px " + family,
      grid: { stroke: colour(box, "--grid"), width: 1 },
      ticks: { stroke: colour(box, "--grid"), width: 1, size: 5 },
      ...extra,
    });
    box.replaceChildren(); // the picture for readers without scripts
    const tip = document.createElement("div");
    tip.className = "tip";
    const u = new uPlot(
      {
        width: box.clientWidth,
        height: box.clientHeight,
        legend: { show: false },
        cursor: { y: false, drag: { x: !!spec.zoom, y: false }, points: { size: 9 } },
        scales: {
          x: { time: false, ...(spec.x.axis === "log" ? { distr: 3 } : {}), ...(spec.x.zero ? { range: (_, lo, hi) => (lo <= xMin && hi >= xMax ? [0, xEnd * 1.04 || 1] : [lo, hi]) } : {}) },
          y: spec.y.log ? { distr: 3 } : spec.y.zero ? { range: () => [0, spec.y.to || yMax * 1.1 || 1] } : {},
        },
        axes: [
          axis({ label: spec.x.label, labelSize: 20, labelGap: 0, size: 28, gap: 4, values: (_, v) => v.map((x) => (x == null ? "" : xText(spec, x))), ...(spec.x.axis === "log" ? { filter: oneTwoFive } : {}), ...(spec.x.axis === "nines" ? { splits: (_, __, lo, hi) => NINES.filter((x) => x >= lo && x <= hi) } : {}) }),
          axis({ label: spec.y.label, labelSize: 20, labelGap: 4, size: 46, gap: 4, values: (_, v) => v.map((y) => (y == null ? "" : figures(y))) }),
        ],
        series: [{}].concat(spec.series.map((s) => strokes(s, colour(box, s.colour)))),
        hooks: {
          drawAxes: [(u) => drawMarks(u, box, spec.marks || [])],
          draw: [(u) => drawIntervals(u, box, spec.series, xs)],
          setCursor: [(u) => showTip(u, tip, spec)],
          setSelect: [zoomOthers],
        },
      },
      uPlot.join(spec.series.map((s, k) => [xs[k], s.y])),
      box
    );
    u.over.append(tip);
    if (spec.links.length) follow(u, spec.links);
    if (spec.zoom) {
      zooming.push({ chart: u, time: figure.closest("[data-time]")?.dataset.time });
      u.over.addEventListener("dblclick", () => resetOthers(u));
    }
    return u;
  }

  function drawAll() {
    charts.splice(0).forEach((c) => c.destroy());
    zooming.length = 0;
    document.querySelectorAll("figure[data-chart]").forEach((f) => charts.push(build(f)));
  }

  function fit() {
    charts.forEach((c) => {
      const box = c.root.parentElement;
      c.setSize({ width: box.clientWidth, height: box.clientHeight });
    });
  }

  drawAll();
  addEventListener("resize", fit);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  // paper is white, whatever the screen was
  addEventListener("beforeprint", () => {
    document.documentElement.dataset.print = "";
    drawAll();
  });
  addEventListener("afterprint", () => {
    delete document.documentElement.dataset.print;
    drawAll();
  });
})();
