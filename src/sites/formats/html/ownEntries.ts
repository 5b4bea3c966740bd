import type MagicString from 'magic-string';
import type { PageFile } from '../../../contract/site.ts';
import { DomainError } from '../../../errors.ts';
import { removeMarks } from './changes/currentEntry.ts';
import { findValue, removeAttribute, writeAttribute } from './writeAttributes.ts';
import { folded, foldedWords, endingWords } from '../foldedWords.ts';
import { plainLine } from '../../pages/texts/slotText.ts';
import { urlFolder } from '../../pages/urls/urls.ts';
import type { MemberOrder } from '../memberOrder.ts';
import type { SlotTexts } from '../pageParts.ts';
import { commentPattern, type ElementGroup, type GroupMember } from './groups/findGroups.ts';
import { arrangeGroups } from './groups/arrangeGroups.ts';
import { elementIds } from './groups/cloneIds.ts';
import { movableElements } from './groups/movableElements.ts';
import {
  ancestors,
  attributeOf,
  childrenOf,
  isText,
  parentOf,
  rangeOf,
  textContentOf,
  within,
} from './document.ts';
import type { PageElement, HtmlDocument } from './document.ts';
import { escapeAttribute, escapeText, validHtmlLine } from '../escape.ts';
import { hasWords } from '../../../text/text.ts';
import { createUrlResolver } from './links/urlResolver.ts';
import { isLinkElement } from './links/pageLinks.ts';
import { findElement, elementSlotId, type HtmlPage } from './openHtmlPage.ts';
import type { SlotPlace } from './slots/slotPlace.ts';
import { isWithin } from '../../../text/textRange.ts';

/**
 * Entries of a new page in lists of pages. If the template `/locations/austin` has an entry for
 * itself in a list, such as `<li><a href="austin.html">Austin</a></li>` or an `option` of a
 * selector, the new page `/locations/lisbon` gets an entry of its own after the template's.
 * `entryAround` finds such an entry, `addEntries` adds the new ones, and `selectNewEntries` makes
 * them the chosen ones.
 */

/** Elements that can be one of several in a list of pages. */
const entryTags = new Set(['option', 'li', 'label', 'tr', 'a', 'article', 'div']);
/** Those of them whose text alone says which page they are for. */
const namedByText = new Set(['option', 'li', 'label', 'a', 'tr']);

/**
 * The element that stands for the page in a list of pages, around a text that names the page. It is
 * one of several like elements, and leads to the page or has nothing but its name. undefined if the
 * text is not in such a list.
 */
export function entryAround(page: HtmlPage, place: SlotPlace): PageElement | undefined {
  const entry = ancestors(place.element).find(
    (element) => entryTags.has(element.tagName) && alikeBeside(element).length > 1,
  );
  if (!entry || !movableElements(page).has(entry)) return undefined;
  const { slug } = page.file;
  const { slugOfLink, isSelf } = createUrlResolver(page);
  const slugsOf = (element: PageElement) =>
    within([element]).flatMap((one) => (isLinkElement(one) ? (slugOfLink(one) ?? []) : []));
  const otherEntries = alikeBeside(entry).filter((element) => element !== entry);
  const isLinkToPage = slugsOf(entry).includes(slug);
  const isListed = otherEntries.some((other) =>
    slugsOf(other).some((one) => one !== slug && urlFolder(one) === urlFolder(slug)),
  );
  if (isLinkToPage) return isListed ? entry : undefined;
  const words = foldedWords(plainLine(place.slot.text));
  const isName = words.every((word) => endingWords(slug).includes(word));
  // a new entry's value can be made only if this one says the page's name
  const fits = valuesIn(entry).every(
    ([, value]) => isSelf(value) || foldedWords(value).join(' ') === words.join(' '),
  );
  const isEntry = isName && fits && namedByText.has(entry.tagName) && slugsOf(entry).length === 0;
  return isEntry ? entry : undefined;
}

/** The children of an element's parent that have the same element name, with the element itself. */
const alikeBeside = (element: PageElement): PageElement[] => {
  const parent = parentOf(element);
  return parent ? childrenOf(parent).filter(({ tagName }) => tagName === element.tagName) : [];
};

/** The values that a form sends for an entry. */
const valuesIn = (entry: PageElement): [PageElement, string][] =>
  within([entry]).flatMap((element): [PageElement, string][] => {
    const value = attributeOf(element, 'value');
    return ['option', 'input'].includes(element.tagName) && value ? [[element, value]] : [];
  });

/** Ids of the elements of the template's entry and of the new page's entry. */
interface AddedEntry {
  templateElementId: string;
  newElementId: string;
  text: string;
}

/** A parsed page and its slots with their positions. */
type OpenPlaces = { page: HtmlPage; places: SlotPlace[] };

/**
 * Adds entries for a new page to the lists in which its template has one, unless they have it
 * already. The new texts for the template's entry become those of the new entry, and the template's
 * entry keeps its own.
 * @param wanted.ids the slots of the template's entries
 * @returns the page with the entries, and the texts that are still to be written; unchanged if a
 *   list cannot be extended
 */
export function addEntries(
  open: OpenPlaces,
  { ids, texts }: { ids: readonly string[]; texts: SlotTexts },
): OpenPlaces & { texts: SlotTexts; entries: AddedEntry[] } {
  const groups = new Map<number, ElementGroup>();
  for (const id of ids) {
    const place = texts[id] === undefined ? undefined : placeOf(open, id);
    const entry = place && entryAround(open.page, place);
    const group = entry && groupAround(open, entry);
    if (group) groups.set(group.start, group);
  }
  const all = [...groups.values()];
  const orders = new Map<string, MemberOrder>();
  const entries: AddedEntry[] = [];
  const movedTexts: SlotTexts = { ...texts };
  for (const { slotGroup, members } of all) {
    const { elements, places } = members[slotGroup.pattern]!;
    const former = elementSlotId(open.page, elements[0]!);
    const texted = places.map(({ slot }) => slot.id).filter((id) => id in texts);
    const isNew = (one: GroupMember) =>
      texted.every((id) => one.places.some(({ slot }) => slot.text === texts[id]));
    const twin = members.find(isNew);
    const own = twin ? elementSlotId(open.page, twin.elements[0]!) : inClone(former);
    entries.push({
      templateElementId: former,
      newElementId: own,
      text: plainLine(texts[texted[0]!]!),
    });
    if (!twin) orders.set(slotGroup.id, [...members.keys(), 'clone']);
    for (const id of texted) {
      delete movedTexts[id];
      if (!twin) movedTexts[inClone(id)] = texts[id]!;
    }
  }
  if (orders.size === 0) return { ...open, texts: movedTexts, entries };
  try {
    return { ...arrangeGroups(open.page, open.places, all, orders), texts: movedTexts, entries };
  } catch (error) {
    // a list that is written in a way that allows no more entries
    if (error instanceof DomainError) return { ...open, texts, entries: [] };
    throw error;
  }
}

const placeOf = ({ places }: OpenPlaces, id: string) => places.find(({ slot }) => slot.id === id);

/**
 * Makes the new page's entries the chosen ones in place of the template's (`selected`, `checked`,
 * `aria-current`), and writes the values that forms send for new entries.
 */
export function selectNewEntries(
  edit: MagicString,
  page: HtmlPage,
  { entries, target }: { entries: AddedEntry[]; target: PageFile },
) {
  const urlResolver = createUrlResolver(page, target);
  for (const { templateElementId, newElementId, text } of entries) {
    const [old, added] = [findElement(page, templateElementId), findElement(page, newElementId)];
    if (!old || !added) continue;
    const news = within([added]);
    const linked = linkedEntry(edit, page, old, target);
    for (const [i, element] of within([old]).entries()) {
      if (!linked) removeMarks(edit, page, element);
      for (const name of ['selected', 'checked']) {
        if (attributeOf(element, name) === undefined) continue;
        removeAttribute(edit, element, name);
        if (news[i] && attributeOf(news[i], name) === undefined)
          writeAttribute(edit, page, news[i], [name, '']);
      }
    }
    if (!newElementId.endsWith('+1')) continue;
    for (const [element, value] of valuesIn(added)) {
      const name = value === value.toLowerCase() ? folded(text).replaceAll(' ', '-') : text;
      const movedUrl = urlResolver.isSelf(value) ? urlResolver.moveOrFollowPage(value) : name;
      writeAttribute(edit, page, element, ['value', movedUrl]);
    }
  }
}

/**
 * Makes the template's entry a link if it is none and the others of its list are: on the template,
 * its own entry often is plain text.
 * @returns whether it was written
 */
function linkedEntry(
  edit: MagicString,
  page: HtmlPage,
  entry: PageElement,
  target: PageFile,
): boolean {
  const linksIn = (element: PageElement) => within([element]).filter(isLinkElement);
  if (linksIn(entry).length > 0) return false;
  const isModel = (one: PageElement) =>
    linksIn(one).length === 1 && within([one]).every((inner) => elementIds(inner).length === 0);
  const model = alikeBeside(entry).find(isModel);
  const link = model && linksIn(model)[0]!;
  const href = link && findValue(page, link, 'href');
  const [text, ...otherNodes] = link?.childNodes ?? [];
  const place = text && isText(text) && otherNodes.length === 0 ? text.sourceCodeLocation : null;
  if (!href || !place) return false;
  const { start, end } = rangeOf(model);
  const to = { ...page.file, query: '', fragment: '' };
  const address = createUrlResolver(page, target).urlTo(attributeOf(link, 'href')!, to);
  const entryRange = rangeOf(entry);
  edit.overwrite(
    entryRange.start,
    entryRange.end,
    page.source.slice(start, href.start) +
      escapeAttribute(address, href.quote || '"') +
      page.source.slice(href.end, place.startOffset) +
      escapeText(validHtmlLine(textContentOf(entry))) +
      page.source.slice(place.endOffset, end),
  );
  return true;
}

const inClone = (id: string) => id.replace(/^s\d+/, (number) => `${number}+1`);

/** The entries of a list as a group, whose pattern is the template's entry. */
function groupAround(
  { page, places }: { page: HtmlDocument; places: SlotPlace[] },
  entry: PageElement,
): ElementGroup | undefined {
  const members: GroupMember[] = [];
  for (const element of alikeBeside(entry)) {
    const range = rangeOf(element);
    const last = members.at(-1);
    const between = last && page.source.slice(last.end, range.start).replace(commentPattern, '');
    // signs may stand between links in a row
    if (between !== undefined && hasWords(between)) {
      if (members.some(({ elements }) => elements[0] === entry)) break;
      members.length = 0;
    }
    const entryPlaces = places.filter((place) => isWithin(place, range));
    members.push({ elements: [element], places: entryPlaces, ...range });
  }
  const pattern = members.findIndex(({ elements }) => elements[0] === entry);
  const [first, last] = [members[0], members.at(-1)];
  if (!first || !last || pattern === -1) return undefined;
  const slotGroup = {
    id: `e${first.start}`,
    role: 'list-item' as const,
    section: null,
    members: members.map((member) => member.places.map(({ slot }) => slot.id)),
    pattern,
  };
  return { slotGroup, members, start: first.start, end: last.end };
}
