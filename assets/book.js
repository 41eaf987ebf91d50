// What a page does beyond being read. Everything here can fail and the text still reads.
(() => {
  const root = document.documentElement;
  const keep = (theme) => {
    root.dataset.theme = theme;
    try {
      localStorage.setItem("theme", theme);
    } catch {
      // Without storage the choice lasts for this page.
    }
  };
  const deeds = {
    theme: () => keep(root.dataset.theme === "dark" ? "light" : "dark"),
    fullscreen: () => (document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen()),
    print: () => print(),
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-do]");
    if (button) deeds[button.dataset.do]();
    // A place chosen from the contents on a phone: close them.
    if (event.target.closest("[popover] a")) event.target.closest("[popover]").hidePopover?.();
    const link = event.target.closest("a[href^='#']");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    unfold(link.hash);
    // A link to a state of a figure moves the figure, not the page; the focus goes with it.
    if (link.hash.includes("?")) visit(link);
    else hold(link.hash);
  });

  // To a figure, which has its own root, and back to the link that led there.
  const visit = (link) => {
    const figure = document.getElementById(link.hash.slice(1).split("?")[0])?.closest("[data-alive]");
    const group = figure?.querySelector(":scope > div")?.shadowRoot?.querySelector("[role=group]");
    if (!group) return;
    history.replaceState({ ...history.state, link: [...document.links].indexOf(link) }, "");
    group.tabIndex = -1;
    group.focus({ preventScroll: true });
  };
  addEventListener("popstate", ({ state }) => {
    const link = document.links[state?.link];
    // After the figure, which is told of the address, too.
    if (link) setTimeout(() => link.focus());
  });

  // The framework that a reader opens once is open wherever there is code of it.
  const elsewhere = [...document.querySelectorAll("details[data-framework]")];
  const choose = (name, but) => {
    for (const fold of elsewhere) if (fold !== but) fold.open = fold.dataset.framework === name;
  };
  try {
    const known = localStorage.getItem("framework");
    if (known) choose(known);
  } catch {
    // Nothing is remembered where nothing can be kept.
  }
  document.addEventListener("click", ({ target }) => {
    const line = target.closest("details[data-framework] > summary");
    if (!line) return;
    const fold = line.parentElement;
    const name = fold.open ? "" : fold.dataset.framework;
    const { top } = line.getBoundingClientRect();
    choose(name, fold);
    // What opens above must not push away the line that was pressed.
    requestAnimationFrame(() => scrollBy({ top: line.getBoundingClientRect().top - top, behavior: "instant" }));
    try {
      localStorage.setItem("framework", name);
    } catch {
      // The choice lasts for this page.
    }
  });

  // A fold opens for what is asked of it: a place inside, or the whole on paper.
  const folds = [...document.querySelectorAll(".fold > details")];
  const unfold = (hash) => {
    const asked = document.getElementById(hash.slice(1).split("?")[0]);
    let fold = asked?.matches(".fold") ? asked.querySelector("details") : asked?.closest("details");
    let shut = false;
    for (; fold; fold = fold.parentElement.closest("details")) {
      shut ||= !fold.open;
      fold.open = true;
    }
    if (shut) asked.scrollIntoView();
  };
  unfold(location.hash);
  addEventListener("hashchange", () => unfold(location.hash));
  let closed = [];
  const unfoldAll = () => {
    closed = folds.filter((fold) => !fold.open);
    for (const fold of closed) fold.open = true;
  };
  addEventListener("beforeprint", unfoldAll, true); // before figures are drawn for it
  addEventListener("afterprint", () => closed.forEach((fold) => (fold.open = false)));

  // What comes late (figures, fonts, skipped sections) must not push away the place that an address
  // names. It is held until the reader acts, for five seconds at most.
  let place;
  let end;
  const held = new ResizeObserver(() => place.scrollIntoView());
  const release = () => held.disconnect();
  const hold = (hash) => {
    place = document.getElementById(hash.slice(1).split("?")[0]);
    if (!place) return;
    held.observe(document.querySelector("article"));
    clearTimeout(end);
    end = setTimeout(release, 5000);
  };
  for (const deed of ["pointerdown", "wheel", "keydown"])
    addEventListener(deed, release, { passive: true, capture: true });
  // A page that is loaded again stays where it was.
  if (performance.getEntriesByType("navigation")[0]?.type === "navigate") hold(location.hash);

  // What scrolls sideways can be scrolled by keyboard; it is measured where it is laid out anyway.
  const wide = new IntersectionObserver(
    (entries) => {
      const shown = entries.filter((entry) => entry.isIntersecting).map(({ target }) => target);
      shown.forEach((box) => wide.unobserve(box));
      const cut = shown.filter((box) => box.scrollWidth > box.clientWidth + 1);
      for (const box of cut) {
        box.tabIndex = 0;
        if (box.querySelector(":scope > table"))
          Object.assign(box, { role: "group", ariaLabel: "A table that scrolls sideways" });
      }
    },
    { rootMargin: "100%" },
  );
  const measure = () => {
    for (const box of document.querySelectorAll("pre, div.math, .pst-scrollable-table-container")) {
      wide.unobserve(box);
      wide.observe(box);
    }
  };
  measure();
  // Letters of a font that comes late are wider.
  document.fonts.addEventListener("loadingdone", measure);

  // Code that is seen gets a button that copies it.
  const copied = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      copied.unobserve(target);
      const properties = { type: "button", className: "copybtn", textContent: "Copy" };
      const button = Object.assign(document.createElement("button"), properties);
      button.addEventListener("click", async () => {
        await navigator.clipboard.writeText(target.querySelector("pre").textContent.trim());
        button.textContent = "Copied";
      });
      target.append(button);
    }
  });
  if (navigator.clipboard)
    for (const box of document.querySelectorAll(":is(.cell_input, .elsewhere) .highlight")) copied.observe(box);

  const later = window.requestIdleCallback ?? ((work) => setTimeout(work, 200));

  // Once the page is shown, the fonts of Chinese and of the math below.
  const fonts = document.querySelector(".katex") ? ["1em KaTeX_Main", "italic 1em KaTeX_Math"] : [];
  const dress = () => {
    fonts.forEach((font) => document.fonts.load(font));
    document.querySelector("article").classList.remove("early");
  };
  addEventListener("load", () => later(dress));

  // In a long list of contents, this page; once there is time, since it needs the layout.
  later(() => document.querySelector("#contents .current a")?.scrollIntoView({ block: "nearest" }));

  // The section that is being read, among the headings on the right.
  const links = new Map();
  for (const link of document.querySelectorAll(".within a")) links.set(link.hash.slice(1), link);
  let here;
  const seen = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        here?.removeAttribute("aria-current");
        here = links.get(target.id);
        here?.setAttribute("aria-current", "true");
      }
    },
    { rootMargin: "-10% 0% -80% 0%" },
  );
  for (const section of document.querySelectorAll("section section")) if (links.has(section.id)) seen.observe(section);
})();
