// Verdicts on labels: kept at once, and taken back one by one.

import * as api from "./api.js";

const told = [];

/** The same verdict again takes it back. */
export async function judge(paper, label, verdict) {
  const before = label.verdict ?? null;
  const now = before === verdict ? null : verdict;
  await api.tell(paper, label.id, now);
  label.verdict = now;
  told.push({ paper, label: label.id, before });
}

/** Takes the last verdict back and returns it, or null if none was given since the page was opened. */
export async function undo() {
  const last = told.pop();
  if (!last) return null;
  await api.tell(last.paper, last.label, last.before);
  return last;
}
