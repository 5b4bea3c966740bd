import { createHash } from 'node:crypto';
import { DomainError } from '../../../errors.ts';
import { remembered } from '../../remembered.ts';
import type { LinkQuestion, PageSource, TemplateContent } from '../format.ts';
import type { Slot, TemplateLink } from '../page.ts';
import { isBeyondEdges } from './changes/edges.ts';
import { findBlocks } from './blocks/findBlocks.ts';
import type { BlockPage } from './blocks/blocksForPage.ts';
import { findClaims } from './claims/findClaims.ts';
import { ancestors, type Element, type HtmlDocument } from './document.ts';
import type { Group } from './groups/findGroups.ts';
import { usableGroups } from './groups/usableGroups.ts';
import { positionOf } from './positions.ts';
import { isLink, linksOf, linksTo } from './links/pageLinks.ts';
import { opaqueTexts } from './opaqueTexts.ts';
import { openPage, type Page } from './openPage.ts';
import { landmarkOf } from './roles.ts';
import { entryAround } from './ownEntries.ts';
import { findChrome, findShared, witnessesOf, type Witnesses } from './sharedSlots.ts';
import { findSlotPlaces } from './slots/findSlotPlaces.ts';
import type { SlotPlace } from './slots/slotPlace.ts';

/** A parsed template, and what its sister pages show to be the site's chrome. */
export interface Template {
  page: Page;
  places: SlotPlace[];
  slots: Slot[];
  /** Groups that can be changed: none of the site's chrome. */
  groups: Group[];
  digest: string;
  sisters: Page[];
  witnesses: Witnesses;
}

/**
 * The last template and its sisters are cached, up to this many characters, since a task makes up
 * to ten pages from one template.
 */
const KEPT_CHARACTERS = 1_000_000;
let kept: { key: string; from: PageSource[]; template: Template } | undefined;

export function openTemplate(template: PageSource, sources: PageSource[]): Template {
  const from = [template, ...sources];
  if (from.length === kept?.from.length && from.every((page, i) => page === kept?.from[i]))
    return kept.template;
  const key = digestOf(from.map(({ path, source }) => [path, source]));
  if (kept?.key === key) return (kept = { ...kept, from }).template;
  kept = undefined;
  const opened = takeApart(template, sources);
  const characters = from.reduce((sum, { source }) => sum + source.length, 0);
  if (characters <= KEPT_CHARACTERS) kept = { key, from, template: opened };
  return opened;
}

function digestOf(...values: unknown[]): string {
  const hash = createHash('sha256');
  for (const value of values) hash.update(JSON.stringify(value));
  return hash.digest('hex');
}

function takeApart({ path, source }: PageSource, sources: PageSource[]): Template {
  const page = openPage({ path, source });
  const places = findSlotPlaces(page);
  const sisters = sources.filter((sister) => sister.path !== path).flatMap(openSister);
  const witnesses = witnessesOf(page, sisters);
  const chrome = findChrome(page, witnesses);
  const shared = findShared(page, sisters);
  const slots = places.map((place): Slot => {
    const { slot } = place;
    const locked = chrome.has(slot.id);
    if (locked || !shared.has(slot.id)) return { ...slot, locked };
    return { ...slot, locked, shared: entryAround(page, place) ? 'entry' : 'text' };
  });
  const groups = usableGroups(page).filter((group) => !isChrome(group, chrome));
  const texts = slots.map(({ id, role, text }) => [id, role, text]);
  const built = groups.map(({ slotGroup: { id, members, pattern } }) => [id, members, pattern]);
  // Without groups the digest covers only texts, so that digests from before groups existed stay
  // valid.
  const digest = digestOf(texts, ...(built.length > 0 ? [built] : []));
  return { page, places, slots, groups, digest, sisters, witnesses };
}

/**
 * A group belongs to the site's chrome if it is in a landmark, or if all texts of one member do.
 */
const isChrome = ({ members }: Group, chrome: Set<string>) =>
  members.some(
    ({ elements, places }) =>
      elements.some((element) => landmarkOf(element) !== null) ||
      places.every(({ slot }) => chrome.has(slot.id)),
  );

/**
 * Opens a sister page. Returns none for an unreadable page, which then has no say in what is
 * chrome.
 */
export function openSister({ path, source }: PageSource): Page[] {
  try {
    const page = openPage({ path, source });
    findSlotPlaces(page);
    return [page];
  } catch (error) {
    if (error instanceof DomainError) return [];
    throw error;
  }
}

const lockedIn = ({ slots }: Template) =>
  new Set(slots.filter(({ locked }) => locked).map(({ id }) => id));

export function readTemplate(template: PageSource, sisters: PageSource[]): TemplateContent {
  const open = openTemplate(template, sisters);
  const { page, places, slots, groups, digest } = open;
  const blocks = findBlocks(page, places);
  const locked = lockedIn(open);
  const isOwn = (ids: string[]) => ids.length === 0 || !ids.every((id) => locked.has(id));
  return {
    slug: page.file.slug,
    slots,
    groups: groups.map(({ slotGroup }) => slotGroup),
    // a claim whose texts are all chrome belongs to the site
    claims: findClaims(page, places, blocks).filter((claim) => isOwn(claim.slots)),
    links: ownLinks(page, places, locked),
    blocks: blocks.map(({ elements: _, ...block }) => block),
    opaque: opaqueTexts(page),
    digest,
  };
}

/** The links of a page, except in the site's chrome. */
function ownLinks(page: Page, places: SlotPlace[], locked: ReadonlySet<string>): TemplateLink[] {
  const inText = places.flatMap(({ slot, parts = [] }) =>
    parts.map((part) => [part, slot.id] as const),
  );
  const around = places.flatMap(({ slot, element }) =>
    [...ancestors(element)].map((outer) => [outer, slot.id] as const),
  );
  const slots = Map.groupBy([...inText, ...around], ([element]) => element);
  const elements = page.elements.filter(isLink);
  return linksOf(page).flatMap((link, i) => {
    const element = elements[i]!;
    const own = [...new Set((slots.get(element) ?? []).map(([, id]) => id))];
    const isChrome =
      landmarkOf(element) !== null ||
      isBeyondEdges(page, element) ||
      (own.length > 0 && own.every((id) => locked.has(id)));
    return isChrome ? [] : [{ ...link, slots: own }];
  });
}

/** Cache by a template's sisters: the positions of each sister's links to the template. */
const linksOfSisters = new WeakMap<Template['sisters'], Map<HtmlDocument, Set<string>>>();

/**
 * Makes a test for links to the template that sisters have at the same position, and that so belong
 * to the site.
 */
export function siteLinks({ page, sisters, witnesses }: Template): (link: Element) => boolean {
  const positions = (sister: Page) => new Set(linksTo(sister, page.file.slug).map(positionOf));
  const keys = remembered(
    linksOfSisters,
    sisters,
    () => new Map(sisters.map((sister) => [sister, positions(sister)])),
  );
  return (link) =>
    witnesses.agree(
      landmarkOf(link) !== null,
      (sister) => keys.get(sister)?.has(positionOf(link)) ?? false,
    );
}

/** Opens a page, with what its sisters show to be chrome, to search its blocks. */
export function openForLinks({ page, sisters }: Pick<LinkQuestion, 'page' | 'sisters'>): BlockPage {
  const open = openTemplate(page, sisters);
  return { page: open.page, places: open.places, groups: open.groups, chrome: lockedIn(open) };
}
