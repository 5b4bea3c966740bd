import { getOrCreate } from '../../remembered.ts';
import { likeness } from '../../../text/similarity.ts';
import { isHeadline } from '../pageParts.ts';
import { ancestors, within, type HtmlDocument, type PageElement } from './document.ts';
import { isLinkElement } from './links/pageLinks.ts';
import { createUrlResolver } from './links/urlResolver.ts';
import type { SlotPlace } from './slots/slotPlace.ts';
import { isBeyondEdges } from './changes/pageEdges.ts';
import { findSlotPlaces } from './slots/findSlotPlaces.ts';
import { elementPosition, pageStructure } from './positions.ts';
import { urlFolder } from '../../pages/urls/urls.ts';
import type { HtmlPage } from './openHtmlPage.ts';
import { landmarkOf } from './roles.ts';
import { endingWords, foldedWords } from '../foldedWords.ts';
import { namingWords } from './subjectWords.ts';

/**
 * Finds the chrome of a site: what a page shares with the other pages of its site (its siblings),
 * such as the header, the navigation and the footer. A text belongs to the chrome if most siblings
 * have the same text at the same position.
 */

/**
 * Pages that are at least this alike (`likeness`) come from one template. What they share need not
 * belong to the site.
 */
const SAME_TEMPLATE = 0.9;

/** Other pages of the site ("siblings"). They show what a page shares with the site. */
export interface SiblingEvidence {
  siblings: readonly HtmlDocument[];
  /**
   * Whether most siblings have something that `shows` looks for. Outside of landmarks, most
   * siblings from other templates must have it too, since pages from one template share more than
   * the site's chrome.
   */
  agree(inLandmark: boolean, shows: (sibling: HtmlDocument) => boolean): boolean;
}

/** Makes the evidence that a template's siblings give: see `SiblingEvidence`. */
export function createSiblingEvidence(
  template: HtmlDocument,
  siblings: HtmlDocument[],
): SiblingEvidence {
  const structure = pageStructure(template);
  const otherTemplateSiblings = new Set(
    siblings.filter((sibling) => likeness(structure, pageStructure(sibling)) < SAME_TEMPLATE),
  );
  return {
    siblings,
    agree(inLandmark, shows) {
      const matchingSiblings = siblings.filter(shows);
      return (
        isMajority(matchingSiblings.length, siblings.length) &&
        (inLandmark ||
          isMajority(
            matchingSiblings.filter((sibling) => otherTemplateSiblings.has(sibling)).length,
            otherTemplateSiblings.size,
          ))
      );
    },
  };
}

const isMajority = (count: number, total: number) => count > 0 && count * 2 > total;

/** Roles that are never chrome, though a site may give two pages the same title. */
const pageRoles = new Set(['title', 'description', 'social-title', 'social-description']);

/**
 * Ids of the slots of the site's chrome: sibling pages have the same text at the same place. A
 * page's title and descriptions are not chrome. A first-level heading is chrome too if all siblings
 * but copies have it, even if they are from the same template: it is the site's name then. If it
 * leads to the home page, most of them are enough.
 */
export function findChrome(page: HtmlPage, evidence: SiblingEvidence): Set<string> {
  const places = findSlotPlaces(page);
  const keys = places.map(slotPlaceKey);
  // a copy of the page shares all of it
  const differingSiblings = evidence.siblings.filter(
    (sibling) => !keys.every((key) => keysIn(sibling).has(key)),
  );
  const chrome = new Set<string>();
  for (const place of places) {
    const { element } = place;
    const inLandmark = landmarkOf(element) !== null || isBeyondEdges(page, element);
    if (pageRoles.has(place.slot.role)) continue;
    const key = slotPlaceKey(place);
    const shows = (sibling: HtmlDocument) => keysIn(sibling).has(key);
    const count = isHeadline(place.slot) ? differingSiblings.filter(shows).length : 0;
    const isSiteName =
      count > 0 &&
      (count === differingSiblings.length ||
        (isMajority(count, differingSiblings.length) && leadsHome(page, element)));
    if (isSiteName || evidence.agree(inLandmark, shows)) chrome.add(place.slot.id);
  }
  return chrome;
}

/**
 * Ids of texts that name what the page is about, and that most other pages of its folder have too:
 * a list of all shops, or a sentence on where the first one was. They are not about the page.
 */
export function findShared(page: HtmlPage, siblings: readonly HtmlPage[]): Set<string> {
  const { slug } = page.file;
  const words = endingWords(slug);
  const folderSiblings = siblings.filter((sibling) => {
    const siblingWords = new Set([...endingWords(sibling.file.slug), ...namingWords(sibling)]);
    const isBeside = urlFolder(sibling.file.slug) === urlFolder(slug);
    return isBeside && words.some((word) => !siblingWords.has(word));
  });
  const namingPlaces = findSlotPlaces(page).filter(
    ({ slot }) =>
      !pageRoles.has(slot.role) &&
      slot.level !== 1 &&
      foldedWords(slot.text).some((word) => words.includes(word)),
  );
  if (namingPlaces.length === 0 || folderSiblings.length === 0) return new Set();
  const isShared = (place: SlotPlace) => {
    const key = slotPlaceKey(place);
    return isMajority(
      folderSiblings.filter((sibling) => keysIn(sibling).has(key)).length,
      folderSiblings.length,
    );
  };
  return new Set(namingPlaces.filter(isShared).map(({ slot }) => slot.id));
}

const LEAST_SIBLINGS = 2;

/** Ids of paragraphs that all other pages of the folder have, such as a brand or a copyright. */
export function findCommon(page: HtmlPage, siblings: readonly HtmlPage[]): Set<string> {
  const folder = urlFolder(page.file.slug);
  const folderSiblings = siblings.filter(({ file }) => urlFolder(file.slug) === folder);
  if (folderSiblings.length < LEAST_SIBLINGS) return new Set();
  const common = findSlotPlaces(page).filter((place) => {
    if (place.slot.role !== 'paragraph') return false;
    const key = slotPlaceKey(place);
    return folderSiblings.every((sibling) => keysIn(sibling).has(key));
  });
  return new Set(common.map(({ slot }) => slot.id));
}

/** Whether an element is a link to the home page, or has one in or around it. */
function leadsHome(page: HtmlPage, element: PageElement): boolean {
  const { slugOfLink } = createUrlResolver(page);
  const elements = [...ancestors(element), ...within([element])];
  return elements.some((candidate) => isLinkElement(candidate) && slugOfLink(candidate) === '/');
}

/** The keys of a page's texts. */
const keysIn = (page: HtmlDocument): ReadonlySet<string> =>
  getOrCreate(
    knownKeys,
    page.elementNumbers,
    () => new Set(findSlotPlaces(page).map(slotPlaceKey)),
  );

const knownKeys = new WeakMap<HtmlDocument['elementNumbers'], ReadonlySet<string>>();

/** The key of a text, to compare it with other pages: its position and what it says. */
const slotPlaceKey = (place: SlotPlace) =>
  `${elementPosition(place.element)}\n${comparableText(place)}`;

/** A text with its attribute or JSON property, to compare it with other pages. */
export const comparableText = ({ slot, attribute }: SlotPlace): string =>
  JSON.stringify([attribute, slot.jsonPath?.replace(/\[\d+\]/g, ''), slot.text]);
