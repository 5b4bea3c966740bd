import { count } from '../../../browser/counts.ts';
import { path } from '../../../browser/path.ts';
import type { Batch, BatchRow, OneSite } from '../../../contract/answers.ts';
import { all, api, post } from '../client/api.ts';
import { mergingAt, publishWords } from '../mergeWords.ts';
import { Button } from '../ui/controls.tsx';
import { confirm } from '../ui/dialog.tsx';

export interface ActionsProps {
  batch: Batch;
  onChange: (batch: Batch) => void;
}

/** Written out, since a test compares each with the OpenAPI document. */
const paths = {
  pause: (batchId: string) => path`/agent/batches/${batchId}/pause`,
  resume: (batchId: string) => path`/agent/batches/${batchId}/resume`,
  cancel: (batchId: string) => path`/agent/batches/${batchId}/cancel`,
  publish: (batchId: string) => path`/agent/batches/${batchId}/publish`,
  retry: (batchId: string) => path`/agent/batches/${batchId}/retry`,
  skip: (batchId: string) => path`/agent/batches/${batchId}/skip`,
  approve: (batchId: string) => path`/agent/batches/${batchId}/approve`,
};

/** @param rows numbers of rows; absent: all that the command may be for */
export const command = async (
  { batch: { batchId }, onChange }: ActionsProps,
  name: keyof typeof paths,
  rows?: number[],
) => onChange(await post<Batch>(paths[name](batchId), rows && { rows }));

/** The actions that a batch's state allows. */
export function BatchActions(props: ActionsProps) {
  const { status, rows } = props.batch;
  if (status === 'cancelled') return null;
  const isActive = status === 'running' || status === 'paused' || status === 'waiting';
  const isResting = status === 'completed' || status === 'waiting';
  return (
    <>
      {isActive && <Button onClick={() => askToCancel(props)}>Cancel</Button>}
      {status === 'running' && <Button onClick={() => command(props, 'pause')}>Pause</Button>}
      {(status === 'paused' || status === 'failed') && (
        <Button look="primary" onClick={() => command(props, 'resume')}>
          Resume
        </Button>
      )}
      {rows.failed > 0 && (
        <Button onClick={() => command(props, 'retry')}>Retry {rows.failed} failed</Button>
      )}
      {rows.held > 0 && status !== 'waiting' && (
        <Button onClick={() => askToApproveHeld(props)}>Approve {rows.held} held</Button>
      )}
      {isResting && rows.committed > 0 && (
        <Button look={status === 'waiting' ? '' : 'primary'} onClick={() => askToPublish(props)}>
          Publish
        </Button>
      )}
      {status === 'waiting' && (
        <Button look="primary" onClick={() => askForTheRest(props)}>
          Approve the rest
        </Button>
      )}
    </>
  );
}

function askToCancel(props: ActionsProps): void {
  confirm({
    title: 'Cancel this batch?',
    text: 'No more pages are made or published. What is live stays live. A batch that is cancelled can’t go on: pause it if it shall.',
    submit: 'Cancel the batch',
    onSubmit: () => command(props, 'cancel'),
  });
}

/** The most rows of one answer. */
const ROWS = '500';

/** Asks before all rows in a state are left out. */
export function askToLeaveOutAll(props: ActionsProps, state: 'failed' | 'held'): void {
  const { batchId, rows } = props.batch;
  askToLeaveOut(`all ${count(rows[state], `${state} row`)}`, async () => {
    const asked = { state, limit: ROWS };
    const found = await all<BatchRow>(path`/agent/batches/${batchId}/rows`, 'rows', asked);
    await command(
      props,
      'skip',
      found.map(({ number }) => number),
    );
  });
}

/** @param which the rows, in words */
export const askToLeaveOut = (which: string, onSubmit: () => Promise<void>): void =>
  confirm({
    title: `Leave out ${which}?`,
    text:
      'Their pages won’t go live with this batch, and edits of them are dropped. ' +
      'What is left out can’t be put back.',
    submit: 'Leave out',
    onSubmit,
  });

const seen = 'Everyone can see the pages as soon as they are live.';

/** What an approval of pages leads to. */
const afterwards = ({ publish }: Batch) =>
  publish ? seen : 'They go live when you publish the batch.';

function askToApproveHeld(props: ActionsProps): void {
  const { rows } = props.batch;
  confirm({
    title: `Approve ${count(rows.held, 'held page')}?`,
    text: afterwards(props.batch),
    submit: 'Approve',
    isDanger: false,
    onSubmit: () => command(props, 'approve'),
  });
}

function askForTheRest(props: ActionsProps): void {
  const { rows } = props.batch;
  confirm({
    title: `Make the other ${count(rows.waiting, 'page')}?`,
    text: [
      rows.held > 0 && `This approves ${count(rows.held, 'held page')} too.`,
      afterwards(props.batch),
    ]
      .filter(Boolean)
      .join(' '),
    submit: 'Approve the rest',
    isDanger: false,
    onSubmit: () => command(props, 'approve'),
  });
}

async function askToPublish(props: ActionsProps): Promise<void> {
  const { rows, status, siteId } = props.batch;
  const merging = mergingAt((await api<OneSite>(path`/sites/${siteId}`)).host);
  confirm({
    title: `Put ${count(rows.committed, 'page')} live?`,
    text: [
      rows.held > 0 && `${count(rows.held, 'held page')} will stay in the preview.`,
      merging === 'by-people' &&
        'This brings the pull request up to date. Once it is merged, publish again: the rows then show their live pages.',
      merging && publishWords[merging],
      status === 'waiting' && 'The rows that still wait go live once you approve the rest.',
      seen,
      'An earlier version of the site can be put live again.',
    ]
      .filter(Boolean)
      .join(' '),
    submit: 'Publish',
    isDanger: false,
    onSubmit: () => command(props, 'publish'),
  });
}
