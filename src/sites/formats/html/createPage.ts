import MagicString from 'magic-string';
import { DomainError } from '../../../errors.ts';
import { invalidInput } from '../../invalidInput.ts';
import type { NewPage } from '../format.ts';
import { takeOut } from './blocks/takeOut.ts';
import { leftOutValues } from './claims/leftOutValues.ts';
import { markCurrent, ownEntries } from './changes/currentEntry.ts';
import { dropValues } from './claims/jsonClaims.ts';
import type { Element } from './document.ts';
import { followTimes } from './followTimes.ts';
import { arrange } from './groups/arrange.ts';
import { ordersFor } from './groups/usableGroups.ts';
import { writeLanguage } from './language.ts';
import { followContacts } from './links/followContacts.ts';
import { addressesOf } from './links/pageAddresses.ts';
import { relocateCopy } from './links/relocate.ts';
import { openPage, type Page } from './openPage.ts';
import { writeTexts } from './slots/writeTexts.ts';
import { openTemplate, siteLinks, type Template } from './template.ts';

/** Makes a new page from a template: see `FormatCore.create`. */
export function createPage({
  template,
  target,
  texts,
  lang,
  sitePaths,
  ...asked
}: NewPage): string {
  const open = openTemplate(template, asked.sisters);
  refuseChanged(open, asked.digest, Object.keys(texts));
  const left = asked.whole ? leftOutValues(open.page, openPage(asked.whole)) : [];
  const removed = new Set([...(asked.removed ?? []), ...left]);
  const counts = asked.groups ?? {};
  const whole =
    Object.keys(counts).length === 0
      ? open
      : arrange(open.page, open.places, open.groups, ordersFor(counts, open.groups));
  const { page, places } = removed.size === 0 ? whole : takeOut(whole.page, whole.places, removed);
  const edit = new MagicString(page.source);
  if (lang !== undefined) writeLanguage(edit, page, lang);
  const [isOfSite, isOwnEntry] = [siteLinks(open), ownEntries(page)];
  const isSiteLink = (link: Element) => isOwnEntry(link) || isOfSite(link);
  relocateCopy(edit, page, { target, sitePaths, isSiteLink });
  markCurrent(edit, page, { slug: target.slug, slugOf: slugAfter(page, target.slug, isSiteLink) });
  writeTexts(edit, places, texts);
  dropValues(edit, page, removed);
  const written = page.bom + edit.toString();
  const { country, contacts = {} } = asked;
  return followTimes(page, followContacts(page, written, { countryOf: () => country, contacts }));
}

/** The slugs that a copy's links lead to: those to the template lead to the copy. */
function slugAfter(page: Page, slug: string, isSiteLink: (link: Element) => boolean) {
  const { slugOfLink } = addressesOf(page);
  return (link: Element) => {
    const leads = slugOfLink(link);
    return leads === page.file.slug && !isSiteLink(link) ? slug : leads;
  };
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
