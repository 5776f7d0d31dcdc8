// A paper with its section tree. A label lights up its names, the paragraphs nearest to it and the sections' shares.

import { CUES } from "./cues.js";
import { make, scrollTo } from "./elements.js";
import { marked } from "./marking.js";
import { SectionTree, UNTITLED } from "./section_tree.js";

const NEAREST = 5;
const A_FEW = 0.25;
const MOST_MENTIONS = 200; // that the service tells of

export class PaperView {
  constructor() {
    this.sections = new SectionTree((part) => scrollTo(part, "start"));
    this.element = make("article", { class: "paper", "aria-label": "The paper" });
    this._paper = null;
  }

  show(paper) {
    this._paper = paper;
    this._title = make("h3", { class: "paper-title" }, paper.title || "Without a title");
    this._abstract = make("p", {}, paper.abstract);
    this._paragraphs = paper.paragraphs.map((text) => make("p", {}, text));
    this._about = make("p", { class: "about-label", "aria-live": "polite" });
    const abstract = make("section", { "aria-label": "Abstract" }, make("h4", {}, "Abstract"), this._abstract);
    const headings = paper.sections.map((section) =>
      make(
        `h${Math.min(6, section.depth + 3)}`,
        { class: section.heading ? null : "untitled" },
        section.heading || UNTITLED,
      ),
    );
    this.element.replaceChildren(
      this._about,
      this._title,
      ...(paper.abstract ? [abstract] : []),
      ...inOrder(paper.sections, headings, this._paragraphs),
    );
    this.sections.show(paper, this._title, headings);
  }

  clear() {
    this._paper = null;
    this.element.replaceChildren();
    this.sections.clear();
  }

  /** Show the evidence of a label, or of none; go to where it is if it was chosen. */
  light(label, goThere) {
    if (!this._paper) return;
    this.element.dataset.by = label?.indicated_by ?? "";
    this._mark(label?.mentions ?? []);
    const nearest = this._nearest(label?.similarities ?? []);
    this._paragraphs.forEach((paragraph, i) => {
      paragraph.classList.toggle("supports", nearest.has(i));
      if (nearest.has(i)) paragraph.dataset.note = `similarity ${label.similarities[i].toFixed(2)}`;
      else delete paragraph.dataset.note;
    });
    this._about.textContent = label ? about(label) : "";
    this.sections.light(label?.contributions ?? null);
    if (label && goThere) this._go();
  }

  _mark(mentions) {
    const inField = (field) => mentions.filter((mention) => mention.field === field);
    const inBody = grouped(inField("paragraph"));
    marked(this._title, this._paper.title || "Without a title", inField("title"));
    marked(this._abstract, this._paper.abstract, inField("abstract"));
    this._paragraphs.forEach((paragraph, i) => marked(paragraph, this._paper.paragraphs[i], inBody.get(i) ?? []));
  }

  /** The best five, or the best quarter of a short paper. */
  _nearest(similarities) {
    const best = similarities.map((similarity, i) => [similarity, i]).filter(([similarity]) => similarity > 0);
    best.sort((one, other) => other[0] - one[0]);
    return new Set(best.slice(0, Math.min(NEAREST, Math.ceil(similarities.length * A_FEW))).map(([, i]) => i));
  }

  _go() {
    const target = this.element.querySelector("mark") ?? this.element.querySelector(".supports");
    if (target) scrollTo(target);
  }
}

/** Headings and paragraphs as one reads them; a section's heading stands before its first paragraph. */
function inOrder(sections, headings, paragraphs) {
  const before = grouped(sections.map((section, i) => ({ paragraph: section.first, heading: headings[i] })));
  const ordered = paragraphs.flatMap((paragraph, i) => [
    ...(before.get(i) ?? []).map(({ heading }) => heading),
    paragraph,
  ]);
  return [...ordered, ...(before.get(paragraphs.length) ?? []).map(({ heading }) => heading)];
}

function grouped(pieces) {
  const groups = new Map();
  for (const piece of pieces) groups.set(piece.paragraph, [...(groups.get(piece.paragraph) ?? []), piece]);
  return groups;
}

function about(label) {
  if (label.indicated_by === "added") return `${label.name}: judged by people; the ranking shows no evidence for it.`;
  const names = [...new Set(label.mentions.map((mention) => mention.name))].slice(0, 6).join(", ");
  const found = names ? `its name stands here ${times(label.mentions.length)} (${names}).` : unmarked(label);
  const words = label.words.map(({ word, share }) => `${word} ${Math.round(share * 100)} %`).join(", ");
  return `${label.name}: ${found}${words ? ` The classifier added it; what weighed most: ${words}.` : ""}`;
}

function times(count) {
  if (count === 1) return "once";
  return count < MOST_MENTIONS ? `${count} times` : `at least ${MOST_MENTIONS} times`;
}

/** Without the paper's text it is only known whether its names were found. */
function unmarked({ indicated_by: by }) {
  return by === "neither" ? "none of its names stands here." : `${CUES[by].words}; only excerpts of the paper are here.`;
}
