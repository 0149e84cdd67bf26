// A line above the text that asks what to do, or says what went wrong.

export class Question {
  #bar;
  #answered;

  /** @param {() => void} answered  called after an answer was given */
  constructor(bar, answered) {
    this.#bar = bar;
    this.#answered = answered;
    bar.setAttribute("role", "alert");
    bar.hidden = true;
  }

  /** @param {string} text   @param {[string, () => void][]} answers  what the buttons say and do */
  ask(text, answers) {
    const line = document.createElement("span");
    line.textContent = text;
    const buttons = answers.map(([label, act]) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "outlined";
      button.textContent = label;
      button.addEventListener("click", () => {
        this.withdraw();
        act();
        this.#answered();
      });
      return button;
    });
    this.#bar.replaceChildren(line, ...buttons);
    this.#bar.hidden = false;
  }

  tell(text) {
    this.ask(text, [["Close", () => {}]]);
  }

  withdraw() {
    this.#bar.hidden = true;
  }
}
