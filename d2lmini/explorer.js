// The figure that explore() makes: it looks up numbers that Python has computed, and draws them.
// Data first, then drawing, then the page around it.

/** @typedef {{name: string, label: string, kind: "slider"|"menu"|"switch", options: any[]}} Control */
/** @typedef {{columns: number, decimals: number, data: string}} Table */
/** @typedef {{low: number, high: number, ticks: [number, string][]}} Axis */
/** @typedef {{left: number, top: number, width: number, height: number}} Box in device pixels */

const DIGITS = "0123456789abcdefghijklmnopqrstuvABCDEFGHIJKLMNOPQRSTUVWXYZwxyz_.";
const CODES = new Map([...DIGITS].map((digit, code) => [digit, code]));
const STEPS = 1024;

/** Integers from text: 5 bits a character, "-" is a masked cell. @param {string} text */
function decode(text) {
  const found = [];
  let number = 0;
  for (const sign of text) {
    const code = CODES.get(sign);
    number = number * 32 + (code ?? NaN) % 32;
    if (!(code >= 32)) {
      found.push(number);
      number = 0;
    }
  }
  return Float64Array.from(found);
}

/**
 * A function from the places of all controls to the rows of that state; each row ends with its sum.
 * @param {Table} table
 * @param {number[]} sizes number of options of each control
 * @returns {(places: number[]) => Float64Array[]}
 */
function reader({ columns, decimals, data }, sizes) {
  const [lowest, rows, ...index] = data.split(" ");
  const unit = 10 ** decimals;
  const cells = decode(rows).map((number) => (number + Number(lowest)) / unit);
  const lookups = index.map((entry) => {
    const [bits, ids] = entry.split(":");
    return { bits: Number(bits), ids: decode(ids) };
  });
  return (places) =>
    lookups.map(({ bits, ids }) => {
      let at = 0;
      sizes.forEach((size, control) => {
        if ((bits >> control) & 1) at = at * size + places[control];
      });
      return cells.subarray(ids[at] * columns, (ids[at] + 1) * columns);
    });
}

/** A number with all the decimals that are stored. @param {number} number @param {number} decimals */
function say(number, decimals) {
  if (Number.isNaN(number)) return "masked";
  const text = decimals > 6 ? number.toExponential(3) : number.toFixed(Math.max(decimals, 0));
  return text.replace("-", "\u2212");
}

/** "Queries" -> "query". @param {string} label */
const singular = (label) => label.toLowerCase().replace(/ies$/, "y").replace(/s$/, "");

/** @param {string} color "#rrggbb" */
const rgb = (color) => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));

/** Whether white text reads better than black on a colour. @param {number[]} color */
function isDark(color) {
  const [r, g, b] = color.map((part) => (part / 255) ** 2.2);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b < 0.2;
}

/** All colours of a scale: packed for image data, and whether each is dark. @param {string[]} stops */
function ramp(stops) {
  const colors = stops.map(rgb);
  const packed = new Uint32Array(STEPS);
  const dark = new Uint8Array(STEPS);
  for (let step = 0; step < STEPS; step++) {
    const at = (step / (STEPS - 1)) * (stops.length - 1);
    const from = Math.min(Math.floor(at), stops.length - 2);
    const mix = colors[from].map((part, i) => part + (at - from) * (colors[from + 1][i] - part));
    const [r, g, b] = mix.map(Math.round);
    packed[step] = ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
    dark[step] = Number(isDark(mix));
  }
  return { packed, dark };
}

// ---- drawing: each kind of panel ---------------------------------------------------------------

/** Where a value stands between two ends. */
const along = (value, axis, from, to) =>
  from + ((value - axis.low) / (axis.high - axis.low)) * (to - from);

/** Numbers 1, 2, ... or words, as many as there is room for. */
function countTicks(count, words, step, room) {
  const every = words ? 1 : Math.max(1, Math.ceil(room / step));
  const ticks = [];
  for (let i = 0; i < count; i += every) {
    const word = words ? words[i] : String(i + 1);
    ticks.push([(i + 0.5) * step, word.length > 16 ? word.slice(0, 15) + "\u2026" : word]);
  }
  return ticks;
}

const heatmap = {
  ticks: (view, px) => ({
    x: countTicks(view.columns, view.panel.xticks, view.cellWidth, 22 * px),
    y: countTicks(view.rows, view.panel.yticks, view.cellHeight, 15 * px),
  }),
  paint(view, look) {
    const { ink: context, box, rows, columns, cellWidth, cellHeight, data, panel } = view;
    const { low, high } = look.scales[panel.role];
    const { packed, dark } = look.ramps[panel.role];
    const step = (value) =>
      Math.round(Math.min(1, Math.max(0, (value - low) / (high - low))) * (STEPS - 1));
    const pixels = new Uint32Array(view.image.data.buffer);
    data.cells.forEach((row, r) => {
      for (let c = 0; c < columns; c++)
        pixels[r * columns + c] = Number.isNaN(row[c]) ? 0 : packed[step(row[c])];
    });
    view.small.getContext("2d").putImageData(view.image, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(view.small, box.left, box.top, box.width, box.height);

    // Masked cells: hatched, one run at a time.
    context.fillStyle = look.hatch(context);
    data.cells.forEach((row, r) => {
      for (let c = 0, from = -1; c <= columns; c++) {
        const masked = c < columns && Number.isNaN(row[c]);
        if (masked && from < 0) from = c;
        if (!masked && from >= 0) {
          const x = box.left + from * cellWidth;
          context.fillRect(x, box.top + r * cellHeight, (c - from) * cellWidth, cellHeight);
          from = -1;
        }
      }
    });
    if (cellWidth >= 8 * look.px && cellHeight >= 8 * look.px) {
      const line = Math.max(1, Math.round(look.px));
      for (let c = 1; c < columns; c++)
        context.clearRect(box.left + c * cellWidth - line, box.top, line, box.height);
      for (let r = 1; r < rows; r++)
        context.clearRect(box.left, box.top + r * cellHeight - line, box.width, line);
    }
    const decimals = Math.min(2, Math.max(0, view.decimals));
    look.font(context, 11);
    const widest = Math.max(...[low, high].map((n) => context.measureText(say(n, decimals)).width));
    if (widest + 5 * look.px > cellWidth || cellHeight < 16 * look.px) return;
    context.textAlign = "center";
    context.textBaseline = "middle";
    data.cells.forEach((row, r) => {
      for (let c = 0; c < columns; c++) {
        if (Number.isNaN(row[c])) continue;
        context.fillStyle = dark[step(row[c])] ? "#fff" : "#000";
        const [x, y] = [box.left + (c + 0.5) * cellWidth, box.top + (r + 0.5) * cellHeight];
        context.fillText(say(row[c], decimals), x, y + look.px / 2);
      }
    });
  },
};

const bars = {
  ticks: (view, px, scales) => ({
    x: countTicks(view.columns, view.panel.xticks, view.cellWidth, 22 * px),
    y: scales[view.panel.role].ticks.map(([value, text]) => [
      along(value, scales[view.panel.role], view.box.height, 0),
      text,
    ]),
  }),
  paint({ ink: context, box, columns, cellWidth, data, panel }, look) {
    const scale = look.scales[panel.role];
    const place = (value) => Math.round(along(value, scale, box.top + box.height, box.top));
    context.fillStyle = look.color(panel.color);
    for (let c = 0; c < columns; c++) {
      const [from, to] = [place(0), place(data.cells[0][c])];
      const x = Math.round(box.left + (c + 0.14) * cellWidth);
      const width = Math.max(1, Math.round(0.72 * cellWidth));
      context.fillRect(x, Math.min(from, to), width, Math.abs(from - to));
    }
    context.fillStyle = look.text;
    context.globalAlpha = 0.5;
    context.fillRect(box.left, place(0), box.width, Math.max(1, Math.round(look.px)));
    context.globalAlpha = 1;
  },
};

const curve = {
  ticks: ({ panel, box }) => ({
    x: panel.xaxis.ticks.map(([value, text]) => [along(value, panel.xaxis, 0, box.width), text]),
    y: panel.yaxis.ticks.map(([value, text]) => [along(value, panel.yaxis, box.height, 0), text]),
  }),
  paint(view, look) {
    const { ink: context, box, data, panel } = view;
    const right = (x) => along(x, panel.xaxis, box.left, box.left + box.width);
    const up = (y) => along(y, panel.yaxis, box.top + box.height, box.top);
    context.lineWidth = 2 * look.px;
    context.lineJoin = "round";
    const columns = data.x[0].length - 1;
    data.y.forEach((row, line) => {
      context.strokeStyle = look.color(panel.colors[line]);
      context.setLineDash(panel.dashes[line].map((dash) => dash * look.px * 1.4));
      context.beginPath();
      for (let c = 0; c < columns; c++) context.lineTo(right(data.x[0][c]), up(row[c]));
      context.stroke();
    });
    context.setLineDash([]);
    look.font(context, 12);
    context.textAlign = "left";
    context.textBaseline = "bottom";
    context.fillStyle = look.text;
    panel.points.forEach((name, i) => {
      const [x, y] = [right(data.px[0][i]), up(data.py[0][i])];
      context.beginPath();
      context.arc(x, y, 4 * look.px, 0, 7);
      context.fill();
      const wide = context.measureText(name).width;
      const over = x + wide + 8 * look.px > box.left + box.width;
      context.fillText(name, x + (over ? -wide - 7 * look.px : 7 * look.px), y - 2 * look.px);
    });
  },
};

const KINDS = { heatmap, bars, curve };

// ---- drawing: what all panels share ------------------------------------------------------------

/** How things look on the page just now. @param {HTMLElement} host */
function lookOf(host, state, print) {
  const style = getComputedStyle(host);
  const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  probe.fillStyle = print ? "#000" : style.color;
  probe.fillRect(0, 0, 1, 1);
  const dark = !isDark([...probe.getImageData(0, 0, 1, 1).data]);
  const px = Math.max(devicePixelRatio || 1, print ? 3 : 1);
  const ramps = {};
  for (const role in state.scales) ramps[role] = ramp(state.scales[role][dark ? "dark" : "light"]);
  const look = { px, dark, ramps, scales: state.scales, text: print ? "#000" : style.color };
  look.color = (pair) => pair[Number(dark)];
  look.font = (context, size) => {
    context.font = `${size * px}px ${style.fontFamily}`;
  };
  look.hatch = (context) => {
    const size = Math.round(6 * px);
    const tile = Object.assign(document.createElement("canvas"), { width: size, height: size });
    const ink = tile.getContext("2d");
    ink.globalAlpha = 0.45;
    ink.strokeStyle = look.text;
    ink.lineWidth = px;
    for (const shift of [-size, 0, size]) {
      ink.moveTo(shift - 1, size + 1);
      ink.lineTo(shift + size + 1, -1);
    }
    ink.stroke();
    look.pattern ??= context.createPattern(tile, "repeat");
    return look.pattern;
  };
  return look;
}

/** Room for labels around a plot, in device pixels. */
function margins(view, look) {
  const { panel, ink: context } = view;
  look.font(context, 12);
  const wide = (texts) => Math.max(0, ...texts.map((text) => context.measureText(text).width));
  const numbered = (panel.kind === "curve" ? panel.yaxis : look.scales[panel.role]).ticks;
  const counted = [String(view.rows)];
  const yticks = panel.kind === "heatmap" ? (panel.yticks ?? counted) : numbered.map(([, t]) => t);
  view.slanted = wide(panel.xticks ?? []) > 22 * look.px;
  const below = view.slanted ? 0.72 * Math.min(wide(panel.xticks), 120 * look.px) + 10 * look.px : 18 * look.px;
  return {
    left: Math.min(wide(yticks), 130 * look.px) + (panel.ylabel ? 28 : 8) * look.px,
    right: (panel.kind === "heatmap" ? 2 : 12) * look.px,
    top: (panel.kind === "heatmap" ? 2 : 8) * look.px,
    bottom: below + (panel.xlabel ? 20 : 0) * look.px,
  };
}

/** Give every panel its size: side by side while cells stay large enough, else in more rows. */
function arrange(views, width, look) {
  const gap = 28 * look.px;
  const room = width * look.px;
  const around = views.map((view) => margins(view, look));
  let cell;
  for (let lines = 1; lines <= views.length; lines++) {
    const each = Math.ceil(views.length / lines);
    cell = 44 * look.px;
    let fits = true;
    for (let at = 0; at < views.length; at += each) {
      const line = views.slice(at, at + each);
      let free = room - gap * (line.length - 1);
      let columns = 0;
      line.forEach((view, i) => {
        free -= around[at + i].left + around[at + i].right;
        if (view.panel.kind === "heatmap") columns += view.columns;
        else free -= Math.min(220 * look.px, room - around[at + i].left - around[at + i].right);
      });
      const size = columns ? free / columns : 44 * look.px;
      const most = Math.max(...line.map((view) => view.columns));
      if (free < 0 || (columns && size < Math.min(26, 150 / most) * look.px)) fits = false;
      if (columns) cell = Math.min(cell, size);
    }
    if (fits) break;
  }
  const tallest = Math.max(1, ...views.map((v) => (v.panel.kind === "heatmap" ? v.rows : 1)));
  cell = Math.max(1, Math.floor(Math.min(cell, Math.max((420 * look.px) / tallest, 4 * look.px))));
  views.forEach((view, i) => {
    const { left, right, top, bottom } = around[i];
    let [wide, high] = [cell * view.columns, cell * view.rows];
    if (view.panel.kind === "heatmap") {
      view.cellWidth = cell;
      view.cellHeight = Math.max(cell, Math.min(Math.floor((60 * look.px) / view.rows), 22 * look.px));
      high = view.cellHeight * view.rows;
    } else {
      wide = Math.floor(Math.min(340 * look.px, room - left - right));
      high = Math.round(Math.max(150 * look.px, Math.min(0.6 * wide, 210 * look.px)));
      view.cellWidth = wide / view.columns;
      view.cellHeight = high;
    }
    view.box = { left: Math.round(left), top: Math.round(top), width: wide, height: high };
    view.canvas.width = Math.ceil(view.box.left + wide + right);
    view.canvas.height = Math.ceil(view.box.top + high + bottom);
    view.canvas.style.width = `${view.canvas.width / look.px}px`;
    view.canvas.dataset.box = JSON.stringify(view.box);
  });
}

/** What does not change with the state: ticks and labels. */
function frame(view, look) {
  const { ink: context, box, panel, canvas } = view;
  context.clearRect(0, 0, canvas.width, canvas.height);
  const { x, y } = KINDS[panel.kind].ticks(view, look.px, look.scales);
  context.fillStyle = look.text;
  look.font(context, 12);
  context.globalAlpha = 0.78;
  context.textBaseline = "middle";
  context.textAlign = "right";
  for (const [at, text] of y) context.fillText(text, box.left - 6 * look.px, box.top + at);
  const under = box.top + box.height + 5 * look.px;
  context.textBaseline = "top";
  context.textAlign = view.slanted ? "right" : "center";
  for (const [at, text] of x) {
    context.save();
    context.translate(box.left + at + (view.slanted ? 5 * look.px : 0), under);
    if (view.slanted) context.rotate(-Math.PI / 4);
    context.fillText(text, 0, 0);
    context.restore();
  }
  context.globalAlpha = 1;
  look.font(context, 13);
  context.textAlign = "center";
  context.textBaseline = "bottom";
  context.fillText(panel.xlabel, box.left + box.width / 2, canvas.height);
  context.save();
  context.translate(0, box.top + box.height / 2);
  context.rotate(-Math.PI / 2);
  context.textBaseline = "top";
  context.fillText(panel.ylabel, 0, 0);
  context.restore();
}

/** Where a cell, a bar or a place on a curve stands. @returns {Box} */
function spot({ panel, box, data, cellWidth, cellHeight }, { row, column }) {
  if (panel.kind === "curve") {
    const at = along(data.x[0][column], panel.xaxis, 0, box.width);
    return { left: box.left + at, top: box.top, width: 0, height: box.height };
  }
  const [left, top] = [box.left + column * cellWidth, box.top + row * cellHeight];
  return { left, top, width: cellWidth, height: cellHeight };
}

/** Draw the numbers of the state, and a ring around the cell that is read out. */
function paint(view, look) {
  const { ink: context, box, active, panel } = view;
  const { px } = look;
  if (panel.kind === "heatmap") context.clearRect(box.left, box.top, box.width, box.height);
  else {
    context.clearRect(box.left - 2 * px, 0, view.canvas.width, box.top + box.height + 2 * px);
    context.globalAlpha = 0.14;
    context.fillStyle = look.text;
    for (const [at] of KINDS[panel.kind].ticks(view, px, look.scales).y)
      context.fillRect(box.left, Math.round(box.top + at), box.width, Math.round(px));
    context.globalAlpha = 1;
  }
  KINDS[panel.kind].paint(view, look);
  if (!active) return;
  const { left, top, width, height } = spot(view, active);
  const line = (width ? 2 : 0.5) * px;
  context.lineWidth = 2 * line;
  context.strokeStyle = look.text;
  context.strokeRect(left + line, top + line, Math.max(0, width - 2 * line), height - 2 * line);
}

// ---- the page around the drawing ---------------------------------------------------------------

const CSS = `
:host { display: block; position: relative; margin: .5em 0; font-size: 15px; line-height: 1.45;
  print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.head { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 1em; margin-bottom: .5em; }
.title { font-weight: 600; flex: 1 1 auto; }
button { font: inherit; font-size: 13px; color: inherit; background: none; border: 0; margin: 0;
  padding: 2px 6px; min-height: 26px; min-width: 26px; border-radius: 4px; cursor: pointer;
  text-decoration: underline; text-decoration-color: color-mix(in srgb, currentColor 30%, transparent);
  text-underline-offset: 3px; }
button:hover { text-decoration-color: currentColor; }
:focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }
.controls { display: flex; flex-wrap: wrap; gap: .6em 2em; margin-bottom: 1.1em; }
.field { display: grid; grid-template-columns: 1fr auto; align-items: center; column-gap: .8em;
  flex: 0 1 15em; min-width: 10em; }
.field.small { flex: 0 0 auto; grid-template-columns: auto auto; min-width: 0; }
.field label, .field output { font-size: 14px; overflow-wrap: anywhere; }
.field output { font-weight: 600; font-variant-numeric: tabular-nums; }
.line { grid-column: 1 / -1; display: flex; gap: .4em; }
input[type=range] { flex: 1; min-width: 0; height: 26px; margin: 0; accent-color: currentColor;
  cursor: pointer; }
input[type=checkbox] { width: 24px; height: 24px; margin: 0; accent-color: currentColor; }
select { font: inherit; font-size: 14px; color: inherit; background: transparent; min-height: 28px;
  max-width: 100%; border: 1px solid color-mix(in srgb, currentColor 40%, transparent);
  border-radius: 4px; }
option { color: CanvasText; background: Canvas; }
.panels { display: flex; flex-wrap: wrap; gap: 1.2em 28px; }
.panel { max-width: 100%; }
.name { font-size: 14px; margin-bottom: .3em; }
.lines { font-size: 13px; display: flex; flex-wrap: wrap; gap: 0 1.2em; margin-bottom: .2em; }
.lines span::before { content: ""; display: inline-block; }
canvas { display: block; max-width: 100%; touch-action: pan-y pinch-zoom; }
.scales { display: flex; flex-wrap: wrap; gap: .4em 2.5em; margin-top: .8em; font-size: 12px; }
.scale { display: grid; grid-template-columns: auto 11em; column-gap: .8em; align-items: center; }
.bar { height: 8px; border-radius: 1px; }
.ticks { grid-column: 2; display: flex; justify-content: space-between; opacity: .85;
  font-variant-numeric: tabular-nums; }
.hatch { display: inline-block; width: 20px; height: 12px; margin-right: .5em; vertical-align: -1px; }
.status { margin: .7em 0 0; font-size: 14px; min-height: 2.9em; font-variant-numeric: tabular-nums; }
.numbers { overflow: auto; max-height: 24em; margin-top: .6em; }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums;
  margin-bottom: 1em; }
caption { text-align: left; font-weight: 600; }
th, td { padding: 2px 8px; text-align: right; font-weight: 400; }
th { opacity: .85; }
.predict { margin-bottom: 1em; }
.predict p { margin: 0 0 .5em; }
.predict button { display: block; font-size: 14px; text-align: left; }
.covered { visibility: hidden; }
[hidden] { display: none; }
@media print { button, .numbers { display: none; } :host { color: #000; break-inside: avoid; } }
`;

/** An element with properties, attributes (aria-*, role, for) and children; text stays text. */
function make(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in node) node[name] = value;
    else node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

/** Tell a figure of events of its page, without keeping alive one that the page has dropped. */
function watch(host) {
  const quit = new AbortController();
  const figure = new WeakRef(host);
  const tell = (event) => {
    const alive = figure.deref();
    if (alive) alive.notice(event);
    else stop();
  };
  const observer = new MutationObserver(() => tell({ type: "theme" }));
  const stop = () => {
    quit.abort();
    observer.disconnect();
  };
  for (const node of [document.documentElement, document.body])
    observer.observe(node, { attributes: true });
  const { signal } = quit;
  for (const type of ["hashchange", "beforeprint", "afterprint", "resize"])
    addEventListener(type, tell, { signal });
  document.addEventListener("click", tell, { signal });
  for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)", "print"])
    matchMedia(query).addEventListener("change", tell, { signal });
  return stop;
}

let count = 0;

/**
 * Draw a figure in `el`; the form that anywidget asks for.
 * @param {{model: any, el: HTMLElement, page?: boolean}} context `page`: there is no kernel
 * @returns {() => void} clean-up
 */
function render({ model, el, page = false }) {
  const state = model.get("_state");
  const controls = /** @type {Control[]} */ (state.controls);
  const sizes = controls.map((control) => control.options.length);
  const host = make("div");
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(CSS);
  root.adoptedStyleSheets = [sheet];
  el.append(host);
  const id = `d2l${++count}`;

  /** Move some controls; what does not exist is left out. */
  const change = (moves) => {
    const value = { ...model.get("value") };
    for (const { name, options } of controls)
      if (options.includes(moves[name])) value[name] = moves[name];
    model.set("value", value);
    model.save_changes();
  };
  const places = () => {
    const value = model.get("value");
    return controls.map(({ name, options }) => Math.max(0, options.indexOf(value[name])));
  };

  // Controls.
  const fields = controls.map((control, i) => {
    const { name, kind, options } = control;
    const label = make("label", { htmlFor: `${id}-${i}`, textContent: control.label });
    if (kind === "slider") {
      const input = make("input", { type: "range", id: label.htmlFor, min: 0, max: sizes[i] - 1 });
      const output = make("output", { htmlFor: label.htmlFor });
      input.addEventListener("input", () => change({ [name]: options[input.valueAsNumber] }));
      const line = make("div", { className: "line" }, input);
      if (state.play === name) line.append(player(input));
      const node = make("div", { className: "field" }, label, output, line);
      const show = (place) => {
        input.value = place;
        output.textContent = say(options[place], -1) && String(options[place]).replace("-", "\u2212");
        input.setAttribute("aria-valuetext", output.textContent);
      };
      return { node, show };
    }
    if (kind === "menu") {
      const select = make("select", { id: label.htmlFor });
      select.append(...options.map((text) => make("option", { textContent: text })));
      select.addEventListener("change", () => change({ [name]: options[select.selectedIndex] }));
      const node = make("div", { className: "field small" }, label, select);
      return { node, show: (place) => (select.selectedIndex = place) };
    }
    const box = make("input", { type: "checkbox", id: label.htmlFor, role: "switch" });
    box.addEventListener("change", () => change({ [name]: box.checked }));
    const node = make("div", { className: "field small" }, box, label);
    return { node, show: (place) => (box.checked = place === 1) };
  });

  let timer = 0;
  function player(input) {
    const button = make("button", { type: "button", textContent: "Play" });
    const stop = () => {
      clearInterval(timer);
      timer = 0;
      button.textContent = "Play";
    };
    const go = (place) => {
      input.value = place;
      input.dispatchEvent(new Event("input"));
    };
    button.addEventListener("click", () => {
      if (timer) return stop();
      button.textContent = "Pause";
      if (input.value === input.max) go(0);
      timer = setInterval(() => {
        go(input.valueAsNumber + 1);
        if (input.value === input.max) stop();
      }, 600);
    });
    return button;
  }

  // Panels.
  const views = state.panels.map((panel) => {
    const [rows, columns] = panel.shape;
    const canvas = make("canvas", { tabIndex: 0, role: "application", "aria-roledescription": panel.kind });
    const name = panel.name || (panel.role ?? panel.kind);
    canvas.setAttribute("aria-label", `${name}: arrow keys read the numbers`);
    const node = make("div", { className: "panel" }, make("div", { className: "name", textContent: panel.name }));
    node.append(canvas);
    const tables = Object.entries(panel.tables);
    const small = make("canvas", { width: columns, height: rows });
    const view = {
      panel, canvas, node, name, columns, small,
      rows: panel.kind === "heatmap" ? rows : 1,
      ink: canvas.getContext("2d"),
      decimals: Math.max(...tables.map(([, table]) => table.decimals)),
      image: small.getContext("2d").createImageData(columns, rows),
      read: tables.map(([key, table]) => [key, reader(table, sizes)]),
      data: {}, active: null,
    };
    const aim = (event) => {
      const scale = view.canvas.width / canvas.clientWidth;
      const x = event.offsetX * scale;
      const y = event.offsetY * scale - view.box.top;
      let column = Math.floor((x - view.box.left) / view.cellWidth);
      if (panel.kind === "curve") {
        const far = (c) => Math.abs(spot(view, { column: c }).left - x);
        column = 0;
        for (let c = 1; c < columns; c++) if (far(c) < far(column)) column = c;
      }
      const row = Math.floor(y / view.cellHeight);
      const inside = column >= 0 && column < columns && row >= 0 && row < view.rows;
      point(view, inside ? { row, column } : null);
    };
    canvas.addEventListener("pointermove", aim);
    canvas.addEventListener("pointerdown", aim);
    canvas.addEventListener("pointerleave", (e) => e.pointerType === "mouse" && point(view, null));
    canvas.addEventListener("blur", () => point(view, null));
    canvas.addEventListener("keydown", (event) => {
      const move = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0],
        Home: [0, -columns], End: [0, columns] }[event.key];
      if (event.key === "t") toggle();
      if (event.key === "Escape") point(view, null);
      if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      const now = view.active ?? { row: 0, column: 0 };
      const [down, right] = view.active ? move : [0, 0];
      const clamp = (at, size) => Math.max(0, Math.min(size - 1, at));
      point(view, { row: clamp(now.row + down, view.rows), column: clamp(now.column + right, columns) });
    });
    return view;
  });

  /** Read out one cell; none: the state again. */
  function point(view, active) {
    const { row, column } = view.active ?? {};
    if (active ? active.row === row && active.column === column : !view.active) return;
    for (const other of views) {
      if (other !== view && !other.active) continue;
      other.active = other === view ? active : null;
      paint(other, look);
    }
    tell(true);
  }

  const place = (label, ticks, at) =>
    `${singular(label) || "place"} ${ticks ? `${at + 1} (${ticks[at]})` : at + 1}`;

  /** One cell in words. */
  function cell({ panel, data, name, decimals, rows }, { row, column }) {
    if (panel.kind === "curve") {
      const x = `${panel.xlabel || "x"} ${say(data.x[0][column], panel.tables.x.decimals)}`;
      return `${x}: ${panel.lines.map((line, i) => `${line} ${say(data.y[i][column], panel.tables.y.decimals)}`).join(", ")}.`;
    }
    const cells = data.cells[row];
    const which = [place(panel.xlabel, panel.xticks, column)];
    if (panel.kind === "heatmap") which.unshift(place(panel.ylabel, panel.yticks, row));
    const sum = `${rows > 1 ? "row" : "all"} sums to ${say(cells.at(-1), decimals)}`;
    return `${name}, ${which.join(", ")}: ${say(cells[column], decimals)} (${sum}).`;
  }

  /** The state in one sentence. */
  function sentence() {
    const value = model.get("value");
    const set = controls.map(({ name, label, kind }) =>
      kind === "switch" ? `${label} ${value[name] ? "on" : "off"}` : `${label} = ${value[name]}`);
    const view = views.at(-1);
    const rows = view.data.cells ?? view.data.y;
    let best = null;
    rows.forEach((row, r) => {
      for (let c = 0; c < view.columns; c++)
        if (!Number.isNaN(row[c]) && !(row[c] <= rows[best?.row]?.[best.column])) best = { row: r, column: c };
    });
    if (!best) return `${set.join(", ")}.`;
    return `${set.join(", ")}. Largest in ${cell(view, best)}`;
  }

  const status = make("p", { className: "status", role: "status" });
  let saying = 0;
  /** Say the state or the cell; speech waits until the reader rests. */
  function tell(now) {
    clearTimeout(saying);
    const speak = () => {
      const view = views.find((one) => one.active);
      status.textContent = view ? cell(view, view.active) : sentence();
    };
    if (now) speak();
    else saying = setTimeout(speak, 250);
  }

  // The table of the numbers.
  const numbers = make("div", { className: "numbers", hidden: true, tabIndex: 0, role: "region" });
  numbers.setAttribute("aria-label", `Numbers of ${state.title}`);
  const open = make("button", { type: "button", textContent: "Numbers", title: "Key T" });
  open.addEventListener("click", toggle);
  /** @type {(() => void)[]} */
  let fill = [];
  function toggle() {
    numbers.hidden = !numbers.hidden;
    open.setAttribute("aria-expanded", String(!numbers.hidden));
    if (!fill.length) fill = views.map((view) => tabulate(view, numbers));
    fill.forEach((each) => each());
  }
  open.setAttribute("aria-expanded", "false");

  // Colour bars.
  const legend = make("div", { className: "scales" });
  const roles = new Set(state.panels.filter((p) => p.kind === "heatmap").map((p) => p.role));
  const colorBars = [...roles].map((role) => {
    const scale = state.scales[role];
    const bar = make("div", { className: "bar" });
    const ticks = scale.ticks.map(([, text]) => make("span", { textContent: text.replace("-", "\u2212") }));
    legend.append(
      make("div", { className: "scale" }, make("span", { textContent: scale.label }), bar,
        make("div", { className: "ticks" }, ...ticks)));
    return () => {
      bar.style.background = `linear-gradient(90deg, ${scale[look.dark ? "dark" : "light"].join()})`;
    };
  });

  let look;
  let printing = false;
  function draw() {
    const now = places();
    fields.forEach((field, i) => field.show(now[i]));
    for (const view of views) {
      for (const [key, read] of view.read) view.data[key] = read(now);
      if (look) paint(view, look);
    }
    if (!numbers.hidden) fill.forEach((each) => each());
    tell(false);
  }
  /** Lay out and draw again: the width, the theme or the paper has changed. */
  function refresh() {
    const width = host.clientWidth;
    if (!width) return;
    look = lookOf(host, state, printing);
    arrange(views, width, look);
    colorBars.forEach((color) => color());
    for (const view of views) {
      frame(view, look);
      paint(view, look);
    }
  }

  const body = make("div", {},
    make("div", { className: "controls" }, ...fields.map((field) => field.node)),
    make("div", { className: "panels" }, ...views.map((view) => view.node)), legend, status, numbers);
  const head = make("div", { className: "head" }, make("div", { className: "title", textContent: state.title }), open);
  const reset = make("button", { type: "button", textContent: "Reset" });
  reset.addEventListener("click", () => change(state.start));
  head.append(reset);
  const group = make("div", { role: "group" }, head, body);
  group.setAttribute("aria-label", state.title);
  root.append(group);

  host.notice = (event) => {
    if (event.type === "click" || event.type === "hashchange") return;
    printing = event.type === "beforeprint" || matchMedia("print").matches;
    refresh();
  };
  const stop = watch(host);
  const resize = new ResizeObserver(refresh);
  resize.observe(host);
  model.on("change:value", draw);
  draw();
  refresh();
  return () => {
    stop();
    resize.disconnect();
    clearInterval(timer);
    clearTimeout(saying);
    model.off("change:value", draw);
    host.remove();
  };
}

/** A real table of one panel's numbers. @returns {() => void} fills it with those of the state */
function tabulate(view, parent) {
  const { panel, columns } = view;
  const curves = panel.kind === "curve";
  const word = (ticks, i) => (ticks ? ticks[i] : String(i + 1));
  const th = (scope, text) => make("th", { scope, textContent: text });
  const top = Array.from({ length: columns }, (_, c) => th("col", curves ? "" : word(panel.xticks, c)));
  const rows = Array.from({ length: panel.shape[0] }, (_, r) => {
    const cells = Array.from({ length: columns + (curves ? 0 : 1) }, () => make("td"));
    const name = curves ? panel.lines[r] : panel.kind === "bars" ? panel.ylabel || panel.role : word(panel.yticks, r);
    return { cells, node: make("tr", {}, th("row", name), ...cells) };
  });
  const corner = make("td", { textContent: "" });
  const header = make("tr", {}, corner, ...top);
  if (!curves) header.append(th("col", "sum"));
  parent.append(
    make("table", {}, make("caption", { textContent: view.name }), make("thead", {}, header),
      make("tbody", {}, ...rows.map((row) => row.node))));
  return () => {
    if (curves) top.forEach((node, c) => (node.textContent = say(view.data.x[0][c], panel.tables.x.decimals)));
    rows.forEach(({ cells }, r) =>
      cells.forEach((node, c) => {
        const text = say((view.data.y ?? view.data.cells)[r][c], (panel.tables.y ?? panel.tables.cells).decimals);
        if (node.textContent !== text) node.textContent = text;
      }));
  };
}

/** Without a kernel: a model of the page's own for every figure that is not alive yet. */
function mountAll() {
  for (const el of document.querySelectorAll(".d2lmini-figure:not([data-alive])")) {
    const data = el.querySelector("script[type='application/json']");
    if (!data) continue;
    el.dataset.alive = "";
    const state = JSON.parse(data.textContent);
    const values = { _state: state, value: state.start };
    const listeners = new Set();
    const model = {
      get: (key) => values[key],
      set(key, value) {
        values[key] = value;
        for (const listener of listeners) listener();
      },
      on: (_, listener) => listeners.add(listener),
      off: (_, listener) => listeners.delete(listener),
      save_changes() {},
    };
    render({ model, el, page: true });
    el.querySelector("img")?.remove();
  }
}

export default { render };
