// Elements of the page. Whatever comes from the service becomes text, never markup.

const SVG = "http://www.w3.org/2000/svg";

export const byId = (id) => document.getElementById(id);

/** make("p", { class: "path" }, "some text", otherElement); `onclick` and the like listen; false and null leave out. */
export function make(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

export function makeSvg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null));
  return element;
}

/** Whether an element takes what is typed. */
export function isTypedInto(element) {
  return element.matches("input, textarea, select");
}

/** A bar as long as this share; styles must not be written into the markup, so it is set as a property. */
export function bar(share) {
  const element = make("span", { class: "bar", "aria-hidden": "true" });
  element.style.setProperty("--share", Math.max(0, Math.min(1, share)));
  return element;
}

export function plural(count, one, many = `${one}s`) {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

/** The labels above one, from the top down; a path ends with the label itself. */
export function broader(path) {
  return path
    .slice(0, -1)
    .map(({ name }) => name)
    .join(" › ");
}

/** Scrolls a list to an item of it, and not the page. */
export function keepVisible(list, item) {
  const [frame, shown] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
  if (shown.top < frame.top) list.scrollTop += shown.top - frame.top;
  else if (shown.bottom > frame.bottom) list.scrollTop += shown.bottom - frame.bottom;
}

/** Calm for those who asked for it. */
export function scrollTo(element, block = "center") {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  element.scrollIntoView({ block, behavior: still ? "auto" : "smooth" });
}
