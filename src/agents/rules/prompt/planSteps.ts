import { defined } from '../../../contract/defined.ts';
import { DomainError } from '../../../errors.ts';
import type { Conversation } from '../../agent.ts';
import type { Field, Instruction, PageName, Scope } from './instructions.ts';
import { forInstruction } from './forInstruction.ts';
import { resolvePage } from './resolvePage.ts';

type Pages = Conversation['pages'];

type Of<Kind extends Instruction['kind']> = Extract<Instruction, { kind: Kind }>;

/**
 * One thing to do, with its pages found: `slugs` null means wherever its text stands, if that is
 * one page.
 */
export type Step =
  /** `ifThere`: a page without the field is fine. */
  | { kind: 'set'; field: Field; slug: string; text: string; old?: string; ifThere?: true }
  | { kind: 'delete'; slugs: string[]; links?: true }
  | { kind: 'create'; slug: string; template: string }
  | { kind: 'generate'; slug: string; template: string; subject: string }
  | { kind: 'move'; slug: string; to: string }
  | {
      kind: 'link';
      element: 'link' | 'button';
      now: string;
      old?: string;
      target?: string;
      text?: string;
      slugs: string[] | 'everywhere' | null;
    }
  | { kind: 'menu'; change: 'add'; slug: string; text?: string; after?: string }
  | { kind: 'menu'; change: 'rename'; now: string; text: string }
  | { kind: 'menu'; change: 'remove'; text?: string; slug?: string }
  | Of<'company'>
  | (Omit<Of<'contact'>, 'pages'> & { slugs?: string[] })
  | { kind: 'year'; from?: string; year: string }
  | OnPages<Of<'replace' | 'price' | 'raise'>>
  | (Omit<Of<'hours'>, 'page'> & { slug: string | null })
  | OnPage<Of<'alt'>>
  | OnPage<Of<'text'>>
  | OnPage<Of<'add'>>
  | Anywhere<Of<'remove' | 'swap' | 'remove-section' | 'move-section'>>;

type OnPage<T> = Omit<T, 'page'> & { slug: string };
/** `slug` null: on the only page that has what is named. */
type Anywhere<T> = T extends unknown ? Omit<T, 'page'> & { slug: string | null } : never;
/** A step of one of these kinds. */
export type StepOf<Kind extends Step['kind']> = Extract<Step, { kind: Kind }>;
/** The same with its page found. */
export type Placed<Kind extends Step['kind']> = StepOf<Kind> & { slug: string };
type OnPages<T> = T extends unknown
  ? Omit<T, 'pages'> & { slugs: string[] | 'everywhere' | null }
  : never;

/** A step, and which instruction of the prompt it is of, from 0. */
export type Planned = Step & { instruction: number };

/** Changes of one prompt: more do not fit into the turns of one task. */
const STEPS = 50;

/**
 * The changes that a prompt asks for. A page that one instruction creates or moves is there for the
 * instructions after it.
 * @throws DomainError INVALID_INPUT where no page, or more than one, has a name, LIMIT_EXCEEDED
 */
export function planSteps(instructions: Instruction[], pages: Pages): Planned[] {
  let listed = pages;
  const plan = instructions.flatMap((instruction, number) =>
    forInstruction(instructions.length, number, () => {
      const steps = stepsOf(instruction, listed);
      listed = steps.reduce(pagesAfter, listed);
      return steps.map((step) => ({ ...step, instruction: number }));
    }),
  );
  if (plan.length > STEPS)
    throw new DomainError(
      'LIMIT_EXCEEDED',
      `The prompt asks for ${plan.length} changes; at most ${STEPS} are possible in one task`,
    );
  return plan;
}

function stepsOf(instruction: Instruction, pages: Pages): Step[] {
  switch (instruction.kind) {
    case 'delete':
      return [
        {
          kind: 'delete',
          slugs: [
            ...new Set(instruction.pages.map((page) => resolvePage(page, pages, { whole: true }))),
          ],
          ...(instruction.links && { links: true as const }),
        },
      ];
    case 'replace':
    case 'price':
    case 'raise': {
      const { pages: scope, ...change } = instruction;
      const isAnywhere = scope === null && 'anyCase' in change;
      return [{ ...change, slugs: isAnywhere ? 'everywhere' : slugsOf(scope, pages) }];
    }
    case 'contact':
      return [contactStep(instruction, pages)];
    case 'company':
      return [instruction];
    case 'year':
      return [{ ...instruction, year: instruction.year ?? String(new Date().getUTCFullYear()) }];
    case 'hours': {
      const { page, ...change } = instruction;
      return [{ ...change, slug: page && resolvePage(page, pages) }];
    }
    case 'menu':
      return [menuStep(instruction, pages)];
    case 'generate':
      return [{ ...instruction, kind: 'generate', template: resolvePage(instruction.from, pages) }];
    case 'create':
      return creation(instruction, pages);
    case 'move':
      return [{ kind: 'move', slug: resolvePage(instruction.page, pages), to: instruction.to }];
    case 'link': {
      const { pages: scope, old, target, ...change } = instruction;
      const slugs = slugsOf(scope, pages);
      return [
        {
          ...change,
          ...defined({
            old: old && addressOf(old, pages),
            target: target && addressOf(target, pages),
          }),
          slugs:
            slugs === null && target === undefined && change.element === 'button'
              ? 'everywhere'
              : slugs,
        },
      ];
    }
    case 'remove':
    case 'swap':
    case 'remove-section':
    case 'move-section': {
      const { page, ...change } = instruction;
      return [
        { ...change, slug: page === null && nameIn(instruction) ? null : onlyPage(page, pages) },
      ];
    }
    default: {
      const { page, ...change } = instruction;
      return [{ ...change, slug: onlyPage(page, pages) }];
    }
  }
}

function contactStep({ pages: named, ...change }: Of<'contact'>, pages: Pages): Step {
  return { ...change, ...defined({ slugs: named?.map((name) => resolvePage(name, pages)) }) };
}

/** The text by which the page of an instruction can be found. */
export function nameIn(
  instruction: Pick<Of<'remove'>, 'kind' | 'now'> | NamedStep,
): string | undefined {
  if (instruction.kind === 'remove') return instruction.now;
  if (instruction.kind === 'swap')
    return instruction.members.find((member) => typeof member === 'string');
  return instruction.name === '' ? undefined : instruction.name;
}

type NamedStep =
  | Pick<Of<'swap'>, 'kind' | 'members'>
  | Pick<Of<'remove-section'>, 'kind' | 'name'>
  | Pick<Of<'move-section'>, 'kind' | 'name'>;

function menuStep(instruction: Of<'menu'>, pages: Pages): Step {
  if (instruction.change === 'rename') return instruction;
  if (instruction.change === 'add') {
    const { page, ...change } = instruction;
    return { ...change, slug: resolvePage(page, pages) };
  }
  const { kind, change, now } = instruction;
  return typeof now === 'string'
    ? { kind, change, text: now }
    : { kind, change, slug: resolvePage(now, pages) };
}

function creation({ slug, from, name, fields, replacements }: Of<'create'>, pages: Pages): Step[] {
  const set = (field: Field, text: string) => ({ kind: 'set' as const, field, slug, text });
  const isNamed = (field: Field) => fields.some((given) => given.field === field);
  const title = fields.find(({ field }) => field === 'title')?.text ?? name;
  return [
    { kind: 'create', slug, template: resolvePage(from, pages) },
    ...replacements.map(({ from, to }): Step => ({ kind: 'replace', from, to, slugs: [slug] })),
    ...(name !== undefined && !isNamed('title') ? [set('title', name)] : []),
    ...fields.map(({ field, text }) => set(field, text)),
    ...(title !== undefined && !isNamed('headline')
      ? [{ ...set('headline', title), ifThere: true as const }]
      : []),
  ];
}

const slugsOf = (scope: Scope, pages: Pages) =>
  Array.isArray(scope) ? scope.map((name) => resolvePage(name, pages)) : scope;

const addressOf = (place: string | PageName, pages: Pages) =>
  typeof place === 'string' ? place : resolvePage(place, pages);

function onlyPage(page: PageName | null, pages: Pages): string {
  if (page !== null) return resolvePage(page, pages);
  if (pages.length === 1) return pages[0]!.slug;
  throw new DomainError(
    'INVALID_INPUT',
    `it does not say on which page: name one, e.g. "of ${pages[0]?.slug ?? '/'}"`,
  );
}

/** The site's pages after a step. A new page has no title yet. */
function pagesAfter(pages: Pages, step: Step): Pages {
  if (step.kind === 'create' || step.kind === 'generate')
    return [...pages, { slug: step.slug, title: '' }];
  if (step.kind === 'move')
    return pages.map((page) => (page.slug === step.slug ? { ...page, slug: step.to } : page));
  if (step.kind === 'delete') return pages.filter(({ slug }) => !step.slugs.includes(slug));
  return pages;
}
