import { createHash } from 'node:crypto';
import { resultOrNull } from '../../../errors.ts';
import { getOrCreate } from '../../remembered.ts';
import type { LinkBlockQuery, PageSource, TemplateContent } from '../format.ts';
import type { TextSlot, TemplateLink } from '../pageParts.ts';
import { isBeyondEdges } from './changes/pageEdges.ts';
import { findBlocks } from './blocks/findBlocks.ts';
import type { BlockPage } from './blocks/pageBlocks.ts';
import { findClaims } from './claims/findClaims.ts';
import { ancestors, type PageElement, type HtmlDocument } from './document.ts';
import type { ElementGroup } from './groups/findGroups.ts';
import { usableGroups } from './groups/usableGroups.ts';
import { elementPosition } from './positions.ts';
import { isLinkElement, listPageLinks, linksTo } from './links/pageLinks.ts';
import { opaqueTexts } from './opaqueTexts.ts';
import { openHtmlPage, type HtmlPage } from './openHtmlPage.ts';
import { landmarkOf } from './roles.ts';
import { entryAround } from './ownEntries.ts';
import {
  findChrome,
  findCommon,
  findShared,
  createSiblingEvidence,
  type SiblingEvidence,
} from './findChrome.ts';
import { findSlotPlaces } from './slots/findSlotPlaces.ts';
import type { SlotPlace } from './slots/slotPlace.ts';

/** A parsed template, and what its sibling pages show to be the site's chrome. */
export interface ParsedTemplate {
  page: HtmlPage;
  places: SlotPlace[];
  slots: TextSlot[];
  /** Groups that can be changed. Groups of the site's chrome are left out. */
  groups: ElementGroup[];
  digest: string;
  siblings: HtmlPage[];
  /** What most siblings have too, and so belongs to the site. */
  witnesses: SiblingEvidence;
}

/**
 * The last template and its siblings are cached, up to this many characters, since a task makes up
 * to ten pages from one template.
 */
const MAX_KEPT_CHARACTERS = 1_000_000;
let cachedTemplate: { key: string; from: PageSource[]; template: ParsedTemplate } | undefined;

/**
 * Parses a template, and finds with its sibling pages what belongs to the site's chrome.
 * @param sources the sibling pages; unreadable ones are left out
 * @throws LIMIT_EXCEEDED for a template that is too large or has too many texts
 */
export function openTemplate(template: PageSource, sources: PageSource[]): ParsedTemplate {
  const from = [template, ...sources];
  if (
    from.length === cachedTemplate?.from.length &&
    from.every((page, i) => page === cachedTemplate?.from[i])
  )
    return cachedTemplate.template;
  const key = hashValues(from.map(({ path, source }) => [path, source]));
  if (cachedTemplate?.key === key) return (cachedTemplate = { ...cachedTemplate, from }).template;
  cachedTemplate = undefined;
  const parsed = parseTemplate(template, sources);
  const characters = from.reduce((sum, { source }) => sum + source.length, 0);
  if (characters <= MAX_KEPT_CHARACTERS) cachedTemplate = { key, from, template: parsed };
  return parsed;
}

function hashValues(...values: unknown[]): string {
  const hash = createHash('sha256');
  for (const value of values) hash.update(JSON.stringify(value));
  return hash.digest('hex');
}

function parseTemplate({ path, source }: PageSource, sources: PageSource[]): ParsedTemplate {
  const page = openHtmlPage({ path, source });
  const places = findSlotPlaces(page);
  const siblings = sources.filter((sibling) => sibling.path !== path).flatMap(openSibling);
  const witnesses = createSiblingEvidence(page, siblings);
  const chrome = findChrome(page, witnesses);
  const shared = findShared(page, siblings);
  const common = findCommon(page, siblings);
  const slots = places.map((place): TextSlot => {
    const { slot } = place;
    const locked = chrome.has(slot.id);
    if (!locked && shared.has(slot.id))
      return { ...slot, locked, shared: entryAround(page, place) ? 'entry' : 'text' };
    return !locked && common.has(slot.id) ? { ...slot, locked, common: true } : { ...slot, locked };
  });
  const groups = usableGroups(page).filter((group) => !isChromeGroup(group, chrome));
  const texts = slots.map(({ id, role, text }) => [id, role, text]);
  const groupKeys = groups.map(({ slotGroup: { id, members, pattern } }) => [id, members, pattern]);
  // Without groups the digest covers only texts, so that digests from before groups existed stay
  // valid.
  const digest = hashValues(texts, ...(groupKeys.length > 0 ? [groupKeys] : []));
  return { page, places, slots, groups, digest, siblings, witnesses };
}

/** Whether a group is in a landmark, or all texts of one member belong to the chrome. */
const isChromeGroup = ({ members }: ElementGroup, chrome: Set<string>) =>
  members.some(
    ({ elements, places }) =>
      elements.some((element) => landmarkOf(element) !== null) ||
      places.every(({ slot }) => chrome.has(slot.id)),
  );

/** Opens a sibling page. Returns an empty list for a page that cannot be read. */
export const openSibling = ({ path, source }: PageSource): HtmlPage[] =>
  resultOrNull(() => {
    const page = openHtmlPage({ path, source });
    findSlotPlaces(page);
    return [page];
  }) ?? [];

const lockedSlotIds = ({ slots }: ParsedTemplate) =>
  new Set(slots.filter(({ locked }) => locked).map(({ id }) => id));

/** Reads a template for an agent: see `FormatCalls.readTemplate`. */
export function readHtmlTemplate(template: PageSource, siblings: PageSource[]): TemplateContent {
  const parsed = openTemplate(template, siblings);
  const { page, places, slots, groups, digest } = parsed;
  const blocks = findBlocks(page, places);
  const lockedIds = lockedSlotIds(parsed);
  const isOwnContent = (ids: string[]) => ids.length === 0 || !ids.every((id) => lockedIds.has(id));
  return {
    slug: page.file.slug,
    slots,
    groups: groups.map(({ slotGroup }) => slotGroup),
    // a claim whose texts are all chrome belongs to the site
    claims: findClaims(page, places, blocks).filter((claim) => isOwnContent(claim.slots)),
    links: listOwnLinks(page, places, lockedIds),
    blocks: blocks.map(({ elements: _, ...block }) => block),
    opaque: opaqueTexts(page),
    digest,
  };
}

/** The links of a page, except in the site's chrome. */
function listOwnLinks(
  page: HtmlPage,
  places: SlotPlace[],
  locked: ReadonlySet<string>,
): TemplateLink[] {
  const partSlots = places.flatMap(({ slot, inlineElements: inlineElements = [] }) =>
    inlineElements.map((part) => [part, slot.id] as const),
  );
  const ancestorSlots = places.flatMap(({ slot, element }) =>
    [...ancestors(element)].map((ancestor) => [ancestor, slot.id] as const),
  );
  const slots = Map.groupBy([...partSlots, ...ancestorSlots], ([element]) => element);
  const elements = page.elements.filter(isLinkElement);
  return listPageLinks(page).flatMap((link, i) => {
    const element = elements[i]!;
    const slotIds = [...new Set((slots.get(element) ?? []).map(([, id]) => id))];
    const isChrome =
      landmarkOf(element) !== null ||
      isBeyondEdges(page, element) ||
      (slotIds.length > 0 && slotIds.every((id) => locked.has(id)));
    return isChrome ? [] : [{ ...link, slots: slotIds }];
  });
}

/** Cache by a template's siblings: the positions of each sibling's links to the template. */
const linksOfSiblings = new WeakMap<ParsedTemplate['siblings'], Map<HtmlDocument, Set<string>>>();

/**
 * Makes a test for links to the template that most siblings have at the same position. Such links
 * belong to the site, and stay links to the template on a new page.
 */
export function createSiteLinkTest({
  page,
  siblings,
  witnesses,
}: ParsedTemplate): (link: PageElement) => boolean {
  const positions = (sibling: HtmlPage) =>
    new Set(linksTo(sibling, page.file.slug).map(elementPosition));
  const positionsBySibling = getOrCreate(
    linksOfSiblings,
    siblings,
    () => new Map(siblings.map((sibling) => [sibling, positions(sibling)])),
  );
  return (link) =>
    witnesses.agree(
      landmarkOf(link) !== null,
      (sibling) => positionsBySibling.get(sibling)?.has(elementPosition(link)) ?? false,
    );
}

/** Opens a page to search its blocks, with the chrome that its siblings show. */
export function openBlockSearch({
  page,
  siblings,
}: Pick<LinkBlockQuery, 'page' | 'siblings'>): BlockPage {
  const parsed = openTemplate(page, siblings);
  return {
    page: parsed.page,
    places: parsed.places,
    groups: parsed.groups,
    chrome: lockedSlotIds(parsed),
  };
}
