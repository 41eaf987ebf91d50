// The figure of explore(): it looks up numbers that Python has computed, and draws them.

const decode = (text) => Float64Array.from(text.split(","), (digits) => parseInt(digits, 36));

/** The rows of a table in any state; each ends with its sum, NaN is masked. */
function reader({ columns, decimals, data }, sizes) {
  const [lowest, rows, ...index] = data.split(" ");
  const cells = decode(rows).map((number) => (number + Number(lowest)) / 10 ** decimals);
  const lookups = index.map((entry) => entry.split(":")).map(([bits, ids]) => [bits, decode(ids)]);
  const known = {};
  return (places) => {
    const starts = lookups.map(([bits, ids]) => {
      const at = sizes.reduce((sum, n, i) => ((bits >> i) & 1 ? sum * n + places[i] : sum), 0);
      return ids[at] * columns;
    });
    return (known[starts] ??= starts.map((at) => cells.subarray(at, at + columns)));
  };
}

const minus = (value) => String(value).replace("-", "\u2212");

const say = (number, decimals) =>
  Number.isNaN(number) ? "masked" : minus(number.toFixed(Math.max(decimals, 0)));

const STEPS = 1024;

/** Whether white reads better than black on it. */
function isDark(shade) {
  const [red, green, blue] = [shade, shade >> 8, shade >> 16].map((part) => part & 255);
  return 0.3 * red + 0.59 * green + 0.11 * blue < 105;
}

function ramp(stops) {
  const ink = make("canvas", { width: STEPS, height: 1 }).getContext("2d");
  ink.fillStyle = ink.createLinearGradient(0.5, 0, STEPS - 0.5, 0);
  stops.forEach((stop, i) => ink.fillStyle.addColorStop(i / (stops.length - 1), stop));
  ink.fillRect(0, 0, STEPS, 1);
  return new Uint32Array(ink.getImageData(0, 0, STEPS, 1).data.buffer);
}

function hatch(text, px) {
  const ink = make("canvas", { width: 5 * px, height: 5 * px }).getContext("2d");
  ink.scale(px, px);
  ink.globalAlpha = 0.5;
  ink.lineWidth = 0.8;
  ink.strokeStyle = text;
  for (const at of [-5, 0, 5]) {
    ink.moveTo(at, 5);
    ink.lineTo(at + 5, 0);
  }
  ink.stroke();
  const lines = ink.createPattern(ink.canvas, "");
  lines.setTransform({ a: 1 / px, d: 1 / px });
  return lines;
}

function lookOf(host, scales, print) {
  const { color, fontFamily } = getComputedStyle(host);
  const text = print ? "#000" : color;
  const px = Math.max(devicePixelRatio, print ? 3 : 1);
  const dark = isDark(ramp([text, text])[0]) ? 0 : 1;
  const theme = ["light", "dark"][dark];
  const ramps = {};
  for (const role in scales) ramps[role] = ramp(scales[role][theme]);
  const font = (ink, points) => (ink.font = `${points}px ${fontFamily}`);
  return { px, dark, theme, text, font, ramps, scales, hatching: hatch(text, px) };
}

/** Where a value of an axis stands between two ends. */
const along = (value, [low, high], from, to) => from + ((value - low) / (high - low)) * (to - from);

const PAINT = {
  heatmap(view, look) {
    const { ink, left, top, width, height, rows, columns, cellWidth, cellHeight, data, small, role } = view;
    const { low, high } = look.scales[role];
    const ramp = look.ramps[role];
    const color = (value) => ramp[Math.round(along(value, [low, high], 0, STEPS - 1))];
    const image = new ImageData(columns, rows);
    const pixels = new Uint32Array(image.data.buffer);
    data.cells.forEach((row, r) => {
      for (let c = 0; c < columns; c++) pixels[r * columns + c] = color(row[c]);
    });
    small.putImageData(image, 0, 0);
    // Masked cells have no colour: the hatching shows through.
    ink.fillStyle = look.hatching;
    if (view.masked) ink.fillRect(left, top, width, height);
    ink.imageSmoothingEnabled = false;
    ink.drawImage(small.canvas, left, top, width, height);
    if (Math.min(cellWidth, cellHeight) >= 9) {
      for (let c = 1; c < columns; c++) ink.clearRect(left + c * cellWidth - 1, top, 1, height);
      for (let r = 1; r < rows; r++) ink.clearRect(left, top + r * cellHeight - 1, width, 1);
    }
    if (cellWidth < 6.3 * view.letters + 5 || cellHeight < 16) return;
    look.font(ink, 11);
    ink.textAlign = "center";
    ink.textBaseline = "middle";
    data.cells.forEach((row, r) => {
      for (let c = 0; c < columns; c++) {
        if (Number.isNaN(row[c])) continue;
        ink.fillStyle = isDark(color(row[c])) ? "#fff" : "#000";
        ink.fillText(say(row[c], view.digits), left + (c + 0.5) * cellWidth, top + (r + 0.5) * cellHeight + 1);
      }
    });
  },

  bars({ ink, left, top, height, columns, cellWidth, data, yaxis, colors }, { dark }) {
    const up = (y) => Math.round(along(y, yaxis, top + height, top));
    ink.fillStyle = colors[0][dark];
    for (let c = 0; c < columns; c++)
      ink.fillRect(left + (c + 0.14) * cellWidth, up(0), 0.72 * cellWidth, up(data.cells[0][c]) - up(0));
  },

  curve({ ink, left, top, width, height, data, at, xaxis, yaxis, colors, dashes, points }, look) {
    const up = (y) => along(y, yaxis, top + height, top);
    ink.lineWidth = 2;
    ink.lineJoin = "round";
    data.cells.forEach((row, line) => {
      ink.strokeStyle = colors[line][look.dark];
      ink.setLineDash(dashes[line]);
      ink.beginPath();
      at.forEach((place, c) => ink.lineTo(left + place * width, up(row[c])));
      ink.stroke();
    });
    ink.setLineDash([]);
    look.font(ink, 12);
    ink.textBaseline = "bottom";
    ink.fillStyle = look.text;
    points.forEach((name, i) => {
      const x = along(data.px[0][i], xaxis, left, left + width);
      const y = up(data.py[0][i]);
      const over = x + ink.measureText(name).width + 8 > left + width;
      ink.beginPath();
      ink.arc(x, y, 4, 0, 7);
      ink.fill();
      ink.textAlign = over ? "right" : "left";
      ink.fillText(name, x + (over ? -7 : 7), y + (i % 2 ? 16 : -2));
    });
  },
};

/** Panels side by side while cells stay large, else in more lines. */
function arrange(views, room, { px, font }) {
  for (const view of views) {
    const { ink, heat, ylabel, x, y } = view;
    font(ink, 12);
    const widest = (ticks) => Math.max(...ticks.map(([, text]) => ink.measureText(text).width));
    view.left = Math.ceil(widest(y) + (ylabel ? 28 : 8));
    view.right = heat ? 2 : 14;
    view.top = heat ? 2 : 9;
    view.widest = widest(x);
    // Curves and bars are as wide as six columns; alone, as ten.
    view.span = heat ? view.columns : views.length > 1 ? 6 : 10;
  }
  const least = Math.min(26, 150 / Math.max(...views.map(({ span }) => span)));
  let cell = -1;
  for (let lines = 1; lines <= views.length && cell < least; lines++) {
    const each = Math.ceil(views.length / lines);
    cell = 44;
    for (let at = 0; at < views.length; at += each) {
      let free = room + 28;
      let spans = 0;
      for (const { left, right, span } of views.slice(at, at + each)) {
        free -= left + right + 28;
        spans += span;
      }
      cell = Math.min(cell, free / spans);
    }
  }
  const tallest = Math.max(...views.map(({ rows }) => rows));
  cell = Math.min(cell, Math.max(420 / tallest, 4));
  // Edges of cells fall on device pixels.
  const snap = (length) => Math.max(1, Math.floor(length * px)) / px;
  for (const view of views) {
    const { heat, columns, rows, canvas, ink } = view;
    view.width = snap(cell) * view.span;
    view.cellWidth = view.width / columns;
    view.cellHeight = heat ? snap(Math.max(cell, Math.min(60 / rows, 22))) : 160;
    view.height = view.cellHeight * rows;
    view.slant = view.words && view.widest > view.cellWidth - 4;
    view.bottom = (view.slant ? 0.71 * view.widest + 14 : 20) + (view.xlabel ? 20 : 0);
    canvas.width = (view.left + view.width + view.right) * px;
    canvas.height = (view.top + view.height + view.bottom) * px;
    canvas.style.width = `${canvas.width / px}px`;
    canvas.dataset.cells = [view.left, view.top, view.cellWidth, view.cellHeight];
    ink.scale(px, px);
  }
}

function frame({ ink, left, top, width, height, bottom, x, y, xlabel, ylabel, slant }, { text, font }) {
  const write = (label, right, down, angle = 0) => {
    ink.save();
    ink.translate(right, down);
    ink.rotate(angle);
    ink.fillText(label, 0, 0);
    ink.restore();
  };
  const thin = (ticks, length, room) =>
    ticks.filter((_, i) => i % Math.ceil((ticks.length * room) / length) === 0);
  ink.fillStyle = text;
  ink.globalAlpha = 0.8;
  font(ink, 12);
  ink.textBaseline = "middle";
  ink.textAlign = "right";
  for (const [at, label] of thin(y, height, 13)) write(label, left - 6, top + at * height);
  ink.textBaseline = "top";
  ink.textAlign = slant ? "right" : "center";
  for (const [at, label] of thin(x, width, slant ? 13 : 20))
    write(label, left + at * width + (slant ? 4 : 0), top + height + 6, slant ? -Math.PI / 4 : 0);
  ink.globalAlpha = 1;
  font(ink, 13);
  ink.textAlign = "center";
  write(ylabel, 0, top + height / 2, -Math.PI / 2);
  ink.textBaseline = "bottom";
  write(xlabel, left + width / 2, top + height + bottom);
}

/** Draw the state, and mark the active cell. */
function paint(view, look) {
  const { ink, left, top, width, height, active, kind, heat, cellHeight } = view;
  if (heat) ink.clearRect(left, top, width, height);
  else {
    ink.clearRect(left - 2, 0, width + 20, top + height + 2);
    ink.globalAlpha = 0.16;
    ink.fillStyle = look.text;
    for (const [at] of view.y) ink.fillRect(left, Math.round(top + at * height), width, 1);
    ink.globalAlpha = 1;
  }
  PAINT[kind](view, look);
  if (!active) return;
  ink.strokeStyle = look.text;
  ink.lineWidth = 2;
  const wide = kind === "curve" ? 2 : view.cellWidth;
  const x = left + view.at[active.column] * width - wide / 2;
  ink.strokeRect(x + 1, top + active.row * cellHeight + 1, wide - 2, cellHeight - 2);
}

// Python puts explorer.css here.
const CSS = "";

function make(tag, properties, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

const button = (text, onclick) => make("button", { type: "button", onclick }, text);
const block = (className, ...children) => make("div", { className }, ...children);

/** Tell a figure of events without keeping it alive. */
function watch(figure) {
  const quit = new AbortController();
  const known = new WeakRef(figure);
  const tell = (event) => known.deref()?.notice(event);
  const resize = new ResizeObserver(tell);
  resize.observe(figure.host);
  const observer = new MutationObserver(() => tell({}));
  observer.observe(document.documentElement, { attributes: true });
  observer.observe(document.body, { attributes: true });
  for (const type of ["hashchange", "load", "beforeprint", "afterprint", "resize", "click"])
    addEventListener(type, tell, quit);
  for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)", "print"])
    matchMedia(query).addEventListener("change", tell, quit);
  return () => {
    quit.abort();
    observer.disconnect();
    resize.disconnect();
  };
}

/** A control: its node, and how it shows an option. */
function field({ label, kind, options }, id, change, play) {
  const name = make("label", { htmlFor: id }, label);
  if (kind === "menu") {
    const onchange = () => change(options[node.selectedIndex]);
    const node = make("select", { id, onchange }, ...options.map((text) => make("option", {}, text)));
    return { node: block("field", name, node), show: (place) => (node.selectedIndex = place) };
  }
  if (kind === "switch") {
    const onchange = () => change(node.checked);
    const node = make("input", { id, type: "checkbox", onchange, role: "switch" });
    return { node: block("field", node, name), show: (place) => (node.checked = place > 0) };
  }
  const max = options.length - 1;
  const oninput = () => change(options[node.valueAsNumber]);
  const node = make("input", { id, type: "range", min: 0, max, oninput });
  const output = make("output", { htmlFor: id });
  let timer = 0;
  const stop = () => {
    timer = clearInterval(timer);
    player.textContent = "Play";
  };
  const player = button("Play", () => {
    if (timer) return stop();
    player.textContent = "Pause";
    if (node.valueAsNumber === max) change(options[0]);
    timer = setInterval(() => {
      change(options[node.valueAsNumber + 1]);
      if (node.valueAsNumber === max) stop();
    }, 600);
  });
  player.hidden = !play;
  const show = (place) => {
    node.value = place;
    node.ariaValueText = output.textContent = minus(options[place]);
  };
  return { node: block("field slider", name, output, block("line", node, player)), show, stop };
}

function quiz({ question, choices }, group) {
  const status = make("p", { role: "status" });
  const buttons = choices.map(([text, reply]) => {
    const node = button(text, () => {
      for (const one of buttons) one.ariaPressed = one === node;
      status.textContent = reply;
      group.classList.remove("covered");
    });
    return node;
  });
  group.classList.add("covered");
  group.prepend(block("quiz", question, ...buttons, status));
}

function tabulate({ name, kind, data, decimals, rowNames, columnNames }) {
  const cell = (tag, text, scope) => make(tag, scope && { scope }, text);
  const heads = kind === "curve" ? columnNames : [...columnNames, "sum"];
  const rows = rowNames.map((name, r) => {
    const numbers = heads.map((_, c) => cell("td", say(data.cells[r][c], decimals)));
    return make("tr", {}, cell("th", name, "row"), ...numbers);
  });
  const top = make("tr", {}, make("td"), ...heads.map((text) => cell("th", text, "col")));
  return make("table", {}, make("caption", {}, name), make("thead", {}, top), make("tbody", {}, ...rows));
}

function tellCell({ name, kind, data, decimals, heat, ...panel }, { row, column }) {
  const number = (r, c = column) => say(data.cells[r].at(c), decimals);
  const across = `${panel.column} ${panel.columnNames[column]}`;
  if (kind === "curve")
    return `${across}: ${panel.rowNames.map((line, r) => `${line} ${number(r)}`).join(", ")}.`;
  const down = heat ? `${panel.row} ${panel.rowNames[row]}, ` : "";
  const sum = panel.role === "weight" ? `; ${heat ? "the row sums" : "all sum"} to ${number(row, -1)}` : "";
  return `${name}, ${down}${across}: ${number(row)}${sum}.`;
}

function viewOf(panel, figure) {
  const { kind, tables } = panel;
  const [count, columns] = panel.shape;
  const heat = kind === "heatmap";
  const rows = heat ? count : 1;
  const at = panel.at ?? panel.columnNames.map((_, c) => (c + 0.5) / columns);
  const go = (row, column) => {
    const clamp = (place, size) => Math.max(0, Math.min(size - 1, place));
    figure.point(view, { row: clamp(row, rows), column: clamp(column, columns) });
  };
  const aim = ({ offsetX, offsetY }) => {
    const far = (place) => Math.abs(view.left + place * view.width - offsetX);
    const column = at.reduce((best, place, c) => (far(place) < far(at[best]) ? c : best), 0);
    go(Math.floor((offsetY - view.top) / view.cellHeight), column);
  };
  const moves = { Left: [0, -1], Right: [0, 1], Up: [-1, 0], Down: [1, 0] };
  const onkeydown = (event) => {
    const move = moves[event.key.replace("Arrow", "")];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "t") figure.toggle();
    if (event.key === "Escape") figure.point(view);
    if (!move) return;
    event.preventDefault();
    const { row, column } = view.active ?? { row: -move[0], column: -move[1] };
    go(row + move[0], column + move[1]);
  };
  const name = panel.name || panel.role || kind;
  const canvas = make("canvas", {
    tabIndex: 0,
    role: "application",
    ariaLabel: `${name}: arrow keys read the numbers, T shows a table`,
    onpointermove: aim,
    onpointerdown: aim,
    onpointerleave: ({ pointerType }) => pointerType === "mouse" && figure.point(view),
    onblur: () => figure.point(view),
    onkeydown,
  });
  const lines = (panel.marks ?? []).map((line) => make("span", {}, line));
  const node = block("panel", block("name", panel.name), block("legend", ...lines), canvas);
  const ink = canvas.getContext("2d");
  const small = make("canvas", { width: columns, height: rows }).getContext("2d");
  const sizes = figure.controls.map(({ options }) => options.length);
  const read = Object.entries(tables).map(([key, table]) => [key, reader(table, sizes)]);
  const { decimals } = tables.cells;
  const view = { ...panel, name, at, canvas, ink, small, node, rows, columns, heat, read, decimals, lines, data: {} };
  return view;
}

/** A figure on the page. */
class Figure {
  bars = {};
  status = make("p", { role: "status" });
  numbers = make("div", { className: "numbers", tabIndex: 0, role: "group", ariaLabel: "Numbers", hidden: true });

  constructor(given) {
    Object.assign(this, given);
    this.fields = this.controls.map((control, i) =>
      field(control, `c${i}`, (option) => this.change({ [control.name]: option }), this.play === control.name),
    );
    this.views = this.panels.map((panel) => viewOf(panel, this));
    this.opener = button("Numbers", () => this.toggle());
    this.opener.ariaExpanded = false;
  }

  change(moves) {
    const value = { ...this.model.get("value") };
    for (const { name, options } of this.controls)
      if (options.includes(moves[name])) value[name] = moves[name];
    this.model.set("value", value);
    this.model.save_changes();
  }

  point(view, active) {
    const before = view.active;
    if (before?.row === active?.row && before?.column === active?.column) return;
    for (const other of this.views) {
      other.active = other === view ? active : undefined;
      paint(other, this.look);
    }
    this.speak();
  }

  speak() {
    clearTimeout(this.waiting);
    const view = this.views.find(({ active }) => active);
    if (view) return (this.status.textContent = tellCell(view, view.active));
    const value = this.model.get("value");
    const told = this.controls.map(({ name, label, kind }) =>
      kind === "switch" ? `${label} ${value[name] ? "on" : "off"}` : `${label} = ${minus(value[name])}`,
    );
    let best;
    const last = this.views.at(-1);
    last.data.cells.forEach((numbers, row) =>
      numbers.subarray(0, -1).forEach((number, column) => {
        if (!(number <= best?.number || Number.isNaN(number))) best = { row, column, number };
      }),
    );
    this.status.textContent = `${told.join(", ")}. ${best ? `Largest: ${tellCell(last, best)}` : ""}`;
  }

  toggle() {
    this.numbers.hidden = !this.numbers.hidden;
    this.opener.ariaExpanded = !this.numbers.hidden;
    this.draw();
  }

  draw() {
    const value = this.model.get("value");
    const places = this.controls.map(({ name, options }) => Math.max(0, options.indexOf(value[name])));
    this.fields.forEach((one, i) => one.place !== places[i] && one.show((one.place = places[i])));
    for (const view of this.views) {
      let moved;
      for (const [key, read] of view.read) {
        const rows = read(places);
        moved ||= view.data[key] !== rows;
        view.data[key] = rows;
      }
      if (this.look && moved) paint(view, this.look);
    }
    if (!this.numbers.hidden) this.numbers.replaceChildren(...this.views.map(tabulate));
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.speak(), 250);
  }

  refresh(print) {
    const { host, scales, views, bars } = this;
    if (!host.clientWidth) return;
    const look = (this.look = lookOf(host, scales, print || matchMedia("print").matches));
    host.style.colorScheme = look.theme;
    arrange(views, host.clientWidth, look);
    for (const role in bars) bars[role].style.background = `linear-gradient(90deg, ${scales[role][look.theme]})`;
    for (const view of views) {
      view.lines.forEach((node, i) => (node.style.color = view.colors[i][look.dark]));
      frame(view, look);
      paint(view, look);
    }
  }

  notice({ type, target }) {
    if (type === "click") {
      if (target.closest?.("a")?.href === location.href) this.visit();
    } else if (type === "hashchange" || type === "load") this.visit();
    else this.refresh(type === "beforeprint");
  }

  visit() {
    const [, query] = location.hash.split(`#${encodeURI(this.el.id)}?`);
    if (!this.page || !query) return;
    const moves = {};
    for (const { name, options, slack } of this.controls) {
      const text = new URLSearchParams(query).get(name);
      moves[name] = options.find((one) => `${one}` === text || (text && Math.abs(one - text) <= slack));
    }
    this.change(moves);
    this.host.scrollIntoView({ block: "nearest" });
  }

  legend() {
    const { views, scales, bars } = this;
    const legend = block("legend");
    for (const { heat, role } of views) {
      if (!heat || bars[role]) continue;
      const ticks = scales[role].ticks.map(([, text]) => make("span", {}, minus(text)));
      bars[role] = block("bar");
      legend.append(block("scale", scales[role].label, bars[role], block("ticks", ...ticks)));
    }
    if (views.some(({ masked }) => masked)) legend.append(make("span", {}, make("i"), "masked"));
    return legend;
  }

  node() {
    const link = button("Link", () => {
      history.replaceState(null, "", `#${this.el.id}?${new URLSearchParams(this.model.get("value"))}`);
      navigator.clipboard?.writeText(location.href).catch(() => {});
      this.status.textContent = "The address of this page now leads here.";
    });
    link.hidden = !this.page;
    const tools = block("tools", this.opener, link, button("Reset", () => this.change(this.start)));
    const group = make("div", { role: "group", ariaLabel: this.title }, block("head", block("title", this.title), tools));
    group.append(block("controls", ...this.fields.map(({ node }) => node)));
    group.append(block("panels", ...this.views.map(({ node }) => node)), this.legend(), this.status, this.numbers);
    if (this.predict) quiz(this.predict, group);
    return group;
  }
}

/**
 * Draw a figure in `el` and return the clean-up.
 * @param {{model: any, el: HTMLElement, page?: boolean}} context page: there is no kernel
 */
function render({ model, el, page }) {
  const host = make("div");
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(CSS);
  root.adoptedStyleSheets = [sheet];
  el.append(host);
  const figure = new Figure({ ...model.get("_state"), model, el, page, host });
  const draw = () => figure.draw();
  const stop = watch(figure);
  root.append(figure.node());
  model.on("change:value", draw);
  draw();
  figure.refresh();
  figure.speak();
  figure.visit();
  return () => {
    stop();
    clearTimeout(figure.waiting);
    for (const { stop } of figure.fields) stop?.();
    model.off("change:value", draw);
    host.remove();
  };
}

/** Without a kernel: bring a figure to life. */
function mount(el) {
  const data = el.querySelector("script[type='application/json']");
  if (!data || "alive" in el.dataset) return;
  el.dataset.alive = "";
  const _state = JSON.parse(data.textContent);
  let value = _state.start;
  const model = {
    get: (key) => (key === "value" ? value : _state),
    set(_, moved) {
      value = moved;
      model.draw();
    },
    on: (_, draw) => (model.draw = draw),
    off() {},
    save_changes() {},
  };
  render({ model, el, page: true });
  el.querySelector("img")?.remove();
}

export default { render };
