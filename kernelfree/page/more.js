// Operations that few live figures need.
import { KINDS } from "./kinds.js";
import {} from "./rare.js";

KINDS.rare = true;
