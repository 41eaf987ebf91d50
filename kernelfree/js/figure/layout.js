// Where panels stand.

/** Panels side by side while cells stay large, else in more lines. */
export function arrange(views, room, look) {
  for (const view of views) view.measure(look, views);
  const least = Math.min(26, 150 / Math.max(...views.map(({ span }) => span)));
  let cell = -1;
  for (let lines = 1; lines <= views.length && cell < least; lines++) {
    const each = Math.ceil(views.length / lines);
    cell = 44;
    for (let at = 0; at < views.length; at += each) {
      let free = room + 28;
      let spans = 0;
      for (const { left, right, span } of views.slice(at, at + each)) {
        free -= left + right + 28;
        spans += span;
      }
      cell = Math.min(cell, free / spans);
    }
  }
  const tallest = Math.max(...views.map(({ rows }) => rows));
  cell = Math.min(cell, Math.max(420 / tallest, 4));
  for (const view of views) view.fit(cell, look);
}
