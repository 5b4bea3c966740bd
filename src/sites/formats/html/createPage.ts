import MagicString from 'magic-string';
import { DomainError } from '../../../errors.ts';
import { invalidInput } from '../../invalidInput.ts';
import type { NewPage } from '../format.ts';
import type { GroupCounts } from '../page.ts';
import { takeOut } from './blocks/takeOut.ts';
import { markCurrent, ownEntries } from './changes/currentEntry.ts';
import { followNumbers } from './counters/followNumbers.ts';
import { dropValues } from './claims/jsonClaims.ts';
import { fitCharset } from './charset.ts';
import { leftOutValues } from './claims/leftOutValues.ts';
import { followTimes } from './followTimes.ts';
import { within, type Element } from './document.ts';
import { arrange, readAgain } from './groups/arrange.ts';
import { ordersFor } from './groups/usableGroups.ts';
import { writeLanguage } from './language.ts';
import { followContacts } from './links/followContacts.ts';
import { addressesOf } from './links/pageAddresses.ts';
import { writeLink } from './links/pageLinks.ts';
import { addEntries, settleEntries } from './ownEntries.ts';
import type { SlotPlace } from './slots/slotPlace.ts';
import { movedTexts, relocateCopy } from './links/relocate.ts';
import { elementOf, idOf, type Page } from './openPage.ts';
import { writeTexts } from './slots/writeTexts.ts';
import { openTemplate, siteLinks, type Template } from './template.ts';
import { changedTexts } from './values/changedTexts.ts';

/** Makes a new page from a template: see `FormatCore.create`. */
export function createPage({
  template,
  target,
  texts: wanted,
  lang,
  sitePaths,
  ...asked
}: NewPage): string {
  const open = openTemplate(template, asked.sisters);
  refuseChanged(open, asked.digest, Object.keys(wanted));
  const counts = asked.groups ?? {};
  const areGroupsChanged = Object.keys(counts).length > 0;
  const whole = areGroupsChanged
    ? arrange(open.page, open.places, open.groups, ordersFor(counts, open.groups))
    : open;
  // structured data that only describes members that go
  const leftOut = areGroupsChanged ? leftOutValues(whole.page, open.page) : [];
  const removed = new Set([...(asked.removed ?? []), ...leftOut]);
  const { entries, texts, ...listed } = addEntries(whole, {
    ids: sharedEntries(open, counts),
    texts: wanted,
  });
  const taken = removed.size === 0 ? listed : takeOut(listed.page, listed.places, removed);
  const { page, places } = withLinks(taken.page, taken.places, asked.links ?? {});
  const given = new Set(Object.keys(asked.links ?? {}));
  const edit = new MagicString(page.source);
  if (lang !== undefined) writeLanguage(edit, page, lang);
  const [isOfSite, isOwnEntry] = [siteLinks(open), ownEntries(page)];
  const [formerLinks, ownLinks] = (['former', 'own'] as const).map(
    (which) => new Set(within(entries.flatMap((entry) => elementOf(page, entry[which]) ?? []))),
  );
  const isSiteLink = (link: Element) =>
    formerLinks!.has(link) ||
    (!ownLinks!.has(link) && (given.has(idOf(page, link)) || isOwnEntry(link) || isOfSite(link)));
  const changed = changedTexts(places, texts);
  relocateCopy(edit, page, { target, sisters: open.sisters, sitePaths, isSiteLink, changed });
  markCurrent(edit, page, { slug: target.slug, slugOf: slugAfter(page, target.slug, isSiteLink) });
  settleEntries(edit, page, { entries, target });
  const locked = new Set(open.slots.filter((slot) => slot.locked).map(({ id }) => id));
  const own = places.filter(({ slot }) => !locked.has(templateSlot(slot.id)));
  writeTexts(edit, places, {
    ...texts,
    ...movedTexts(page, own, { from: page.file, to: target }, texts),
  });
  followNumbers(edit, page, places, texts);
  dropValues(edit, page, removed);
  const written = page.bom + edit.toString();
  const { country, contacts = {} } = asked;
  const followed = followContacts(page, written, { countryOf: () => country, contacts });
  return fitCharset(page, followTimes(page, followed));
}

/** The slots of the template's entries in lists of pages, but not of groups that are changed. */
function sharedEntries({ slots, groups }: Template, counts: GroupCounts): string[] {
  const changed = groups.filter(({ slotGroup }) => slotGroup.id in counts);
  const gone = new Set(changed.flatMap(({ slotGroup }) => slotGroup.members.flat()));
  return slots.flatMap(({ id, shared }) => (shared === 'entry' && !gone.has(id) ? [id] : []));
}

/** The slugs that a copy's links lead to: those to the template lead to the copy. */
function slugAfter(page: Page, slug: string, isSiteLink: (link: Element) => boolean) {
  const { slugOfLink } = addressesOf(page);
  return (link: Element) => {
    const leads = slugOfLink(link);
    return leads === page.file.slug && !isSiteLink(link) ? slug : leads;
  };
}

/** The page with other targets of links, in the style of its addresses. */
function withLinks(page: Page, places: SlotPlace[], links: NonNullable<NewPage['links']>) {
  const edit = new MagicString(page.source);
  const targets = Object.entries(links).filter(([id]) => elementOf(page, id));
  for (const [id, target] of targets) writeLink(edit, page, { id: `${id}.href`, target });
  if (targets.length === 0) return { page, places };
  const copied = page.elements.map((element) => ({ element, number: page.numbers.get(element)! }));
  const written = readAgain(page, places, { source: edit.toString(), copied });
  if (written) return written;
  throw invalidInput('A link is written in a way that does not allow to change it');
}

/**
 * Throws if the template's slots changed since the texts were written, or if a text is for the
 * site's chrome.
 */
function refuseChanged({ page, slots, ...open }: Template, digest: string, ids: string[]): void {
  const { slug } = page.file;
  if (open.digest !== digest)
    throw new DomainError(
      'CHANGED_BY_DEPLOY',
      `The texts of ${slug} are read in another way since this task began; start it again`,
    );
  const given = new Set(ids.map(templateSlot));
  const locked = slots.find((slot) => slot.locked && given.has(slot.id));
  if (locked)
    throw invalidInput(
      `Slot ${locked.id} of ${slug} stands on every page of the site: it can't be changed`,
    );
}

/** The id of the template's slot that a clone's slot comes from. */
const templateSlot = (id: string) => id.replace(/^(s\d+)(?:\+\d+)+/, '$1');
