// The files as tabs; those that nobody opened yet are in a list behind them.

export class Tabs {
  #strip = document.createElement("div");
  #more = document.createElement("select");
  #choose;
  #buttons = new Map();

  /** @param {(name: string) => void} choose */
  constructor(element, choose) {
    this.#choose = choose;
    this.#strip.className = "editor-tab-strip";
    this.#strip.setAttribute("role", "tablist");
    this.#strip.setAttribute("aria-label", "Files");
    this.#strip.addEventListener("keydown", (event) => this.#walk(event));
    this.#more.className = "editor-more";
    this.#more.setAttribute("aria-label", "Open another file");
    this.#more.addEventListener("change", () => choose(this.#more.value));
    element.append(this.#strip, this.#more);
  }

  /** @param {string[]} shown  names with a tab   @param {string[]} others  names in the list */
  arrange(shown, others) {
    const buttons = shown.map((name) => [name, this.#buttons.get(name) ?? this.#newTab(name)]);
    this.#buttons = new Map(buttons);
    this.#strip.replaceChildren(...this.#buttons.values());
    this.#more.replaceChildren(new Option("+ File…", ""), ...others.map((name) => new Option(name, name)));
    this.#more.options[0].disabled = true;
    this.#more.value = "";
    this.#more.hidden = !others.length;
  }

  mark(name, { active, unsaved, errors }) {
    const button = this.#buttons.get(name);
    if (!button) return;
    button.setAttribute("aria-selected", String(active));
    button.tabIndex = active ? 0 : -1;
    button.classList.toggle("unsaved", unsaved);
    button.classList.toggle("faulty", errors > 0);
    const notes = [unsaved ? "not saved" : "", errors ? "with errors" : ""].filter(Boolean).join(", ");
    button.setAttribute("aria-label", notes ? `${name}, ${notes}` : name);
  }

  #newTab(name) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "editor-tab";
    button.dataset.file = name;
    button.title = name;
    button.textContent = name;
    button.setAttribute("role", "tab");
    button.setAttribute("aria-controls", "editor-text");
    button.addEventListener("click", () => this.#choose(name));
    return button;
  }

  #walk(event) {
    const names = [...this.#buttons.keys()];
    const here = names.indexOf(event.target.dataset?.file);
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (here < 0 || !step) return;
    event.preventDefault();
    const next = names[(here + step + names.length) % names.length];
    this.#buttons.get(next).focus();
    this.#choose(next);
  }
}
