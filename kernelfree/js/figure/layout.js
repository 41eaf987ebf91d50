// Where panels stand.

/** Panels side by side while cells stay large, else in more lines. */
export function arrange(views, room, look) {
  let all = 0;
  let least = 26;
  let most = 44;
  for (const view of views) {
    view.measure(look, views);
    if (!view.wide) all += view.span;
    most = Math.min(most, 440 / view.rise);
    // Many panels, such as four maps, may be smaller: else they fit no view.
    least = Math.min(least, most, (view.wide || 150) / view.span, 430 / all);
  }
  let cell = 0;
  for (let lines = 0; cell < least && views[lines]; ) {
    const each = Math.ceil(views.length / ++lines); // no line has one panel while another has three
    let free;
    let spans;
    cell = most;
    views.forEach(({ left, right, span }, i) => {
      if (!(i % each)) {
        free = room + 28;
        spans = 0;
      }
      free -= left + right + 28;
      spans += span;
      cell = Math.min(cell, free / spans);
    });
  }
  for (const view of views) view.fit(cell, look);
}
