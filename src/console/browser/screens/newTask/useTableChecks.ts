import { useMemo, useRef, useState } from 'preact/hooks';
import { RefusedRequestError } from '../../../../browser/sendRequest.ts';
import { hostPath } from '../../../../browser/hostPath.ts';
import type {
  BatchCheckResponse,
  TaskCheckResponse,
  CheckedItemResponse,
} from '../../../../contract/responses.ts';
import { post } from '../../client/api.ts';
import { type DraftOptions, isBatchSize } from '../../table/tableDraft.ts';
import { messageInBatchRow, messageInRows } from '../../table/rowMessages.ts';
import { chunkForTasks, type DraftItem } from '../../table/tableColumns.ts';
import { isToStart, type DraftLine } from '../../table/draftLines.ts';
import { useSameList } from '../../useSameList.ts';
import { useTyped } from '../../useTyped.ts';

const TYPED_MS = 500;
const TOO_LARGE = 413;
const TOO_MANY_REQUESTS = 429;

/** The fields of a request that are the same for all rows of the table. */
export interface TableRequest {
  siteId: string;
  command: 'generate_pages';
  templatePageSlug: string;
  facts?: DraftOptions['facts'];
  linkFrom?: string;
}

/** The new page of a row. */
export interface RowItem extends DraftItem {
  /** The row's id. */
  id: number;
}

/** What the service found when it tried a row's page. */
export interface RowCheck extends Pick<
  CheckedItemResponse,
  'stays' | 'unused' | 'remarks' | 'notes'
> {
  problems: string[];
}

/** What the checks have found so far, for the rows and for the whole request. */
export interface TableChecks {
  /** The results for the pages that were tried, by the row's id. */
  pages: Map<number, RowCheck>;
  /** Why a row can't be started. */
  problemsOf: (line: DraftLine) => string[];
  /** Ids of the rows that can't be started. */
  bad: number[];
  /** Problems of the whole request. */
  problems: string[];
  error?: unknown;
  isChecking: boolean;
  /** What the table shows for rows without a result. */
  otherwise: 'Checking' | 'Not checked' | 'No problem';
  /** For a batch: the agent that would write the pages, and the estimated cost. */
  cost?: Pick<BatchCheckResponse, 'agent' | 'estimate'> | undefined;
}

/** The body of POST /agent/tasks for the rows' pages. */
export const taskRequestBody = ({ facts, ...request }: TableRequest, items: DraftItem[]) => ({
  ...request,
  items: items.map(({ targetPageSlug, context }) => ({
    targetPageSlug,
    context,
    ...(facts === 'drop' && { facts }),
  })),
});

/** The body of POST /agent/batches for the rows' pages. */
export const batchRequestBody = ({ command: _, ...request }: TableRequest, items: DraftItem[]) => ({
  ...request,
  rows: items.map(({ targetPageSlug, context }) => ({ targetPageSlug, context })),
});

/**
 * Checks a table half a second after its last change. Starts nothing. For a batch, one request
 * finds the rows that would fail. In addition, the service tries the pages of the rows that are
 * shown, which takes longer. For a task, it tries all pages.
 */
export function useTableChecks(
  request: TableRequest,
  lines: DraftLine[],
  shownLineList: DraftLine[],
): TableChecks {
  const requestKey = JSON.stringify(request);
  const toStart = useMemo(() => lines.filter(isToStart), [lines]);
  const isLarge = isBatchSize(toStart.length);
  const allItems = useMemo(() => itemsToCheck(toStart), [toStart]);
  const triedItems = useSameList(
    isLarge ? itemsToCheck(shownLineList.filter(isToStart)) : allItems,
  );
  const knownChecks = useRef(new Map<string, RowCheck>()).current;
  const batchCheck = useChecked(isLarge && allItems, requestKey, (signal) =>
    checkWholeBatch(request, allItems, signal),
  );
  const triedCheck = useChecked(triedItems, requestKey, async (signal) => {
    const uncheckedItems = isLarge
      ? triedItems.filter((item) => !knownChecks.has(requestKey + rowItemKey(item)))
      : triedItems;
    const partChecks = chunkForTasks(uncheckedItems).map((itemPart) =>
      checkPart(request, itemPart, signal),
    );
    const { rows, problems } = mergeParts(await Promise.all(partChecks));
    for (const [item, row] of rows) knownChecks.set(requestKey + item, row);
    return problems;
  });
  const pages = new Map(
    triedItems.flatMap((item) => {
      const row = knownChecks.get(requestKey + rowItemKey(item));
      return row ? [[item.id, row] as const] : [];
    }),
  );
  const batchAnswer = isLarge ? batchCheck.answer : undefined;
  const problemsOf = ({ item, problems }: DraftLine) => [
    ...new Set([
      ...problems,
      ...(batchAnswer?.rows.get(rowItemKey(item)) ?? []),
      ...(pages.get(item.id)?.problems ?? []),
    ]),
  ];
  const isLooking = batchCheck.isChecking || triedCheck.isChecking;
  return {
    pages,
    problemsOf,
    bad: toStart.filter((line) => problemsOf(line).length > 0).map(({ row }) => row.id),
    problems: [...new Set([...(batchAnswer?.problems ?? []), ...(triedCheck.answer ?? [])])],
    // A person who turns the pages of a batch too fast still sees the problems of its rows.
    error:
      batchCheck.error ?? (isLarge && isTooMany(triedCheck.error) ? undefined : triedCheck.error),
    isChecking: isLarge ? batchCheck.isChecking : triedCheck.isChecking,
    otherwise: isLooking ? 'Checking' : isLarge ? 'No problem' : 'Not checked',
    cost: batchAnswer,
  };
}

/** Runs a check when items or the request have changed. Keeps the last answer until then. */
function useChecked<Answer>(
  items: RowItem[] | false,
  requestKey: string,
  runCheck: (signal: AbortSignal) => Promise<Answer>,
) {
  const checkedRequest = useMemo(
    () => (items && items.length > 0 ? { key: requestKey } : undefined),
    [items, requestKey],
  );
  const [state, setState] = useState<{ asked: unknown; answer?: Answer; error?: unknown }>();
  useTyped(checkedRequest, TYPED_MS, (signal) => {
    runCheck(signal)
      .then((answer) => signal.aborted || setState({ asked: checkedRequest, answer }))
      .catch((error: unknown) => signal.aborted || setState({ asked: checkedRequest, error }));
  });
  const isDone = checkedRequest === undefined || state?.asked === checkedRequest;
  return { answer: state?.answer, error: isDone ? state?.error : undefined, isChecking: !isDone };
}

const rowItemKey = ({ id, targetPageSlug, context }: RowItem) =>
  `${id} ${targetPageSlug} ${context}`;

const itemsToCheck = (lines: DraftLine[]): RowItem[] =>
  lines.filter(({ problems }) => problems.length === 0).map(({ item }) => item);

const isTooMany = (error: unknown) =>
  error instanceof RefusedRequestError && error.status === TOO_MANY_REQUESTS;

async function checkWholeBatch(request: TableRequest, items: RowItem[], signal: AbortSignal) {
  const body = batchRequestBody(request, items);
  const batchCheck = await post<BatchCheckResponse>(hostPath`/agent/batches/check`, body, {
    signal,
  }).catch((error: unknown) => {
    if (error instanceof RefusedRequestError && error.status === TOO_LARGE)
      throw new Error('Together, the rows are larger than 20 MB. Leave out columns or rows.');
    throw error;
  });
  const rows = batchCheck.rows.map(
    ({ number, problems }) =>
      [
        rowItemKey(items[number - 1]!),
        // Only messages about an invalid request name fields of the API and other rows.
        problems.map(({ code, message }) =>
          code === 'INVALID_INPUT' ? messageInBatchRow(message, items) : message,
        ),
      ] as const,
  );
  const problems = batchCheck.problems.map(({ message }) => messageInRows(message, items));
  return { ...batchCheck, rows: new Map(rows), problems };
}

interface PartCheck {
  /** The results, each with the row's `rowItemKey`. */
  rows: [string, RowCheck][];
  /** Problems of the whole request. */
  problems: string[];
}

const mergeParts = (parts: PartCheck[]): PartCheck => ({
  rows: parts.flatMap(({ rows }) => rows),
  problems: [...new Set(parts.flatMap(({ problems }) => problems))],
});

/** Lets the service try the pages of at most ten rows. */
async function checkPart(
  request: TableRequest,
  itemPart: RowItem[],
  signal: AbortSignal,
): Promise<PartCheck> {
  const { problems, items } = await post<TaskCheckResponse>(
    hostPath`/agent/tasks/check`,
    taskRequestBody(request, itemPart),
    {
      signal,
    },
  ).catch((error: unknown) => {
    if (!(error instanceof RefusedRequestError) || error.status !== 400) throw error;
    return { problems: [error], items: [] };
  });
  const rowProblems = new Set(items.flatMap((row) => row.problems.map(({ message }) => message)));
  return {
    rows: items.map((row, index) => [
      rowItemKey(itemPart[index]!),
      {
        ...row,
        problems: row.problems.map(({ message }) => messageInRows(message, itemPart, index)),
      },
    ]),
    problems: problems
      .map(({ message }) => message)
      .filter((problem) => !rowProblems.has(problem))
      .map((problem) => messageInRows(problem, itemPart)),
  };
}
