import MagicString from 'magic-string';
import type { Nodes } from 'mdast';
import { type DomainError, resultOrNull } from '../../../errors.ts';
import { describePosition } from '../../../text/sourceLines.ts';
import { invalidInput } from '../../invalidInput.ts';
import { hasWords, quoteText } from '../../../text/text.ts';
import type { PageSource } from '../format.ts';
import { haveSameValues } from '../frontMatter.ts';
import type { SlotTexts } from '../pageParts.ts';
import { type PlacedText, placeTexts, writeSlot } from '../textPlaces.ts';
import { findMarkdownPlaces, orderOfParts } from './findMarkdownPlaces.ts';
import { nodeKey } from './nodeKeys.ts';
import { type MarkdownPage, openMarkdownPage } from './openMarkdownPage.ts';
import { type VerifiedPlace, writingManners } from '../verifiedPlace.ts';

/**
 * Changes of a page, all of which are splices into its source. `editMarkdownPage` parses the result
 * again: each new text must be where it was meant to be, and everything else must be equal. If it
 * is not, the text is written in another manner, and at last refused with its line and column.
 */
export interface MarkdownEdits {
  /** New texts by slot id. */
  texts?: SlotTexts;
  /** New targets of links, images and definitions, by their nodes' ids. */
  targets?: Map<string, TargetEdit>;
}

/** What to write at a target's place, and how it must read. */
export interface TargetEdit {
  start: number;
  end: number;
  url: string;
}

/**
 * Makes edits of a page.
 * @throws INVALID_INPUT for an unknown id, a text without all inline tags of its slot, and an edit
 *   that would change the Markdown around it
 */
export function editMarkdownPage(
  pageSource: PageSource,
  { texts = {}, targets = new Map() }: MarkdownEdits,
): string {
  const page = openMarkdownPage(pageSource);
  const places = findMarkdownPlaces(page);
  const changes = placeTexts(places, texts);
  const manners = new Map(changes.map(({ place }) => [place.slot.id, 0]));
  for (;;) {
    const source = writeChanges(page, { changes, targets, manners });
    if (source === page.source) return source;
    const failed = findFailedEdits({ page, places }, source, { changes, targets });
    if (failed === null) return source;
    const isUnknown = failed.length === changes.length && changes.length > 1 && targets.size === 0;
    const risky = isUnknown ? findRiskyTexts(changes, manners) : [];
    const suspects = risky.length > 0 ? risky : failed;
    const retried = suspects.filter((id) => manners.get(id)! < writingManners.length - 1);
    if (retried.length === 0 || (!isUnknown && retried.length < failed.length))
      throw refusedError(page, changes, failed);
    for (const id of retried) manners.set(id, manners.get(id)! + 1);
  }
}

/** Signs that can break a whole page, so that it is not known which of the new texts does. */
const riskySigns = /[{}<>[\]`\\*_~|@]|:\/\/|www\.|:{3}|&#?\w|^\s*(?:[#>=+-]|\d+[.)])/;

/** Plain texts with such signs. They are escaped before all others. */
const findRiskyTexts = (changes: TextChange[], manners: ReadonlyMap<string, number>): string[] =>
  changes
    .filter(({ place, text }) => riskySigns.test(text) && manners.get(place.slot.id) === 0)
    .map(({ place }) => place.slot.id);

type TextChange = PlacedText<VerifiedPlace>;

function writeChanges(
  page: MarkdownPage,
  { changes, targets, manners }: CheckedEdits & { manners: ReadonlyMap<string, number> },
): string {
  const sourceEditor = new MagicString(page.source);
  for (const { place, text } of changes) {
    const manner = writingManners[manners.get(place.slot.id)!]!;
    writeSlot(place.slot, () => place.write(sourceEditor, text, manner));
  }
  for (const { start, end, url } of targets.values())
    if (start === end) sourceEditor.appendLeft(start, escapeTarget(url));
    else sourceEditor.overwrite(start, end, escapeTarget(url));
  return sourceEditor.toString();
}

/** A URL as it may stand in a link's target, with or without angle brackets. */
const escapeTarget = (url: string) =>
  url.replace(/[\s<>()\\`"*_[\]{}|]/g, (character) =>
    /[*_]/.test(character) ? character : encodeURIComponent(character).replace(/[()]/g, toPercent),
  );
const toPercent = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

interface CheckedEdits {
  changes: TextChange[];
  targets: Map<string, TargetEdit>;
}

/**
 * Compares an edited page with what it should be.
 * @returns the ids of texts that may be the reason of a difference; null if there is none
 */
function findFailedEdits(
  { page, places }: { page: MarkdownPage; places: VerifiedPlace[] },
  source: string,
  { changes, targets }: CheckedEdits,
): string[] | null {
  const changedIds = changes.map(({ place }) => place.slot.id);
  const editedPage = resultOrNull(() => openMarkdownPage({ path: page.file.path, source }));
  if (!editedPage) return changedIds;
  const editedPlaces = new Map(
    findMarkdownPlaces(editedPage).map((place) => [place.slot.id, place]),
  );
  const newTexts = new Map(changes.map(({ place, text }) => [place.slot.id, text]));
  const failed: string[] = [];
  let expectedCount = 0;
  for (const place of places) {
    const { id } = place.slot;
    const text = newTexts.get(id);
    if (text !== undefined && !hasWords(place.expect(text)) && !place.gaps) continue;
    expectedCount++;
    if (isAsExpected(place, editedPlaces.get(id), text)) continue;
    if (text === undefined) return changedIds;
    failed.push(id);
  }
  if (failed.length > 0) return failed;
  const isEqual =
    editedPlaces.size === expectedCount &&
    isSameFrontMatter(page, editedPage, newTexts) &&
    isSameList(listKeptParts(page, targets), listKeptParts(editedPage, new Map()));
  return isEqual ? null : changedIds;
}

function isAsExpected(
  { slot, keys, expect }: VerifiedPlace,
  edited: VerifiedPlace | undefined,
  text: string | undefined,
): boolean {
  if (!edited || edited.slot.role !== slot.role) return false;
  if (text === undefined) return edited.slot.text === slot.text;
  const order = orderOfParts(text);
  return (
    edited.slot.text === expect(text) &&
    edited.keys.length === keys.length &&
    edited.keys.every((key, i) => key === keys[order[i]! - 1])
  );
}

const isSameList = (first: string[], second: string[]) =>
  first.length === second.length && first.every((item, i) => item === second[i]);

const inlineTypes = new Set(
  'emphasis strong delete link linkReference inlineCode break image imageReference footnoteReference mdxTextExpression mdxJsxTextElement'.split(
    ' ',
  ),
);

/** What every node is, with what it is in. Inline nodes of one block may change their order. */
function listKeys(page: MarkdownPage, targets: Map<string, TargetEdit>): string[] {
  const keys: string[] = [];
  let inlineKeys: string[] = [];
  const flush = () => {
    for (const key of inlineKeys.sort()) keys.push(key);
    inlineKeys = [];
  };
  for (const { id, node, parent } of page.nodes) {
    const isInline =
      inlineTypes.has(node.type) || (node.type === 'html' && parent?.node.type === 'paragraph');
    if (!isInline) flush();
    (isInline ? inlineKeys : keys).push(
      `${parent?.node.type} ${nodeKey(node, targets.get(id)?.url)}`,
    );
  }
  flush();
  return keys;
}

function isSameFrontMatter(
  { frontMatter }: MarkdownPage,
  { frontMatter: edited }: MarkdownPage,
  newTexts: Map<string, string>,
): boolean {
  const values = frontMatter?.values ?? [];
  const changed = new Set(values.filter((_, index) => newTexts.has(`s0.${index}`)));
  return (
    frontMatter?.language === edited?.language && haveSameValues(values, edited ?? {}, changed)
  );
}

/** What an edit must keep: nodes, template code, and texts that are not slots. */
const listKeptParts = (page: MarkdownPage, targets: Map<string, TargetEdit>): string[] => [
  ...listKeys(page, targets),
  ...page.code.map(({ start, end }) => page.source.slice(start, end)),
  ...unreadTexts(page),
];

/** The words of blocks whose texts are not slots. Texts of images may be. */
const unreadTexts = (page: MarkdownPage): string[] => {
  const read = new Set(findMarkdownPlaces(page).map(({ slot }) => slot.id));
  return page.nodes.flatMap(({ id, node }) => {
    const isBlock = ['paragraph', 'heading', 'tableCell'].includes(node.type);
    return isBlock && !read.has(id) ? [wordsOf(node)] : [];
  });
};

const wordsOf = (node: Nodes): string =>
  node.type === 'text' ? node.value : 'children' in node ? node.children.map(wordsOf).join('') : '';

function refusedError(page: MarkdownPage, changes: TextChange[], failed: string[]): DomainError {
  const change = changes.find(({ place }) => failed.includes(place.slot.id));
  if (!change)
    return invalidInput(
      'This address cannot be written here without changing the Markdown around it',
    );
  const { start, slot } = change.place;
  return invalidInput(
    `${describePosition(page.source, start)}: the text of slot ${slot.id} cannot become ${quoteText(change.text)} without changing the Markdown around it`,
  );
}
