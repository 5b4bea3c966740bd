import { useMemo, useRef, useState } from 'preact/hooks';
import { Refused } from '../../../browser/http.ts';
import { path } from '../../../browser/path.ts';
import type { BatchChecked, Checked, CheckedItem } from '../../../contract/answers.ts';
import { post } from '../client/api.ts';
import { type Options, isBatch } from '../draft.ts';
import { inBatchRow, inRows } from '../rowMessages.ts';
import { inTasks, type Item } from '../table.ts';
import { isToStart, type Line } from '../tableLines.ts';
import { useSameList } from '../useSameList.ts';
import { useTyped } from '../useTyped.ts';

const TYPED_MS = 500;
const TOO_LARGE = 413;
const TOO_MANY_REQUESTS = 429;

export interface Request {
  siteId: string;
  command: 'generate_pages';
  templatePageSlug: string;
  facts?: Options['facts'];
  linkFrom?: string;
}

/** The page that a row asks for. */
export interface RowItem extends Item {
  /** The row's id. */
  id: number;
}

/** What would become of a row's page. */
export interface RowCheck extends Pick<CheckedItem, 'stays' | 'unused' | 'remarks' | 'notes'> {
  problems: string[];
}

export interface TableChecks {
  /** What would become of the pages that were tried, by the row's id. */
  pages: Map<number, RowCheck>;
  /** Why a row can't be started. */
  problemsOf: (line: Line) => string[];
  /** Ids of the rows that can't be started. */
  bad: number[];
  /** Problems of the whole request. */
  problems: string[];
  error?: unknown;
  isChecking: boolean;
  /** What stands beside rows of which nothing else is known. */
  otherwise: 'Checking' | 'Not checked' | 'No problem';
  /** Of a batch: who would make it, and what that takes. */
  cost?: Pick<BatchChecked, 'agent' | 'estimate'> | undefined;
}

/** The body of POST /agent/tasks for the rows' pages. */
export const bodyOf = ({ facts, ...request }: Request, items: Item[]) => ({
  ...request,
  items: items.map(({ targetPageSlug, context }) => ({
    targetPageSlug,
    context,
    ...(facts === 'drop' && { facts }),
  })),
});

/** The body of POST /agent/batches for the rows' pages. */
export const batchBodyOf = ({ command: _, ...request }: Request, items: Item[]) => ({
  ...request,
  rows: items.map(({ targetPageSlug, context }) => ({ targetPageSlug, context })),
});

/**
 * Checks a table, a moment after its last change. Of a batch, one request tells which rows would
 * fail. The pages of the rows that are shown are tried, which takes longer. Nothing is started.
 */
export function useTableChecks(request: Request, lines: Line[], shown: Line[]): TableChecks {
  const key = JSON.stringify(request);
  const toStart = useMemo(() => lines.filter(isToStart), [lines]);
  const isLarge = isBatch(toStart.length);
  const all = useMemo(() => itemsOf(toStart), [toStart]);
  const some = useSameList(isLarge ? itemsOf(shown.filter(isToStart)) : all);
  const known = useRef(new Map<string, RowCheck>()).current;
  const batch = useChecked(isLarge && all, key, (signal) => checkBatch(request, all, signal));
  const tried = useChecked(some, key, async (signal) => {
    const items = isLarge ? some.filter((item) => !known.has(key + keyOf(item))) : some;
    const parts = inTasks(items).map((part) => checkPart(request, part, signal));
    const { rows, problems } = mergeParts(await Promise.all(parts));
    for (const [item, row] of rows) known.set(key + item, row);
    return problems;
  });
  const pages = new Map(
    some.flatMap((item) => {
      const row = known.get(key + keyOf(item));
      return row ? [[item.id, row] as const] : [];
    }),
  );
  const ofBatch = isLarge ? batch.answer : undefined;
  const problemsOf = ({ item, problems }: Line) => [
    ...new Set([
      ...problems,
      ...(ofBatch?.rows.get(keyOf(item)) ?? []),
      ...(pages.get(item.id)?.problems ?? []),
    ]),
  ];
  const isLooking = batch.isChecking || tried.isChecking;
  return {
    pages,
    problemsOf,
    bad: toStart.filter((line) => problemsOf(line).length > 0).map(({ row }) => row.id),
    problems: [...new Set([...(ofBatch?.problems ?? []), ...(tried.answer ?? [])])],
    // Whoever turns the pages of a batch fast sees no more than the rows' problems.
    error: batch.error ?? (isLarge && isTooMany(tried.error) ? undefined : tried.error),
    isChecking: isLarge ? batch.isChecking : tried.isChecking,
    otherwise: isLooking ? 'Checking' : isLarge ? 'No problem' : 'Not checked',
    cost: ofBatch,
  };
}

/** Checks rows a moment after they or the request last changed, and keeps the former answer. */
function useChecked<Answer>(
  items: RowItem[] | false,
  key: string,
  check: (signal: AbortSignal) => Promise<Answer>,
) {
  const asked = useMemo(() => (items && items.length > 0 ? { key } : undefined), [items, key]);
  const [state, setState] = useState<{ asked: unknown; answer?: Answer; error?: unknown }>();
  useTyped(asked, TYPED_MS, (signal) => {
    check(signal)
      .then((answer) => signal.aborted || setState({ asked, answer }))
      .catch((error: unknown) => signal.aborted || setState({ asked, error }));
  });
  const isDone = asked === undefined || state?.asked === asked;
  return { answer: state?.answer, error: isDone ? state?.error : undefined, isChecking: !isDone };
}

const keyOf = ({ id, targetPageSlug, context }: RowItem) => `${id} ${targetPageSlug} ${context}`;

const itemsOf = (lines: Line[]): RowItem[] =>
  lines.filter(({ problems }) => problems.length === 0).map(({ item }) => item);

const isTooMany = (error: unknown) =>
  error instanceof Refused && error.status === TOO_MANY_REQUESTS;

async function checkBatch(request: Request, items: RowItem[], signal: AbortSignal) {
  const body = batchBodyOf(request, items);
  const checked = await post<BatchChecked>(path`/agent/batches/check`, body, {
    signal,
  }).catch((error: unknown) => {
    if (error instanceof Refused && error.status === TOO_LARGE)
      throw new Error('Together, they are over 20 MB. Leave out columns or rows.');
    throw error;
  });
  const rows = checked.rows.map(
    ({ number, problems }) =>
      [
        keyOf(items[number - 1]!),
        // Only what is wrong with a row's request names the API's fields, and other rows.
        problems.map(({ code, message }) =>
          code === 'INVALID_INPUT' ? inBatchRow(message, items) : message,
        ),
      ] as const,
  );
  const problems = checked.problems.map(({ message }) => inRows(message, items));
  return { ...checked, rows: new Map(rows), problems };
}

interface PartCheck {
  /** By `keyOf`. */
  rows: [string, RowCheck][];
  /** Problems of the whole request. */
  problems: string[];
}

const mergeParts = (parts: PartCheck[]): PartCheck => ({
  rows: parts.flatMap(({ rows }) => rows),
  problems: [...new Set(parts.flatMap(({ problems }) => problems))],
});

/** Tries the pages of at most ten rows. */
async function checkPart(
  request: Request,
  part: RowItem[],
  signal: AbortSignal,
): Promise<PartCheck> {
  const { problems, items } = await post<Checked>(path`/agent/tasks/check`, bodyOf(request, part), {
    signal,
  }).catch((error: unknown) => {
    if (!(error instanceof Refused) || error.status !== 400) throw error;
    return { problems: [error], items: [] };
  });
  const ofRows = new Set(items.flatMap((row) => row.problems.map(({ message }) => message)));
  return {
    rows: items.map((row, at) => [
      keyOf(part[at]!),
      { ...row, problems: row.problems.map(({ message }) => inRows(message, part, at)) },
    ]),
    problems: problems
      .map(({ message }) => message)
      .filter((problem) => !ofRows.has(problem))
      .map((problem) => inRows(problem, part)),
  };
}
