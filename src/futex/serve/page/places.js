// Where we are: #/review?paper=…, so that a reload, a bookmark and the back button all work.

let project = null;

/** Addresses name the project from now on, or none if there is only one. */
export function nameProject(id) {
  project = id;
}

export function here(hash = location.hash) {
  const [view, query] = hash.replace(/^#\/?/, "").split("?");
  return { view, parameters: new URLSearchParams(query || "") };
}

export function placeOf(view, parameters) {
  return `#/${view}${query({ project, ...parameters })}`;
}

/** "?a=1&b=2"; parameters that are empty are left out. */
export function query(parameters = {}) {
  const given = Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return given.length ? `?${new URLSearchParams(given)}` : "";
}

/** Say where we are without going there again. */
export function note(view, parameters) {
  history.replaceState(null, "", placeOf(view, parameters));
}
