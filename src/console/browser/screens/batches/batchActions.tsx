import { countNoun } from '../../../../browser/counts.ts';
import { hostPath } from '../../../../browser/hostPath.ts';
import { useState } from 'preact/hooks';
import type { BatchResponse, BatchRowResponse } from '../../../../contract/responses.ts';
import { readAllItems, post } from '../../client/api.ts';
import { Button } from '../../ui/controls.tsx';
import { askToConfirm } from '../../ui/dialog.tsx';
import { ShareDialog } from '../tasks/shareDialog.tsx';

export interface BatchActionsProps {
  batch: BatchResponse;
  onChange: (batch: BatchResponse) => void;
}

/** The paths are written out, because a test compares each with the OpenAPI document. */
const commandPaths = {
  pause: (batchId: string) => hostPath`/agent/batches/${batchId}/pause`,
  resume: (batchId: string) => hostPath`/agent/batches/${batchId}/resume`,
  cancel: (batchId: string) => hostPath`/agent/batches/${batchId}/cancel`,
  publish: (batchId: string) => hostPath`/agent/batches/${batchId}/publish`,
  retry: (batchId: string) => hostPath`/agent/batches/${batchId}/retry`,
  skip: (batchId: string) => hostPath`/agent/batches/${batchId}/skip`,
  approve: (batchId: string) => hostPath`/agent/batches/${batchId}/approve`,
};

/**
 * Sends a command of a person to a batch, and passes on the batch afterwards.
 * @param rowNumbers the rows that the command is for. Absent: all rows that it can apply to
 */
export const sendBatchCommand = async (
  { batch: { batchId }, onChange }: BatchActionsProps,
  commandName: keyof typeof commandPaths,
  rowNumbers?: number[],
) =>
  onChange(
    await post<BatchResponse>(
      commandPaths[commandName](batchId),
      rowNumbers && { rows: rowNumbers },
    ),
  );

/** The actions that a batch's state allows. */
export function BatchActions(props: BatchActionsProps) {
  const [isSharing, setSharing] = useState(false);
  const { batchId, status, rows, previewUrl } = props.batch;
  if (status === 'cancelled') return null;
  const isActive = status === 'running' || status === 'paused' || status === 'waiting';
  return (
    <>
      {isActive && <Button onClick={() => askToCancel(props)}>Cancel</Button>}
      {status === 'running' && (
        <Button onClick={() => sendBatchCommand(props, 'pause')}>Pause</Button>
      )}
      {(status === 'paused' || status === 'failed') && (
        <Button look="primary" onClick={() => sendBatchCommand(props, 'resume')}>
          Resume
        </Button>
      )}
      {previewUrl !== null && (
        <Button icon="shared" onClick={() => setSharing(true)}>
          Share
        </Button>
      )}
      {isSharing && <ShareDialog shared={{ batchId }} close={() => setSharing(false)} />}
      {rows.failed > 0 && (
        <Button onClick={() => sendBatchCommand(props, 'retry')}>Retry {rows.failed} failed</Button>
      )}
      {status === 'waiting' && (
        <Button look="primary" onClick={() => askToApproveRest(props)}>
          Create the rest
        </Button>
      )}
    </>
  );
}

function askToCancel(props: BatchActionsProps): void {
  askToConfirm({
    title: 'Cancel this batch?',
    text: 'The batch creates and publishes no more pages. Live pages stay live. You can’t resume a cancelled batch: to continue it later, pause it instead.',
    submit: 'Cancel the batch',
    onSubmit: () => sendBatchCommand(props, 'cancel'),
  });
}

/** The most rows of one answer. */
const ROWS_PER_ANSWER = '500';

/** Asks before all failed rows are skipped. */
export function askToSkipFailed(props: BatchActionsProps): void {
  const { batchId, rows } = props.batch;
  askToSkip(`all ${countNoun(rows.failed, 'failed row')}`, async () => {
    const listQuery = { state: 'failed', limit: ROWS_PER_ANSWER };
    const foundRows = await readAllItems<BatchRowResponse>(
      hostPath`/agent/batches/${batchId}/rows`,
      'rows',
      listQuery,
    );
    await sendBatchCommand(
      props,
      'skip',
      foundRows.map(({ number }) => number),
    );
  });
}

/** Asks before rows are skipped. @param rowsInWords the rows, such as `row 12` */
export const askToSkip = (rowsInWords: string, onSubmit: () => Promise<void>): void =>
  askToConfirm({
    title: `Skip ${rowsInWords}?`,
    text: 'They don’t become pages. You can’t undo this.',
    submit: 'Skip',
    onSubmit,
  });

function askToApproveRest(props: BatchActionsProps): void {
  const { rows } = props.batch;
  askToConfirm({
    title: `Create the other ${countNoun(rows.waiting, 'page')}?`,
    text: [
      rows.held > 0 && `This also approves ${countNoun(rows.held, 'held page')}.`,
      'They go live when you publish the batch.',
    ]
      .filter(Boolean)
      .join(' '),
    submit: 'Create the rest',
    isDanger: false,
    onSubmit: () => sendBatchCommand(props, 'approve'),
  });
}
