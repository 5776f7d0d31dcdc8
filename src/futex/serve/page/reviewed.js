// A paper as Review shows it: what the service knows of it and what people said, in the form of what Classify shows.

const NO_EVIDENCE = { path: [], mentions: [], similarities: [], contributions: null, words: [] };
const HEAD = ["title", "abstract"];

/** A label that only people speak of: no more is known than its name. */
export const added = ({ id, name, verdict = null }) => ({
  ...NO_EVIDENCE,
  id,
  name,
  score: null,
  indicated_by: "added",
  verdict,
});

export function reviewed({ id, predicted, also_judged: others, classified }, title) {
  const said = new Map(predicted.map((label) => [label.id, label.verdict]));
  const ranked = classified ? classified.labels : predicted.map(fromExcerpts);
  const labels = ranked.map((label) => ({ ...label, verdict: said.get(label.id) ?? null }));
  const text = classified ? classified.paper : excerpts(id, title, predicted);
  return { id, labels: [...others.map(added), ...labels], text };
}

/** Without the paper's text, predictions.jsonl still tells where a few of the label's names stand. */
function fromExcerpts(label) {
  const names = label.evidence.filter((piece) => piece.kind === "name");
  const inHead = names.some((piece) => HEAD.includes(piece.where[0]));
  return { ...NO_EVIDENCE, ...label, indicated_by: inHead ? "abstract" : names.length ? "full-text" : "neither" };
}

/** And its excerpts take the place of the text: one section a label. */
function excerpts(id, title, predicted) {
  const paper = { id, title, abstract: "", sections: [], paragraphs: [] };
  for (const label of predicted) {
    const texts = label.evidence.map((piece) => piece.text).filter(Boolean);
    const first = paper.paragraphs.length;
    paper.sections.push({ heading: label.name, depth: 1, parent: null, first, count: texts.length });
    paper.paragraphs.push(...texts);
  }
  return paper;
}
