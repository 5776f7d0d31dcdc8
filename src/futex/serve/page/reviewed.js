// A paper as Review shows it: what the service knows of it and what people said, in the form of what Classify shows.

const NO_EVIDENCE = { indicated_by: "neither", path: [], mentions: [], similarities: [], contributions: null, words: [] };

/** A label of which no more is known than its name and what people said. */
export const bare = (label) => ({ ...NO_EVIDENCE, score: null, ...label });

export function reviewed({ id, predicted, added, classified }, title) {
  const said = new Map(predicted.map((label) => [label.id, label.verdict]));
  const known = classified ? classified.labels : predicted.map(bare);
  const labels = known.map((label) => ({ ...label, verdict: said.get(label.id) ?? null }));
  const extra = added
    .filter((label) => !said.has(label.id))
    .map((label) => bare({ ...label, verdict: "add" }));
  return { id, labels: [...extra, ...labels], text: classified ? classified.paper : excerpts(id, title, predicted) };
}

/** Without the paper's text, the excerpts of its evidence take its place: one section a label. */
function excerpts(id, title, predicted) {
  const paper = { id, title, abstract: "", sections: [], paragraphs: [] };
  for (const label of predicted) {
    const texts = label.evidence.map((piece) => piece.text).filter(Boolean);
    paper.sections.push({ heading: label.name, depth: 1, parent: null, first: paper.paragraphs.length, count: texts.length });
    paper.paragraphs.push(...texts);
  }
  return paper;
}
