import { useState } from 'preact/hooks';
import { count } from '../../../browser/counts.ts';
import { wordsOf } from '../../../browser/http.ts';
import { path } from '../../../browser/path.ts';
import type { Batch, Started } from '../../../contract/answers.ts';
import { post } from '../client/api.ts';
import { type AfterChoice, type Draft, isBatch } from '../draft.ts';
import { navigate } from '../router.ts';
import { inRows } from '../rowMessages.ts';
import { rowNames } from '../tableLines.ts';
import { ROWS_PER_BATCH } from '../table.ts';
import { Button } from '../ui/controls.tsx';
import { Problem } from '../ui/states.tsx';
import type { ChangeDraft } from '../useDraft.ts';
import { afterFields } from './afterChoice.tsx';
import { bodyOf, type Request, type RowItem } from './useRowChecks.ts';

interface StartProps {
  draft: Draft;
  change: ChangeDraft;
  /** Forgets the table. */
  end: () => void;
  request: Request;
  /** The rows that are left. */
  items: RowItem[];
  /** Ids of those rows that can't be started. */
  bad: number[];
  isChecking: boolean;
}

/** Starts a task, or a batch for more rows than a task takes. */
export function StartRows({ draft, change, end, request, items, bad, isChecking }: StartProps) {
  const [problem, setProblem] = useState<string>();
  const isTooLong = items.length > ROWS_PER_BATCH;
  const run = async () => {
    setProblem(undefined);
    try {
      navigate(await start(draft, request, items));
      end();
    } catch (error) {
      setProblem(inRows(wordsOf(error), items));
    }
  };
  const leaveOut = () => change((former) => without(former, bad));
  return (
    <>
      {problem !== undefined && (
        <div class="card-body">
          <Problem>{problem}</Problem>
        </div>
      )}
      <div class="card-foot">
        <span role="status">{statusOf({ draft, items, bad, isChecking })}</span>
        <span class="row">
          {bad.length > 0 && (
            <Button little onClick={leaveOut}>
              {bad.length === 1 ? 'Leave it out' : `Leave these ${bad.length} out`}
            </Button>
          )}
          <Button
            look="primary"
            disabled={bad.length > 0 || items.length === 0 || isTooLong}
            onClick={run}
          >
            Start
          </Button>
        </span>
      </div>
    </>
  );
}

/** @returns the path of the screen that shows what was started */
async function start(draft: Draft, request: Request, items: RowItem[]): Promise<string> {
  const { title, after, canary, holdBelow } = draft.options;
  const own = { ...afterFields(after), ...(title.trim() && { title: title.trim() }) };
  const { command, items: rows, ...rest } = bodyOf(request, items);
  if (!isBatch(items.length)) {
    const { taskId } = await send<Started>(draft, path`/agent/tasks`, {
      command,
      items: rows,
      ...rest,
      ...own,
    });
    return path`/tasks/${taskId}`.toString();
  }
  const { batchId } = await send<Pick<Batch, 'batchId'>>(draft, path`/agent/batches`, {
    ...rest,
    ...own,
    ...(canary && { canary: Number(canary) }),
    ...(holdBelow && { holdBelow: Number(holdBelow) }),
    rows,
  });
  return path`/batches/${batchId}`.toString();
}

const send = <T,>({ id }: Draft, to: Parameters<typeof post>[0], body: object): Promise<T> =>
  post<T>(to, body, { headers: { 'Idempotency-Key': `${id}-${hashOf(body)}` } });

/**
 * A short hash. The same request always has the same key, so repeating it after a lost answer
 * starts nothing twice.
 */
function hashOf(request: object): string {
  let hash = 0;
  for (const character of JSON.stringify(request))
    hash = (hash * 31 + character.codePointAt(0)!) % 0xffffffff;
  return hash.toString(36);
}

const without = (draft: Draft, ids: number[]): Draft => ({
  ...draft,
  rows: draft.rows.map((row) => (ids.includes(row.id) ? { ...row, isOut: true } : row)),
});

type Status = Pick<StartProps, 'draft' | 'items' | 'bad' | 'isChecking'>;

function statusOf({ draft, items, bad, isChecking }: Status): string {
  if (items.length > ROWS_PER_BATCH)
    return `A batch takes ${ROWS_PER_BATCH} rows at most. This table has ${items.length}.`;
  if (bad.length > 0) {
    const names = rowNames(bad);
    return `${names.charAt(0).toUpperCase()}${names.slice(1)} ${bad.length === 1 ? 'needs' : 'need'} a look before you can start.`;
  }
  if (items.length === 0) return 'There is no row to start.';
  if (isChecking) return 'Checking the rows…';
  const inBatch = isBatch(items.length) ? ', in a batch' : '';
  return `${count(items.length, 'page')}${inBatch}. ${afterwards[draft.options.after]}`;
}

const afterwards: Record<AfterChoice, string> = {
  preview: 'Nothing goes live before you publish it.',
  hold: 'What has nothing to check goes live by itself.',
  publish: 'All of it goes live by itself.',
};
