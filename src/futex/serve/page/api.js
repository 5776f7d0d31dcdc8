// What the page asks of the service.

import { query } from "./places.js";

const KEY = "futex-key";
let project = null;
let start;
const started = new Promise((resolve) => {
  start = resolve;
});

class Refusal extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

export const chosenProject = () => project;

export function chooseProject(id) {
  project = id;
  start();
}

/** Kept until the tab is closed. */
export function setKey(key) {
  sessionStorage.setItem(KEY, key);
}

export const hasKey = () => sessionStorage.getItem(KEY) !== null;

/** An address below the chosen project. */
export function address(path, parameters) {
  return `/api/projects/${encodeURIComponent(project)}/${path}${query(parameters)}`;
}

export async function send(url, options = {}) {
  const headers = { ...options.headers };
  if (hasKey()) headers["X-API-Key"] = sessionStorage.getItem(KEY);
  const response = await whole(fetch(url, { ...options, headers }));
  if (!response.ok) {
    const problem = await response.json().catch(() => ({}));
    throw new Refusal(response.status, problem.detail || `The service answered ${response.status}.`);
  }
  return response;
}

/** A connection that fails, or breaks off within an answer. */
async function whole(answer) {
  try {
    return await answer;
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal(0, "The service does not answer, or broke off. Is it still running?");
  }
}

const read = (response) => whole(response.json());

/** Whoever has gone on to another project meanwhile does not want to know any more. */
export async function get(path, parameters, options) {
  const asked = project;
  const unlessLeft = () => {
    if (asked !== project) throw new DOMException("another project was chosen", "AbortError");
  };
  const response = await send(address(path, parameters), options).finally(unlessLeft);
  return read(response).finally(unlessLeft);
}

export async function projects() {
  return (await read(await send("/api/projects"))).projects;
}

/** A quick hand may give a paper before we know the projects. */
export async function classify(paper) {
  await started;
  return read(await send(address("classify"), { method: "POST", ...paper }));
}

/** What a person says of a label; null takes it back. */
export async function tell(paper, label, verdict) {
  if (verdict === null) return takeBack(paper, label);
  const body = JSON.stringify({ paper, label, verdict });
  await send(address("feedback"), { method: "PUT", body, headers: { "Content-Type": "application/json" } });
}

async function takeBack(paper, label) {
  try {
    await send(address("feedback", { paper, label }), { method: "DELETE" });
  } catch (error) {
    if (error.status !== 404) throw error; // somebody else, or another tab, has taken it back already
  }
}
