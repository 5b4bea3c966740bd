import { defined } from '../../../contract/defined.ts';
import { wordSet } from '../../../text/wordLists.ts';
import type { PageHits } from '../../tools/readPages.ts';
import { PAGES_WITH_HITS } from '../../tools/arguments.ts';
import { listed, refuse } from './edits/refuse.ts';
import { slotsSaying } from './edits/slotTexts.ts';
import { renameCompany, renameEntry } from './edits/renameEdits.ts';
import { editField } from './edits/fieldEdits.ts';
import { addItem, mayBeItems, removeItem, swapItems } from './edits/itemEdits.ts';
import { editImage } from './edits/imageEdits.ts';
import { editLinks } from './edits/linkEdits.ts';
import { generatePage } from './edits/generatePage.ts';
import { ask, call, listGroups, readSlots, type Work } from './edits/askSite.ts';
import { reprice } from './edits/priceEdits.ts';
import { moveSection, removeSection, swapSections } from './edits/sectionEdits.ts';
import { editOneText } from './edits/textEdits.ts';
import { nameIn, type Step, type StepOf } from './planSteps.ts';

/**
 * Works on a step: asks questions about the site in rounds, and then returns the edits. Throws
 * INVALID_INPUT if the site lacks the thing to change, or has several.
 */
export function* workOf(step: Step): Work {
  switch (step.kind) {
    case 'create':
      return [call('create_page', { template: step.template, slug: step.path })];
    case 'generate':
      return yield* generatePage(step);
    case 'move':
      return [call('move_page', { slug: step.slug, to: step.to })];
    case 'delete':
      return step.slugs.map((slug) =>
        call('delete_page', { slug, ...(step.links && { links: 'remove' }) }),
      );
    case 'set':
      return editField(yield* ask(readSlots(step.slug)), step);
    case 'text': {
      const reading = yield* ask(readSlots(step.slug));
      const groups = step.role === 'list-item' ? yield* ask(listGroups(step.slug)) : [];
      return editOneText(reading, groups, step);
    }
    case 'add':
      return addItem(yield* ask(listGroups(step.slug)), step);
    case 'remove':
    case 'swap':
    case 'remove-section':
    case 'move-section':
      return yield* rearranged(step, yield* pageOf(step));
    case 'alt':
      return editImage(yield* ask(call('list_images', { slug: step.slug })), step);
    case 'link':
      return yield* editLinks(step);
    case 'replace':
      return yield* replaced(step);
    case 'menu':
      return yield* menu(step);
    case 'company':
      return yield* renameCompany(step);
    case 'contact':
      return [
        call('set_fact', {
          kind: step.what,
          to: step.to,
          ...defined({ from: step.from, slugs: step.slugs }),
        }),
      ];
    case 'year':
      return [call('set_fact', { kind: 'year', ...defined({ from: step.from }), to: step.year })];
    case 'price':
      return yield* reprice(step);
    case 'raise':
      return [call('set_fact', { kind: 'raise', percent: step.percent, ...on(step.slugs) })];
  }
}

type Rearranging = StepOf<'remove' | 'swap' | 'remove-section' | 'move-section'>;

/** Removes or moves items and sections of a page. */
function* rearranged(step: Rearranging, slug: string): Work {
  if (step.kind === 'remove') return removeItem(yield* ask(listGroups(slug)), { ...step, slug });
  if (step.kind === 'swap') {
    const groups = yield* ask(listGroups(slug));
    if (mayBeItems(groups, { ...step, slug })) return swapItems(groups, { ...step, slug });
  }
  const sections = yield* ask(call('list_sections', { slug }));
  if (step.kind === 'swap') return swapSections(sections, { ...step, slug });
  return step.kind === 'remove-section'
    ? removeSection(sections, { ...step, slug })
    : moveSection(sections, { ...step, slug });
}

/** Roles of texts in a page's head, which visitors do not see. */
const HIDDEN = wordSet('title description social-title social-description structured-data');

/** The page that a step names. If it names none, the only page with the step's text. */
function* pageOf(step: Rearranging) {
  if (step.slug !== null) return step.slug;
  const name = nameIn(step)!;
  const hits = yield* ask(call('search', { text: name }));
  const isHeading = step.kind === 'remove-section' || step.kind === 'move-section';
  const shown = (page: PageHits) =>
    page.hits.filter(({ role }) => (isHeading ? role === 'heading' : !HIDDEN.has(role)));
  // a search result without all its places may hide a match
  const pages = hits.filter(
    (page) => page.count > page.hits.length || slotsSaying(shown(page), name).length > 0,
  );
  if (pages.length === 1 && hits.length < PAGES_WITH_HITS) return pages[0]!.slug;
  const where = pages.length === 0 ? 'no page' : listed(pages.map(({ slug }) => slug));
  throw refuse(`"${name}" stands on ${where}: say on which page`);
}

const on = (slugs: string[] | 'everywhere' | null) => (Array.isArray(slugs) ? { slugs } : {});

function* replaced(step: StepOf<'replace'>): Work {
  const { from, to, slugs, anyCase } = step;
  const change = { from, to, ...(anyCase && { keepCase: true }) };
  if (slugs === 'everywhere') return [call('replace_text', change)];
  const pages = slugs ?? [yield* pageWith(step)];
  return pages.map((slug) => call('replace_text', { ...change, slug }));
}

/** The only page with the text that is to be replaced. */
function* pageWith({ from: text, anyCase }: StepOf<'replace'>) {
  const hits = yield* ask(call('search', { text }));
  const slugs = hits
    .filter(({ sameCase, count }) => sameCase > 0 || (anyCase && count > 0))
    .map(({ slug }) => slug);
  if (slugs.length === 1) return slugs[0]!;
  if (slugs.length === 0) throw refuse('the text to replace stands on no page');
  throw refuse(`the text to replace stands on ${listed(slugs)}: say on which page, or everywhere`);
}

function* menu(step: StepOf<'menu'>): Work {
  if (step.change === 'rename') return yield* renameEntry(step);
  if (step.change === 'add')
    return [
      call('add_menu_entry', {
        page: step.entry,
        ...defined({ text: step.text, after: step.after }),
      }),
    ];
  const entry = step.now === undefined ? { page: step.entry! } : { text: step.now };
  return [call('remove_menu_entry', entry)];
}
