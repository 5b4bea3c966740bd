import { parse } from 'parse5';
import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { parseDocument } from '../../../../../src/sites/formats/html/document.ts';
import { findSlotPlaces } from '../../../../../src/sites/formats/html/slots/findSlotPlaces.ts';
import { parsePieces } from '../../../../../src/sites/pages/texts/slotText.ts';

/** A slot's text with every run of plain text replaced, its parts kept. */
export function replaceWords(text: string, words: string): string {
  const marks = parsePieces(text);
  return marks
    .map((piece) => {
      if (piece.kind === 'text') return words;
      return piece.kind === 'open'
        ? `<${piece.part}>`
        : piece.kind === 'close'
          ? `</${piece.part}>`
          : `<${piece.part}/>`;
    })
    .join('');
}

/** The source's bytes outside all slots, in pieces. */
export function outside(text: string): string[] {
  const page = parseDocument(text);
  const ranges = findSlotPlaces(page).flatMap((place) => place.ranges);
  ranges.sort((a, b) => a.start - b.start || a.end - b.end);
  let end = 0;
  const pieces = ranges.map((range) => {
    const piece = page.source.slice(end, range.start);
    end = range.end;
    return piece;
  });
  return [page.bom + (pieces[0] ?? ''), ...pieces.slice(1), page.source.slice(end)];
}

/** Whether `text` is `pieces` in order with anything between them: found without parsing. */
export function isWovenFrom(text: string, pieces: string[]): boolean {
  let position = 0;
  for (const piece of pieces) {
    const found = text.indexOf(piece, position);
    if (found < 0) return false;
    position = found + piece.length;
  }
  return text.startsWith(pieces[0] ?? '') && text.endsWith(pieces.at(-1) ?? '');
}

/**
 * The page's elements with the names of their attributes, nested, and its comments; texts and
 * values left out.
 */
export function skeleton(text: string, { comments = true } = {}): unknown {
  const visit = (node: Tree.Node): unknown => {
    if (node.nodeName === '#comment') return 'data' in node && comments ? node.data : undefined;
    if (!('childNodes' in node)) return undefined;
    const attributes = 'attrs' in node ? node.attrs.map(({ name }) => name) : [];
    return [node.nodeName, attributes, node.childNodes.map(visit).filter(Boolean)];
  };
  return visit(parse(text));
}
