import { path } from '../../../browser/path.ts';
import { useEffect, useRef, useState } from 'preact/hooks';
import { post } from '../client/api.ts';
import { Refused } from '../../../browser/http.ts';
import type { Checked, CheckedItem, CheckedNote } from '../../../contract/answers.ts';
import type { CellRemark, StayingText } from '../../../contract/check.ts';
import type { Options } from '../draft.ts';
import { inTasks, type Item } from '../table.ts';
import { inRows } from '../rowMessages.ts';

const TYPED_MS = 500;

export interface RowCheck {
  /** What is wrong with the whole request, whichever its rows are. */
  whole: string[];
  problems: string[];
  stays: StayingText[];
  unused: string[];
  remarks: CellRemark[];
  notes: CheckedNote[];
}

export interface Request {
  siteId: string;
  command: 'generate_pages';
  templatePageSlug: string;
  facts?: Options['facts'];
  linkFrom?: string;
}

/** What a row asks for. */
export interface RowItem extends Item {
  /** The row's. */
  id: number;
}

/** A body of POST /agent/tasks, as the rows make it. */
export const bodyOf = ({ facts, ...request }: Request, items: Item[]) => ({
  ...request,
  items: items.map(({ targetPageSlug, context }) => ({
    targetPageSlug,
    context,
    ...(facts === 'drop' && { facts }),
  })),
});

export interface Checks {
  /** By id of the row. */
  rows: Map<number, RowCheck>;
  /** What is wrong with the whole request. */
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
 * Asks what would become of each row, a moment after the last change, and once for each row.
 * Nothing is started.
 */
export function useRowChecks(request: Request, items: RowItem[]): Checks {
  const key = JSON.stringify(bodyOf(request, items));
  const [state, setState] = useState<{ key: string } & State>();
  const seen = useRef(new Map<string, RowCheck>());
  const latest = useRef({ request, items });
  latest.current = { request, items };
  useEffect(() => {
    const gone = new AbortController();
    const show = (now: State) => gone.signal.aborted || setState({ key, ...now });
    const timer = setTimeout(() => {
      checkUnseen(latest.current, seen.current, gone.signal, (problems) =>
        show({ isDone: false, problems }),
      )
        .then((problems) => show({ isDone: true, problems }))
        .catch((error: unknown) => show({ isDone: true, problems: [], error }));
    }, TYPED_MS);
    return () => {
      gone.abort();
      clearTimeout(timer);
    };
  }, [key]);
  const known = items.map((item) => [item.id, seen.current.get(keyOf(request, item))] as const);
  const rows = new Map(known.filter((each): each is [number, RowCheck] => each[1] !== undefined));
  const now: State = state?.key === key ? state : { problems: [], isDone: false };
  const problems = new Set([...[...rows.values()].flatMap(({ whole }) => whole), ...now.problems]);
  return { rows, problems: [...problems], error: now.error, isChecking: !now.isDone };
}

const keyOf = (request: Request, item: Item) => JSON.stringify(bodyOf(request, [item]));

/**
 * Checks the rows that were not seen as they are now, ten by ten. Ten that are refused hide nothing
 * of the others.
 * @returns what is wrong with the whole request
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
    for (const [at, { problems: own, stays, unused, remarks, notes }] of checked.entries())
      if (part[at]) {
        const said = own.map(({ message }) => inRows(message, part, at));
        seen.set(keyOf(request, part[at]), {
          whole,
          problems: said,
          stays,
          unused,
          remarks,
          notes,
        });
      }
    onPart([...found]);
  }
  return [...found];
}

async function checkPart(
  request: Request,
  part: RowItem[],
): Promise<{ problems: { message: string }[]; items: CheckedItem[] }> {
  try {
    return await post<Checked>(path`/agent/tasks/check`, bodyOf(request, part));
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 400) throw error;
    return { problems: [{ message: error.message }], items: [] };
  }
}
