/*
 * The form of a slot's text. Its inline tags are numbered parts, which marks stand for: the HTML
 * `Call <a href="tel:1">us</a> now` is the slot text `Call <1>us</1> now`, and part 1 is the link.
 * So an agent can write new texts without HTML. A literal `<1>` is written `\<1>`.
 */

/** A piece of a slot's text: plain text, or a mark: `<1>`, `</1>`, or `<1/>` for a void part. */
export type TextPiece =
  | { kind: 'text'; text: string }
  | { kind: 'open' | 'close' | 'void'; part: number };

/** The look-behind prevents quadratic time for a long run of backslashes. */
const markPattern = /(?<!\\)(\\*)<(?:(\d{1,4})(\/?)|\/(\d{1,4}))>/g;

/** Splits a slot's text into its pieces, in order. `\<1>` is plain text. */
export function parsePieces(text: string): TextPiece[] {
  if (!text.includes('<')) return text === '' ? [] : [{ kind: 'text', text }];
  const pieces: TextPiece[] = [];
  let pendingText = '';
  let end = 0;
  for (const match of text.matchAll(markPattern)) {
    const [wholeMark, slashes = '', openNumber, isVoid, closeNumber] = match;
    pendingText += text.slice(end, match.index) + slashes.slice(0, slashes.length >> 1);
    end = match.index + wholeMark.length;
    if (slashes.length % 2 === 1) pendingText += wholeMark.slice(slashes.length);
    else {
      if (pendingText) pieces.push({ kind: 'text', text: pendingText });
      pendingText = '';
      pieces.push({
        kind: closeNumber ? 'close' : isVoid ? 'void' : 'open',
        part: Number(openNumber ?? closeNumber),
      });
    }
  }
  pendingText += text.slice(end);
  if (pendingText) pieces.push({ kind: 'text', text: pendingText });
  return pieces;
}

/** A mark in a slot's text. */
export type TextMark = Exclude<TextPiece, { kind: 'text' }>;

/** Splits a slot's text at its marks. There is one text more than marks. */
export function splitText(text: string): { texts: string[]; marks: TextMark[] } {
  const texts = [''];
  const marks: TextMark[] = [];
  for (const piece of parsePieces(text)) {
    if (piece.kind === 'text') texts[texts.length - 1] += piece.text;
    else {
      marks.push(piece);
      texts.push('');
    }
  }
  return { texts, marks };
}

/** The reverse of `splitText`. */
export const joinAtMarks = (texts: string[], marks: TextMark[]): string =>
  joinPieces(texts.flatMap((text, i) => [{ kind: 'text', text }, ...marks.slice(i, i + 1)]));

/** The reverse of `parsePieces`. */
export function joinPieces(pieces: TextPiece[]): string {
  return pieces
    .map((piece, i) =>
      piece.kind === 'text' ? escapeBefore(pieces[i + 1], piece.text) : writeMark(piece),
    )
    .join('');
}

/** Doubles backslashes right before a mark. Otherwise they would escape the mark. */
const escapeBefore = (nextPiece: TextPiece | undefined, text: string) =>
  nextPiece && nextPiece.kind !== 'text'
    ? escapeMarks(text).replace(/(?<!\\)\\+$/, '$&$&')
    : escapeMarks(text);

const writeMark = ({ kind, part }: TextMark) =>
  kind === 'open' ? `<${part}>` : kind === 'close' ? `</${part}>` : `<${part}/>`;

/** Escapes plain text for a slot: text that looks like a part's mark stays text. */
export const escapeMarks = (text: string): string =>
  !text.includes('<')
    ? text
    : text.replace(markPattern, (wholeMark, slashes: string) => `${slashes}\\${wholeMark}`);

/**
 * A slot's text as readers see it: without the marks of its parts. An element without a text, such
 * as a line break or an image, becomes a line break, so that the words beside it stay apart.
 */
export const plainText = (slotText: string): string =>
  parsePieces(slotText)
    .map((piece) => (piece.kind === 'text' ? piece.text : piece.kind === 'void' ? '\n' : ''))
    .join('');

/** The text as `plainText` returns it, in one line. */
export const plainLine = (slotText: string): string =>
  plainText(slotText).replace(/\s+/g, ' ').trim();
