import { DecodingMode, HtmlEntityDecoder } from 'entities/decode';
import { validHtmlText } from './escape.ts';

/** A piece of the source that reads as one character: a letter, `&copy;`, `\u00e9` in JSON. */
export interface SourceCharacter {
  raw: string;
  text: string;
}

/** A character that readers see, with the source that shows it, in one or more pieces. */
export interface SeenCharacter {
  text: string;
  sources: PieceSource[];
}

/** The source of a character, and the index of the piece that it is in. */
export interface PieceSource extends SourceCharacter {
  piece: number;
}

/** The source of one text. It is in several pieces if a comment stands in it. */
export interface SeenSource {
  pieces: number;
  /** The white space that readers don't see, before and behind the text. */
  lead: PieceSource[];
  characters: SeenCharacter[];
  trail: PieceSource[];
}

/** Splits a source into its characters. */
export type CharacterReader = (raw: string) => SourceCharacter[];

const readCharacters =
  (mode: DecodingMode): CharacterReader =>
  (raw) => {
    const characters: SourceCharacter[] = [];
    let text = '';
    const decoder = new HtmlEntityDecoder((code) => (text += String.fromCodePoint(code)));
    for (let position = 0; position < raw.length;) {
      text = '';
      let length = 0;
      if (raw[position] === '&') {
        decoder.startEntity(mode);
        length = decoder.write(raw, position + 1);
        if (length < 0) length = decoder.end();
      }
      if (length === 0) {
        length = raw.startsWith('\r\n', position) || raw.codePointAt(position)! > 0xffff ? 2 : 1;
        text = raw.slice(position, position + length);
      }
      characters.push({ raw: raw.slice(position, position + length), text });
      position += length;
    }
    return characters;
  };

export const readTextCharacters = readCharacters(DecodingMode.Legacy);
export const readAttributeCharacters = readCharacters(DecodingMode.Attribute);

const jsonCharacter =
  /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[\da-fA-F]{4}|\\.|[^]/gu;

/** The characters of a JSON literal of a string, without its quotes. */
export const readJsonCharacters: CharacterReader = (raw) =>
  Array.from(raw.matchAll(jsonCharacter), ([match]) => ({
    raw: match,
    text: match.startsWith('\\') ? String(JSON.parse(`"${match}"`)) : match,
  }));

/**
 * Aligns the source of a text with what readers see of it: white space collapsed, without the white
 * space and the control characters that nobody sees. If the source does not read as `seen`, all of
 * it counts as one character.
 * @param pieces the source in pieces: what stands between them stays in place
 * @param seen the text as readers see it
 * @param options.pre whether white space is preserved
 */
export function alignSource(
  pieces: SourceCharacter[][],
  seen: string,
  { pre = false } = {},
): SeenSource {
  const source: SeenSource = { pieces: pieces.length, lead: [], characters: [], trail: [] };
  const { characters } = source;
  for (const [piece, pieceCharacters] of pieces.entries())
    for (const { raw, text: readText } of pieceCharacters) {
      const validText = validHtmlText(readText);
      const text = !pre && isSpaceCharacter(validText) ? ' ' : validText;
      const lastCharacter = characters.at(-1);
      if (text === '' || (!pre && text === ' ' && lastCharacter?.text === ' '))
        (lastCharacter?.sources ?? source.lead).push({ piece, raw, text: readText });
      else characters.push({ text, sources: [{ piece, raw, text: readText }] });
    }
  if (moveEnds(source, seen)) return source;
  const sources = pieces.flatMap((pieceCharacters, piece) =>
    pieceCharacters.map((character) => ({ ...character, piece })),
  );
  return { pieces: pieces.length, lead: [], characters: [{ text: seen, sources }], trail: [] };
}

const isSpaceCharacter = (text: string) => /^[ \t\n\f\r]$/.test(text);

/**
 * Moves the white space at the ends that `seen` does not have into `lead` and `trail`.
 * @returns whether the source then reads as `seen`
 */
function moveEnds(source: SeenSource, visibleText: string): boolean {
  const { characters } = source;
  const sourcesOf = (movedCharacters: SeenCharacter[]) =>
    movedCharacters.flatMap(({ sources }) => sources);
  const hiddenCount = countSpaces(characters) - /^[ \t\n\f\r]*/.exec(visibleText)![0].length;
  source.lead.push(...sourcesOf(characters.splice(0, Math.max(0, hiddenCount))));
  let length = characters.reduce((sum, { text }) => sum + text.length, 0);
  let end = characters.length;
  while (end > 0 && length > visibleText.length) length -= characters[--end]!.text.length;
  const trail = characters.splice(end);
  source.trail = sourcesOf(trail);
  return (
    characters.map(({ text }) => text).join('') === visibleText &&
    trail.every(({ text }) => isSpaceCharacter(text))
  );
}

const countSpaces = (characters: SeenCharacter[]): number => {
  const firstVisible = characters.findIndex(({ text }) => !isSpaceCharacter(text));
  return firstVisible < 0 ? characters.length : firstVisible;
};
