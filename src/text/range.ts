/** A piece of a text, in UTF-16 units. */
export interface Range {
  start: number;
  end: number;
}

export const liesIn = (inner: Range, outer: Range) =>
  inner.start >= outer.start && inner.end <= outer.end;

export const overlap = (a: Range, b: Range) => a.start < b.end && b.start < a.end;

/** The pieces that no other piece contains, in order of their start. */
export function outermost<Piece extends Range>(pieces: Piece[]): Piece[] {
  const found: Piece[] = [];
  for (const piece of pieces.toSorted((a, b) => a.start - b.start || b.end - a.end))
    if (found.length === 0 || piece.start >= found.at(-1)!.end) found.push(piece);
  return found;
}

/**
 * The index of the first item at or after a position. A binary search, because there may be very
 * many items.
 * @param items sorted by position
 */
export function indexFrom<Item>(
  items: readonly Item[],
  position: number,
  positionOf: (item: Item) => number,
): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (positionOf(items[middle]!) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}
