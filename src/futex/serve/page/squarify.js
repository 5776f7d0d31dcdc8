// A squarified tree map (Bruls, Huizing and van Wijk 2000): rectangles of given areas, as near to squares as can be.

/** items: [{ size, … }]; returns [{ item, x, y, width, height }] that fill the given rectangle. */
export function squarify(items, width, height) {
  const sorted = items.filter((item) => item.size > 0).sort((one, other) => other.size - one.size);
  const scale = (width * height) / sorted.reduce((sum, item) => sum + item.size, 0);
  const placed = [];
  let free = { x: 0, y: 0, width, height };
  let row = [];
  for (const item of sorted) {
    const area = item.size * scale;
    const side = Math.min(free.width, free.height);
    if (row.length && worst([...row, { area }], side) > worst(row, side)) {
      free = lay(row, free, placed);
      row = [];
    }
    row.push({ item, area });
  }
  lay(row, free, placed);
  return placed;
}

/** The largest ratio of sides among rectangles that are laid along a side of this length. */
function worst(row, side) {
  const sum = row.reduce((total, { area }) => total + area, 0);
  return Math.max(
    ...row.map(({ area }) => Math.max((side * side * area) / (sum * sum), (sum * sum) / (side * side * area))),
  );
}

/** Lays a row along the shorter side; returns what is left. */
function lay(row, free, placed) {
  const sum = row.reduce((total, { area }) => total + area, 0);
  const upright = free.width >= free.height;
  const thick = sum / (upright ? free.height : free.width) || 0;
  let at = upright ? free.y : free.x;
  for (const { item, area } of row) {
    const long = area / thick;
    placed.push(
      upright
        ? { item, x: free.x, y: at, width: thick, height: long }
        : { item, x: at, y: free.y, width: long, height: thick },
    );
    at += long;
  }
  return upright
    ? { ...free, x: free.x + thick, width: free.width - thick }
    : { ...free, y: free.y + thick, height: free.height - thick };
}
