// Python puts explorer.css here.
export const CSS = "";
