// Before anything is shown: light or dark, and the fonts of the text.
{
  const root = document.documentElement;
  root.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  try {
    root.dataset.theme = localStorage.getItem("theme") ?? root.dataset.theme;
  } catch {
    // Storage is forbidden: the system decides.
  }
  // From a server the first screen's fonts get a head start, and may be too late; on a disk they are awaited.
  for (const face of ["400-normal", "600-normal", "400-italic"]) {
    const href = new URL(`fonts/source-serif-4-latin-${face}.woff2`, document.currentScript.src).href;
    const [weight, style] = face.split("-");
    if (location.protocol.startsWith("http")) {
      const link = { rel: "preload", as: "font", crossOrigin: "", href };
      document.head.append(Object.assign(document.createElement("link"), link));
    } else {
      const source = `url(${href})`;
      document.fonts.add(new FontFace("Source Serif 4", source, { weight, style, display: "swap" }));
    }
  }
}
