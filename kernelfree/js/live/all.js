// What live figures need besides panels.
import "./live.js";
import "./matrix.js";
import "../engine/uncommon.js";
