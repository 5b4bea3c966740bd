import type { ValidationErrorItem } from 'joi';
import type { ItemCheck } from '../../../contract/checks.ts';
import { checkAs, longestProblem, mostProblems } from '../../middleware/validate.ts';
import { readSlug } from '../../slugSchemas.ts';
import type { CreateTaskRequest } from '../../../tasks/createTask.ts';
import { createTaskBody } from './tasks.schema.ts';

/** The body of a check, separated into what can be checked and its malformed items. */
export interface TaskCheckBody {
  /** The body without the malformed items. */
  body: CreateTaskRequest;
  /** Malformed items with their problems, by index in the request. */
  faulty: InvalidItems;
}

/** A malformed item with its problems. Its slug is null if it is not a valid one. */
export type InvalidItem = Omit<ItemCheck, 'targetPageSlug'> & { targetPageSlug: string | null };

export type InvalidItems = ReadonlyMap<number, InvalidItem>;

type RequestedItems = { targetPageSlug?: unknown }[];

/**
 * Validates the body of POST /agent/tasks/check like that of POST /agent/tasks, except that a
 * malformed item becomes a problem of that item: the other items are still checked.
 * @throws DomainError INVALID_INPUT for any other problem, with the same message as a creation
 */
export function readCheckBody(givenBody: unknown): TaskCheckBody {
  const result = createTaskBody.validate(givenBody, {
    abortEarly: false,
    convert: false,
    errors: { wrap: { label: false } },
  });
  if (!result.error) return { body: result.value, faulty: new Map() };
  const { details } = result.error;
  if (!details.every((problem) => itemIndex(problem) !== undefined))
    return { body: checkAs(createTaskBody, givenBody), faulty: new Map() };
  const rawBody = givenBody as { items: RequestedItems; linkFrom?: unknown };
  const byItem = Map.groupBy(details, (problem) => itemIndex(problem)!);
  const invalidItems = new Map(
    [...byItem].map(
      ([index, problems]) => [index, invalidItem(rawBody.items[index], problems)] as const,
    ),
  );
  const items = rawBody.items.filter((_, index) => !invalidItems.has(index));
  if (items.length > 0)
    return { body: checkAs(createTaskBody, { ...rawBody, items }), faulty: invalidItems };
  // without linkFrom, whose problem may be reported with an item
  const body: unknown = { ...result.value, items: [], linkFrom: undefined };
  return { body: body as CreateTaskRequest, faulty: invalidItems };
}

/**
 * The index of the item that a problem is about. If `linkFrom` names an item's own page, that is
 * this item's problem.
 */
function itemIndex({ path: [field, index], context }: ValidationErrorItem): number | undefined {
  const itemPosition =
    field === 'items' ? index : field === 'linkFrom' ? (context?.['twin'] as unknown) : undefined;
  return typeof itemPosition === 'number' ? itemPosition : undefined;
}

function invalidItem(
  item: RequestedItems[number] | null | undefined,
  problems: ValidationErrorItem[],
): InvalidItem {
  const reportedProblems = problems.slice(0, mostProblems);
  return {
    targetPageSlug: readSlug(item?.targetPageSlug),
    problems: reportedProblems.map(({ message }) => ({
      code: 'INVALID_INPUT',
      message: message.slice(0, longestProblem),
    })),
    unused: [],
    stays: [],
    remarks: [],
    notes: [],
  };
}

/** Merges the checked and the malformed items, in the order of the request. */
export function mergeInvalidItems(
  checkedItems: ItemCheck[],
  invalidItems: InvalidItems,
): InvalidItem[] {
  const items: InvalidItem[] = [...checkedItems];
  for (const index of [...invalidItems.keys()].toSorted(
    (firstIndex, secondIndex) => firstIndex - secondIndex,
  ))
    items.splice(index, 0, invalidItems.get(index)!);
  return items;
}
