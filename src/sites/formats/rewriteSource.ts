import { escapeAttribute, escapeText, jsonLiteral } from './escape.ts';
import {
  readAttributeCharacters,
  readJsonCharacters,
  readTextCharacters,
  alignSource,
  type CharacterReader,
  type PieceSource,
  type SeenCharacter,
  type SeenSource,
} from './sourceCharacters.ts';
import {
  type CharacterChange,
  trimSharedEnds,
  findWordChanges,
} from '../../text/findTextChanges.ts';

/** How texts are read and written in one kind of source: text, attribute or JSON. */
export interface SourceKind {
  read: CharacterReader;
  escape: (text: string) => string;
  /** A tag that must not arise by accident, where letters meet that stood apart. */
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

/** What to write besides the new text. */
export interface RewriteOptions {
  /** Whether the white space at the ends, which nobody sees, stays. */
  keepLead?: boolean;
  keepTrail?: boolean;
  /** What to write before the character at a position of the new text. */
  insertions?: ReadonlyMap<number, string>;
}

/**
 * Writes a new text into the source of an old one. Only what differs is written: for the new text
 * `Café Lisbon`, `Caf&eacute; Austin` becomes `Caf&eacute; Lisbon`. Everything else stays as it is
 * in the source, and in its piece.
 * @param source the old text by its characters, with the source of each, in one or more pieces
 * @returns the new source of each piece
 */
export function rewriteSource(
  kind: SourceKind,
  source: SeenSource,
  newText: string,
  options: RewriteOptions = {},
): string[] {
  const writtenPieces = composePieces(kind, source, newText, options);
  const readsBack = writtenPieces.every(({ raw, text }) => {
    const characters = kind.read(raw);
    return !kind.tag?.test(raw) && characters.map((character) => character.text).join('') === text;
  });
  const safePieces = readsBack
    ? writtenPieces
    : composePieces(kind, escapeAgain(source, kind), newText, options);
  return safePieces.map(({ raw }) => raw);
}

/**
 * Writes a new text into its source, in one piece.
 * @param texts.seen what readers see of the source
 * @param texts.pre whether white space is preserved
 */
export function rewriteRaw(
  kind: SourceKind,
  raw: string,
  { seen, wanted, pre = false }: { seen: string; wanted: string; pre?: boolean },
): string {
  return rewriteSource(kind, alignSource([kind.read(raw)], seen, { pre }), wanted)[0]!;
}

/** A piece's new source, and what it must read as. */
interface WrittenPiece {
  raw: string;
  text: string;
}

function composePieces(
  { escape }: SourceKind,
  { pieces, lead, characters, trail }: SeenSource,
  newText: string,
  { keepLead = true, keepTrail = true, insertions }: RewriteOptions,
): WrittenPiece[] {
  const writtenPieces = Array.from({ length: pieces }, () => ({ raw: '', text: '' }));
  let piece = (lead[0] ?? characters[0]?.sources[0] ?? trail[0])?.piece ?? 0;
  let position = 0;
  let index = 0;
  const addPiece = (raw: string, text: string) => {
    writtenPieces[piece]!.raw += raw;
    writtenPieces[piece]!.text += text;
  };
  const insertPending = () => addPiece(insertions?.get(position) ?? '', '');
  const keepSources = (sources: PieceSource[]) => {
    for (const source of sources) {
      piece = source.piece;
      addPiece(source.raw, source.text);
    }
  };
  const keepUntil = (end: number) => {
    for (; index < end; index++) {
      const { text, sources } = characters[index]!;
      insertPending();
      keepSources(sources);
      position += text.length;
    }
  };
  const writeText = (text: string) => {
    for (const part of insertions ? text : [text]) {
      insertPending();
      addPiece(escape(part), part);
      position += part.length;
    }
  };
  if (keepLead) keepSources(lead);
  for (const { from, to, text } of phraseChanges(characters, newText)) {
    keepUntil(from);
    if (to > from || from === 0) piece = characters[from]?.sources[0]?.piece ?? piece;
    writeText(text);
    index = to;
  }
  keepUntil(characters.length);
  insertPending();
  if (keepTrail) keepSources(trail);
  return writtenPieces;
}

/**
 * What differs between two texts. A new phrase is one change, because the line break between two
 * words of the old text would otherwise stand in the middle of it.
 */
function phraseChanges(characters: SeenCharacter[], newText: string): CharacterChange[] {
  const oldCharacters = characters.map(({ text }) => text);
  const changes: CharacterChange[] = [];
  for (const change of findWordChanges(oldCharacters, newText)) {
    const previous = changes.at(-1);
    const isPhrase =
      previous !== undefined &&
      change.from === previous.to + 1 &&
      oldCharacters[previous.to] === ' ' &&
      isOnePiece(characters.slice(Math.max(0, previous.to - 1), change.from + 1));
    if (isPhrase)
      Object.assign(previous, { to: change.to, text: `${previous.text} ${change.text}` });
    else changes.push(change);
  }
  return changes.map((change) => trimSharedEnds(oldCharacters, change));
}

const isOnePiece = (characters: SeenCharacter[]) =>
  new Set(characters.flatMap(({ sources }) => sources.map(({ piece }) => piece))).size === 1;

/** The source with `&` and `<` escaped where other letters could complete a tag. */
function escapeAgain(source: SeenSource, { escape }: SourceKind): SeenSource {
  const isFragile = ({ raw }: PieceSource) => /^[<&]/.test(raw) && !raw.endsWith(';');
  const escapeSources = (sources: PieceSource[]) =>
    sources.map((pieceSource) =>
      isFragile(pieceSource) ? { ...pieceSource, raw: escape(pieceSource.text) } : pieceSource,
    );
  return {
    ...source,
    lead: escapeSources(source.lead),
    characters: source.characters.map((character) => ({
      ...character,
      sources: escapeSources(character.sources),
    })),
    trail: escapeSources(source.trail),
  };
}
