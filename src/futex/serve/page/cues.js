// Table 4 of the paper in two colours, and in a shape and words for those who do not see the colours.

export const CUES = {
  abstract: { shape: "●", words: "named in title or abstract" },
  "full-text": { shape: "◆", words: "named in the full text only" },
  neither: { shape: "○", words: "not named, by meaning only" },
};

/** A label that people added, or that they judged and the ranking does not show. */
export const ADDED = { shape: "+", words: "judged by people" };
