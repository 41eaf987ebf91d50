// The page of the review, and the book in one file: what comes back, and answers taken along.
import "./learn.js";
import { chapters } from "./chapters.js";
import { review } from "./review.js";
import { transfer } from "./transfer.js";

chapters();
review();
transfer();
