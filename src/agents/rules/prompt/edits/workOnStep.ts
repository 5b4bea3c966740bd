import { withoutUndefined } from '../../../../contract/withoutUndefined.ts';
import { joinFirstNames, createInstructionError } from './instructionError.ts';
import { createRenameCompanyEdits, createRenameEntryEdits } from './renameEdits.ts';
import { editField } from './fieldEdits.ts';
import { createAddItemEdits, createRemoveItemEdits, createSwapItemEdits } from './itemEdits.ts';
import { createImageEdits } from './imageEdits.ts';
import { createLinkEdits } from './linkEdits.ts';
import { createGeneratePageEdits } from './generatedPageEdits.ts';
import {
  querySite,
  createSiteCall,
  createGroupsQuery,
  createSlotsQuery,
  type StepWork,
} from './siteQueries.ts';
import { createMoveSectionEdits, createRemoveSectionEdits } from './sectionEdits.ts';
import { createOneTextEdits } from './oneTextEdits.ts';
import type { PromptStep, PromptStepOf } from '../promptSteps.ts';

/**
 * Works out the edits of one step of a prompt. Edits are calls of the functions in
 * shared/tools/rulesCalls.ts, with their arguments:
 *
 *     step:    { kind: 'set', field: 'headline', slug: '/about', text: 'Us' }
 *     queries: [{ name: 'read_slots', arguments: { slug: '/about' } }]
 *     edits:   [{ name: 'set_texts',
 *                 arguments: { slug: '/about', edits: [{ id: 's7', text: 'Us' }] } }]
 *
 * Each kind of step has a function: in fieldEdits.ts, oneTextEdits.ts, itemEdits.ts (members of
 * groups), sectionEdits.ts, linkEdits.ts, imageEdits.ts, renameEdits.ts, generatedPageEdits.ts, or
 * below. They find what to change by its text (findByText.ts, findGroupItems.ts) or its name
 * (matchNames.ts), and yield queries of the site (siteQueries.ts) until they can return the edits.
 * @throws DomainError INVALID_INPUT if the site lacks the thing to change, or has several
 */
export function* workOnStep(step: PromptStep): StepWork {
  switch (step.kind) {
    case 'create':
      return [createSiteCall('create_page', { template: step.template, slug: step.path })];
    case 'generate':
      return yield* createGeneratePageEdits(step);
    case 'move':
      return [createSiteCall('move_page', { slug: step.slug, to: step.to })];
    case 'delete':
      return step.slugs.map((slug) =>
        createSiteCall('delete_page', { slug, ...(step.links && { links: 'remove' }) }),
      );
    case 'set':
      return editField(yield* querySite(createSlotsQuery(step.slug)), step);
    case 'text': {
      const reading = yield* querySite(createSlotsQuery(step.slug));
      const groups =
        step.role === 'list-item' ? yield* querySite(createGroupsQuery(step.slug)) : [];
      return createOneTextEdits(reading, groups, step);
    }
    case 'add':
      return createAddItemEdits(yield* querySite(createGroupsQuery(step.slug)), step);
    case 'remove':
      return createRemoveItemEdits(yield* querySite(createGroupsQuery(step.slug)), step);
    case 'swap':
      return createSwapItemEdits(yield* querySite(createGroupsQuery(step.slug)), step);
    case 'remove-section':
      return createRemoveSectionEdits(
        yield* querySite(createSiteCall('list_sections', { slug: step.slug })),
        step,
      );
    case 'move-section':
      return createMoveSectionEdits(
        yield* querySite(createSiteCall('list_sections', { slug: step.slug })),
        step,
      );
    case 'alt':
      return createImageEdits(
        yield* querySite(createSiteCall('list_images', { slug: step.slug })),
        step,
      );
    case 'link':
      return yield* createLinkEdits(step);
    case 'replace':
      return yield* replaceTextEdits(step);
    case 'menu':
      return yield* editMenu(step);
    case 'company':
      return yield* createRenameCompanyEdits(step);
    case 'contact':
      return [
        createSiteCall('set_fact', {
          kind: step.what,
          to: step.to,
          ...withoutUndefined({ from: step.from, slugs: step.slugs }),
        }),
      ];
    case 'year':
      return [
        createSiteCall('set_fact', {
          kind: 'year',
          ...withoutUndefined({ from: step.from }),
          to: step.year,
        }),
      ];
    case 'price':
      return [
        createSiteCall('set_fact', {
          kind: 'price',
          to: step.to,
          ...withoutUndefined({ name: step.name, from: step.from }),
          ...limitToPages(step.slugs),
        }),
      ];
    case 'raise':
      return [
        createSiteCall('set_fact', {
          kind: 'raise',
          percent: step.percent,
          ...limitToPages(step.slugs),
        }),
      ];
  }
}

const limitToPages = (slugs: string[] | 'everywhere' | null) =>
  Array.isArray(slugs) ? { slugs } : {};

function* replaceTextEdits(step: PromptStepOf<'replace'>): StepWork {
  const { from, to, slugs, anyCase } = step;
  const change = { from, to, ...(anyCase && { anyCase: true }) };
  if (slugs === 'everywhere') return [createSiteCall('replace_text', change)];
  const pages = slugs ?? [yield* findPageWithText(step)];
  return pages.map((slug) => createSiteCall('replace_text', { ...change, slug }));
}

/** The only page with the text that is to be replaced. */
function* findPageWithText({ from: text, anyCase }: PromptStepOf<'replace'>) {
  const hits = yield* querySite(createSiteCall('search', { text }));
  const slugs = hits
    .filter(({ sameCase, count }) => sameCase > 0 || (anyCase && count > 0))
    .map(({ slug }) => slug);
  if (slugs.length === 1) return slugs[0]!;
  if (slugs.length === 0) throw createInstructionError('the text to replace is not on any page');
  throw createInstructionError(
    `the text to replace is on ${joinFirstNames(slugs)}: name one page, or write everywhere`,
  );
}

function* editMenu(step: PromptStepOf<'menu'>): StepWork {
  if (step.change === 'rename') return yield* createRenameEntryEdits(step);
  if (step.change === 'add')
    return [
      createSiteCall('add_menu_entry', {
        page: step.entry,
        ...withoutUndefined({ text: step.text, after: step.after }),
      }),
    ];
  const entry = step.now === undefined ? { page: step.entry! } : { text: step.now };
  return [createSiteCall('remove_menu_entry', entry)];
}
