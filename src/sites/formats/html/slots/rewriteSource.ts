import { escapeAttribute, escapeText, jsonLiteral } from '../escape.ts';
import {
  readAttributeCharacters,
  readJsonCharacters,
  readTextCharacters,
  seenSource,
  type CharacterReader,
  type PieceSource,
  type SeenCharacter,
  type SeenSource,
} from './sourceCharacters.ts';
import { type TextChange, withoutShared, wordChanges } from '../../../../text/textChanges.ts';

/** How texts are written in one kind of source. */
export interface SourceKind {
  read: CharacterReader;
  escape: (text: string) => string;
  /** What must not arise where letters meet that stood apart. */
  tag?: RegExp;
}

export const textKind: SourceKind = {
  read: readTextCharacters,
  escape: escapeText,
  tag: /<[a-z/!?]/i,
};
export const attributeKind = (quote: '"' | "'"): SourceKind => ({
  read: readAttributeCharacters,
  escape: (text) => escapeAttribute(text, quote),
});
export const jsonKind: SourceKind = {
  read: readJsonCharacters,
  escape: (text) => jsonLiteral(text).slice(1, -1),
  tag: /<!--|<\/?script/i,
};

/** Where a new text is written. */
export interface RewriteOptions {
  /** Whether the white space at the ends, which nobody sees, stays. */
  keepLead?: boolean;
  keepTrail?: boolean;
  /** What to write before the character at a position of the new text. */
  insertions?: ReadonlyMap<number, string>;
}

/**
 * Writes a new text into the source of an old one. Only what differs is written: everything else
 * stays as it is in the source, and in its piece.
 * @returns the new source of each piece
 */
export function rewriteSource(
  kind: SourceKind,
  source: SeenSource,
  wanted: string,
  options: RewriteOptions = {},
): string[] {
  const written = compose(kind, source, wanted, options);
  const isRead = written.every(({ raw, text }) => {
    const characters = kind.read(raw);
    return !kind.tag?.test(raw) && characters.map((one) => one.text).join('') === text;
  });
  const safe = isRead ? written : compose(kind, escapedAnew(source, kind), wanted, options);
  return safe.map(({ raw }) => raw);
}

/** Writes a new text into its source, in one piece. */
export function rewriteRaw(
  kind: SourceKind,
  raw: string,
  { seen, wanted, pre = false }: { seen: string; wanted: string; pre?: boolean },
): string {
  return rewriteSource(kind, seenSource([kind.read(raw)], seen, { pre }), wanted)[0]!;
}

/** A piece's new source, and what it must read as. */
interface WrittenPiece {
  raw: string;
  text: string;
}

function compose(
  { escape }: SourceKind,
  { pieces, lead, characters, trail }: SeenSource,
  wanted: string,
  { keepLead = true, keepTrail = true, insertions }: RewriteOptions,
): WrittenPiece[] {
  const written = Array.from({ length: pieces }, () => ({ raw: '', text: '' }));
  let piece = (lead[0] ?? characters[0]?.sources[0] ?? trail[0])?.piece ?? 0;
  let position = 0;
  let index = 0;
  const add = (raw: string, text: string) => {
    written[piece]!.raw += raw;
    written[piece]!.text += text;
  };
  const insert = () => add(insertions?.get(position) ?? '', '');
  const keep = (sources: PieceSource[]) => {
    for (const source of sources) {
      piece = source.piece;
      add(source.raw, source.text);
    }
  };
  const keepUntil = (end: number) => {
    for (; index < end; index++) {
      const { text, sources } = characters[index]!;
      insert();
      keep(sources);
      position += text.length;
    }
  };
  const write = (text: string) => {
    for (const part of insertions ? text : [text]) {
      insert();
      add(escape(part), part);
      position += part.length;
    }
  };
  if (keepLead) keep(lead);
  for (const { from, to, text } of phraseChanges(characters, wanted)) {
    keepUntil(from);
    if (to > from || from === 0) piece = characters[from]?.sources[0]?.piece ?? piece;
    write(text);
    index = to;
  }
  keepUntil(characters.length);
  insert();
  if (keepTrail) keep(trail);
  return written;
}

/**
 * What differs, with a new phrase as one change: the line break between two words of the old text
 * would stand in the middle of it.
 */
function phraseChanges(characters: SeenCharacter[], wanted: string): TextChange[] {
  const old = characters.map(({ text }) => text);
  const changes: TextChange[] = [];
  for (const change of wordChanges(old, wanted)) {
    const last = changes.at(-1);
    const isPhrase =
      last !== undefined &&
      change.from === last.to + 1 &&
      old[last.to] === ' ' &&
      isOnePiece(characters.slice(Math.max(0, last.to - 1), change.from + 1));
    if (isPhrase) Object.assign(last, { to: change.to, text: `${last.text} ${change.text}` });
    else changes.push(change);
  }
  return changes.map((change) => withoutShared(old, change));
}

const isOnePiece = (characters: SeenCharacter[]) =>
  new Set(characters.flatMap(({ sources }) => sources.map(({ piece }) => piece))).size === 1;

/** The source without `&` and `<` that could become a reference or a tag with other letters. */
function escapedAnew(source: SeenSource, { escape }: SourceKind): SeenSource {
  const isFragile = ({ raw }: PieceSource) => /^[<&]/.test(raw) && !raw.endsWith(';');
  const anew = (sources: PieceSource[]) =>
    sources.map((one) => (isFragile(one) ? { ...one, raw: escape(one.text) } : one));
  return {
    ...source,
    lead: anew(source.lead),
    characters: source.characters.map((one) => ({ ...one, sources: anew(one.sources) })),
    trail: anew(source.trail),
  };
}
