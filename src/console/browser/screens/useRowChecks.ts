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

/** Asks what would become of each row, a moment after the last change. Nothing is started. */
export function useRowChecks(request: Request, items: Item[]): Checks {
  const key = JSON.stringify(bodyOf(request, items));
  const [checks, setChecks] = useState<Checks & { key: string }>();
  const latest = useRef({ request, items });
  latest.current = { request, items };
  useEffect(() => {
    let isGone = false;
    const check = async () => {
      const { request, items } = latest.current;
      const answers: Checked[] = [];
      for (const part of inTasks(items)) {
        if (isGone) return;
        answers.push(await post<Checked>('/agent/tasks/check', bodyOf(request, part)));
      }
      if (!isGone) setChecks({ key, ...read(answers, items), isChecking: false });
    };
    const timer = setTimeout(() => {
      check().catch((error: unknown) => {
        if (!isGone) setChecks({ key, rows: new Map(), problems: [], error, isChecking: false });
      });
    }, TYPED_MS);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [key]);
  if (checks?.key === key) return checks;
  return { rows: checks?.rows ?? new Map<string, RowCheck>(), problems: [], isChecking: true };
}

function read(answers: Checked[], items: Item[]): Pick<Checks, 'rows' | 'problems'> {
  const rows = new Map<string, RowCheck>();
  const parts = inTasks(items);
  for (const [at, { items: checked = [] }] of answers.entries())
    for (const [index, { problems, stays, unused }] of checked.entries()) {
      const slug = parts[at]?.[index]?.targetPageSlug;
      if (slug) rows.set(slug, { problems: problems.map(problemText), stays, unused });
    }
  const problems = [...new Set(answers.flatMap(({ problems }) => problems.map(problemText)))];
  const ofRows = new Set([...rows.values()].flatMap((row) => row.problems));
  return { rows, problems: problems.filter((problem) => !ofRows.has(problem)) };
}
