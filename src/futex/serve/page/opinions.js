// Verdicts on labels: kept at once, and taken back one by one.

import * as api from "./api.js";

let told = [];

/** Verdicts on another project begin. */
export function forget() {
  told = [];
}

/** The same verdict again takes it back. */
export async function judge(paper, label, verdict) {
  const before = label.verdict ?? null;
  const now = before === verdict ? null : verdict;
  const kept = told;
  await api.tell(paper, label.id, now);
  label.verdict = now;
  kept.push({ paper, label, before });
}

/** Takes the last verdict back and returns it, or null if none was given since the project was opened. */
export async function undo() {
  const kept = told;
  const last = kept.pop();
  if (!last) return null;
  try {
    await api.tell(last.paper, last.label.id, last.before);
  } catch (error) {
    kept.push(last);
    throw error;
  }
  return last;
}
