import type { ValidationErrorItem } from 'joi';
import type { CheckedItem } from '../../contract/check.ts';
import { checkAs, longestProblem, mostProblems } from '../middleware/validate.ts';
import { readSlug } from '../slugSchemas.ts';
import type { CreateRequest } from '../../tasks/create.ts';
import { createTaskBody } from './tasks.schema.ts';

/** A body of which some items may not be as the schema wants them. */
export interface CheckedBody {
  /** Without those items. */
  body: CreateRequest;
  /** What those items are told, by their place in the request. */
  faulty: FaultyItems;
}

/** An item that nothing was made of. Its address is null where it can't be one. */
export type FaultyItem = Omit<CheckedItem, 'targetPageSlug'> & { targetPageSlug: string | null };

export type FaultyItems = ReadonlyMap<number, FaultyItem>;

type Items = { targetPageSlug?: unknown }[];

/**
 * Reads the body of a check as the creation does, but for items: what is wrong with one of them is
 * that item's problem.
 * @throws DomainError INVALID_INPUT where anything else is wrong, in the creation's words
 */
export function readCheckBody(given: unknown): CheckedBody {
  const result = createTaskBody.validate(given, {
    abortEarly: false,
    convert: false,
    errors: { wrap: { label: false } },
  });
  if (!result.error) return { body: result.value, faulty: new Map() };
  const { details } = result.error;
  if (!details.every((problem) => itemOf(problem) !== undefined))
    return { body: checkAs(createTaskBody, given), faulty: new Map() };
  const raw = given as { items: Items; linkFrom?: unknown };
  const byItem = Map.groupBy(details, (problem) => itemOf(problem)!);
  const faulty = new Map(
    [...byItem].map(([at, problems]) => [at, faultyItem(raw.items[at], problems)] as const),
  );
  const items = raw.items.filter((_, at) => !faulty.has(at));
  if (items.length > 0) return { body: checkAs(createTaskBody, { ...raw, items }), faulty };
  // the page that links to the new ones may be what is wrong with an item
  const body: unknown = { ...result.value, items: [], linkFrom: undefined };
  return { body: body as CreateRequest, faulty };
}

/**
 * The item that a problem is about. A page that can't be linked from, as it is an item's own, is
 * that item's.
 */
function itemOf({ path: [field, index], context }: ValidationErrorItem): number | undefined {
  const at =
    field === 'items' ? index : field === 'linkFrom' ? (context?.['twin'] as unknown) : undefined;
  return typeof at === 'number' ? at : undefined;
}

function faultyItem(
  item: Items[number] | null | undefined,
  problems: ValidationErrorItem[],
): FaultyItem {
  const told = problems.slice(0, mostProblems);
  return {
    targetPageSlug: readSlug(item?.targetPageSlug),
    problems: told.map(({ message }) => ({
      code: 'INVALID_INPUT',
      message: message.slice(0, longestProblem),
    })),
    unused: [],
    stays: [],
    remarks: [],
    notes: [],
  };
}

/**
 * All items in the order of the request: those that were checked, with those that could not be
 * among them.
 */
export function withFaulty(checked: CheckedItem[], faulty: FaultyItems): FaultyItem[] {
  const items: FaultyItem[] = [...checked];
  for (const at of [...faulty.keys()].toSorted((one, other) => one - other))
    items.splice(at, 0, faulty.get(at)!);
  return items;
}
