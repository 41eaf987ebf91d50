// The first page: what was read and answered, chapter by chapter.
import "./learn.js";
import { chapters } from "./chapters.js";

chapters();
