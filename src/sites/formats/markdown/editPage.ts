import MagicString from 'magic-string';
import type { Nodes } from 'mdast';
import { DomainError } from '../../../errors.ts';
import { lineAt, sourceLines } from '../../../text/sourceLines.ts';
import { invalidInput } from '../../invalidInput.ts';
import { unknownTextError } from '../../pages/texts/editableTexts.ts';
import { hasWords, quoteText } from '../../../text/text.ts';
import type { PageSource } from '../format.ts';
import { haveSameValues } from '../frontMatter.ts';
import type { SlotTexts } from '../pageParts.ts';
import { findMarkdownPlaces, orderOfParts } from './findMarkdownPlaces.ts';
import { nodeKey } from './nodeKeys.ts';
import { type MarkdownPage, openMarkdownPage } from './openMarkdownPage.ts';
import { type MarkdownPlace, writingManners } from './slotPlace.ts';

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
  splits = 0,
): string {
  const page = openMarkdownPage(pageSource);
  const places = findMarkdownPlaces(page);
  const changes = findChanges(places, texts);
  const manners = new Map(changes.map(({ place }) => [place.slot.id, 0]));
  for (;;) {
    const source = writeChanges(page, { changes, targets, manners });
    if (source === page.source) return source;
    const failed = findFailedEdits({ page, places }, source, { changes, targets });
    if (failed === null) return source;
    const isUnknown = failed.length === changes.length && changes.length > 1 && targets.size === 0;
    const risky = isUnknown ? findRiskyTexts(changes, manners) : [];
    for (const id of risky) manners.set(id, 1);
    if (risky.length > 0) continue;
    if (isUnknown && splits < MAX_SPLITS && ![...manners.values()].some(Boolean))
      return editInHalves(pageSource, changes, splits + 1);
    const retried = failed.filter((id) => manners.get(id)! < writingManners.length - 1);
    if (retried.length === 0 || (!isUnknown && retried.length < failed.length))
      throw refusedError(page, changes, failed);
    for (const id of retried) manners.set(id, manners.get(id)! + 1);
  }
}

/** How often the texts of a failed edit are split. Those that fail together share a manner. */
const MAX_SPLITS = 3;

/** Plain texts with signs that can break a whole page. They are escaped before all others. */
const findRiskyTexts = (changes: TextChange[], manners: ReadonlyMap<string, number>): string[] =>
  changes
    .filter(({ place, text }) => /[{}<>[\]`\\]/.test(text) && manners.get(place.slot.id) === 0)
    .map(({ place }) => place.slot.id);

/** Makes changes in two steps, so that a text that fails does not change how others are written. */
function editInHalves(pageSource: PageSource, changes: TextChange[], splits: number): string {
  const middle = changes.length >> 1;
  const textsOf = (half: TextChange[]) =>
    Object.fromEntries(half.map(({ place, text }) => [place.slot.id, text]));
  const source = editMarkdownPage(pageSource, { texts: textsOf(changes.slice(0, middle)) }, splits);
  return editMarkdownPage(
    { ...pageSource, source },
    { texts: textsOf(changes.slice(middle)) },
    splits,
  );
}

interface TextChange {
  place: MarkdownPlace;
  text: string;
}

function findChanges(places: MarkdownPlace[], texts: SlotTexts): TextChange[] {
  const placesById = new Map(places.map((place) => [place.slot.id, place]));
  return Object.entries(texts).flatMap(([id, text]) => {
    const place = placesById.get(id);
    if (!place) throw unknownTextError(id);
    return text === place.slot.text ? [] : [{ place, text }];
  });
}

function writeChanges(
  page: MarkdownPage,
  { changes, targets, manners }: CheckedEdits & { manners: ReadonlyMap<string, number> },
): string {
  const sourceEditor = new MagicString(page.source);
  // inner places first: an outer one may move their tags, together with the new text in them
  const ordered = changes.toSorted(
    (first, second) => second.place.start - first.place.start || first.place.end - second.place.end,
  );
  for (const { place, text } of ordered)
    writeText(sourceEditor, { place, text }, manners.get(place.slot.id) ?? 0);
  for (const { start, end, url } of targets.values())
    if (start === end) sourceEditor.appendLeft(start, escapeTarget(url));
    else sourceEditor.overwrite(start, end, escapeTarget(url));
  return sourceEditor.toString();
}

function writeText(sourceEditor: MagicString, { place, text }: TextChange, manner: number) {
  const { slot, write } = place;
  try {
    write(sourceEditor, text, writingManners[manner]!);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new DomainError(error.code, `Text of slot ${slot.id} (${slot.role}): ${error.message}`);
  }
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
  { page, places }: { page: MarkdownPage; places: MarkdownPlace[] },
  source: string,
  { changes, targets }: CheckedEdits,
): string[] | null {
  const changedIds = changes.map(({ place }) => place.slot.id);
  const editedPage = openOrNull({ path: page.file.path, source });
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
    isSameList(listKeys(page, targets), listKeys(editedPage, new Map())) &&
    isSameFrontMatter(page, editedPage, newTexts) &&
    isSameCode(page, editedPage);
  return isEqual ? null : changedIds;
}

function openOrNull(page: PageSource): MarkdownPage | null {
  try {
    return openMarkdownPage(page);
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

function isAsExpected(
  { slot, keys, expect }: MarkdownPlace,
  edited: MarkdownPlace | undefined,
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

const codeTexts = ({ code, source }: MarkdownPage) =>
  code.map(({ start, end }) => source.slice(start, end));
const isSameCode = (page: MarkdownPage, editedPage: MarkdownPage) =>
  isSameList(codeTexts(page), codeTexts(editedPage)) &&
  isSameList(unreadTexts(page), unreadTexts(editedPage));

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
  const lines = sourceLines(page.source);
  const line = lineAt(lines, start);
  const column = start - lines.starts[line - 1]! + 1;
  return invalidInput(
    `Line ${line}, column ${column}: the text of slot ${slot.id} cannot become ${quoteText(change.text)} without changing the Markdown around it`,
  );
}
