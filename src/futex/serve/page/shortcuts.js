// Keys that work wherever one is not typing, for those who want them.

import { isTypedInto, make } from "./elements.js";

const OFF = "futex-keys-off";

/** keys: { j: ["next label", action] }; isActive tells whether they count now. Returns the help as a dialog. */
export function shortcuts(keys, isActive) {
  const rows = Object.entries(keys).map(([key, [words]]) => [
    make("dt", {}, make("kbd", {}, key)),
    make("dd", {}, words),
  ]);
  const wanted = make("input", { type: "checkbox", checked: localStorage.getItem(OFF) === null, onchange: remember });
  const help = make(
    "dialog",
    { class: "help", "aria-label": "Keys" },
    make("h3", {}, "Keys"),
    make("dl", {}, rows),
    make("p", {}, make("label", {}, wanted, "These keys work")),
    make("button", { type: "button", autofocus: true, onclick: () => help.close() }, "Close"),
  );
  addEventListener("keydown", (event) => {
    if (!wanted.checked || !isActive() || help.open || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTypedInto(event.target)) return;
    const action = event.key === "?" ? () => help.showModal() : keys[event.key]?.[1];
    if (!action) return;
    event.preventDefault();
    action(event);
  });
  return help;
}

/** Whoever speaks to a computer says many letters; the choice stays with the browser. */
function remember(event) {
  if (event.target.checked) localStorage.removeItem(OFF);
  else localStorage.setItem(OFF, "");
}
