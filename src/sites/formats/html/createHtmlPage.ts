import MagicString from 'magic-string';
import { invalidInput } from '../../invalidInput.ts';
import type { PageCreation } from '../format.ts';
import { createOrders } from '../memberOrder.ts';
import { checkDigest } from '../partErrors.ts';
import type { GroupSizes } from '../pageParts.ts';
import { removeBlocks } from './blocks/removeBlocks.ts';
import { markCurrent, ownEntries } from './changes/currentEntry.ts';
import { updateCounters } from './counters/updateCounters.ts';
import { dropValues } from './claims/jsonClaims.ts';
import { fitCharset } from './charset.ts';
import { findLeftOutValues } from './claims/leftOutValues.ts';
import { followTimes } from './followTimes.ts';
import { textContentOf, within, type PageElement } from './document.ts';
import { arrangeGroups, reparsePage } from './groups/arrangeGroups.ts';
import { writeLanguage } from './language.ts';
import { followContacts } from './links/followContacts.ts';
import { createUrlResolver } from './links/urlResolver.ts';
import { isLinkElement, writeLink } from './links/pageLinks.ts';
import { addEntries, selectNewEntries } from './ownEntries.ts';
import type { SlotPlace } from './slots/slotPlace.ts';
import { movedTexts, relocateCopy } from './links/relocate.ts';
import { findElement, elementSlotId, type HtmlPage } from './openHtmlPage.ts';
import { writeTexts } from './slots/writeTexts.ts';
import { endingWords, foldedWords } from '../foldedWords.ts';
import { openTemplate, createSiteLinkTest, type ParsedTemplate } from './template.ts';
import { changedTexts } from './values/changedTexts.ts';

/**
 * Makes a new page from a template: see `FormatCalls.create`. First the elements change: the
 * numbers of group members, the entries for the new page in lists of pages, removed blocks, and the
 * targets of links. Then the rest is written into one copy: the language, the page's own URL, the
 * texts, and what repeats them, such as counters, telephone links and dates.
 * @returns the source of the new page
 * @throws CHANGED_BY_DEPLOY if a newer version of the service reads other texts in the template;
 *   LIMIT_EXCEEDED for a template that is too large; INVALID_INPUT for a text of the chrome, an
 *   unknown group, or a block or link that cannot be changed
 */
export function createHtmlPage({
  template,
  target,
  texts: requestedTexts,
  lang,
  sitePaths,
  ...request
}: PageCreation): string {
  const templatePage = openTemplate(template, request.siblings);
  refuseChanged(templatePage, request.digest, Object.keys(requestedTexts));
  const groupCounts = request.groups ?? {};
  const areGroupsChanged = Object.keys(groupCounts).length > 0;
  const arrangedPage = areGroupsChanged
    ? arrangeGroups(
        templatePage.page,
        templatePage.places,
        templatePage.groups,
        createOrders(groupCounts, templatePage.groups),
      )
    : templatePage;
  // structured data that only describes members that go
  const leftOut = areGroupsChanged ? findLeftOutValues(arrangedPage.page, templatePage.page) : [];
  const removed = new Set([...(request.removed ?? []), ...leftOut]);
  const { entries, texts, ...pageWithEntries } = addEntries(arrangedPage, {
    ids: templateEntryIds(templatePage, groupCounts),
    texts: requestedTexts,
  });
  const reducedPage =
    removed.size === 0
      ? pageWithEntries
      : removeBlocks(pageWithEntries.page, pageWithEntries.places, removed);
  const { page, places } = replaceLinkTargets(
    reducedPage.page,
    reducedPage.places,
    request.links ?? {},
  );
  const linkIds = new Set(Object.keys(request.links ?? {}));
  const sourceEditor = new MagicString(page.source);
  if (lang !== undefined) writeLanguage(sourceEditor, page, lang);
  const [isSiteTarget, isOwnEntry] = [createSiteLinkTest(templatePage), ownEntries(page)];
  const [formerLinks, ownLinks] = (['templateElementId', 'newElementId'] as const).map(
    (idName) => new Set(within(entries.flatMap((entry) => findElement(page, entry[idName]) ?? []))),
  );
  const keptLinks = findNamingLinks(
    page,
    places.filter(({ slot }) => !(slot.id in texts)),
  );
  const isSiteLink = (link: PageElement) =>
    formerLinks!.has(link) ||
    keptLinks.has(link) ||
    (!ownLinks!.has(link) &&
      (linkIds.has(elementSlotId(page, link)) || isOwnEntry(link) || isSiteTarget(link)));
  const changed = changedTexts(places, texts);
  relocateCopy(sourceEditor, page, {
    target,
    siblings: templatePage.siblings,
    sitePaths,
    isSiteLink,
    changed,
  });
  markCurrent(sourceEditor, page, {
    slug: target.slug,
    slugOf: createSlugResolver(page, target.slug, isSiteLink),
  });
  selectNewEntries(sourceEditor, page, { entries, target });
  const locked = new Set(templatePage.slots.filter((slot) => slot.locked).map(({ id }) => id));
  const unlockedPlaces = places.filter(({ slot }) => !locked.has(templateSlotId(slot.id)));
  writeTexts(sourceEditor, places, {
    ...texts,
    ...movedTexts(page, unlockedPlaces, { from: page.file, to: target }, texts),
  });
  updateCounters(sourceEditor, page, places, texts);
  dropValues(sourceEditor, page, removed);
  const writtenSource = page.bom + sourceEditor.toString();
  const { country, contacts = {} } = request;
  const sourceWithContacts = followContacts(page, writtenSource, {
    countryOf: () => country,
    contacts,
  });
  return fitCharset(page, followTimes(page, sourceWithContacts));
}

/**
 * The links in the given texts that name the template's page. These texts stay as they are, so the
 * links keep leading to the template.
 */
function findNamingLinks({ file }: HtmlPage, places: SlotPlace[]): Set<PageElement> {
  const words = endingWords(file.slug);
  const namesPage = (link: PageElement) =>
    foldedWords(textContentOf(link)).some((word) => words.includes(word));
  const links = places.flatMap(({ inlineElements: inlineElements = [] }) =>
    inlineElements.filter(isLinkElement),
  );
  return new Set(links.filter(namesPage));
}

/**
 * Ids of the slots that are the template's own entries in lists of pages. Those in groups whose
 * members change are left out.
 */
function templateEntryIds({ slots, groups }: ParsedTemplate, counts: GroupSizes): string[] {
  const changed = groups.filter(({ slotGroup }) => slotGroup.id in counts);
  const removedSlots = new Set(changed.flatMap(({ slotGroup }) => slotGroup.members.flat()));
  return slots.flatMap(({ id, shared }) =>
    shared === 'entry' && !removedSlots.has(id) ? [id] : [],
  );
}

/**
 * Makes a function for the slug that a link of the new page leads to. Links to the template lead to
 * the new page, except those that belong to the site.
 */
function createSlugResolver(
  page: HtmlPage,
  slug: string,
  isSiteLink: (link: PageElement) => boolean,
) {
  const { slugOfLink } = createUrlResolver(page);
  return (link: PageElement) => {
    const linkSlug = slugOfLink(link);
    return linkSlug === page.file.slug && !isSiteLink(link) ? slug : linkSlug;
  };
}

/**
 * Changes the targets of links, in the style of the page's URLs, and parses the result. Throws
 * INVALID_INPUT if a link cannot be changed.
 */
function replaceLinkTargets(
  page: HtmlPage,
  places: SlotPlace[],
  links: NonNullable<PageCreation['links']>,
) {
  const sourceEditor = new MagicString(page.source);
  const targets = Object.entries(links).filter(([id]) => findElement(page, id));
  for (const [id, target] of targets) writeLink(sourceEditor, page, { id: `${id}.href`, target });
  if (targets.length === 0) return { page, places };
  const copied = page.elements.map((element) => ({
    element,
    number: page.elementNumbers.get(element)!,
  }));
  return reparsePage(page, places, { source: sourceEditor.toString(), copied, what: 'A link' });
}

/**
 * Throws if the template's slots changed since the texts were written, or if a text is for the
 * site's chrome.
 */
function refuseChanged(
  { page, slots, ...current }: ParsedTemplate,
  digest: string,
  ids: string[],
): void {
  const { slug } = page.file;
  checkDigest(slug, current.digest, digest);
  const slotIds = new Set(ids.map(templateSlotId));
  const lockedSlot = slots.find((slot) => slot.locked && slotIds.has(slot.id));
  if (lockedSlot)
    throw invalidInput(
      `The slot ${lockedSlot.id} of ${slug} cannot be changed, because all pages of the site share its text`,
    );
}

/** The id of the template's slot that a clone's slot comes from: `s12.alt` for `s12+1.alt`. */
const templateSlotId = (id: string) => id.replace(/^(s\d+)(?:\+\d+)+/, '$1');
