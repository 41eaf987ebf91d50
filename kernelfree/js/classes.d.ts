/**
 * What classes take over from a state, a panel or their caller by `Object.assign`, which costs a
 * page nothing. The states themselves are declared in types.d.ts.
 */

import type { Figure } from "./figure/figure.js";
import type { Typed } from "./live/typed.js";
import type { Client } from "./model/client.js";
import type { Experiment } from "./model/experiment.js";
import type { Panel } from "./panels/panel.js";
import type {
  BarsPanel,
  Control,
  Dtype,
  Encoding,
  Field,
  Figured,
  Formulas,
  Graph,
  GridPanel,
  HeatmapPanel,
  Hidden,
  Links,
  LiveGraphs,
  Mark,
  Nested,
  NumberPanel,
  Pair,
  Paths,
  Piece,
  PlotPanel,
  Scale,
  Tick,
  Touch,
  TraceInput,
  TraceState,
  Values,
  WordsPanel,
} from "./types";

/** Where each control stands: the place of its option, or its value where it has no stops. */
export type Places = any[];
/** A control as the page asks it; what its kind has not is not asked. */
export interface AnyControl {
  name: string;
  label: string;
  kind: Control["kind"];
  options?: any[];
  words?: any[];
  slack: number;
  low: number;
  high: number;
  step: number;
  decimals: number;
  shape: number[];
  dtype: Dtype;
}

/** Numbers of any shape, one after the other. */
export interface Tensor {
  shape: number[];
  data: any;
}
/** Name, shape, first byte and whether it is rounded. */
export type PackedTensor = [string, number[], number, boolean];

/** The part of a widget's model that a figure uses. */
export interface Model {
  get(key: "value"): Values;
  get(key: "_state"): any;
  set(key: "value", value: Values): void;
  on(event: string, heard: (...given: any[]) => void): void;
  off(event: string, heard: (...given: any[]) => void): void;
  save_changes(): void;
  send?(content: object): void;
}
/** What a figure is drawn with; `page`: there is no kernel. */
export interface Context {
  model: Model;
  el: HTMLElement;
  page?: boolean;
}

/** The numbers of a row, and their sum if it is stored. */
export type Row = number[] & { sum?: number };
export type Rows = (Row | (Float64Array & { sum?: number }))[];
export type Reader = (places: Places) => Rows;
/** An element of a panel. */
export interface Element {
  row?: number;
  column?: number;
}
/** Name of an axis -> place on it. */
export type Things = Record<string, number | undefined>;

/** The colours and fonts of the page. */
export interface Look {
  px: number;
  dark: 0 | 1;
  theme: "light" | "dark";
  text: string;
  page: string;
  font(ink: CanvasRenderingContext2D, points: number): void;
  snap(length: number): number;
  ramps: Record<string, Uint32Array>;
  scales: Record<string, Scale>;
}

/** The first and the last element of what has a ring. */
export type Ring = [Element, Element?];

/** A mark as the page asks it; what its type has not is undefined. */
export type AnyMark = Partial<Omit<Links, "type"> & Omit<Paths, "type"> & Omit<Field, "type">> & {
  type: Mark["type"];
  key: string;
};

/** What computes a live figure's numbers. */
export interface Source {
  go(places: Places): void;
  say(): string;
  reader(table: number): Reader;
  nearest(places: Places, miss: (places: Places) => number[], drag: number[]): Places;
}
/** A control on the page: its node, and how it shows a place. */
export interface FieldView {
  node: HTMLElement;
  show(place: any): void;
  stop?(): void;
  text?(value: any): string;
  read?(text: string | null): any;
  /** A place as a control without stops has it. */
  tidy?(place: any): any;
  place?: any;
  spoken?: any;
}
/** A panel as its figure sees it. */
export type View = Panel & { wording(places: Places): Record<string, any> };

declare module "./figure/figure.js" {
  interface Figure extends Omit<Figured, "controls" | "panels" | "tables">, Context {
    host: HTMLElement;
    controls: AnyControl[];
    panels: any[];
    tables: any[];
    fields: FieldView[];
    live?: LiveGraphs;
    tools?: true;
    tex?: Formulas;
    typeset?(): void;
    says?: any;
    look?: Look;
    engine?: Source;
    views: View[];
    moved?: unknown;
    hides?: Hidden | false;
    heard?: string;
    soon?: ReturnType<typeof setTimeout>;
    waiting?: ReturnType<typeof setTimeout>;
  }
}

declare module "./panels/panel.js" {
  interface Panel {
    kind: string;
    name: string;
    role?: string;
    figure: Figure;
    node: HTMLElement;
    shape: [number, number];
    tables: Record<string, { decimals: number; read?: Reader; columns?: number; data?: string }>;
    row: string;
    column: string;
    rowNames: string[];
    columnNames: string[];
    touch: Touch;
    hue: Pair;
    decimals: number;
    unit?: string;
    summed?: true;
    bar?: string | null;
    masked?: boolean;
    active?: Element;
    /** What is hidden of it. */
    veiled?: string[];
    screen?: HTMLCanvasElement;
    // What a kind adds.
    aim?(event: PointerEvent): void;
    fit?(cell: number, look: Look): void;
    measure(look: Look, views: View[]): void;
    paint(look: Look): void;
    tell(element: Element): string;
    table?(): any[];
    left: number;
    right: number;
    span: number;
    wide?: number | false;
    rise: number;
  }
}

declare module "./panels/canvas.js" {
  interface Canvas {
    screen: HTMLCanvasElement;
    ink: CanvasRenderingContext2D;
    keys?: string;
    x: Tick[];
    y: Tick[];
    xlabel: string;
    ylabel: string;
    words?: boolean;
    at: number[];
    columns: number;
    drag?: any;
    left: number;
    width: number;
    height: number;
    cellWidth: number;
    cellHeight: number;
    widest: number;
    bottom: number;
    slant: boolean;
    draw(look: Look): void;
  }
}

declare module "./panels/heatmap.js" {
  interface Heatmap extends Pick<HeatmapPanel, "digits" | "letters" | "least" | "zero"> {
    role: string;
  }
}

declare module "./panels/grid.js" {
  interface Grid extends Pick<GridPanel, "of" | "means" | "most"> {}
}

declare module "./panels/plot.js" {
  interface Plot extends Pick<PlotPanel, "legend" | "xaxis" | "yaxis" | "names"> {
    marks: AnyMark[];
    log?: PlotPanel["log"];
    dates?: true;
    px: number;
    /** What is taken by marks and names, as [left, top, width, height]. */
    taken: [number, number, number, number][];
    under?(look: Look): void;
  }
}

declare module "./panels/bars.js" {
  interface Bars extends Pick<BarsPanel, "colors" | "base"> {}
}

declare module "./panels/content.js" {
  interface Content extends Pick<NumberPanel, "digits" | "least" | "label"> {
    body: HTMLElement;
    content: any;
    shown?: any;
    fill(body: HTMLElement): void;
  }
}

declare module "./panels/words.js" {
  interface Words extends Pick<WordsPanel, "tokens" | "target" | "lines"> {
    role: string;
  }
}

declare module "./live/typed.js" {
  interface Typed {
    given: Pick<TraceInput, "shape" | "dtype" | "low" | "high">;
    owner: {
      numbers(): number[];
      change(value: Nested): void;
      tell(text: string): void;
      beyond(typed: string, number: number): string;
    };
  }
}

declare module "./live/live.js" {
  interface Program {
    /** The values and the inputs of the last state that was shown. */
    last?: Tensor[];
    known?: Nested[];
  }
  interface Live {
    live: LiveGraphs;
    controls: AnyControl[];
    tables: unknown[];
    programs: Map<unknown, Program>;
    shown: Rows[];
    now: { program: Program; says: Piece[]; values: Tensor[] };
  }
}

declare module "./model/box.js" {
  interface Box {
    figure: Figure;
    group: HTMLElement;
    experiment: Experiment;
    given: Encoding;
    wrongly: HTMLInputElement;
    padded: HTMLInputElement;
  }
}

declare module "./model/experiment.js" {
  interface Experiment {
    /** How many tokens the text has, once that is known to be few. */
    whole?: number;
    model?: any;
  }
}

declare module "./model/client.js" {
  interface Client {
    port: any;
  }
}

declare module "./model/encoder.js" {
  interface Encoder {
    given: Encoding;
    /** Token -> its number. */
    numbers: Map<string, number>;
    program: any;
  }
}

declare module "./model/loader.js" {
  interface Loader {
    address: string;
    megabytes: number;
    given: Encoding;
    ready(client: Client): void;
  }
}

declare module "./model/files.js" {
  interface ModelFiles {
    /** The numbers of all parts: bytes of one and of all, their sums, and the script's that computes. */
    index: { part: number; size: number; sums: number[]; work: number; vocabulary: string; tensors: PackedTensor[] };
    bytes: Uint8Array<ArrayBuffer>;
    missing: Set<number>;
  }
}

declare module "./trace/trace.js" {
  interface Trace extends Omit<TraceState, "start" | "graph">, Context {
    graph: Graph<TraceInput & { typed?: Typed }>;
    host: HTMLElement;
    start: Record<string, any>;
    dark?: boolean;
  }
}
