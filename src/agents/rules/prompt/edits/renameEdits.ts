import type { LinkListing } from '../../../shared/tools/linksAndImages.ts';
import type { MenuListing } from '../../../shared/tools/menuEntries.ts';
import type { PromptStep, PromptStepOf } from '../promptSteps.ts';
import { createInstructionError } from './instructionError.ts';
import { selectByText } from './findByText.ts';
import { relabelLinks } from './linkEdits.ts';
import {
  querySite,
  queryAll,
  createSiteCall,
  createSlotsQuery,
  type StepWork,
} from './siteQueries.ts';

/** Renames an entry of the navigation on every page that has it. */
export function* createRenameEntryEdits(
  step: Extract<PromptStep, { kind: 'menu'; change: 'rename' }>,
): StepWork {
  const menus = yield* querySite(createSiteCall('list_menu', {}));
  const slugs = menus
    .filter(({ entries }) => selectByText(entries, step.now, ({ text }) => text).length > 0)
    .map(({ slug }) => slug);
  if (slugs.length === 0) throw createInstructionError(`no navigation has an entry "${step.now}"`);
  const linkListings = yield* queryAll(
    slugs.map((slug) => createSiteCall('list_links', { slug, text: step.now })),
  );
  const pages = yield* queryAll(slugs.map(createSlotsQuery));
  const { text } = step;
  const change = { kind: 'link', element: 'link', now: step.now, text, slugs } as const;
  return pages.flatMap((page, index) => {
    const entryLinks = findMenuLinks(
      menus.find(({ slug }) => slug === page.slug)!,
      step.now,
    );
    const links = (linkListings[index]![0]?.links ?? []).filter(({ id }) => entryLinks.has(id));
    return relabelLinks(page, links, change, text);
  });
}

const findMenuLinks = ({ entries }: MenuListing[number], text: string) =>
  new Set(selectByText(entries, text, (entry) => entry.text).map(({ link }) => link));

/**
 * Renames the company in all texts. If the prompt does not tell its current name, that is the text
 * of the link from the home page to itself, which usually is the site's name or logo.
 */
export function* createRenameCompanyEdits({ from, to }: PromptStepOf<'company'>): StepWork {
  const name =
    from ?? readCompanyName(yield* querySite(createSiteCall('list_links', { slug: '/' })));
  return [createSiteCall('replace_text', { from: name, to, notesAddresses: true })];
}

function readCompanyName([page]: LinkListing): string {
  const brandLink = page?.links.find(
    ({ slug, text }) => slug === '/' && text !== '' && !/^(?:home|start|skip\b.*)$/i.test(text),
  );
  if (!brandLink)
    throw createInstructionError(
      'the current name of the company is not clear: write `from "…" to "…"`',
    );
  return brandLink.text;
}
