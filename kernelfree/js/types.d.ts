/**
 * The JSON that passes between Python and the page, declared once. Python writes it (`_state` and
 * `value` of a widget, the data of a stored figure); a test checks real states against this file,
 * and `tsc` what scripts make of them.
 */

/** Whole numbers in base 36, for the controls whose bits are set: "bits:numbers". */
export type Packed = string;
/** One of several things in each state: which of them, and the things. */
export type Choice<T> = [Packed, T[]];
/** A colour on a light page and on a dark one. */
export type Pair = [string, string];
/** Where a tick stands, from 0 to 1, and its text. */
export type Tick = [number, string];
/** The two ends of an axis. */
export type Ends = [number, number];

// Controls.

interface Named {
  name: string;
  label: string;
}
export interface Slider extends Named {
  kind: "slider";
  /** Numbers, or names as those of a menu. */
  options: number[] | string[];
  /** How far a number in an address may be from an option that it means. */
  slack?: number;
}
export interface Menu extends Named {
  kind: "menu";
  /** What addresses, and a figure's value, have for them. */
  options: string[];
  /** What readers see, if that is other words. */
  words?: string[];
}
export interface Switch extends Named {
  kind: "switch";
  options: [false, true];
}
/** Without stops. */
export interface Range extends Named {
  kind: "range";
  low: number;
  high: number;
  step: number;
  decimals: number;
}
/** Numbers that a reader types. */
export interface Matrix extends Named {
  kind: "matrix";
  shape: number[];
  dtype: Dtype;
  low: number;
  high: number;
}
export type Control = Slider | Menu | Switch | Range | Matrix;

/** A number of an array; JSON has none that are not finite. */
export type Entry = number | boolean | "nan" | "inf" | "-inf";
export type Nested = Entry | Nested[];
/** The value of a control, and those of all controls by name. */
export type Value = Nested | string;
export type Values = Record<string, Value>;

// Panels.

/** Numbers of the controls that an element's row and column set. */
export type Touch = [number | null, number | null];

interface Common {
  name: string;
  /** What its numbers are; one without a name is called so, or by its kind. */
  role?: string;
  shape: [number, number];
  xlabel: string;
  ylabel: string;
  x: Tick[];
  y: Tick[];
  /** Name of a table in the panel -> its number among the figure's. */
  tables: Record<string, number>;
}
interface Touched {
  touch?: Touch;
  hue?: Pair;
  /** What arrow keys do, for those who do not see it. */
  keys?: string;
}
interface Crossed {
  rowNames: string[];
  columnNames: string[];
  row: string;
  column: string;
  /** Rows add up to something that is worth telling. */
  summed?: true;
  /** Exactly 0 has a colour, too: the role has an author's map. */
  zero?: true;
}
export interface HeatmapPanel extends Common, Touched, Crossed {
  kind: "heatmap";
  role: string;
  absent: boolean;
  words: boolean;
  masked: boolean;
  /** Decimals of a number in a cell, letters of the longest, and the width of a cell that has its own. */
  digits: number;
  letters: number;
  least?: number;
  /** The role whose colour bar stands under the figure. */
  bar?: string;
}
export interface WordsPanel extends Common, Crossed {
  kind: "words";
  role: string;
  tokens: string[];
  target: string[] | null;
  lines: boolean;
  bar: string | null;
  touch: Touch;
  hue: Pair;
}
export interface GridPanel extends Common, Crossed {
  kind: "grid";
  role: string;
  bar: string;
  /** The number of the panel that thumbnails show. */
  of: number;
  means: string;
  most: number;
  touch: Touch;
  hue: Pair;
}

/** What an author gives as it is; it may change with the state. */
interface ContentOf<C> extends Pick<Common, "name" | "role" | "shape" | "tables"> {
  content: C;
}
export interface TextPanel extends ContentOf<string> {
  kind: "text";
}
/** An element of sanitised HTML: its tag, its properties and its children. */
export type HtmlNode = [string, Record<string, string>, ...(string | HtmlNode)[]];
export interface HtmlPanel extends ContentOf<HtmlNode> {
  kind: "html";
}
export interface ImagePanel extends ContentOf<Picture> {
  kind: "image";
}
export interface Picture {
  /** The bytes of a PNG in base64, and how many pixels it has. */
  png: string;
  width: number;
  height: number;
  /** How large it is on the page. */
  style: string;
  ariaLabel?: string;
}
/** The heads of the columns, the rows by name, and the head of the names. */
export interface TablePanel extends ContentOf<[string[], [string, string[]][], string]> {
  kind: "table";
}
export interface NumberPanel extends Pick<Common, "name" | "role" | "shape" | "tables"> {
  kind: "number";
  label: string;
  unit: string;
  digits: number;
  /** With fewer digits than that a number has its own; if not given, 2. */
  least?: 1;
}

interface Marked extends Common, Touched {
  yaxis: Ends;
  marks: Mark[];
  legend: [string, Pair][];
}
interface Spread extends Marked {
  xaxis: Ends;
  /** The axes that count in powers of ten. */
  log: "" | "x" | "y" | "xy";
  /** The numbers of x are days since 1970. */
  dates?: true;
  /** The names of each mark's points. */
  names: string[][];
}
export interface BarsPanel extends Marked, Omit<Crossed, "row"> {
  kind: "bars";
  role: string;
  base: number;
  unit: string;
  words: boolean;
  colors: Pair[];
}
export interface CurvePanel extends Spread {
  kind: "curve";
  rowNames: string[];
  columnNames: string[];
  column: string;
}
export interface PlotPanel extends Spread {
  kind: "plot" | "plane";
}

interface Movable {
  name: string;
  /** What the names of its tables begin with. */
  key: string;
  colors: Pair[];
  /** Numbers of the controls that move it, and its point that a hand takes. */
  drag?: number[];
  grip?: number;
}
/** Points, arrows and segments. */
export interface Links extends Movable {
  type: "links";
  head: "" | "dot" | "arrow";
  /** What one of its points is. */
  thing?: string;
  role?: string;
  /** The largest size in any state. */
  top?: number;
}
/** Lines, open or closed. */
export interface Paths extends Movable {
  type: "paths";
  fill?: true;
  dashes?: number[][];
}
/** A grid of shades. */
export interface Field extends Movable {
  type: "field";
  ends: { x: Ends; y: Ends };
  role: string | null;
  groups?: string[];
}
export type Mark = Links | Paths | Field;

/** What may differ from state to state, and then stands in `texts`. */
type Worded =
  | "name"
  | "shape"
  | "xlabel"
  | "ylabel"
  | "x"
  | "y"
  | "xaxis"
  | "yaxis"
  | "row"
  | "column"
  | "rowNames"
  | "columnNames"
  | "names"
  | "tokens"
  | "target"
  | "legend"
  | "content";
type Stored<P> = Omit<P, Worded> &
  Partial<Pick<P, keyof P & Worded>> & { texts?: { [Key in keyof P & Worded]?: Choice<P[Key]> } };

/** A panel in one state. */
export type Panel =
  | HeatmapPanel
  | WordsPanel
  | GridPanel
  | BarsPanel
  | CurvePanel
  | PlotPanel
  | TextPanel
  | HtmlPanel
  | ImagePanel
  | TablePanel
  | NumberPanel;
/** A panel of all states. */
export type StoredPanel =
  | Stored<HeatmapPanel>
  | Stored<WordsPanel>
  | Stored<GridPanel>
  | Stored<BarsPanel>
  | Stored<CurvePanel>
  | Stored<PlotPanel>
  | Stored<TextPanel>
  | Stored<HtmlPanel>
  | Stored<ImagePanel>
  | Stored<TablePanel>
  | Stored<NumberPanel>;

/** The numbers of all states; a live figure computes them. */
export interface Table {
  decimals: number;
  /** Rows end with their sums. */
  sums?: true;
  columns?: number;
  /** What stands for a masked cell, and the rows: "gap bits:steps:numbers ...". */
  data?: string;
}

/** The colours of a role's numbers. */
export interface Scale {
  label: string;
  still: string;
  low: number;
  high: number;
  ticks: Tick[];
  light: string[];
  dark: string[];
}

/** The place of a panel -> the keys of its hidden marks, or "key:row" of a line; without them all are. */
export type Hidden = Record<number, string[]>;
export interface Question {
  question: string;
  /** Choices, and what the page replies. */
  choices: [string, string][];
  /** The place of the right choice. */
  answer: number;
  /** Where the figure moves afterwards. */
  then: Values;
  /** What is hidden until then. */
  hide: Hidden;
}

// Graphs.

export type Dtype = "float64" | "float32" | "int64" | "bool";
/** An argument of a step: "%3" is the third value, "=Infinity" a number that JSON does not have. */
export type Argument = number | boolean | string | null | Argument[];
/** The types of what a step makes; null where it is no tensor. */
export type Dtypes = Dtype | null | Dtypes[];
/** Name of an operation, its arguments, the types of what it makes, its options. */
export type Step = [string, Argument[], Dtypes] | [string, Argument[], Dtypes, Record<string, Argument>];
export interface Input {
  name: string;
  shape: number[];
  dtype: Dtype;
}
/** A tensor: its numbers, the base64 of their bytes, or the name under which it is kept elsewhere. */
export interface Constant {
  shape: number[];
  dtype: Dtype;
  data?: number[] | string;
  name?: string;
}
export type Outputs = string | Outputs[] | { [name: string]: Outputs };
export interface Graph<I extends Input = Input> {
  inputs: I[];
  constants: Constant[];
  steps: Step[];
  outputs: Outputs;
  lines?: (number | null)[];
}

/** Graphs of all combinations of the controls with stops; they share constants and steps. */
export interface LiveGraphs {
  inputs: Input[];
  constants: Constant[];
  steps: Step[][];
  graphs: Choice<LiveGraph>;
}
export interface LiveGraph {
  constants: number[];
  steps: number;
  outputs: string[];
}
/** A text, or the number of a number and how it is written: ".2f". */
export type Piece = string | [number, string];

// Figures.

/** What draws each formula of titles and labels, by the words for it: its TeX, and in parts of an em its width, how far
 * it goes up and down, and its outline. */
export type Formulas = Record<string, [string, number, number, number, string]>;

export interface Figured {
  id: string;
  title: string;
  controls: Control[];
  start: Values;
  play?: string;
  light?: string;
  /** It offers to take its numbers and its picture away. */
  tools?: true;
  tex?: Formulas;
  predict?: Question;
  scales: Record<string, Scale>;
  panels: StoredPanel[];
  tables: Table[];
  encoder?: Encoding;
}
/** Pieces of the sentence, and the number after each. */
export type Sentence = [Choice<string[]>, ...Choice<string>[]];
export interface LookedUp extends Figured {
  live?: undefined;
  says?: Sentence;
}
export interface Computed extends Figured {
  live: LiveGraphs;
  says?: Choice<Piece[]>;
}
/** The state of explore(). */
export type FigureState = LookedUp | Computed;

/** A model that makes the numbers of any sentence. */
export interface Encoding {
  graph: Graph;
  divisors: [number, number];
  most: number;
  padding: number;
  sentence: string;
  compare: string[];
  experiment: ExperimentState;
}
/** What measures claims in a text that grows. */
export interface ExperimentState extends Figured {
  text: string;
  /** Places of each in the menus: its layer, its head (0 is all of them), what it looks at. */
  claims: [number, number, number][];
}

/** A tensor that a line makes. */
export interface Made {
  name: string;
  value: number;
  shape: number[];
  role: string;
  axes: string[];
}
export interface Line {
  number: number;
  text: string;
  idle?: true;
  makes?: Made[];
  calls?: Call[];
}
export interface Call {
  name: string;
  lines: Line[];
}
/** Whole numbers may have limits, and what the function says of those below and above. */
export interface TraceInput extends Input {
  role: string;
  low?: number;
  high?: number;
  below?: string;
  above?: string;
}
/** The state of trace(). */
export interface TraceState {
  id: string;
  title: string;
  graph: Graph<TraceInput>;
  source: Call;
  start: Record<string, Nested>;
  /** Role -> 17 colours on a light page and on a dark one. */
  colors: Record<string, [string[], string[]]>;
}
