import { path } from '../../../browser/path.ts';
import { useRef, useState } from 'preact/hooks';
import { post } from '../client/api.ts';
import { Refused } from '../../../browser/http.ts';
import type { Checked, CheckedItem } from '../../../contract/answers.ts';
import type { Options } from '../draft.ts';
import { useTyped } from '../useTyped.ts';
import { inTasks, type Item } from '../table.ts';
import type { CheckProblem } from '../../../contract/check.ts';
import { inRows } from '../rowMessages.ts';

const TYPED_MS = 500;

export interface RowCheck extends Pick<CheckedItem, 'stays' | 'unused' | 'remarks' | 'notes'> {
  /** Problems of the whole request, whichever rows it has. */
  whole: string[];
  problems: string[];
}

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

/** The body of POST /agent/tasks for the rows' pages. */
export const bodyOf = ({ facts, ...request }: Request, items: Item[]) => ({
  ...request,
  items: items.map(({ targetPageSlug, context }) => ({
    targetPageSlug,
    context,
    ...(facts === 'drop' && { facts }),
  })),
});

export interface Checks {
  /** By the row's id. */
  rows: Map<number, RowCheck>;
  /** Problems of the whole request. */
  problems: string[];
  error?: unknown;
  isChecking: boolean;
}

interface State {
  isDone: boolean;
  problems: string[];
  error?: unknown;
}

/**
 * Checks what would become of each row, a moment after the last change. An unchanged row is checked
 * only once. Nothing is started.
 */
export function useRowChecks(request: Request, items: RowItem[]): Checks {
  const key = JSON.stringify(bodyOf(request, items));
  const [state, setState] = useState<{ key: string } & State>();
  const seen = useRef(new Map<string, RowCheck>());
  const latest = useRef({ request, items });
  latest.current = { request, items };
  useTyped(key, TYPED_MS, (signal) => {
    const show = (now: State) => signal.aborted || setState({ key, ...now });
    checkUnseen(latest.current, seen.current, signal, (problems) =>
      show({ isDone: false, problems }),
    )
      .then((problems) => show({ isDone: true, problems }))
      .catch((error: unknown) => show({ isDone: true, problems: [], error }));
  });
  const known = items.map((item) => [item.id, seen.current.get(keyOf(request, item))] as const);
  const rows = new Map(known.filter((each): each is [number, RowCheck] => each[1] !== undefined));
  const now: State = state?.key === key ? state : { problems: [], isDone: false };
  const problems = new Set([...[...rows.values()].flatMap(({ whole }) => whole), ...now.problems]);
  return { rows, problems: [...problems], error: now.error, isChecking: !now.isDone };
}

const keyOf = (request: Request, item: Item) => JSON.stringify(bodyOf(request, [item]));

/**
 * Checks the new and changed rows, ten at a time. Other rows are still checked if ten are refused.
 * @returns the problems of the whole request
 */
async function checkUnseen(
  { request, items }: { request: Request; items: RowItem[] },
  seen: Map<string, RowCheck>,
  signal: AbortSignal,
  onPart: (problems: string[]) => void,
): Promise<string[]> {
  const found = new Set<string>();
  for (const part of inTasks(items.filter((item) => !seen.has(keyOf(request, item))))) {
    if (signal.aborted) break;
    const { problems, items: checked } = await checkPart(request, part);
    const ofRows = new Set(checked.flatMap((row) => row.problems.map(({ message }) => message)));
    const others = problems.map(({ message }) => message).filter((problem) => !ofRows.has(problem));
    for (const problem of others) found.add(inRows(problem, part));
    const whole = others
      .filter((problem) => !problem.includes('items['))
      .map((problem) => inRows(problem, part));
    for (const [at, item] of part.entries()) {
      const row = checked[at];
      const said = row?.problems.map(({ message }) => inRows(message, part, at)) ?? [];
      if (row) seen.set(keyOf(request, item), { ...row, whole, problems: said });
    }
    onPart([...found]);
  }
  return [...found];
}

async function checkPart(
  request: Request,
  part: RowItem[],
): Promise<{ problems: Pick<CheckProblem, 'message'>[]; items: CheckedItem[] }> {
  try {
    return await post<Checked>(path`/agent/tasks/check`, bodyOf(request, part));
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 400) throw error;
    return { problems: [{ message: error.message }], items: [] };
  }
}
