// Every kind of panel, and what moves marks.
import "./heatmap.js";
import "./curve.js";
import "./bars.js";
import "./points.js";
import "./words.js";
import "./grid.js";
import "./drag.js";
