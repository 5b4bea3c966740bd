import { useState } from 'preact/hooks';
import { countNoun } from '../../../../browser/counts.ts';
import { errorText } from '../../../../browser/sendRequest.ts';
import { hostPath } from '../../../../browser/hostPath.ts';
import type { BatchResponse, StartedTaskResponse } from '../../../../contract/responses.ts';
import { post } from '../../client/api.ts';
import { type AfterChoice, type TableDraft, isBatchSize } from '../../table/tableDraft.ts';
import { costWords } from '../../words/costWords.ts';
import { navigate } from '../../router.ts';
import { messageInRows } from '../../table/rowMessages.ts';
import { rowNames } from '../../table/draftLines.ts';
import { Button } from '../../ui/controls.tsx';
import { Problem } from '../../ui/states.tsx';
import type { ChangeDraft } from '../../table/useDraft.ts';
import { afterFields } from './afterField.tsx';
import {
  batchRequestBody,
  taskRequestBody,
  type TableRequest,
  type RowItem,
  type TableChecks,
} from './useTableChecks.ts';

interface StartProps {
  draft: TableDraft;
  change: ChangeDraft;
  /** Removes the table. */
  end: () => void;
  request: TableRequest;
  /** The rows that a person has not left out. */
  items: RowItem[];
  checks: TableChecks;
}

/** The id of the element that holds the button, for links that skip the rows. */
export const START_ID = 'start-rows';

/** The button that starts a task, or a batch if there are more than ten rows. */
export function StartRows({ draft, change, end, request, items, checks }: StartProps) {
  const [problem, setProblem] = useState<string>();
  const { bad, cost } = checks;
  const startRows = async () => {
    setProblem(undefined);
    try {
      navigate(await startDraft(draft, request, items));
      end();
    } catch (error) {
      setProblem(messageInRows(errorText(error), items));
    }
  };
  const leaveOut = () => change((formerDraft) => leaveOutRows(formerDraft, bad));
  return (
    <>
      {problem !== undefined && (
        <div class="card-body">
          <Problem>{problem}</Problem>
        </div>
      )}
      <div class="card-foot" id={START_ID} tabIndex={-1}>
        <span>
          <span role="status">{startStatus({ draft, items, checks })}</span>
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
          <Button
            look="primary"
            disabled={bad.length > 0 || items.length === 0}
            onClick={startRows}
          >
            Start
          </Button>
        </span>
      </div>
    </>
  );
}

/** Starts the task or the batch. @returns the path of its screen */
async function startDraft(
  draft: TableDraft,
  request: TableRequest,
  items: RowItem[],
): Promise<string> {
  const { title, after, mayAsk, canary, holdBelow } = draft.options;
  const commonFields = { ...afterFields(after), ...(title.trim() && { title: title.trim() }) };
  if (!isBatchSize(items.length)) {
    const taskBody = {
      ...taskRequestBody(request, items),
      ...commonFields,
      ...(mayAsk && { ask: 'allowed' }),
    };
    const { taskId } = await post<StartedTaskResponse>(
      hostPath`/agent/tasks`,
      taskBody,
      idempotencyHeaders(draft, taskBody),
    );
    return hostPath`/tasks/${taskId}`.toString();
  }
  const batchBody = {
    ...batchRequestBody(request, items),
    ...commonFields,
    ...(canary && { canary: Number(canary) }),
    ...(holdBelow && { holdBelow: Number(holdBelow) }),
  };
  const { batchId } = await post<Pick<BatchResponse, 'batchId'>>(
    hostPath`/agent/batches`,
    batchBody,
    idempotencyHeaders(draft, batchBody),
  );
  return hostPath`/batches/${batchId}`.toString();
}

const idempotencyHeaders = ({ id }: TableDraft, body: object) => ({
  headers: { 'Idempotency-Key': `${id}-${shortHash(body)}` },
});

/**
 * A short hash of a request for its idempotency key. If an answer is lost, the repeated request has
 * the same key, so nothing is started twice.
 */
function shortHash(request: object): string {
  let hashValue = 0;
  for (const character of JSON.stringify(request))
    hashValue = (hashValue * 31 + character.codePointAt(0)!) % 0xffffffff;
  return hashValue.toString(36);
}

function leaveOutRows(draft: TableDraft, rowIds: number[]): TableDraft {
  const leftOutIds = new Set(rowIds);
  const rows = draft.rows.map((row) => (leftOutIds.has(row.id) ? { ...row, isOut: true } : row));
  return { ...draft, rows };
}

type StartStatusInput = Pick<StartProps, 'draft' | 'items' | 'checks'>;

function startStatus({ draft, items, checks: { bad, isChecking } }: StartStatusInput): string {
  if (bad.length > 0) {
    const rowNamesText = rowNames(bad);
    return `${rowNamesText.charAt(0).toUpperCase()}${rowNamesText.slice(1)} ${bad.length === 1 ? 'needs' : 'need'} to be fixed before you can start.`;
  }
  if (items.length === 0) return 'There are no rows to start.';
  if (isChecking) return 'Checking the rows…';
  const batchWords = isBatchSize(items.length) ? ', in a batch' : '';
  return `${countNoun(items.length, 'page')}${batchWords}. ${effectWords[draft.options.after]}`;
}

const effectWords: Record<AfterChoice, string> = {
  preview: 'Nothing goes live until you publish it.',
  hold: 'Pages with nothing to check go live automatically.',
  publish: 'All pages go live automatically.',
};
