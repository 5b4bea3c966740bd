import { withoutUndefined } from '../../../../contract/withoutUndefined.ts';
import { normalizeSlug } from '../../../../sites/pages/urls/slug.ts';
import type { PageLink } from '../../../../sites/formats/pageParts.ts';
import { describeLinkUrl, type LinkListing } from '../../../shared/tools/linksAndImages.ts';
import type { PageReading } from '../../../shared/tools/searchPages.ts';
import type { RulesEdit } from '../../../shared/tools/rulesCalls.ts';
import type { PromptStepOf } from '../promptSteps.ts';
import {
  querySite,
  queryAll,
  createSiteCall,
  createSlotsQuery,
  type StepWork,
} from './siteQueries.ts';
import { joinFirstNames, createInstructionError } from './instructionError.ts';
import {
  preferFitting,
  selectByText,
  createTextEdit,
  selectSlotsByText,
  type ReadSlot,
} from './findByText.ts';

type LinkStep = PromptStepOf<'link'>;

/**
 * Changes the target or the text of a link or button, or both. Links are found by their current
 * text. Several links with the same text and target on a page change together.
 */
export function* createLinkEdits(step: LinkStep): StepWork {
  const { slugs, target, text } = step;
  const slug = Array.isArray(slugs) && slugs.length === 1 ? slugs[0] : undefined;
  const linkListing = yield* querySite(
    createSiteCall('list_links', withoutUndefined({ text: step.now, slug })),
  );
  const isRequestedPage = (slug: string) => !Array.isArray(slugs) || slugs.includes(slug);
  const foundPages = linkListing
    .filter(({ slug }) => isRequestedPage(slug))
    .map(({ slug, links }) => ({ slug, links: selectFittingLinks(links, step) }))
    .filter(({ links }) => links.length > 0);
  if (target !== undefined || (text !== undefined && slug === undefined))
    requireFoundLinks(foundPages, step);
  refuseSeveralTargets(foundPages, step);
  const edits =
    target === undefined
      ? []
      : foundPages.flatMap(({ slug, links }) =>
          links.map(({ id }) => createSiteCall('set_link', { slug, id, target })),
        );
  if (text === undefined) return edits;
  const pages = yield* queryAll(
    (slug === undefined ? foundPages.map(({ slug }) => slug) : [slug]).map(createSlotsQuery),
  );
  const labelEdits = pages.flatMap((page) =>
    relabelLinks(page, foundPages.find(({ slug }) => slug === page.slug)?.links ?? [], step, text),
  );
  return [...edits, ...labelEdits];
}

function selectFittingLinks(
  links: PageLink[],
  { element, now, old: oldTarget, slugs }: LinkStep,
): PageLink[] {
  const linksWithText = selectByText(links, now, ({ text }) => text).filter(
    (link) => oldTarget === undefined || doesLinkLeadTo(link, oldTarget),
  );
  return element === 'button' && slugs !== 'everywhere'
    ? preferFitting(linksWithText, ({ role }) => role === 'button')
    : linksWithText;
}

const doesLinkLeadTo = ({ href, slug }: PageLink, target: string) =>
  href === target || slug === normalizeSlug(target);

/** Throws INVALID_INPUT if a page that the step names, or the whole site, lacks the link. */
function requireFoundLinks(foundPages: LinkListing, { element, old: oldTarget, slugs }: LinkStep) {
  const requestedSlugs = Array.isArray(slugs) ? slugs : [];
  const missingSlugs = requestedSlugs.filter(
    (slug) => !foundPages.some((page) => page.slug === slug),
  );
  const linkDescription = `${element} with this text${oldTarget === undefined ? '' : ' leads there'}`;
  if (missingSlugs.length > 0)
    throw createInstructionError(`no ${linkDescription} on ${missingSlugs.join(', ')}`);
  if (foundPages.length === 0) throw createInstructionError(`no ${linkDescription} on any page`);
}

/** Throws INVALID_INPUT if it is not clear on which page, or which of several links, to change. */
function refuseSeveralTargets(foundPages: LinkListing, { element, slugs, target }: LinkStep) {
  if (slugs === null && foundPages.length > 1)
    throw createInstructionError(
      `the ${element} is on ${joinFirstNames(foundPages.map(({ slug }) => slug))}: name one page, or write everywhere`,
    );
  const targets = [...new Set(foundPages.flatMap(({ links }) => links.map(describeLinkUrl)))];
  if (targets.length > 1 && !(slugs === 'everywhere' && target === undefined))
    throw createInstructionError(
      `${element}s with this text lead to ${joinFirstNames(targets)}: choose one, e.g. \`Change the ${element} "…" from ${targets[0]} on … to …\``,
    );
}

/**
 * The edits that change the text of a page's links, or of its only button with the step's text.
 * @throws DomainError INVALID_INPUT if there is no such link, or its text is part of a longer one
 */
export function relabelLinks(
  { slug, slots }: PageReading,
  links: PageLink[],
  step: LinkStep,
  text: string,
): RulesEdit[] {
  const linkSlots = links.flatMap(({ id }) =>
    slots.filter((slot) => isTextOfElement(slot, id.replace('.href', ''))),
  );
  if (linkSlots.length > 0 && linkSlots.length === links.length)
    return linkSlots.map((slot) => createTextEdit(slug, slot, text));
  const buttons = selectSlotsByText(
    slots.filter(({ role }) => role === 'button'),
    step.now,
  );
  if (links.length === 0 && buttons.length === 1) return [createTextEdit(slug, buttons[0]!, text)];
  if (links.length === 0 && buttons.length === 0)
    throw createInstructionError(`no ${step.element} with this text on ${slug}`);
  throw createInstructionError(
    `the text of the ${step.element} is part of a longer text of ${slug}, or is on it more than once: choose one with \`Replace "…" with "…" on ${slug}\``,
  );
}

/** Whether a slot belongs to an element: its id begins with the element's id. */
const isTextOfElement = ({ id }: ReadSlot, element: string) =>
  id === element || id.startsWith(`${element}-`);
