// Keys that work wherever one is not typing.

import { isTypedInto, make } from "./elements.js";

/** keys: { j: ["next label", action] }; isActive tells whether they count now. Returns the help as a dialog. */
export function shortcuts(keys, isActive) {
  const rows = Object.entries(keys).map(([key, [words]]) => [
    make("dt", {}, make("kbd", {}, key)),
    make("dd", {}, words),
  ]);
  const help = make(
    "dialog",
    { class: "help", "aria-label": "Keys" },
    make("h3", {}, "Keys"),
    make("dl", {}, rows),
    make("button", { type: "button", onclick: () => help.close() }, "Close"),
  );
  addEventListener("keydown", (event) => {
    if (!isActive() || help.open || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTypedInto(event.target)) return;
    const action = event.key === "?" ? () => help.showModal() : keys[event.key]?.[1];
    if (!action) return;
    event.preventDefault();
    action();
  });
  return help;
}
