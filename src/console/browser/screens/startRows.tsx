import { useState } from 'preact/hooks';
import { count } from '../../../browser/counts.ts';
import { wordsOf } from '../../../browser/http.ts';
import { path } from '../../../browser/path.ts';
import type { Batch, Started } from '../../../contract/answers.ts';
import { post } from '../client/api.ts';
import { type AfterChoice, type Draft, isBatch } from '../draft.ts';
import { costWords } from '../estimates.ts';
import { navigate } from '../router.ts';
import { inRows } from '../rowMessages.ts';
import { rowNames } from '../tableLines.ts';
import { Button } from '../ui/controls.tsx';
import { Problem } from '../ui/states.tsx';
import type { ChangeDraft } from '../useDraft.ts';
import { afterFields } from './afterChoice.tsx';
import {
  batchBodyOf,
  bodyOf,
  type Request,
  type RowItem,
  type TableChecks,
} from './useTableChecks.ts';

interface StartProps {
  draft: Draft;
  change: ChangeDraft;
  /** Forgets the table. */
  end: () => void;
  request: Request;
  /** The rows that are left. */
  items: RowItem[];
  checks: TableChecks;
}

/** Starts a task, or a batch for more rows than a task takes. */
export function StartRows({ draft, change, end, request, items, checks }: StartProps) {
  const [problem, setProblem] = useState<string>();
  const { bad, cost } = checks;
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
        <span>
          <span role="status">{statusOf({ draft, items, checks })}</span>
          {cost && items.length > 0 && (
            <>
              <br />
              {costWords(cost.agent, cost.estimate)}
            </>
          )}
        </span>
        <span class="row">
          {bad.length > 0 && (
            <Button little onClick={leaveOut}>
              {bad.length === 1 ? 'Leave it out' : `Leave out all ${bad.length} with problems`}
            </Button>
          )}
          <Button look="primary" disabled={bad.length > 0 || items.length === 0} onClick={run}>
            Start
          </Button>
        </span>
      </div>
    </>
  );
}

/** @returns the path of the screen that shows what was started */
async function start(draft: Draft, request: Request, items: RowItem[]): Promise<string> {
  const { title, after, mayAsk, canary, holdBelow } = draft.options;
  const own = { ...afterFields(after), ...(title.trim() && { title: title.trim() }) };
  if (!isBatch(items.length)) {
    const task = { ...bodyOf(request, items), ...own, ...(mayAsk && { ask: 'allowed' }) };
    const { taskId } = await post<Started>(path`/agent/tasks`, task, keyed(draft, task));
    return path`/tasks/${taskId}`.toString();
  }
  const batch = {
    ...batchBodyOf(request, items),
    ...own,
    ...(canary && { canary: Number(canary) }),
    ...(holdBelow && { holdBelow: Number(holdBelow) }),
  };
  const { batchId } = await post<Pick<Batch, 'batchId'>>(
    path`/agent/batches`,
    batch,
    keyed(draft, batch),
  );
  return path`/batches/${batchId}`.toString();
}

const keyed = ({ id }: Draft, body: object) => ({
  headers: { 'Idempotency-Key': `${id}-${hashOf(body)}` },
});

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

function without(draft: Draft, ids: number[]): Draft {
  const out = new Set(ids);
  const rows = draft.rows.map((row) => (out.has(row.id) ? { ...row, isOut: true } : row));
  return { ...draft, rows };
}

type Status = Pick<StartProps, 'draft' | 'items' | 'checks'>;

function statusOf({ draft, items, checks: { bad, isChecking } }: Status): string {
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
