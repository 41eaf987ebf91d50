// Where panels stand.

/** Panels side by side, or in more lines of one view where that makes cells much larger. */
export function arrange(views, room, look) {
  for (const view of views) view.measure(look, views);
  let best = 0;
  for (let lines = 1; lines <= views.length; lines++) {
    const each = Math.ceil(views.length / lines);
    let cell = 44;
    let free;
    let spans;
    views.forEach(({ left, right, span, rise }, i) => {
      if (!(i % each)) {
        free = room + 28;
        spans = 0;
      }
      free -= left + right + 28;
      spans += span;
      cell = Math.min(cell, free / spans, Math.max((490 / lines - 50) / rise, 4));
    });
    if (cell > 1.5 * best) best = cell;
  }
  for (const view of views) view.fit(best, look);
}
