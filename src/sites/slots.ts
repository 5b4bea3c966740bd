/** A slot's text taken apart: plain text, and the marks `<1>`, `</1>`, `<1/>` of its numbered parts. */
export type Piece = { kind: 'text'; text: string } | { kind: 'open' | 'close' | 'void'; part: number };

const markPattern = /(\\*)<(\/?)(\d{1,4})(\/?)>/g;

/** @returns the pieces of a slot's text in order; `\<1>` is plain text, and a mark that is both `</` and `/>` too */
export function parsePieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  let plain = '';
  let end = 0;
  for (const match of text.matchAll(markPattern)) {
    const [all, slashes = '', closing, part, selfClosing] = match;
    const literal = slashes.length % 2 === 1 || (closing && selfClosing);
    plain += text.slice(end, match.index) + slashes.slice(0, slashes.length >> 1);
    end = match.index + all.length;
    if (literal) plain += all.slice(slashes.length);
    else {
      if (plain) pieces.push({ kind: 'text', text: plain });
      plain = '';
      pieces.push({ kind: closing ? 'close' : selfClosing ? 'void' : 'open', part: Number(part) });
    }
  }
  plain += text.slice(end);
  if (plain) pieces.push({ kind: 'text', text: plain });
  return pieces;
}

/** The reverse of `parsePieces`. */
export function joinPieces(pieces: Piece[]): string {
  return pieces
    .map((piece) => (piece.kind === 'text' ? escapeMarks(piece.text) : mark(piece.kind, piece.part)))
    .join('');
}

const mark = (kind: 'open' | 'close' | 'void', part: number) =>
  kind === 'open' ? `<${part}>` : kind === 'close' ? `</${part}>` : `<${part}/>`;

/** Plain text as a slot's text, in which what looks like the mark of a part is only text. */
export function escapeMarks(text: string): string {
  return text.replace(markPattern, (all, slashes: string, closing: string, _part, selfClosing: string) =>
    closing && selfClosing ? all : `${slashes}\\${all}`,
  );
}

/** A slot's text as its reader sees it: without the marks of its parts. A line break reads as a space. */
export function plainText(slotText: string): string {
  return parsePieces(slotText)
    .map((piece) => (piece.kind === 'text' ? piece.text : piece.kind === 'void' ? ' ' : ''))
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}
