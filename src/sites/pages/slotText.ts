/**
 * A piece of a slot's text: plain text, or one of the marks `<1>`, `</1>`, `<1/>` of its numbered
 * parts.
 */
export type Piece =
  | { kind: 'text'; text: string }
  | { kind: 'open' | 'close' | 'void'; part: number };

/** The look-behind prevents quadratic time for a long run of backslashes. */
const markPattern = /(?<!\\)(\\*)<(?:(\d{1,4})(\/?)|\/(\d{1,4}))>/g;

/** @returns the pieces of a slot's text in order; `\<1>` is plain text */
export function parsePieces(text: string): Piece[] {
  if (!text.includes('<')) return text === '' ? [] : [{ kind: 'text', text }];
  const pieces: Piece[] = [];
  let plain = '';
  let end = 0;
  for (const match of text.matchAll(markPattern)) {
    const [all, slashes = '', opened, isVoid, closed] = match;
    plain += text.slice(end, match.index) + slashes.slice(0, slashes.length >> 1);
    end = match.index + all.length;
    if (slashes.length % 2 === 1) plain += all.slice(slashes.length);
    else {
      if (plain) pieces.push({ kind: 'text', text: plain });
      plain = '';
      pieces.push({
        kind: closed ? 'close' : isVoid ? 'void' : 'open',
        part: Number(opened ?? closed),
      });
    }
  }
  plain += text.slice(end);
  if (plain) pieces.push({ kind: 'text', text: plain });
  return pieces;
}

/** The reverse of `parsePieces`. */
export function joinPieces(pieces: Piece[]): string {
  return pieces
    .map((piece, i) =>
      piece.kind === 'text' ? textBefore(pieces[i + 1], piece.text) : mark(piece),
    )
    .join('');
}

/** Doubles backslashes right before a mark. Otherwise they would escape the mark. */
const textBefore = (next: Piece | undefined, text: string) =>
  next && next.kind !== 'text'
    ? escapeMarks(text).replace(/(?<!\\)\\+$/, '$&$&')
    : escapeMarks(text);

const mark = ({ kind, part }: Exclude<Piece, { kind: 'text' }>) =>
  kind === 'open' ? `<${part}>` : kind === 'close' ? `</${part}>` : `<${part}/>`;

/** Escapes plain text for a slot: text that looks like a part's mark stays text. */
export const escapeMarks = (text: string): string =>
  !text.includes('<')
    ? text
    : text.replace(markPattern, (all, slashes: string) => `${slashes}\\${all}`);

/**
 * A slot's text as readers see it: without the marks of its parts. An element without a text, such
 * as a line break or an image, becomes a line break, so that the words beside it stay apart.
 */
export const plainText = (slotText: string): string =>
  parsePieces(slotText)
    .map((piece) => (piece.kind === 'text' ? piece.text : piece.kind === 'void' ? '\n' : ''))
    .join('');

/** The same in one line. */
export const plainLine = (slotText: string): string =>
  plainText(slotText).replace(/\s+/g, ' ').trim();
