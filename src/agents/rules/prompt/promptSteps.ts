import { DomainError } from '../../../errors.ts';
import type { AgentConversation } from '../../shared/agentTypes.ts';
import { createInstructionError } from './edits/instructionError.ts';
import { runForInstruction } from './instructionErrors.ts';
import type { PromptInstruction, PromptInstructionOf, PageName } from './promptInstruction.ts';
import { resolvePage } from './resolvePage.ts';

type ListedPages = AgentConversation['pages'];

type StepOnPage<T> = T extends { slug: string | null } ? Omit<T, 'slug'> & { slug: string } : T;

/** One change of the site: an instruction, or a part of one, with the slugs of its pages. */
export type PromptStep = StepOnPage<PromptInstructionOf<string>>;
export type PromptStepOf<Kind extends PromptStep['kind']> = Extract<PromptStep, { kind: Kind }>;
/** A step, with the index of its instruction in the prompt, from 0. */
export type PlannedStep = PromptStep & { instruction: number };

/** Most steps of one prompt. More do not fit into one task. */
const MAX_STEPS = 50;

/**
 * Turns instructions into steps, in which the names of pages (`the pricing page`) are replaced by
 * their slugs (`/pricing`). An instruction also finds pages that earlier ones create or move.
 * @param pages the site's pages before the prompt
 * @throws DomainError INVALID_INPUT if a name fits no page or several, or an instruction names no
 *   page and the site has several; LIMIT_EXCEEDED if there are too many steps
 */
export function planPromptSteps(
  instructions: PromptInstruction[][],
  pages: ListedPages,
): PlannedStep[] {
  let currentPages = pages;
  const plannedSteps = instructions.flatMap((instructionParts, instructionIndex) =>
    runForInstruction(instructions.length, instructionIndex, () =>
      instructionParts.map((instructionPart) => {
        const step = resolveStep(instructionPart, currentPages);
        currentPages = listPagesAfter(currentPages, step);
        return { ...step, instruction: instructionIndex };
      }),
    ),
  );
  if (plannedSteps.length > MAX_STEPS)
    throw new DomainError(
      'LIMIT_EXCEEDED',
      `The prompt asks for ${plannedSteps.length} changes, and at most ${MAX_STEPS} are allowed in one task`,
    );
  return plannedSteps;
}

/** Replaces the names of pages in an instruction by their slugs. */
function resolveStep(instruction: PromptInstruction, pages: ListedPages): PromptStep {
  const mustMatchWholeTitle = instruction.kind === 'delete';
  const resolveValue = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(resolveValue)
      : isPageName(value)
        ? resolvePage(value, pages, { whole: mustMatchWholeTitle })
        : value;
  const step = Object.fromEntries(
    Object.entries(instruction).map(([name, value]) => [name, resolveValue(value)]),
  ) as unknown as PromptInstructionOf<string>;
  if (isForAllPages(step)) return { ...step, slugs: 'everywhere' } as PromptStep;
  if (!('slug' in step) || step.slug !== null) return step as PromptStep;
  if (pages.length === 1) return { ...step, slug: pages[0]!.slug };
  throw createInstructionError(
    `the instruction names no page: name one, e.g. "of ${pages[0]?.slug ?? '/'}"`,
  );
}

/** Whether a step changes a misspelled word or a button's text, and the prompt names no page. */
const isForAllPages = (step: PromptInstructionOf<string>) =>
  (step.kind === 'replace' && step.anyCase && step.slugs === null) ||
  (step.kind === 'link' &&
    step.element === 'button' &&
    step.target === undefined &&
    step.slugs === null);

const isPageName = (value: unknown): value is PageName =>
  typeof value === 'object' && value !== null && ('slug' in value || 'title' in value);

/** The site's pages after a step. A new page has no title yet. */
function listPagesAfter(pages: ListedPages, step: PromptStep): ListedPages {
  if (step.kind === 'create' || step.kind === 'generate')
    return [...pages, { slug: step.path, title: '' }];
  if (step.kind === 'move')
    return pages.map((page) => (page.slug === step.slug ? { ...page, slug: step.to } : page));
  if (step.kind === 'delete') return pages.filter(({ slug }) => !step.slugs.includes(slug));
  return pages;
}
