import { path } from '../../../editor/public/path.js';
import { useEffect, useRef, useState } from 'preact/hooks';
import { post } from '../client/api.ts';
import { type Checked, problemText, type Stay } from '../client/types.ts';
import { inTasks, type Item } from '../table.ts';

const TYPED_MS = 500;

export interface RowCheck {
  problems: string[];
  stays: Stay[];
  unused: string[];
}

export interface Request {
  siteId: string;
  command: 'generate_pages';
  templatePageSlug: string;
  facts?: 'keep' | 'drop';
  linkFrom?: string;
}

/** A body of POST /agent/tasks, as the rows make it. */
export const bodyOf = ({ facts, ...request }: Request, items: Item[]) => ({
  ...request,
  items: items.map((item) => ({ ...item, ...(facts === 'drop' && { facts }) })),
});

interface Checks {
  /** By address of the new page. */
  rows: Map<string, RowCheck>;
  /** What is wrong with the whole request. */
  problems: string[];
  error?: unknown;
  isChecking: boolean;
}

/** Asks what would become of each row, a moment after the last change, and once for each row. Nothing is started. */
export function useRowChecks(request: Request, items: Item[]): Checks {
  const key = JSON.stringify(bodyOf(request, items));
  const [state, setState] = useState<{ key: string; problems: string[]; error?: unknown }>();
  const seen = useRef(new Map<string, RowCheck>());
  const latest = useRef({ request, items });
  latest.current = { request, items };
  useEffect(() => {
    const gone = new AbortController();
    const timer = setTimeout(() => {
      checkUnseen(latest.current, seen.current, gone.signal)
        .then((problems) => gone.signal.aborted || setState({ key, problems }))
        .catch((error: unknown) => gone.signal.aborted || setState({ key, problems: [], error }));
    }, TYPED_MS);
    return () => {
      gone.abort();
      clearTimeout(timer);
    };
  }, [key]);
  const known = items.map((item) => [item.targetPageSlug, seen.current.get(keyOf(request, item))] as const);
  const rows = new Map(known.filter((each): each is [string, RowCheck] => each[1] !== undefined));
  if (state?.key !== key) return { rows, problems: [], isChecking: true };
  return { rows, problems: state.problems, error: state.error, isChecking: false };
}

const keyOf = (request: Request, item: Item) => JSON.stringify(bodyOf(request, [item]));

/** Checks the rows that were not seen as they are now. @returns what is wrong with the whole request */
async function checkUnseen(
  { request, items }: { request: Request; items: Item[] },
  seen: Map<string, RowCheck>,
  signal: AbortSignal,
): Promise<string[]> {
  const found = new Set<string>();
  for (const part of inTasks(items.filter((item) => !seen.has(keyOf(request, item))))) {
    if (signal.aborted) break;
    const { problems, items: checked = [] } = await post<Checked>(path`/agent/tasks/check`, bodyOf(request, part));
    const ofRows = new Set(checked.flatMap((row) => row.problems.map(problemText)));
    for (const problem of problems.map(problemText)) if (!ofRows.has(problem)) found.add(problem);
    for (const [at, { problems, stays, unused }] of checked.entries())
      if (part[at]) seen.set(keyOf(request, part[at]), { problems: problems.map(problemText), stays, unused });
  }
  return [...found];
}
