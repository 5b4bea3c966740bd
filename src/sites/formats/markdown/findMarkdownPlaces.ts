import type MagicString from 'magic-string';
import { limits } from '../../../contract/task.ts';
import { DomainError } from '../../../errors.ts';
import { hasWords } from '../../../text/text.ts';
import { getOrCreate } from '../../remembered.ts';
import { escapeMarks, joinPieces, parsePieces, plainLine } from '../../pages/texts/slotText.ts';
import { validHtmlLine } from '../escape.ts';
import type { SlotRole, TextSlot } from '../pageParts.ts';
import type { SourceKind } from '../rewriteSource.ts';
import { type InlineTextRun, layOutRun, runText, tidyTexts } from '../textRun.ts';
import { writeRun } from '../writeRun.ts';
import { imageParts } from './linkParts.ts';
import { isJsxText } from './nodeKeys.ts';
import type { MarkdownPage, NumberedNode } from './openMarkdownPage.ts';
import {
  escapedKind,
  hasShownWords,
  type MarkdownPiece,
  pieceKeys,
  plainKind,
  readPieces,
} from './readRun.ts';
import { type MarkdownPlace, plainSlotText, type WritingManner } from './slotPlace.ts';
import { valuePlaces } from './valuePlaces.ts';

/**
 * All slots of a page with their places, in document order: texts of front matter, headings,
 * paragraphs, list items, cells, descriptions of images, and attributes of JSX.
 * @throws LIMIT_EXCEEDED for more than 3,000 slots
 */
export const findMarkdownPlaces = (page: MarkdownPage): MarkdownPlace[] =>
  getOrCreate(cachedPlaces, page, () => searchPlaces(page));

const cachedPlaces = new WeakMap<MarkdownPage, MarkdownPlace[]>();

/** The slots of each node, and of each value in front matter. */
export const slotsByUnit = (page: MarkdownPage): Map<string, TextSlot[]> =>
  getOrCreate(cachedSlots, page, () =>
    Map.groupBy(
      findMarkdownPlaces(page).map(({ slot }) => slot),
      ({ id }) => (id.startsWith('s0.') ? id : id.split('.', 1)[0]!),
    ),
  );

const cachedSlots = new WeakMap<MarkdownPage, Map<string, TextSlot[]>>();

function searchPlaces(page: MarkdownPage): MarkdownPlace[] {
  const places = [
    ...valuePlaces(page),
    ...page.nodes.flatMap((numbered) => [
      ...runPlaces(page, numbered),
      ...imagePlaces(page, numbered),
      ...attributePlaces(page, numbered),
    ]),
  ];
  if (places.length > limits.pageSlots)
    throw new DomainError(
      'LIMIT_EXCEEDED',
      `The page has ${places.length} texts; at most ${limits.pageSlots} are allowed`,
    );
  places.sort((first, second) => first.start - second.start || second.end - first.end);
  let section: string | null = null;
  for (const { slot } of places) {
    if (slot.id.startsWith('s0.')) continue;
    slot.section = section;
    if (slot.role === 'heading') section = plainLine(slot.text);
  }
  return places;
}

const createSlot = (id: string, role: SlotRole, text: string): TextSlot => ({
  id,
  role,
  section: null,
  text,
  parts: [],
  locked: false,
});

/** The slot of a block with running text. A text that is only a link is the link's. */
function runPlaces(page: MarkdownPage, { id, node, parent }: NumberedNode): MarkdownPlace[] {
  if (node.type !== 'heading' && node.type !== 'paragraph' && node.type !== 'tableCell') return [];
  const pieces = readPieces(page, node.children);
  if (!pieces || !hasShownWords(pieces)) return [];
  const content = innermostPart(trimPieces(pieces));
  const isLink = node.type === 'paragraph' && content.isLink;
  const role: SlotRole =
    node.type === 'heading'
      ? 'heading'
      : node.type === 'tableCell'
        ? 'table-cell'
        : parent?.node.type === 'listItem'
          ? 'list-item'
          : isLink
            ? 'link'
            : 'paragraph';
  const run = layOutRun(content.pieces, false);
  const slot: TextSlot = {
    ...createSlot(id, role, runText(run)),
    ...(node.type === 'heading' && { level: node.depth }),
    parts: run.parts,
  };
  return [
    {
      slot,
      start: content.pieces[0]!.start,
      end: content.pieces.at(-1)!.end,
      keys: pieceKeys(page, content.pieces),
      gaps: run.gaps.map(({ texts, at }) => ({
        start: texts[0]?.start ?? at,
        end: texts.at(-1)?.end ?? at,
      })),
      write: (sourceEditor, text, manner) => writeText(sourceEditor, run, { text, manner }),
      expect: (text) => expectedText(run, text),
    },
  ];
}

/** Removes images and code at the ends, but keeps line breaks. */
function trimPieces(pieces: MarkdownPiece[]): MarkdownPiece[] {
  const isVisible = (piece: MarkdownPiece) =>
    piece.kind === 'part' || (piece.kind === 'text' && piece.value.trim() !== '');
  return pieces.slice(pieces.findIndex(isVisible), pieces.findLastIndex(isVisible) + 1);
}

/** The content of running text that is only one part, such as a link or a bold text. */
function innermostPart(pieces: MarkdownPiece[], isLink = false) {
  const [only] = pieces;
  if (pieces.length !== 1 || only?.kind !== 'part') return { pieces, isLink };
  const children: MarkdownPiece[] = only.children;
  return innermostPart(trimPieces(children), isLink || only.name === 'a');
}

function writeText(
  sourceEditor: MagicString,
  run: InlineTextRun,
  { text, manner }: { text: string; manner: WritingManner },
) {
  const kind = manner === 'plain' ? plainKind : escapedKind;
  if (manner !== 'whole') return void writeRun(sourceEditor, { run, kind }, text);
  // read as one unknown character, so that no part of the old text stays
  const wholeKind: SourceKind = { ...kind, read: (raw) => [{ raw, text: '\uFFFD' }] };
  const gaps = run.gaps.map((gap) => {
    const [first, last] = [gap.texts[0], gap.texts.at(-1)];
    return first && last
      ? { ...gap, texts: [{ start: first.start, end: last.end }], hidden: [] }
      : gap;
  });
  writeRun(sourceEditor, { run: { ...run, gaps }, kind: wholeKind }, text);
}

/** A new text as the page must show it, with its parts numbered in their new order. */
function expectedText(run: InlineTextRun, text: string): string {
  const pieces = parsePieces(text);
  const texts = [''];
  for (const piece of pieces)
    if (piece.kind === 'text') texts[texts.length - 1] += piece.text;
    else texts.push('');
  const marks = pieces.filter((piece) => piece.kind !== 'text');
  const order = orderOfParts(text);
  const newMarks = marks.map(({ kind, part }) => ({ kind, part: order.indexOf(part) + 1 }));
  return joinPieces(
    tidyTexts(run, marks, texts).flatMap((gap, i) => [
      { kind: 'text' as const, text: gap },
      ...newMarks.slice(i, i + 1),
    ]),
  );
}

/** The numbers of a text's parts in the order in which they begin: `<2>a</2> <1/>` → 2, 1. */
export const orderOfParts = (text: string): number[] =>
  parsePieces(text).flatMap((piece) =>
    piece.kind === 'open' || piece.kind === 'void' ? [piece.part] : [],
  );

/** The slot of an image's alternative text. */
function imagePlaces(page: MarkdownPage, { id, node }: NumberedNode): MarkdownPlace[] {
  if (node.type !== 'image' || !hasWords(node.alt ?? '')) return [];
  const range = imageParts(page, node)?.alt;
  if (!range) return [];
  return [plainPlace({ id: `${id}.alt`, role: 'image-alt', text: node.alt ?? '', range })];
}

/** The slots of a JSX element's attributes: `<Card title="Austin">`. */
function attributePlaces(page: MarkdownPage, { id, node }: NumberedNode): MarkdownPlace[] {
  if (node.type !== 'mdxJsxFlowElement' && node.type !== 'mdxJsxTextElement') return [];
  return node.attributes.flatMap((attribute): MarkdownPlace[] => {
    const end = (attribute.position?.end.offset ?? 0) - 1;
    const quote = page.source[end] ?? '';
    if (!isJsxText(attribute) || !/["']/.test(quote)) return [];
    const start = page.source.indexOf(quote, attribute.position?.start.offset) + 1;
    const slotId = `${id}.${attribute.name.toLowerCase()}`;
    return [
      plainPlace({
        id: slotId,
        role: attribute.name === 'alt' ? 'image-alt' : 'other',
        text: attribute.value,
        range: { start, end },
        forbidden: new RegExp(`[&<>{}${quote}]`, 'g'),
      }),
    ];
  });
}

interface PlainText {
  id: string;
  role: SlotRole;
  text: string;
  range: { start: number; end: number };
  /** The characters that are always written as entities. */
  forbidden?: RegExp;
}

/** A slot without parts, which is written as a whole. */
function plainPlace({ id, role, text, range, forbidden = /[[\]\\`]/g }: PlainText): MarkdownPlace {
  const tidy = (newText: string) => validHtmlLine(plainSlotText(newText));
  return {
    slot: createSlot(id, role, escapeMarks(validHtmlLine(text))),
    ...range,
    keys: [],
    write: (sourceEditor, newText, manner) => {
      const plain = tidy(newText);
      const escaped =
        manner === 'plain'
          ? plain.replace(forbidden, (character) => `&#${character.codePointAt(0)};`)
          : escapedKind.escape(plain);
      sourceEditor.overwrite(range.start, range.end, escaped);
    },
    expect: (newText) => escapeMarks(tidy(newText)),
  };
}
