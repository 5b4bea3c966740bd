import { defined } from '../../../contract/defined.ts';
import { DomainError } from '../../../errors.ts';
import type { Conversation } from '../../agent.ts';
import type { Field, Instruction, PageName, Scope } from './instructions.ts';
import { refuse } from './edits/refuse.ts';
import { forInstruction } from './forInstruction.ts';
import { resolvePage } from './resolvePage.ts';

type Pages = Conversation['pages'];

type Of<Kind extends Instruction['kind']> = Extract<Instruction, { kind: Kind }>;

/** Instructions whose page may be found by the name of the thing that they change. */
type Rearranging = 'remove' | 'swap' | 'remove-section' | 'move-section';

/**
 * One change, with the slugs of its pages. If `slugs` or `slug` is null: the only page that has the
 * text.
 */
export type Step =
  /** `ifThere`: a page without the field is no error. */
  | (OnPage<Of<'set'>> & { ifThere?: true })
  | OnPage<Of<'alt' | 'text' | 'add'>>
  | OnPage<Of<'hours' | Rearranging>, string | null>
  | OnPages<Of<'replace' | 'price' | 'raise'>>
  | OnPages<Omit<Of<'link'>, 'old' | 'target'> & { old?: string; target?: string }>
  | (Omit<Of<'contact'>, 'pages'> & { slugs?: string[] })
  | { kind: 'delete'; slugs: string[]; links?: true }
  | { kind: 'create'; slug: string; template: string }
  | { kind: 'generate'; slug: string; template: string; subject: string }
  | { kind: 'move'; slug: string; to: string }
  | { kind: 'menu'; change: 'add'; slug: string; text?: string; after?: string }
  | { kind: 'menu'; change: 'rename'; now: string; text: string; stop?: true }
  | { kind: 'menu'; change: 'remove'; text?: string; slug?: string }
  | { kind: 'year'; from?: string; year: string }
  | Of<'company'>;

type OnPage<T, Slug = string> = T extends unknown ? Omit<T, 'page'> & { slug: Slug } : never;
type OnPages<T> = T extends unknown
  ? Omit<T, 'pages'> & { slugs: string[] | 'everywhere' | null }
  : never;

export type StepOf<Kind extends Step['kind']> = Extract<Step, { kind: Kind }>;
/** A step whose page is known. */
export type Placed<Kind extends Step['kind']> = StepOf<Kind> & { slug: string };

/** A step, with the index of its instruction. */
export type Planned = Step & { instruction: number };

/** Most steps of one prompt. More do not fit into one task. */
const STEPS = 50;

/**
 * Turns instructions into steps. An instruction finds pages that earlier ones created or moved.
 * @throws DomainError INVALID_INPUT if no page, or more than one, has a name; LIMIT_EXCEEDED
 */
export function planSteps(instructions: Instruction[], pages: Pages): Planned[] {
  let listed = pages;
  const plan = instructions.flatMap((instruction, number) =>
    forInstruction(instructions.length, number, () => {
      const steps =
        instruction.kind === 'create'
          ? creation(instruction, listed)
          : [stepOf(instruction, listed)];
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

function stepOf(instruction: Exclude<Instruction, Of<'create'>>, pages: Pages): Step {
  const slugOf = (name: PageName) => resolvePage(name, pages);
  const slugsOf = (scope: Scope) => (Array.isArray(scope) ? scope.map(slugOf) : scope);
  const addressOf = (place: string | PageName | undefined) =>
    typeof place === 'object' ? slugOf(place) : place;
  switch (instruction.kind) {
    case 'company':
      return instruction;
    case 'year':
      return { ...instruction, year: instruction.year ?? String(new Date().getUTCFullYear()) };
    case 'delete': {
      const { pages: names, ...change } = instruction;
      const slugs = names.map((name) => resolvePage(name, pages, { whole: true }));
      return { ...change, slugs: [...new Set(slugs)] };
    }
    case 'replace':
    case 'price':
    case 'raise': {
      const { pages: scope, ...change } = instruction;
      const isAnywhere = scope === null && 'anyCase' in change;
      return { ...change, slugs: isAnywhere ? 'everywhere' : slugsOf(scope) };
    }
    case 'contact': {
      const { pages: names, ...change } = instruction;
      return { ...change, ...defined({ slugs: names?.map(slugOf) }) };
    }
    case 'hours': {
      const { page, ...change } = instruction;
      return { ...change, slug: page && slugOf(page) };
    }
    case 'menu':
      return menuStep(instruction, slugOf);
    case 'generate': {
      const { from, ...change } = instruction;
      return { ...change, template: slugOf(from) };
    }
    case 'move': {
      const { page, ...change } = instruction;
      return { ...change, slug: slugOf(page) };
    }
    case 'link': {
      const { pages: scope, old, target, ...change } = instruction;
      const isAnywhere = scope === null && target === undefined && change.element === 'button';
      const addresses = defined({ old: addressOf(old), target: addressOf(target) });
      return { ...change, ...addresses, slugs: isAnywhere ? 'everywhere' : slugsOf(scope) };
    }
    case 'remove':
    case 'swap':
    case 'remove-section':
    case 'move-section': {
      const { page, ...change } = instruction;
      const isFound = page === null && nameIn(instruction) !== undefined;
      return { ...change, slug: isFound ? null : onlyPage(page, pages) };
    }
    default: {
      const { page, ...change } = instruction;
      return { ...change, slug: onlyPage(page, pages) };
    }
  }
}

/** The text by which an instruction's page is found, if it names no page. */
export function nameIn(change: Of<Rearranging> | StepOf<Rearranging>): string | undefined {
  if (change.kind === 'remove') return change.now;
  if (change.kind === 'swap') return change.members.find((member) => typeof member === 'string');
  return change.name || undefined;
}

function menuStep(instruction: Of<'menu'>, slugOf: (name: PageName) => string): Step {
  if (instruction.change === 'rename') return instruction;
  if (instruction.change === 'add') {
    const { page, ...change } = instruction;
    return { ...change, slug: slugOf(page) };
  }
  const { now, ...change } = instruction;
  return typeof now === 'string' ? { ...change, text: now } : { ...change, slug: slugOf(now) };
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

function onlyPage(page: PageName | null, pages: Pages): string {
  if (page !== null) return resolvePage(page, pages);
  if (pages.length === 1) return pages[0]!.slug;
  throw refuse(`it does not say on which page: name one, e.g. "of ${pages[0]?.slug ?? '/'}"`);
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
