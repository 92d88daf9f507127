"use strict";
// Draws the charts. The page is complete without: rankings, plots and tables are plain HTML.
(() => {
  const charts = new Map(
    JSON.parse(document.getElementById("charts").textContent).map((each) => [each.id, each]));
  const canvases = [...document.querySelectorAll("canvas[data-chart]")];
  const drawn = new Map();
  const shapes = ["circle", "rect", "triangle", "rectRot", "crossRot", "star", "rectRounded", "cross"];
  const dashes = [[], [6, 3], [2, 3], [9, 3, 2, 3]];
  const prefixes = ["B", "KiB", "MiB", "GiB", "TiB"];

  // Formats like Unit does for the page's text.
  function digits(value) {
    const size = Math.abs(value);
    const places = size >= 99.95 || Math.abs(value - Math.round(value)) < 1e-9 ? 0 : size >= 9.995 ? 1 : 2;
    return value.toLocaleString("en-US",
      { minimumFractionDigits: places, maximumFractionDigits: places });
  }

  function micros(value) {
    if (value < 1e3) {
      return digits(value) + " µs";
    }
    return value < 1e6 ? digits(value / 1e3) + " ms" : digits(value / 1e6) + " s";
  }

  function bytes(value) {
    let prefix = 0;
    let rest = value;
    while (rest >= 1024 && prefix < prefixes.length - 1) {
      rest /= 1024;
      prefix++;
    }
    return digits(rest) + " " + prefixes[prefix];
  }

  function show(unit, value) {
    switch (unit) {
      case "RATE": return digits(value) + "/s";
      case "MICROS": return micros(value);
      case "MILLIS": return micros(value * 1e3);
      case "SECONDS": return digits(value) + " s";
      case "BYTES": return bytes(value);
      case "SHARE": return digits(100 * value) + "%";
      default: return digits(value);
    }
  }

  // 90%, 99% and 99.9% are evenly apart: the position is the number of nines.
  const nines = (share) => -Math.log10(1 - Math.min(share, 0.9999999));
  const percentile = (position) => {
    const share = 100 * (1 - Math.pow(10, -position));
    return share.toFixed(Math.max(0, Math.ceil(position) - 2)) + "%";
  };

  function colours() {
    const style = getComputedStyle(document.documentElement);
    const of = (name) => style.getPropertyValue("--" + name).trim();
    return {
      ink: of("ink"), quiet: of("quiet"), line: of("line"), raised: of("raised"),
      paper: of("paper"), ours: of("ours"),
      series: [1, 2, 3, 4, 5, 6, 7, 8].map((each) => of("s" + each)),
    };
  }

  // A client has the same colour and shape in every chart of the page.
  const styles = new Map();
  for (const chart of charts.values()) {
    for (const line of chart.series) {
      if (!styles.has(line.client)) {
        const ours = [...styles.values()].filter((each) => each.ours).length;
        styles.set(line.client, { ours: line.ours, index: line.ours ? ours : line.index });
      }
    }
  }

  function dataset(chart, line, colour) {
    const style = styles.get(line.client);
    const own = style.ours ? colour.ours : colour.series[style.index % colour.series.length];
    const round = Math.floor(style.index / colour.series.length);
    const shape = style.ours ? (style.index ? "rectRot" : "circle")
      : shapes[(style.index + round + 1) % shapes.length];
    const many = line.points.length > 24;
    const data = line.points.map(([x, y, low, high, soundness]) => ({
      x: chart.x.scale === "PERCENTILE" ? nines(x) : x, y, low, high, soundness,
    }));
    return {
      label: line.client,
      data,
      borderColor: own,
      backgroundColor: own,
      borderWidth: style.ours && !style.index ? 2.6 : 1.5,
      borderDash: style.ours ? dashes[style.index % dashes.length] : dashes[round % dashes.length],
      pointStyle: many ? shape
        : data.map((each) => each.soundness === "invalid" ? "crossRot" : shape),
      pointBackgroundColor: many ? own
        : data.map((each) => each.soundness === "noisy" ? colour.paper : own),
      pointRadius: many ? 0 : data.map((each) => each.soundness === "invalid" ? 7 : 4),
      pointHitRadius: 8,
      order: style.ours ? -1 : style.index,
    };
  }

  function axis(of, colour) {
    const all = {
      title: { display: true, text: of.title, color: colour.quiet },
      grid: { color: colour.line },
      border: { color: colour.quiet },
      ticks: { color: colour.quiet, maxRotation: 0, autoSkipPadding: 14 },
      type: of.scale === "LOG" ? "logarithmic" : "linear",
    };
    if (of.scale === "NAMES") {
      all.min = -0.25;
      all.max = of.names.length - 0.75;
      all.afterBuildTicks = (scale) => {
        scale.ticks = of.names.map((_, value) => ({ value }));
      };
      all.ticks.autoSkip = false;
      all.ticks.callback = (value) => of.names[value];
    } else if (of.scale === "PERCENTILE") {
      all.afterBuildTicks = (scale) => {
        scale.ticks = [];
        for (let value = 0; value <= scale.max; value++) {
          scale.ticks.push({ value });
        }
      };
      all.ticks.callback = percentile;
    } else {
      all.ticks.callback = (value) => show(of.unit, value);
      if (of.scale === "LINEAR") {
        all.beginAtZero = true;
      } else {
        all.afterBuildTicks = powers;
      }
    }
    return all;
  }

  // Includes the intervals, not only the points.
  function reach(chart, of) {
    const ends = chart.series.flatMap((line) =>
      line.points.flatMap(([, y, low, high]) => low < high ? [low, high] : [y]));
    of.suggestedMax = Math.max(...ends);
    if (chart.y.scale === "LOG") {
      of.suggestedMin = Math.min(...ends);
    } else if (chart.y.unit === "BYTES" && of.suggestedMax > 0) {
      of.ticks.stepSize = Math.pow(2, Math.ceil(Math.log2(of.suggestedMax / 6)));
    }
    return of;
  }

  // On a logarithmic axis 1, 2 and 5 of each power of ten; only 1 if there are many.
  function powers(scale) {
    const wide = scale.max / scale.min > 2e3;
    scale.ticks = [];
    for (let power = Math.floor(Math.log10(scale.min)); power <= Math.log10(scale.max); power++) {
      for (const digit of wide ? [1] : [1, 2, 5]) {
        const value = digit * Math.pow(10, power);
        if (value >= scale.min * 0.999 && value <= scale.max * 1.001) {
          scale.ticks.push({ value });
        }
      }
    }
  }

  function told(chart, point) {
    const raw = point.raw;
    let text = " " + point.dataset.label + "  " + show(chart.y.unit, raw.y);
    if (raw.low < raw.high) {
      text += " (" + show(chart.y.unit, raw.low) + " to " + show(chart.y.unit, raw.high) + ")";
    }
    return raw.soundness ? text + ", " + raw.soundness : text;
  }

  function where(chart, value) {
    switch (chart.x.scale) {
      case "NAMES": return chart.x.title + ": " + chart.x.names[value];
      case "PERCENTILE": return percentile(value);
      default: return chart.x.title + " " + show(chart.x.unit, value);
    }
  }

  // Draws the intervals of points that have one.
  const whiskers = {
    id: "whiskers",
    beforeDatasetsDraw(chart) {
      const context = chart.ctx;
      chart.data.datasets.forEach((set, index) => {
        const meta = chart.getDatasetMeta(index);
        if (!chart.isDatasetVisible(index)) {
          return;
        }
        context.save();
        context.strokeStyle = set.borderColor;
        context.lineWidth = 1;
        set.data.forEach((point, at) => {
          if (point.low < point.high && meta.data[at]) {
            const x = meta.data[at].x;
            const low = chart.scales.y.getPixelForValue(point.low);
            const high = chart.scales.y.getPixelForValue(point.high);
            context.beginPath();
            for (const y of [low, high]) {
              context.moveTo(x - 3, y);
              context.lineTo(x + 3, y);
            }
            context.moveTo(x, low);
            context.lineTo(x, high);
            context.stroke();
          }
        });
        context.restore();
      });
    },
  };

  function draw(canvas) {
    const chart = charts.get(canvas.dataset.chart);
    const colour = colours();
    drawn.get(canvas)?.destroy();
    drawn.set(canvas, new Chart(canvas, {
      type: "line",
      data: { datasets: chart.series.map((line) => dataset(chart, line, colour)) },
      plugins: [whiskers],
      options: {
        parsing: false,
        animation: false,
        maintainAspectRatio: false,
        interaction: { mode: "nearest", axis: "x", intersect: false },
        scales: { x: axis(chart.x, colour), y: reach(chart, axis(chart.y, colour)) },
        plugins: {
          legend: {
            position: "bottom",
            labels: { usePointStyle: true, boxHeight: 7, padding: 12, color: colour.ink },
          },
          tooltip: {
            backgroundColor: colour.raised, titleColor: colour.ink, bodyColor: colour.ink,
            borderColor: colour.quiet, borderWidth: 1, usePointStyle: true,
            itemSort: (one, other) => other.parsed.y - one.parsed.y,
            callbacks: {
              title: (points) => points.length ? where(chart, points[0].parsed.x) : "",
              label: (point) => told(chart, point),
            },
          },
        },
      },
    }));
  }

  function begin() {
    Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
    document.documentElement.classList.add("js");
    // Draws a chart only when it is scrolled near, because a race has hundreds.
    const near = new IntersectionObserver((entries) => {
      for (const entry of entries.filter((each) => each.isIntersecting)) {
        near.unobserve(entry.target);
        draw(entry.target);
      }
    }, { rootMargin: "600px" });
    canvases.forEach((canvas) => near.observe(canvas));

    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () =>
      [...drawn.keys()].forEach(draw));
    // For print: a white background, and all charts at once.
    addEventListener("beforeprint", () => {
      document.documentElement.classList.add("paper");
      canvases.forEach(draw);
    });
    addEventListener("afterprint", () => {
      document.documentElement.classList.remove("paper");
      if (matchMedia("(prefers-color-scheme: dark)").matches) {
        canvases.forEach(draw);
      }
    });
  }

  // The library of charts is the larger part of the page, and compressed to a third.
  const packed = Uint8Array.from(
    atob(document.getElementById("library").textContent), (each) => each.charCodeAt(0));
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  new Response(unpacked).text().then((library) => {
    const script = document.createElement("script");
    script.textContent = library;
    document.head.append(script);
    begin();
  });
})();
