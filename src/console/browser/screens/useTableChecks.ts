import { useMemo } from 'preact/hooks';
import { Refused } from '../../../browser/http.ts';
import { isBatch } from '../draft.ts';
import type { Estimate } from '../estimates.ts';
import { isToStart, type Line } from '../tableLines.ts';
import { useBatchCheck } from './useBatchCheck.ts';
import { type Checks, type Request, useRowChecks } from './useRowChecks.ts';

export interface TableChecks extends Omit<Checks, 'rows'> {
  /** What became of the pages that were tried, by the row's id. */
  pages: Checks['rows'];
  /** Why a row can't be started. */
  problemsOf: (line: Line) => string[];
  /** Ids of the rows that can't be started. */
  bad: number[];
  /** What stands beside rows of which nothing else is known. */
  otherwise: 'Checking' | 'Not checked' | 'No problem';
  /** Of a batch: who would make it, and what that takes. */
  cost?: { agent: string; estimate: Estimate | undefined } | undefined;
}

const none: Line[] = [];
const TOO_MANY_REQUESTS = 429;

/**
 * Checks a table. Of a batch, one request tells which rows would fail; the pages of the rows that
 * are shown are tried too, which takes longer.
 */
export function useTableChecks(request: Request, lines: Line[], shown: Line[]): TableChecks {
  const toStart = useMemo(() => lines.filter(isToStart), [lines]);
  const isLarge = isBatch(toStart.length);
  const asked = useMemo(() => itemsOf(isLarge ? toStart : none), [toStart]);
  const batch = useBatchCheck(request, asked);
  const good = (line: Line) => isToStart(line) && batch.rows.get(line.row.id)?.length === 0;
  const tried = useRowChecks(request, itemsOf(isLarge ? shown.filter(good) : toStart));
  const problemsOf = ({ row: { id }, problems }: Line) => [
    ...new Set([
      ...problems,
      ...(batch.rows.get(id) ?? []),
      ...(tried.rows.get(id)?.problems ?? []),
    ]),
  ];
  const bad = toStart.filter((line) => problemsOf(line).length > 0).map(({ row }) => row.id);
  const { rows: pages, problems, error, isChecking } = tried;
  if (!isLarge)
    return {
      pages,
      problems,
      error,
      isChecking,
      problemsOf,
      bad,
      otherwise: isChecking ? 'Checking' : 'Not checked',
    };
  const { agent, estimate } = batch;
  const isLooking = batch.isChecking || isChecking;
  return {
    pages,
    problems: [...new Set([...batch.problems, ...problems])],
    // Whoever turns the pages fast sees no more than the rows' problems.
    error: batch.error ?? (isTooMany(error) ? undefined : error),
    isChecking: batch.isChecking,
    problemsOf,
    bad,
    otherwise: isLooking ? 'Checking' : 'No problem',
    cost: agent === undefined ? undefined : { agent, estimate },
  };
}

const itemsOf = (lines: Line[]) =>
  lines.filter(({ problems }) => problems.length === 0).map(({ item }) => item);

const isTooMany = (error: unknown) =>
  error instanceof Refused && error.status === TOO_MANY_REQUESTS;
