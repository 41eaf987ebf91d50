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
  });

  // What scrolls sideways can be scrolled by keyboard; a few at a time, when there is nothing else.
  const wide = [...document.querySelectorAll("pre, .math, .pst-scrollable-table-container")];
  const later = window.requestIdleCallback ?? ((work) => setTimeout(work, 200));
  const next = () => {
    for (const box of wide.splice(0, 4)) if (box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0;
    if (wide.length) later(next);
  };
  later(next);

  document.querySelector("#contents .current a")?.scrollIntoView({ block: "nearest" });

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
  for (const section of document.querySelectorAll("section section"))
    if (links.has(section.id)) seen.observe(section);
})();
