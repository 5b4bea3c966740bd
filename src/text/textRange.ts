/** A piece of a text, in UTF-16 units. */
export interface TextRange {
  start: number;
  end: number;
}

export const isWithin = (inner: TextRange, outer: TextRange) =>
  inner.start >= outer.start && inner.end <= outer.end;

export const doOverlap = (first: TextRange, second: TextRange) =>
  first.start < second.end && second.start < first.end;

/** The pieces that no other piece contains, in order of their start. */
export function outermostRanges<Piece extends TextRange>(pieces: Piece[]): Piece[] {
  const outermostPieces: Piece[] = [];
  for (const piece of pieces.toSorted((a, b) => a.start - b.start || b.end - a.end))
    if (outermostPieces.length === 0 || piece.start >= outermostPieces.at(-1)!.end)
      outermostPieces.push(piece);
  return outermostPieces;
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
  let [lowest, highest] = [0, items.length];
  while (lowest < highest) {
    const middle = (lowest + highest) >> 1;
    if (positionOf(items[middle]!) < position) lowest = middle + 1;
    else highest = middle;
  }
  return lowest;
}
