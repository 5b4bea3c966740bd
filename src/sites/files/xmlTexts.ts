import { invalidInput } from '../invalidInput.ts';

/** An XML document, split into its markup and the texts between. */
export interface XmlPieces {
  markup: string[];
  /** The texts between tags, including character data (CDATA) but not comments. */
  contents: string[];
}

const ends: [start: string, end: string][] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
];

/**
 * Splits XML into markup and texts. Reads each character once.
 * @throws DomainError INVALID_INPUT for markup without an end
 */
export function xmlPieces(source: string): XmlPieces {
  const markup: string[] = [];
  const contents = [''];
  let position = 0;
  for (;;) {
    const start = source.indexOf('<', position);
    contents.push(
      `${contents.pop()}${source.slice(position, start === -1 ? source.length : start)}`,
    );
    if (start === -1) return { markup, contents };
    position = endOfMarkup(source, start);
    const piece = source.slice(start, position);
    markup.push(piece);
    if (piece.startsWith('<![CDATA['))
      contents.push(contents.pop() + encodedXml(piece.slice(9, -3)));
    else if (!/^<[!?]/.test(piece)) contents.push('');
  }
}

/** Escapes character data (CDATA), which has no entities. */
const encodedXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function endOfMarkup(source: string, start: number): number {
  const [opening, closing] = ends.find(([begin]) => source.startsWith(begin, start)) ?? ['', ''];
  const end =
    opening === '' ? endOfTag(source, start) : source.indexOf(closing, start + opening.length);
  if (end === -1) throw invalidInput('The file is no well-formed XML: markup without an end');
  return end + Math.max(1, closing.length);
}

/** The end of a tag: the first `>` outside of quotes. */
function endOfTag(source: string, start: number): number {
  for (let i = start + 1; i < source.length; i++) {
    const character = source[i]!;
    if (character === '>') return i;
    if (character === '<') return -1;
    if (character === '"' || character === "'") i = source.indexOf(character, i + 1);
    if (i === -1) return -1;
  }
  return -1;
}

const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
};

/** Decodes a text between tags; undefined if it has an entity other than XML's five. */
export function decodedXml(text: string): string | undefined {
  const isKnown = (text.match(/&[^;&\s]{0,40};?/g) ?? []).every((entity) => entity in entities);
  return isKnown
    ? text.replace(/&[a-z]{1,5};/g, (entity) => entities[entity] ?? entity)
    : undefined;
}
