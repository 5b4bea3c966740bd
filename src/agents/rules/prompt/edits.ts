import { defined } from '../../../contract/defined.ts';
import { listed, refuse } from './edits/refuse.ts';
import { renameCompany, renameEntry } from './edits/renameEdits.ts';
import { editField } from './edits/fieldEdits.ts';
import { addItem, removeItem, swapItems } from './edits/itemEdits.ts';
import { editImage } from './edits/imageEdits.ts';
import { editLinks } from './edits/linkEdits.ts';
import { generatePage } from './edits/generatePage.ts';
import { ask, call, listGroups, readSlots, type Work } from './edits/askSite.ts';
import { moveSection, removeSection } from './edits/sectionEdits.ts';
import { editOneText } from './edits/textEdits.ts';
import type { Step, StepOf } from './planSteps.ts';

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
      return removeItem(yield* ask(listGroups(step.slug)), step);
    case 'swap':
      return swapItems(yield* ask(listGroups(step.slug)), step);
    case 'remove-section':
      return removeSection(yield* ask(call('list_sections', { slug: step.slug })), step);
    case 'move-section':
      return moveSection(yield* ask(call('list_sections', { slug: step.slug })), step);
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
      return [
        call('set_fact', {
          kind: 'price',
          to: step.to,
          ...defined({ name: step.name, from: step.from }),
          ...on(step.slugs),
        }),
      ];
    case 'raise':
      return [call('set_fact', { kind: 'raise', percent: step.percent, ...on(step.slugs) })];
  }
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
