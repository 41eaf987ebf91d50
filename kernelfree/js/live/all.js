// What live figures need besides panels.
import "./live.js";
import "./matrix.js";
import "../engine/uncommon.js";
import { STYLES } from "../panels/registry.js";
import style from "./typed.css";

STYLES.push(style);
