import { defined } from '../../../contract/defined.ts';
import type { GroupListing } from '../../tools/grouping.ts';
import type { ImageListing } from '../../tools/linking.ts';
import type { PageReading, PageHits } from '../../tools/reading.ts';
import { PAGES_WITH_HITS } from '../../tools/texts.ts';
import type { SectionListing } from '../../tools/sections.ts';
import { plainText } from '../../text/marks.ts';
import { listed, refuse, saying, type Call } from './edits/calls.ts';
import { renameCompany, renameEntry } from './edits/siteEdits.ts';
import { editField } from './edits/fieldEdits.ts';
import { editHours } from './edits/hoursEdits.ts';
import { addItem, mayBeItems, removeItem, swapItems } from './edits/itemEdits.ts';
import { editImage } from './edits/imageEdits.ts';
import { editLinks } from './edits/linkEdits.ts';
import { generatePage } from './edits/pageEdits.ts';
import { ask, listGroups, readSlots, type Work } from './edits/reading.ts';
import { reprice } from './edits/priceEdits.ts';
import { moveSection, removeSection, swapSections } from './edits/sectionEdits.ts';
import { editOneText } from './edits/textEdits.ts';
import { nameIn, type Step } from './plan.ts';

/**
 * The tool calls that carry a step out: first those that read what must be known, round by round, then the edits.
 * Throws INVALID_INPUT where what is to be changed is not there, or not the only one.
 */
export function* workOf(step: Step): Work {
  switch (step.kind) {
    case 'create':
      return [call('create_page', { template: step.template, slug: step.slug })];
    case 'generate':
      return yield* generatePage(step);
    case 'move':
      return [call('move_page', { slug: step.slug, to: step.to })];
    case 'delete':
      return step.slugs.map((slug) =>
        call('delete_page', { slug, ...defined({ links: step.links ? 'remove' : undefined }) }),
      );
    case 'set':
      return editField(yield* ask<PageReading>(readSlots(step.slug)), step);
    case 'text': {
      const reading = yield* ask<PageReading>(readSlots(step.slug));
      const groups = step.role === 'list-item' ? yield* ask<GroupListing>(listGroups(step.slug)) : [];
      return editOneText(reading, groups, step);
    }
    case 'add':
      return addItem(yield* ask<GroupListing>(listGroups(step.slug)), step);
    case 'remove': {
      const slug = yield* pageOf(step);
      return removeItem(yield* ask<GroupListing>(listGroups(slug)), { ...step, slug });
    }
    case 'swap': {
      const slug = yield* pageOf(step);
      const groups = yield* ask<GroupListing>(listGroups(slug));
      const placed = { ...step, slug };
      if (mayBeItems(groups, placed)) return swapItems(groups, placed);
      return swapSections(yield* ask<SectionListing>(call('list_sections', { slug })), placed);
    }
    case 'remove-section': {
      const slug = yield* pageOf(step);
      return removeSection(yield* ask<SectionListing>(call('list_sections', { slug })), { ...step, slug });
    }
    case 'move-section': {
      const slug = yield* pageOf(step);
      return moveSection(yield* ask<SectionListing>(call('list_sections', { slug })), { ...step, slug });
    }
    case 'alt':
      return editImage(yield* ask<ImageListing>(call('list_images', { slug: step.slug })), step);
    case 'link':
      return yield* editLinks(step);
    case 'replace':
      return yield* replaced(step);
    case 'menu':
      return yield* menu(step);
    case 'company':
      return yield* renameCompany(step);
    case 'hours':
      return yield* editHours(step);
    case 'contact':
      return [call('set_fact', { kind: step.what, ...defined({ from: step.from }), to: step.to })];
    case 'year':
      return [call('set_fact', { kind: 'year', ...defined({ from: step.from }), to: step.year })];
    case 'price':
      return yield* reprice(step);
    case 'raise':
      return [call('set_fact', { kind: 'raise', percent: step.percent, ...on(step.slugs) })];
  }
}

/** Roles of texts that are no part of a page's content. */
const HIDDEN = new Set<string>(['title', 'description', 'social-title', 'social-description', 'structured-data']);

/** The page of a step: the one that it names, or the only one that says the text that it names. */
function* pageOf(step: Extract<Step, { kind: 'remove' | 'swap' | 'remove-section' | 'move-section' }>) {
  if (step.slug !== null) return step.slug;
  const name = nameIn(step)!;
  const hits = yield* ask<PageHits[]>(call('search', { text: name }));
  const isHeading = step.kind === 'remove-section' || step.kind === 'move-section';
  const shown = (page: PageHits) =>
    page.hits.filter(({ role }) => (isHeading ? role === 'heading' : !HIDDEN.has(role)));
  // A page of which not all places are known may have it too.
  const pages = hits.filter(
    (page) => page.count > page.hits.length || saying(shown(page), name, ({ text }) => plainText(text)).length > 0,
  );
  if (pages.length === 1 && hits.length < PAGES_WITH_HITS) return pages[0]!.slug;
  const where = pages.length === 0 ? 'no page' : listed(pages.map(({ slug }) => slug));
  throw refuse(`"${name}" stands on ${where}: say on which page`);
}

const call = (name: string, args: Record<string, unknown>): Call => ({ name, arguments: args });
const on = (slugs: string[] | 'everywhere' | null) => (Array.isArray(slugs) ? { slugs } : {});

function* replaced({ from, to, slugs, anyCase }: Extract<Step, { kind: 'replace' }>): Work {
  const change = { from, to, ...(anyCase && { keepCase: true }) };
  if (slugs === 'everywhere') return [call('replace_text', change)];
  const pages = slugs ?? [onlyPage(yield* ask<PageHits[]>(call('search', { text: from })), anyCase)];
  return pages.map((slug) => call('replace_text', { ...change, slug }));
}

function onlyPage(hits: PageHits[], anyCase: boolean = false): string {
  const slugs = hits.filter(({ sameCase, count }) => sameCase > 0 || (anyCase && count > 0)).map(({ slug }) => slug);
  if (slugs.length === 1) return slugs[0]!;
  if (slugs.length === 0) throw refuse('the text to replace stands on no page');
  throw refuse(`the text to replace stands on ${listed(slugs)}: say on which page, or everywhere`);
}

function* menu(step: Extract<Step, { kind: 'menu' }>): Work {
  if (step.change === 'rename') return yield* renameEntry(step);
  if (step.change === 'add')
    return [call('add_menu_entry', { page: step.slug, ...defined({ text: step.text, after: step.after }) })];
  return [call('remove_menu_entry', defined({ text: step.text, page: step.slug }))];
}
