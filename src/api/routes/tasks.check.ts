import type { ValidationErrorItem } from 'joi';
import type { CheckedItem } from '../../contract/check.ts';
import { checkAs, longestProblem, mostProblems } from '../middleware/validate.ts';
import { readSlug } from '../slugSchemas.ts';
import type { CreateRequest } from '../../tasks/create.ts';
import { createTaskBody } from './tasks.schema.ts';

/** The body of a check, apart from its malformed items. */
export interface CheckedBody {
  /** The body without the malformed items. */
  body: CreateRequest;
  /** Malformed items with their problems, by index in the request. */
  faulty: FaultyItems;
}

/** An item that could not be checked. Its slug is null if it is not a valid one. */
export type FaultyItem = Omit<CheckedItem, 'targetPageSlug'> & { targetPageSlug: string | null };

export type FaultyItems = ReadonlyMap<number, FaultyItem>;

type Items = { targetPageSlug?: unknown }[];

/**
 * Validates the body of a check like that of a creation. A malformed item is reported as that
 * item's problem.
 * @throws DomainError INVALID_INPUT for any other fault, with the same message as a creation
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
  // a wrong linkFrom may be an item's problem
  const body: unknown = { ...result.value, items: [], linkFrom: undefined };
  return { body: body as CreateRequest, faulty };
}

/**
 * The index of the item that a problem is about. If `linkFrom` names an item's own page, that is
 * this item's problem.
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

/** Merges checked and malformed items in the order of the request. */
export function withFaulty(checked: CheckedItem[], faulty: FaultyItems): FaultyItem[] {
  const items: FaultyItem[] = [...checked];
  for (const at of [...faulty.keys()].toSorted((one, other) => one - other))
    items.splice(at, 0, faulty.get(at)!);
  return items;
}
