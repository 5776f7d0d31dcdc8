// What search boxes look for.

import * as api from "./api.js";
import { broader } from "./elements.js";

export async function labelsLike(q, signal) {
  const { labels } = await api.get("labels/search", { q, limit: 20 }, { signal });
  return labels.map(({ id, name, matched, path }) => {
    const hint = [matched === name ? "" : matched, broader(path)].filter(Boolean).join(" · ");
    return { text: name, hint, value: id };
  });
}

export async function papersLike(title, signal) {
  const { papers } = await api.get("papers", { title, limit: 20, top: 1 }, { signal });
  return papers.map((paper) => ({ text: paper.title, hint: paper.id, value: paper.id }));
}
