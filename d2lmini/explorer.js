// The figure that explore() makes: it looks up numbers that Python has computed, and draws them.
// Data first, then drawing, then the page around it. No text of the author's is read as HTML.

/** Integers in base 36; "-" is a masked cell. @param {string} text */
const decode = (text) => Float64Array.from(text.split(","), (digits) => parseInt(digits, 36));

/**
 * The rows of a table in any state; each row ends with its sum.
 * @param {{columns: number, decimals: number, data: string}} table
 * @param {number[]} sizes number of options of each control
 * @returns {(places: number[]) => Float64Array[]}
 */
function reader({ columns, decimals, data }, sizes) {
  const [lowest, rows, ...index] = data.split(" ");
  const cells = decode(rows).map((number) => (number + Number(lowest)) / 10 ** decimals);
  const lookups = index.map((entry) => entry.split(":")).map(([bits, ids]) => [bits, decode(ids)]);
  return (places) =>
    lookups.map(([bits, ids]) => {
      const at = sizes.reduce((sum, n, i) => ((bits >> i) & 1 ? sum * n + places[i] : sum), 0);
      return cells.subarray(ids[at] * columns, (ids[at] + 1) * columns);
    });
}

const minus = (value) => String(value).replace("-", "\u2212");

/** A number with all its stored decimals. */
function say(number, decimals) {
  if (Number.isNaN(number)) return "masked";
  return minus(decimals > 6 ? number.toExponential(3) : number.toFixed(Math.max(decimals, 0)));
}

// ---- drawing, in device pixels: px of them make a CSS pixel

const STEPS = 1024;
const DASHES = [[], [7, 4], [2, 3], [11, 4, 2, 4]];
const MARKS = ["\u2501\u2501\u2501", "\u2501 \u2501", "\u22ef\u22ef", "\u2501 \u00b7"];

/** Whether white reads better than black on a colour. @param {ArrayLike<number>} color */
function isDark([r, g, b]) {
  const light = (part) => (part / 255) ** 2.2;
  return 0.2126 * light(r) + 0.7152 * light(g) + 0.0722 * light(b) < 0.18;
}

/** The bytes of a scale's colours, from its lowest to its highest. @param {string[]} stops */
function ramp(stops) {
  const ink = make("canvas", { width: STEPS, height: 1 }).getContext("2d");
  ink.fillStyle = ink.createLinearGradient(0, 0, STEPS, 0);
  stops.forEach((stop, i) => ink.fillStyle.addColorStop(i / (stops.length - 1), stop));
  ink.fillRect(0, 0, STEPS, 1);
  return ink.getImageData(0, 0, STEPS, 1).data;
}

/** How things look on the page just now. @param {HTMLElement} host */
function lookOf(host, scales, print) {
  const { color, fontFamily } = getComputedStyle(host);
  const text = print ? "#000" : color;
  const px = Math.max(devicePixelRatio, print ? 3 : 1);
  const size = Math.round(6 * px);
  const tile = make("canvas", { width: size, height: size });
  const ink = tile.getContext("2d");
  ink.fillStyle = ink.strokeStyle = text;
  ink.fillRect(0, 0, 1, 1);
  const dark = !isDark(ink.getImageData(0, 0, 1, 1).data);
  ink.clearRect(0, 0, 1, 1);
  ink.globalAlpha = 0.45;
  ink.lineWidth = px;
  for (const at of [-size, 0, size]) {
    ink.moveTo(at, size);
    ink.lineTo(at + size, 0);
  }
  ink.stroke();
  const ramps = {};
  for (const role in scales) ramps[role] = ramp(scales[role][dark ? "dark" : "light"]);
  const font = (context, points) => (context.font = `${points * px}px ${fontFamily}`);
  return { px, dark, text, font, ramps, scales, hatch: ink.createPattern(tile, "repeat") };
}

/** Where a value of an axis stands between two ends. */
const along = (value, [low, high], from, to) => from + ((value - low) / (high - low)) * (to - from);

const PAINT = {
  heatmap({ ink, left, top, width, height, rows, columns, cellWidth, cellHeight, data, panel, small }, { px, ramps, scales, hatch, font }) {
    const bytes = ramps[panel.role];
    const { low, high } = scales[panel.role];
    const step = (value) => 4 * Math.round(along(value, [low, high], 0, STEPS - 1));
    const image = new ImageData(columns, rows);
    data.cells.forEach((row, r) => {
      for (let c = 0; c < columns; c++) {
        if (Number.isNaN(row[c])) continue;
        const from = step(row[c]);
        const to = 4 * (r * columns + c);
        for (let i = 0; i < 4; i++) image.data[to + i] = bytes[from + i];
      }
    });
    small.putImageData(image, 0, 0);
    // Masked cells have no colour: the hatching shows through.
    ink.fillStyle = hatch;
    ink.fillRect(left, top, width, height);
    ink.imageSmoothingEnabled = false;
    ink.drawImage(small.canvas, left, top, width, height);
    if (Math.min(cellWidth, cellHeight) >= 9 * px) {
      const line = Math.round(px);
      for (let c = 1; c < columns; c++) ink.clearRect(left + c * cellWidth - line, top, line, height);
      for (let r = 1; r < rows; r++) ink.clearRect(left, top + r * cellHeight - line, width, line);
    }
    // Numbers in the cells, where all of them fit.
    if (cellWidth < (6.5 * panel.letters + 6) * px || cellHeight < 16 * px) return;
    font(ink, 11);
    ink.textAlign = "center";
    ink.textBaseline = "middle";
    data.cells.forEach((row, r) => {
      for (let c = 0; c < columns; c++) {
        if (Number.isNaN(row[c])) continue;
        const from = step(row[c]);
        ink.fillStyle = isDark(bytes.subarray(from, from + 3)) ? "#fff" : "#000";
        ink.fillText(say(row[c], panel.digits), left + (c + 0.5) * cellWidth, top + (r + 0.5) * cellHeight + px);
      }
    });
  },

  bars({ ink, left, top, height, columns, cellWidth, data, panel }, { dark }) {
    const place = (value) => Math.round(along(value, panel.yaxis, top + height, top));
    ink.fillStyle = panel.colors[0][Number(dark)];
    for (let c = 0; c < columns; c++)
      ink.fillRect(left + (c + 0.14) * cellWidth, place(0), 0.72 * cellWidth, place(data.cells[0][c]) - place(0));
  },

  curve({ ink, left, top, width, height, columns, data, panel }, { px, dark, text, font }) {
    const up = (y) => along(y, panel.yaxis, top + height, top);
    ink.lineWidth = 2 * px;
    ink.lineJoin = "round";
    data.cells.forEach((row, line) => {
      ink.strokeStyle = panel.colors[line][Number(dark)];
      ink.setLineDash(DASHES[line % 4].map((dash) => dash * px));
      ink.beginPath();
      for (let c = 0; c < columns; c++) ink.lineTo(left + panel.at[c] * width, up(row[c]));
      ink.stroke();
    });
    ink.setLineDash([]);
    font(ink, 12);
    ink.textBaseline = "bottom";
    ink.fillStyle = text;
    panel.points.forEach((name, i) => {
      const x = along(data.px[0][i], panel.xaxis, left, left + width);
      const y = up(data.py[0][i]);
      const over = x + ink.measureText(name).width + 8 * px > left + width;
      ink.beginPath();
      ink.arc(x, y, 4 * px, 0, 7);
      ink.fill();
      ink.textAlign = over ? "right" : "left";
      ink.fillText(name, x + (over ? -7 : 7) * px, y - 2 * px);
    });
  },
};

/** Give every panel its place: side by side while cells stay large enough, else in more lines. */
function arrange(views, room, { px, font }) {
  const sum = (line, of) => line.reduce((total, view) => total + of(view), 0);
  for (const view of views) {
    const { panel, ink, heat } = view;
    font(ink, 12);
    const widest = (ticks) => Math.max(...ticks.map(([, text]) => ink.measureText(text).width));
    view.left = Math.ceil(widest(panel.y) + (panel.ylabel ? 28 : 8) * px);
    view.right = (heat ? 2 : 14) * px;
    view.top = Math.ceil((heat ? 2 : 9) * px);
    view.slant = panel.xticks && widest(panel.x) > 22 * px;
    view.bottom = (view.slant ? 0.71 * widest(panel.x) + 14 * px : 20 * px) + (panel.xlabel ? 20 * px : 0);
    // A curve or bars are as wide as a heatmap of six columns; alone, of ten.
    view.span = heat ? view.columns : views.length > 1 ? 6 : 10;
  }
  const least = Math.min(26, 150 / Math.max(...views.map(({ span }) => span))) * px;
  let cell = -1;
  for (let lines = 1; lines <= views.length && cell < least; lines++) {
    const each = Math.ceil(views.length / lines);
    cell = 44 * px;
    for (let at = 0; at < views.length; at += each) {
      const line = views.slice(at, at + each);
      const used = sum(line, ({ left, right }) => left + right + 28 * px) - 28 * px;
      cell = Math.min(cell, (room * px - used) / sum(line, ({ span }) => span));
    }
  }
  const tallest = Math.max(...views.map(({ rows }) => rows));
  cell = Math.max(1, Math.floor(Math.min(cell, Math.max(420 / tallest, 4) * px)));
  for (const view of views) {
    const { heat, columns, rows, canvas } = view;
    view.width = cell * view.span;
    view.cellWidth = view.width / columns;
    view.cellHeight = Math.round(heat ? Math.max(cell, Math.min(60 / rows, 22) * px) : 160 * px);
    view.height = view.cellHeight * rows;
    canvas.width = view.left + view.width + view.right;
    canvas.height = view.top + view.height + view.bottom;
    canvas.style.width = `${canvas.width / px}px`;
  }
}

/** What stays the same from state to state: ticks and labels. */
function frame({ ink, left, top, width, height, panel, canvas, slant }, { px, text, font }) {
  const write = (label, x, y, angle = 0) => {
    ink.translate(x, y);
    ink.rotate(angle);
    ink.fillText(label, 0, 0);
    ink.resetTransform();
  };
  const thin = (ticks, length, room) => {
    const every = Math.ceil((ticks.length * room * px) / length);
    return ticks.filter((_, i) => i % every === 0);
  };
  ink.fillStyle = text;
  ink.globalAlpha = 0.8;
  font(ink, 12);
  ink.textBaseline = "middle";
  ink.textAlign = "right";
  for (const [at, label] of thin(panel.y, height, 13)) write(label, left - 6 * px, top + at * height);
  ink.textBaseline = "top";
  ink.textAlign = slant ? "right" : "center";
  for (const [at, label] of thin(panel.x, width, slant ? 13 : 20))
    write(label, left + at * width + (slant ? 4 * px : 0), top + height + 6 * px, slant ? -Math.PI / 4 : 0);
  ink.globalAlpha = 1;
  font(ink, 13);
  ink.textAlign = "center";
  write(panel.ylabel, 0, top + height / 2, -Math.PI / 2);
  ink.textBaseline = "bottom";
  write(panel.xlabel, left + width / 2, canvas.height);
}

/** Draw the numbers of the state, and mark the cell that is read out. */
function paint(view, look) {
  const { ink, left, top, width, height, active, panel, heat, canvas, cellHeight } = view;
  const { px, text } = look;
  if (heat) ink.clearRect(left, top, width, height);
  else {
    ink.clearRect(left - 2 * px, 0, canvas.width, top + height + 2 * px);
    ink.globalAlpha = 0.16;
    ink.fillStyle = text;
    for (const [at] of panel.y) ink.fillRect(left, Math.round(top + at * height), width, px);
    ink.globalAlpha = 1;
  }
  PAINT[panel.kind](view, look);
  if (!active) return;
  ink.strokeStyle = text;
  ink.lineWidth = 2 * px;
  const wide = panel.kind === "curve" ? 2 * px : view.cellWidth;
  const x = left + panel.at[active.column] * width - wide / 2;
  ink.strokeRect(x + px, top + active.row * cellHeight + px, wide - 2 * px, cellHeight - 2 * px);
}

// ---- the page around the drawing

// Python puts explorer.css here.
const CSS = "";

/** An element with properties or attributes, and children. @returns {any} */
function make(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties))
    if (name in node) node[name] = value;
    else node.setAttribute(name, value);
  node.append(...children);
  return node;
}

const button = (text, onclick) => make("button", { type: "button", onclick }, text);
const block = (className, ...children) => make("div", { className }, ...children);

/** Tell a figure of its page's events, but don't keep one alive that the page has dropped. */
function watch(host) {
  const quit = new AbortController();
  const figure = new WeakRef(host);
  const tell = (event) => {
    const alive = figure.deref();
    if (alive) alive.notice(event);
    else stop();
  };
  const observer = new MutationObserver(() => tell({}));
  const stop = () => {
    quit.abort();
    observer.disconnect();
  };
  observer.observe(document.documentElement, { attributes: true });
  observer.observe(document.body, { attributes: true });
  for (const type of ["hashchange", "load", "beforeprint", "afterprint", "resize", "click"])
    addEventListener(type, tell, quit);
  for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)", "print"])
    matchMedia(query).addEventListener("change", tell, quit);
  return stop;
}

/** A control: its node, and a function that shows an option. @param {(option: any) => void} change */
function field({ label, kind, options }, id, change, play) {
  const name = make("label", { htmlFor: id }, label);
  if (kind === "menu") {
    const onchange = () => change(options[node.selectedIndex]);
    const node = make("select", { id, onchange }, ...options.map((text) => make("option", {}, text)));
    return { node: block("field", name, node), show: (place) => (node.selectedIndex = place) };
  }
  if (kind === "switch") {
    const onchange = () => change(node.checked);
    const node = make("input", { type: "checkbox", id, onchange, role: "switch" });
    return { node: block("field", node, name), show: (place) => (node.checked = place > 0) };
  }
  const max = options.length - 1;
  const oninput = () => change(options[node.valueAsNumber]);
  const node = make("input", { type: "range", id, min: 0, max, oninput });
  const output = make("output", { htmlFor: id });
  const line = block("line", node);
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
  if (play) line.append(player);
  const show = (place) => {
    node.value = place;
    node.ariaValueText = output.textContent = minus(options[place]);
  };
  return { node: block("field slider", name, output, line), show, stop };
}

/** The question that covers a figure until it is answered. */
function quiz({ question, choices, answer }, group) {
  const reply = make("p", { role: "status" });
  const say = (text) => {
    reply.textContent = text;
    group.classList.remove("covered");
  };
  const buttons = choices.map(([text, why], i) =>
    button(text, () => {
      for (const one of buttons) one.ariaPressed = one === buttons[i];
      say(i === answer ? `Right. ${why}` : `Not quite. ${why} The answer: ${choices[answer][0]}`);
    }),
  );
  const skip = button("Skip the question", () => say(""));
  group.classList.add("covered");
  group.prepend(block("quiz", question, ...buttons, skip, reply));
}

/** A real table of the numbers of one panel. */
function tabulate({ panel, name, data, decimals, columns }) {
  const curve = panel.kind === "curve";
  const cell = (tag, text, scope = "") => make(tag, { scope }, String(text));
  const heads = Array.from({ length: columns }, (_, c) => panel.xticks?.[c] ?? c + 1);
  if (!curve) heads.push("sum");
  const rows = Array.from(data.cells, (row, r) => {
    const numbers = Array.from(heads, (_, c) => cell("td", say(row[c], decimals)));
    return make("tr", {}, cell("th", panel.yticks?.[r] ?? r + 1, "row"), ...numbers);
  });
  const top = make("tr", {}, make("td"), ...heads.map((text) => cell("th", text, "col")));
  return make("table", {}, make("caption", {}, name), make("thead", {}, top), make("tbody", {}, ...rows));
}

/** One cell of a panel in words. */
function tellCell({ panel, name, data, decimals, heat }, { row, column }) {
  const one = (what, ticks, at) => `${what} ${at + 1}${ticks ? ` (${ticks[at]})` : ""}`;
  if (panel.kind === "curve") {
    const told = panel.yticks.map((line, i) => `${line} ${say(data.cells[i][column], decimals)}`);
    return `${panel.xlabel || "x"} = ${panel.xticks[column]}: ${told.join(", ")}.`;
  }
  const where = heat ? `${one(panel.row, panel.yticks, row)}, ` : "";
  const total = `${heat ? "the row sums" : "all sum"} to ${say(data.cells[row].at(-1), decimals)}`;
  const number = say(data.cells[row][column], decimals);
  return `${name}, ${where}${one(panel.column, panel.xticks, column)}: ${number}; ${total}.`;
}

let figures = 0;

/**
 * Draw a figure in `el`; the form that anywidget asks for.
 * @param {{model: any, el: HTMLElement, page?: boolean}} context page: there is no kernel
 * @returns {() => void} clean-up
 */
function render({ model, el, page = false }) {
  const { title, slug, controls, scales, panels, play, predict, start } = model.get("_state");
  const sizes = controls.map(({ options }) => options.length);
  const id = `d2l${++figures}`;
  const host = make("div");
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(CSS);
  root.adoptedStyleSheets = [sheet];
  el.append(host);
  let look;

  /** Move some controls; what does not exist is left out. */
  const change = (moves) => {
    const value = { ...model.get("value") };
    for (const { name, options } of controls)
      if (options.includes(moves[name])) value[name] = moves[name];
    model.set("value", value);
    model.save_changes();
  };
  const fields = controls.map((control, i) => {
    const { name } = control;
    return field(control, `${id}-${i}`, (option) => change({ [name]: option }), play === name);
  });

  const views = panels.map((panel) => {
    const { kind, tables } = panel;
    const [count, columns] = panel.shape;
    const heat = kind === "heatmap";
    const rows = heat ? count : 1;
    panel.at ??= Array.from({ length: columns }, (_, c) => (c + 0.5) / columns);
    const name = panel.name || panel.role || kind;
    const clamp = (at, size) => Math.max(0, Math.min(size - 1, at));
    const aim = ({ offsetX, offsetY }) => {
      const scale = canvas.width / canvas.clientWidth;
      const far = (at) => Math.abs(view.left + at * view.width - offsetX * scale);
      const column = panel.at.reduce((best, at, c) => (far(at) < far(panel.at[best]) ? c : best), 0);
      point(view, { row: clamp(Math.floor((offsetY * scale - view.top) / view.cellHeight), rows), column });
    };
    const onkeydown = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "t") toggle();
      if (event.key === "Escape") point(view);
      const moves = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], Home: [0, -columns], End: [0, columns] };
      if (!moves[event.key]) return;
      event.preventDefault();
      const [down, right] = moves[event.key];
      const { row, column } = view.active ?? { row: -down, column: -right };
      point(view, { row: clamp(row + down, rows), column: clamp(column + right, columns) });
    };
    const canvas = make("canvas", {
      tabIndex: 0,
      role: "application",
      ariaRoleDescription: kind,
      ariaLabel: `${name}: arrow keys read the numbers, T shows them as a table`,
      onpointermove: aim,
      onpointerdown: aim,
      onpointerleave: ({ pointerType }) => pointerType === "mouse" && point(view),
      onblur: () => point(view),
      onkeydown,
    });
    const names = kind === "curve" && count > 1 ? panel.yticks : [];
    const lines = names.map((line, i) => make("span", {}, `${MARKS[i % 4]} ${line}`));
    const node = block("panel", block("name", panel.name), block("legend", ...lines), canvas);
    const small = make("canvas", { width: columns, height: rows }).getContext("2d");
    const read = Object.entries(tables).map(([key, table]) => [key, reader(table, sizes)]);
    const view = { panel, name, canvas, node, rows, columns, heat, small, read, lines };
    return Object.assign(view, { ink: canvas.getContext("2d"), decimals: tables.cells.decimals, data: {} });
  });

  /** Read out one cell; none: the state. */
  function point(view, active) {
    const before = view.active;
    if (before?.row === active?.row && before?.column === active?.column) return;
    for (const other of views) {
      const was = other.active;
      other.active = other === view ? active : undefined;
      if (was || other.active) paint(other, look);
    }
    speak();
  }

  const status = make("p", { role: "status" });
  let waiting = 0;
  function speak() {
    clearTimeout(waiting);
    const view = views.find(({ active }) => active);
    if (view) return (status.textContent = tellCell(view, view.active));
    const value = model.get("value");
    const set = controls.map(({ name, label, kind }) =>
      kind === "switch" ? `${label} ${value[name] ? "on" : "off"}` : `${label} = ${minus(value[name])}`);
    const last = views.at(-1);
    let best;
    last.data.cells.forEach((numbers, row) => {
      for (let column = 0; column < last.columns; column++)
        if (!(numbers[column] <= (best?.number ?? NaN)) && !Number.isNaN(numbers[column])) best = { row, column, number: numbers[column] };
    });
    status.textContent = `${set.join(", ")}.${best ? ` Largest: ${tellCell(last, best)}` : ""}`;
  }

  const numbers = make("div", { className: "numbers", tabIndex: 0, role: "region", ariaLabel: `Numbers of ${title}`, hidden: true });
  const opener = button("Numbers", toggle);
  opener.ariaExpanded = false;
  function toggle() {
    numbers.hidden = !numbers.hidden;
    opener.ariaExpanded = !numbers.hidden;
    draw();
  }

  const bars = {};
  const legend = block("legend");
  for (const { kind, role } of panels) {
    if (kind !== "heatmap" || bars[role]) continue;
    const ticks = scales[role].ticks.map(([, text]) => make("span", {}, minus(text)));
    bars[role] = block("bar");
    legend.append(block("scale", scales[role].label, bars[role], block("ticks", ...ticks)));
  }
  if (panels.some(({ masked }) => masked)) legend.append(make("span", {}, make("i", { className: "hatch" }), "masked"));

  function draw() {
    const value = model.get("value");
    const places = controls.map(({ name, options }) => Math.max(0, options.indexOf(value[name])));
    fields.forEach(({ show }, i) => show(places[i]));
    for (const view of views) {
      for (const [key, read] of view.read) view.data[key] = read(places);
      if (look) paint(view, look);
    }
    if (!numbers.hidden) numbers.replaceChildren(...views.map(tabulate));
    clearTimeout(waiting);
    waiting = setTimeout(speak, 250);
  }

  /** The width, the theme or the paper has changed. */
  function refresh(print) {
    if (!host.clientWidth) return;
    look = lookOf(host, scales, print);
    host.style.colorScheme = look.dark ? "dark" : "light";
    arrange(views, host.clientWidth, look);
    for (const role in bars)
      bars[role].style.background = `linear-gradient(90deg, ${scales[role][look.dark ? "dark" : "light"]})`;
    for (const view of views) {
      view.lines.forEach((node, i) => (node.style.color = view.panel.colors[i][Number(look.dark)]));
      frame(view, look);
      paint(view, look);
    }
  }

  const link = button("Link", () => {
    history.replaceState(null, "", `#${slug}?${new URLSearchParams(model.get("value"))}`);
    navigator.clipboard?.writeText(location.href).catch(() => {});
    status.textContent = "The address of this page now leads to this state.";
  });
  const tools = [opener, ...(page ? [link] : []), button("Reset", () => change(start))];
  const group = make("div", { role: "group", ariaLabel: title },
    block("head", block("title", title), ...tools),
    block("controls", ...fields.map(({ node }) => node)),
    block("panels", ...views.map(({ node }) => node)), legend, status, numbers);
  if (predict) quiz(predict, group);
  root.append(group);

  /** Go to the state that the address asks for. */
  function visit() {
    const [name, query] = location.hash.slice(1).split("?");
    if (!page || query === undefined || ![slug, encodeURI(slug)].includes(name)) return;
    const asked = new URLSearchParams(query);
    const wanted = ({ name, options }) => [name, options.find((o) => String(o) === asked.get(name))];
    change(Object.fromEntries(controls.map(wanted)));
    host.scrollIntoView({ block: "nearest" });
  }
  host.notice = ({ type, target }) => {
    if (type === "click") {
      if (target.closest?.("a[href*='?']")?.href === location.href) visit();
    } else if (type === "hashchange" || type === "load") visit();
    else refresh(type === "beforeprint" || matchMedia("print").matches);
  };
  const stop = watch(host);
  const resize = new ResizeObserver(() => refresh(matchMedia("print").matches));
  resize.observe(host);
  model.on("change:value", draw);
  draw();
  refresh();
  speak();
  visit();
  return () => {
    stop();
    resize.disconnect();
    clearTimeout(waiting);
    for (const one of fields) one.stop?.();
    model.off("change:value", draw);
    host.remove();
  };
}

/** Without a kernel: bring every figure of the document to life that is not alive yet. */
function mountAll() {
  for (const el of document.querySelectorAll(".d2lmini-figure:not([data-alive])")) {
    const data = el.querySelector("script[type='application/json']");
    if (!data) continue;
    el.dataset.alive = "";
    const _state = JSON.parse(data.textContent);
    const values = { _state, value: _state.start };
    let listen;
    const model = {
      get: (key) => values[key],
      set(key, value) {
        values[key] = value;
        listen();
      },
      on: (_, listener) => (listen = listener),
      off() {},
      save_changes() {},
    };
    render({ model, el, page: true });
    el.querySelector("img")?.remove();
  }
}

export default { render };
