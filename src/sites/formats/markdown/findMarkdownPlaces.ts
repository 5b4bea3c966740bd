import type MagicString from 'magic-string';
import { hasWords } from '../../../text/text.ts';
import {
  escapeMarks,
  joinAtMarks,
  parsePieces,
  plainLine,
  splitText,
} from '../../pages/texts/slotText.ts';
import { validHtmlLine } from '../escape.ts';
import type { SlotRole, TextSlot } from '../pageParts.ts';
import type { SourceKind } from '../rewriteSource.ts';
import { createSlot, plainSlotText, sortPlaces } from '../textPlaces.ts';
import { type InlineTextRun, layOutRun, runText, tidyTexts } from '../textRun.ts';
import { writeRun } from '../writeRun.ts';
import { altRange } from './linkParts.ts';
import { isJsxText } from './nodeKeys.ts';
import { computePerPage, type MarkdownPage, type NumberedNode } from './openMarkdownPage.ts';
import {
  escapedKind,
  hasShownWords,
  type MarkdownPiece,
  pieceKeys,
  plainKind,
  readPieces,
} from './readRun.ts';
import type { VerifiedPlace, WritingManner } from '../verifiedPlace.ts';
import { valuePlaces } from '../valuePlaces.ts';

/**
 * All slots of a page with their places, in document order: texts of front matter, headings,
 * paragraphs, list items, cells, descriptions of images, and attributes of JSX.
 * @throws LIMIT_EXCEEDED for more than 3,000 slots
 */
export const findMarkdownPlaces = computePerPage((page: MarkdownPage): VerifiedPlace[] => {
  const places = [
    ...valuePlaces(page),
    ...page.nodes.flatMap((numbered) => [
      ...runPlaces(page, numbered),
      ...imagePlaces(page, numbered),
      ...attributePlaces(page, numbered),
    ]),
  ];
  let section: string | null = null;
  for (const { slot } of sortPlaces(places)) {
    if (slot.id.startsWith('s0.')) continue;
    slot.section = section;
    if (slot.role === 'heading') section = plainLine(slot.text);
  }
  return places;
});

/** The slots of each node, and of each value in front matter. */
export const slotsByUnit = computePerPage((page: MarkdownPage): Map<string, TextSlot[]> =>
  Map.groupBy(
    findMarkdownPlaces(page).map(({ slot }) => slot),
    ({ id }) => (id.startsWith('s0.') ? id : id.split('.', 1)[0]!),
  ),
);

/** The slot of a block with running text. A text that is only a link is the link's. */
function runPlaces(page: MarkdownPage, { id, node, parent }: NumberedNode): VerifiedPlace[] {
  if (node.type !== 'heading' && node.type !== 'paragraph' && node.type !== 'tableCell') return [];
  const pieces = readPieces(page, node.children);
  if (!pieces || !hasShownWords(pieces)) return [];
  const content = innermostPart(trimPieces(pieces));
  const paragraphRole =
    parent?.node.type === 'listItem' ? 'list-item' : content.isLink ? 'link' : 'paragraph';
  const roles = { heading: 'heading', tableCell: 'table-cell', paragraph: paragraphRole } as const;
  const run = layOutRun(content.pieces, false);
  const slot: TextSlot = {
    ...createSlot(id, roles[node.type], runText(run)),
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
  const { texts, marks } = splitText(text);
  const order = orderOfParts(text);
  const newMarks = marks.map(({ kind, part }) => ({ kind, part: order.indexOf(part) + 1 }));
  return joinAtMarks(tidyTexts(run, marks, texts), newMarks);
}

/** The numbers of a text's parts in the order in which they begin: `<2>a</2> <1/>` → 2, 1. */
export const orderOfParts = (text: string): number[] =>
  parsePieces(text).flatMap((piece) =>
    piece.kind === 'open' || piece.kind === 'void' ? [piece.part] : [],
  );

/** The slot of an image's alternative text. */
function imagePlaces(page: MarkdownPage, { id, node }: NumberedNode): VerifiedPlace[] {
  if (node.type !== 'image' || !hasWords(node.alt ?? '')) return [];
  const range = altRange(page, node);
  if (!range) return [];
  return [plainPlace({ id: `${id}.alt`, role: 'image-alt', text: node.alt ?? '', range })];
}

/** The slots of a JSX element's attributes: `<Card title="Austin">`. */
function attributePlaces(page: MarkdownPage, { id, node }: NumberedNode): VerifiedPlace[] {
  if (node.type !== 'mdxJsxFlowElement' && node.type !== 'mdxJsxTextElement') return [];
  return node.attributes.flatMap((attribute): VerifiedPlace[] => {
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
function plainPlace({ id, role, text, range, forbidden = /[[\]\\`]/g }: PlainText): VerifiedPlace {
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
