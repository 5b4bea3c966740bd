import { useMemo, useRef, useState } from 'preact/hooks';
import { path } from '../../../browser/path.ts';
import { Refused } from '../../../browser/http.ts';
import type { BatchChecked } from '../../../contract/answers.ts';
import type { CheckProblem } from '../../../contract/check.ts';
import { postBatch } from '../client/api.ts';
import { type Estimate, shareOf, sumOf } from '../estimates.ts';
import { inBatchRow, inRows } from '../rowMessages.ts';
import type { Item } from '../table.ts';
import { useTyped } from '../useTyped.ts';
import type { Request, RowItem } from './useRowChecks.ts';

const TYPED_MS = 500;

/** What the check said of a row. */
interface RowFound {
  problems: string[];
  /** What a language model would use for the row. Absent for the embedded agent. */
  estimate?: Estimate | undefined;
}

export interface BatchCheck {
  /** Problems of the rows that were checked, by their ids. */
  rows: Map<number, string[]>;
  /** Problems of the batch as a whole. */
  problems: string[];
  /** Who would make the pages: `rules`, or a language model. */
  agent: string | undefined;
  /** Of all rows without problems. */
  estimate: Estimate | undefined;
  error: unknown;
  isChecking: boolean;
}

/** The body of POST /agent/batches for the rows' pages. */
export const batchBodyOf = (
  { siteId, templatePageSlug, facts, linkFrom }: Request,
  items: Item[],
) => ({
  siteId,
  templatePageSlug,
  ...(facts && { facts }),
  ...(linkFrom && { linkFrom }),
  rows: items.map(({ targetPageSlug, context }) => ({ targetPageSlug, context })),
});

interface Asked {
  key: string;
  request: Request;
  items: RowItem[];
}

/** What is known of requests and their rows. */
class Known {
  /** By `keyOf`. */
  readonly rows = new Map<string, RowFound>();
  /** By the request's key. */
  readonly wholes = new Map<string, Pick<BatchCheck, 'problems' | 'agent'>>();
}

const keyOf = ({ key }: Asked, { targetPageSlug, context }: Item) =>
  `${key} ${targetPageSlug} ${context}`;

/**
 * Checks the rows of a batch by one request, a moment after the last change. An unchanged row is
 * checked only once. Nothing is started.
 * @param items the same list as long as no row changes; none: there is nothing to check
 */
export function useBatchCheck(request: Request, items: RowItem[]): BatchCheck {
  const key = JSON.stringify(request);
  const asked = useMemo((): Asked => ({ key, request, items }), [key, items]);
  const known = useRef(new Known()).current;
  const [state, setState] = useState<{ asked: Asked; error?: unknown }>();
  useTyped(items.length > 0 ? asked : undefined, TYPED_MS, (signal) => {
    checkUnseen(asked, known, signal)
      .then(() => signal.aborted || setState({ asked }))
      .catch((error: unknown) => signal.aborted || setState({ asked, error }));
  });
  const found = useMemo(() => foundIn(asked, known), [asked, state]);
  const isDone = items.length === 0 || state?.asked === asked;
  return { ...found, error: isDone ? state?.error : undefined, isChecking: !isDone };
}

function foundIn(asked: Asked, { rows, wholes }: Known) {
  const found = asked.items.flatMap((item) => {
    const row = rows.get(keyOf(asked, item));
    return row ? [[item.id, row] as const] : [];
  });
  return {
    rows: new Map(found.map(([id, { problems }]) => [id, problems])),
    estimate: sumOf(found.map(([, { estimate }]) => estimate)),
    problems: [],
    agent: undefined,
    ...wholes.get(asked.key),
  };
}

/** Checks the new and changed rows. */
async function checkUnseen(asked: Asked, known: Known, signal: AbortSignal): Promise<void> {
  const unseen = asked.items.filter((item) => !known.rows.has(keyOf(asked, item)));
  if (unseen.length === 0) return;
  const checked = await check(asked.request, unseen, signal);
  const { problems, agent, rows, make, estimate } = checked;
  const said = problems.map(({ message }) => inRows(message, unseen));
  known.wholes.set(asked.key, { problems: said, agent });
  const wrong = new Map(rows.map(({ number, problems: ofRow }) => [number, ofRow]));
  const share = estimate && shareOf(estimate, make);
  for (const [at, item] of unseen.entries()) {
    const ofRow = wrong.get(at + 1);
    known.rows.set(keyOf(asked, item), {
      problems: ofRow?.map((problem) => wordsOf(problem, unseen)) ?? [],
      estimate: ofRow ? undefined : share,
    });
  }
}

/** Only what is wrong with a row's request names the API's fields, and other rows. */
const wordsOf = ({ code, message }: CheckProblem, rows: RowItem[]) =>
  code === 'INVALID_INPUT' ? inBatchRow(message, rows) : message;

const TOO_LARGE = 413;

async function check(
  request: Request,
  items: RowItem[],
  signal: AbortSignal,
): Promise<BatchChecked> {
  try {
    return await postBatch<BatchChecked>(path`/agent/batches/check`, batchBodyOf(request, items), {
      signal,
    });
  } catch (error) {
    if (error instanceof Refused && error.status === TOO_LARGE)
      throw new Error('Together, they are over 20 MB. Leave out columns or rows.');
    throw error;
  }
}
