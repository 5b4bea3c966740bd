import { DomainError } from '../../../errors.ts';
import type { Conversation } from '../../agent.ts';
import { refuse } from './edits/refuse.ts';
import { forInstruction } from './forInstruction.ts';
import type { Instruction, InstructionOf, PageName } from './instructions.ts';
import { resolvePage } from './resolvePage.ts';

type Pages = Conversation['pages'];

type OnPage<T> = T extends { slug: string | null } ? Omit<T, 'slug'> & { slug: string } : T;

/** One change, with the slugs of its pages. */
export type Step = OnPage<InstructionOf<string>>;
export type StepOf<Kind extends Step['kind']> = Extract<Step, { kind: Kind }>;
/** A step, with the index of its instruction. */
export type Planned = Step & { instruction: number };

/** Most steps of one prompt. More do not fit into one task. */
const STEPS = 50;

/**
 * Turns instructions into steps. An instruction finds pages that earlier ones created or moved.
 * @throws DomainError INVALID_INPUT if no page, or more than one, has a name; LIMIT_EXCEEDED
 */
export function planSteps(instructions: Instruction[][], pages: Pages): Planned[] {
  let listed = pages;
  const plan = instructions.flatMap((parts, number) =>
    forInstruction(instructions.length, number, () =>
      parts.map((part) => {
        const step = stepOf(part, listed);
        listed = pagesAfter(listed, step);
        return { ...step, instruction: number };
      }),
    ),
  );
  if (plan.length > STEPS)
    throw new DomainError(
      'LIMIT_EXCEEDED',
      `The prompt asks for ${plan.length} changes; at most ${STEPS} are possible in one task`,
    );
  return plan;
}

/** Replaces the names of pages by their slugs. */
function stepOf(instruction: Instruction, pages: Pages): Step {
  const whole = instruction.kind === 'delete';
  const resolved = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(resolved)
      : isPageName(value)
        ? resolvePage(value, pages, { whole })
        : value;
  const step = Object.fromEntries(
    Object.entries(instruction).map(([name, value]) => [name, resolved(value)]),
  ) as unknown as InstructionOf<string>;
  if (isForAll(step)) return { ...step, slugs: 'everywhere' } as Step;
  if (!('slug' in step) || step.slug !== null) return step as Step;
  if (pages.length === 1) return { ...step, slug: pages[0]!.slug };
  throw refuse(`it does not say on which page: name one, e.g. "of ${pages[0]?.slug ?? '/'}"`);
}

/** A misspelled word and the text of a button change everywhere if the prompt names no page. */
const isForAll = (step: InstructionOf<string>) =>
  (step.kind === 'replace' && step.anyCase && step.slugs === null) ||
  (step.kind === 'link' &&
    step.element === 'button' &&
    step.target === undefined &&
    step.slugs === null);

const isPageName = (value: unknown): value is PageName =>
  typeof value === 'object' && value !== null && ('slug' in value || 'title' in value);

/** The site's pages after a step. A new page has no title yet. */
function pagesAfter(pages: Pages, step: Step): Pages {
  if (step.kind === 'create' || step.kind === 'generate')
    return [...pages, { slug: step.path, title: '' }];
  if (step.kind === 'move')
    return pages.map((page) => (page.slug === step.slug ? { ...page, slug: step.to } : page));
  if (step.kind === 'delete') return pages.filter(({ slug }) => !step.slugs.includes(slug));
  return pages;
}
