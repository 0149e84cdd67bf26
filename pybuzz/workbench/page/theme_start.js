// Runs before the first paint, so that a page kept dark or light does not flash in the other.
document.documentElement.dataset.theme =
  localStorage.getItem("pybuzz.theme") ?? (matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark");
