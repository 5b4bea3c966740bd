import { defined } from '../../../../contract/defined.ts';
import { normalizeSlug } from '../../../../sites/pages/slug.ts';
import type { PageLink } from '../../../../sites/formats/page.ts';
import { addressOf, type LinkListing } from '../../../tools/linking.ts';
import type { PageReading } from '../../../tools/readPages.ts';
import type { Edit } from '../../../siteCalls.ts';
import type { StepOf } from '../planSteps.ts';
import { ask, askAll, call, readSlots, type Work } from './askSite.ts';
import { listed, refuse } from './refuse.ts';
import { preferring, saying, setText, slotsSaying, type ReadSlot } from './slotTexts.ts';

type LinkStep = StepOf<'link'>;

/**
 * Changes the target or the text of a link or button, or both. Several links with the same text and
 * target count as one.
 */
export function* editLinks(step: LinkStep): Work {
  const { slugs, target, text } = step;
  const slug = Array.isArray(slugs) && slugs.length === 1 ? slugs[0] : undefined;
  const listing = yield* ask(call('list_links', defined({ text: step.now, slug })));
  const isWanted = (slug: string) => !Array.isArray(slugs) || slugs.includes(slug);
  const found = listing
    .filter(({ slug }) => isWanted(slug))
    .map(({ slug, links }) => ({ slug, links: fitting(links, step) }))
    .filter(({ links }) => links.length > 0);
  if (target !== undefined || (text !== undefined && slug === undefined)) checkFound(found, step);
  refuseSeveral(found, step);
  const edits =
    target === undefined
      ? []
      : found.flatMap(({ slug, links }) =>
          links.map(({ id }) => call('set_link', { slug, id, target })),
        );
  if (text === undefined) return edits;
  const pages = yield* askAll(
    (slug === undefined ? found.map(({ slug }) => slug) : [slug]).map(readSlots),
  );
  const relabelled = pages.flatMap((page) =>
    relabel(page, found.find(({ slug }) => slug === page.slug)?.links ?? [], step, text),
  );
  return [...edits, ...relabelled];
}

function fitting(links: PageLink[], { element, now, old, slugs }: LinkStep): PageLink[] {
  const said = saying(links, now, ({ text }) => text).filter(
    (link) => old === undefined || leadsTo(link, old),
  );
  return element === 'button' && slugs !== 'everywhere'
    ? preferring(said, ({ role }) => role === 'button')
    : said;
}

const leadsTo = ({ href, slug }: PageLink, place: string) =>
  href === place || slug === normalizeSlug(place);

function checkFound(found: LinkListing, { element, old, slugs }: LinkStep) {
  const where = Array.isArray(slugs) ? slugs : [];
  const missing = where.filter((slug) => !found.some((page) => page.slug === slug));
  const thing = `${element} with this text${old === undefined ? '' : ' leads there'}`;
  if (missing.length > 0) throw refuse(`no ${thing} on ${missing.join(', ')}`);
  if (found.length === 0) throw refuse(`no ${thing} on any page`);
}

function refuseSeveral(found: LinkListing, { element, slugs, target }: LinkStep) {
  if (slugs === null && found.length > 1)
    throw refuse(
      `the ${element} stands on ${listed(found.map(({ slug }) => slug))}: say on which page, or everywhere`,
    );
  const places = [...new Set(found.flatMap(({ links }) => links.map(addressOf)))];
  if (places.length > 1 && !(slugs === 'everywhere' && target === undefined))
    throw refuse(
      `${element}s with this text lead to ${listed(places)}: say which, e.g. \`Change the ${element} "…" from ${places[0]} on … to …\``,
    );
}

/**
 * Changes the text of a page's links. If there are no such links, that of the page's only button
 * with the step's text.
 */
export function relabel(
  { slug, slots }: PageReading,
  links: PageLink[],
  step: LinkStep,
  text: string,
): Edit[] {
  const own = links.flatMap(({ id }) =>
    slots.filter((slot) => isTextOf(slot, id.replace('.href', ''))),
  );
  if (own.length > 0 && own.length === links.length)
    return own.map((slot) => setText(slug, slot, text));
  const buttons = slotsSaying(
    slots.filter(({ role }) => role === 'button'),
    step.now,
  );
  if (links.length === 0 && buttons.length === 1) return [setText(slug, buttons[0]!, text)];
  if (links.length === 0 && buttons.length === 0)
    throw refuse(`no ${step.element} with this text on ${slug}`);
  throw refuse(
    `the text of the ${step.element} stands on ${slug} in a longer text, or more than once; say which by \`Replace "…" with "…" on ${slug}\``,
  );
}

/** Whether a slot belongs to an element: its id begins with the element's id. */
const isTextOf = ({ id }: ReadSlot, element: string) =>
  id === element || id.startsWith(`${element}-`);
