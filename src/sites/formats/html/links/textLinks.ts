import MagicString from 'magic-string';
import { DomainError } from '../../../../errors.ts';
import type { Range } from '../../../../text/range.ts';
import { collapse, hasWords, quoted } from '../../../../text/text.ts';
import { invalidInput } from '../../../invalidInput.ts';
import { joinPieces, parsePieces, type Piece } from '../../../pages/slotText.ts';
import type { Rebuilt, SiteTarget } from '../../changes.ts';
import type { Slot } from '../../page.ts';
import { without } from '../changes/recompose.ts';
import { attributeOf, closest, parseDocument, rangeOf, type Element } from '../document.ts';
import { escapeAttribute } from '../escape.ts';
import { knownGroups } from '../groups/changeGroup.ts';
import type { Group } from '../groups/findGroups.ts';
import { usableGroups } from '../groups/usableGroups.ts';
import { elementOf, idsAfter, numberIn, openPage, slotId, type Page } from '../openPage.ts';
import { landmarkOf, roleOf } from '../roles.ts';
import { findSlotPlaces } from '../slots/findSlotPlaces.ts';
import { addressesOf } from './pageAddresses.ts';
import { hrefTo, isLink } from './pageLinks.ts';

/** A link to make around words of a text. */
export interface NewLink {
  id: string;
  words: string;
  target: string | SiteTarget;
}

/**
 * Makes a link around words of a running text. All texts keep their ids.
 * @throws DomainError NOT_FOUND for an unknown text, INVALID_INPUT for words that don't stand there
 *   once, and where a link can't stand: in links, buttons and navigations
 */
export function addLink(page: Page, { id, words, target }: NewLink): Rebuilt {
  const place = findSlotPlaces(page).find(({ slot }) => slot.id === id);
  if (!place) throw new DomainError('NOT_FOUND', `there is no text "${id.slice(0, 40)}"`);
  if (!place.gaps || !canHoldLink(place.element))
    throw invalidInput(
      `${id} can't have a link in it: it is no running text, or in a link, a button or a navigation`,
    );
  const [open, close] = unusedLetters(page.source);
  const edit = new MagicString(page.source);
  place.write(edit, surrounded(place.slot, words, [open, close]));
  const href = typeof target === 'string' ? target : hrefTo(page, nearestLink(page, place), target);
  const startTag = `<a href="${escapeAttribute(href, '"')}">`;
  const marked = edit.toString();
  const source = marked.replace(open, () => startTag).replace(close, '</a>');
  const now = parseDocument(page.bom + source);
  const at = marked.indexOf(open);
  const end = source.length - (marked.length - marked.indexOf(close) - 1);
  const link = now.elements.find((element) => rangeOf(element).start === at);
  const stayed = now.elements.filter((element) => element !== link);
  const isAsMade = link?.tagName === 'a' && rangeOf(link).end === end;
  const isAsWas =
    stayed.length === page.elements.length &&
    stayed.every((element, i) => isSame(element, page.elements[i]!));
  if (!isAsMade || !isAsWas) throw misread();
  const numbers = new Map([
    [link, '+'],
    ...stayed.map((element, i) => [element, page.numbers.get(page.elements[i]!)!] as const),
  ]);
  const ids = idsAfter({ elements: now.elements, numbers }, page.ids);
  return withSameIds(page, { source: page.bom + source, ids }, id);
}

/** The link to a page of the site that stands nearest to a place: a new link is written like it. */
function nearestLink(page: Page, { start }: Range): Element | undefined {
  const { slugOfLink } = addressesOf(page);
  const distance = (link: Element) => Math.abs(rangeOf(link).start - start);
  return page.elements
    .filter((element) => isLink(element) && slugOfLink(element) !== undefined)
    .sort((a, b) => distance(a) - distance(b))[0];
}

const isSame = (a: Element, b: Element) =>
  a.tagName === b.tagName && JSON.stringify(a.attrs) === JSON.stringify(b.attrs);

/** Takes a link away: its content stays, and all texts keep their ids. */
export function removeLink(page: Page, id: string): Rebuilt {
  const link = elementOf(page, id);
  if (!link || !isLink(link)) throw new DomainError('NOT_FOUND', `"${id.slice(0, 40)}" is no link`);
  if (roleOf(link) === 'button' || isInNavigation(link))
    throw invalidInput(`${id} is a button or stands in a navigation: it can only be removed whole`);
  const { startTag, endTag } = link.sourceCodeLocation ?? {};
  if (!startTag || !endTag) throw misread();
  const tags = [startTag, endTag].map((tag) => ({ start: tag.startOffset, end: tag.endOffset }));
  const text = findSlotPlaces(page).find(({ element }) => element === link)?.slot.id;
  return withSameIds(page, without(page, tags), text);
}

const around = new Set('a button label summary select option textarea svg'.split(' '));

const canHoldLink = (element: Element) =>
  !closest(
    element,
    (outer) => around.has(outer.tagName) || attributeOf(outer, 'role') === 'button',
  ) && !isInNavigation(element);

function isInNavigation(element: Element): boolean {
  const landmark = landmarkOf(element);
  return (
    landmark?.tagName === 'nav' || (landmark && attributeOf(landmark, 'role')) === 'navigation'
  );
}

/** Two letters for private use that a page does not have. */
function unusedLetters(source: string): [string, string] {
  const [first, second] = Array.from({ length: 0x1900 }, (_, i) => String.fromCharCode(0xe000 + i))
    .values()
    .filter((letter) => !source.includes(letter))
    .take(2);
  if (first === undefined || second === undefined) throw misread();
  return [first, second];
}

/** A slot's text with letters around words, in such a way that its parts stay nested. */
function surrounded({ id, text, parts }: Slot, words: string, [open, close]: [string, string]) {
  const atoms = parsePieces(text).flatMap((piece): Piece[] =>
    piece.kind === 'text'
      ? piece.text.split('').map((letter) => ({ kind: 'text', text: letter }))
      : [piece],
  );
  const { start, end } = nested(atoms, rangeIn(atoms, words, id), id);
  const inside = atoms.slice(start, end);
  const linked = [...inside, ...openAt(atoms, start)].find(
    (atom) => atom.kind !== 'text' && interactive.has(parts[atom.part - 1]!),
  );
  if (linked)
    throw invalidInput(
      `These words of ${id} hold or are in a link or a control: set_link changes a link by its id`,
    );
  const letter = (text: string): Piece => ({ kind: 'text', text });
  const all = [
    ...atoms.slice(0, start),
    letter(open),
    ...inside,
    letter(close),
    ...atoms.slice(end),
  ];
  return joinPieces(merged(all));
}

const interactive = new Set(
  'a button input select textarea label iframe embed object audio video map area'.split(' '),
);

/** Joins neighbouring letters. */
function merged(atoms: Piece[]): Piece[] {
  const pieces: Piece[] = [];
  for (const atom of atoms) {
    const last = pieces.at(-1);
    if (atom.kind === 'text' && last?.kind === 'text') last.text += atom.text;
    else pieces.push({ ...atom });
  }
  return pieces;
}

/** Where words stand in a text. Throws INVALID_INPUT if that is not exactly one place. */
function rangeIn(atoms: Piece[], words: string, id: string): Range {
  const shown = atoms.flatMap((atom, i) =>
    atom.kind === 'text' || atom.kind === 'void'
      ? [{ i, letter: atom.kind === 'text' ? atom.text : ' ' }]
      : [],
  );
  const plain = shown.map(({ letter }) => letter).join('');
  const wanted = collapse(words).trim();
  const found: number[] = [];
  if (wanted === '') throw invalidInput('give the words that the link is to have');
  for (let at = plain.indexOf(wanted); at !== -1; at = plain.indexOf(wanted, at + 1))
    if (isWhole(plain, { start: at, end: at + wanted.length })) found.push(at);
  const [at] = found;
  if (at !== undefined && found.length === 1)
    return { start: shown[at]!.i, end: shown[at + wanted.length - 1]!.i + 1 };
  throw invalidInput(
    found.length > 1
      ? `${quoted(words)} stands ${found.length} times in ${id}: name more words`
      : `${id} has no ${quoted(words)}: give words as they stand there`,
  );
}

/** Whether a range neither begins nor ends in the middle of a word. */
const isWhole = (text: string, { start, end }: Range) =>
  !(hasWords(text.slice(start - 1, start)) && hasWords(text.slice(start, start + 1))) &&
  !(hasWords(text.slice(end - 1, end)) && hasWords(text.slice(end, end + 1)));

/** Extends a range by marks next to it, so that no part is only half in it. */
function nested(atoms: Piece[], { start, end }: Range, id: string): Range {
  let [opened, closed] = [0, 0];
  for (const { kind } of atoms.slice(start, end)) {
    if (kind === 'open') opened++;
    if (kind === 'close' && opened > 0) opened--;
    else if (kind === 'close') closed++;
  }
  let [from, to] = [start, end];
  while (opened > 0 && atoms[to]?.kind === 'close') [to, opened] = [to + 1, opened - 1];
  while (closed > 0 && atoms[from - 1]?.kind === 'open') [from, closed] = [from - 1, closed - 1];
  if (opened > 0 || closed > 0)
    throw invalidInput(
      `The words begin or end inside of a part of ${id}: name all of the part, or none`,
    );
  return { start: from, end: to };
}

/** The parts that are open at an atom. */
function openAt(atoms: Piece[], index: number): Piece[] {
  const open: Piece[] = [];
  for (const atom of atoms.slice(0, index))
    if (atom.kind === 'open') open.push(atom);
    else if (atom.kind === 'close') open.pop();
  return open;
}

/**
 * Keeps the ids of texts and groups.
 * @param id the text whose words the link has
 * @throws DomainError INVALID_INPUT if other texts would have other ids
 */
function withSameIds(page: Page, rebuilt: Rebuilt, id: string | undefined): Rebuilt {
  const settled = id === undefined ? rebuilt : withTextId(page, rebuilt, id);
  const before = new Map(findSlotPlaces(page).map(({ slot }) => [slot.id, slot.text]));
  const now = openPage({ ...page.file, ...settled });
  const changed = findSlotPlaces(now).filter(({ slot }) => before.get(slot.id) !== slot.text);
  if (changed.length > 1) throw misread();
  return withGroupIds(page, now, settled);
}

/**
 * A text that is a link as a whole has the link's id. Where that link came or went, the element
 * that holds the text now gets the number of the one that held it.
 */
function withTextId(page: Page, rebuilt: Rebuilt, id: string): Rebuilt {
  const before = new Set(findSlotPlaces(page).map(({ slot }) => slot.id));
  const now = findSlotPlaces(openPage({ ...page.file, ...rebuilt })).map(({ slot }) => slot.id);
  const holder = now.find((one) => !before.has(one));
  if (now.includes(id) || holder === undefined) return rebuilt;
  const [old, own] = [numberIn(id), numberIn(holder)];
  if (slotId(old) !== id || slotId(own) !== holder) return rebuilt;
  const swapped = new Map([
    [old, own],
    [own, old],
  ]);
  const numbers = rebuilt.ids.numbers.map((number) => swapped.get(number) ?? number);
  return { ...rebuilt, ids: { ...rebuilt.ids, numbers } };
}

/** Keeps the ids of groups whose first element has another number now. */
function withGroupIds(page: Page, now: Page, rebuilt: Rebuilt): Rebuilt {
  const keyOf = ({ slotGroup }: Group) => JSON.stringify(slotGroup.members);
  const ids = new Map(usableGroups(now).map((group) => [keyOf(group), group.slotGroup.id]));
  const groups = { ...rebuilt.ids.groups };
  for (const { id, group } of knownGroups(page)) {
    const found = ids.get(keyOf(group));
    if (found === id) delete groups[id];
    else if (found !== undefined) groups[id] = found;
  }
  return { ...rebuilt, ids: { ...rebuilt.ids, groups } };
}

const misread = () =>
  invalidInput('The page is written in a way that does not allow to change links in this text');
