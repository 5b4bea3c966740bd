import type { NamedHistory } from './divergence.ts';

const ENDED = 'EVENT_TYPE_WORKFLOW_EXECUTION_';
const ENDS = ['COMPLETED', 'FAILED', 'CANCELED', 'CONTINUED_AS_NEW'].map((end) => ENDED + end);
interface Attributes {
  indexedFields?: Record<string, { data: string }>;
}

/**
 * What a run did, in a line: its steps in order, how it closed, and what its search attributes were
 * in the end.
 */
export function wayOf({ history: { events } }: NamedHistory): string {
  const steps = events.flatMap(
    ({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name ?? [],
  );
  const rows = steps.filter((step, i) => step !== steps[i - 1]);
  const times = (step: string) => steps.filter((one) => one === step).length;
  const end = events
    .find(({ eventType }) => ENDS.includes(eventType))
    ?.eventType.slice(ENDED.length)
    .replaceAll('_', ' ')
    .toLowerCase();
  const upserts = events.flatMap(({ upsertWorkflowSearchAttributesEventAttributes: upsert }) => {
    const { indexedFields = {} } = (upsert?.['searchAttributes'] ?? {}) as Attributes;
    return Object.entries(indexedFields).filter(([name]) =>
      ['FailureKind', 'CallbackStatus'].includes(name),
    );
  });
  const values = upserts.flatMap(
    ([, { data }]) => JSON.parse(Buffer.from(data, 'base64').toString()) as string[],
  );
  return `${rows.map((step) => `${step} ${times(step)}`).join(', ')}: ${[end, ...values].join(', ')}`;
}

/** By fixture. */
export const recordedWays: Record<string, string> = {
  'batch-cancelled':
    'planBatch 1, commitRows 1, readNextRows 1, generateRow 2, completeBatch 1, sendCallback 1: completed, cancelled, delivered',
  'batch-cancelled-by-operator':
    'planBatch 1, commitRows 1, readNextRows 1, generateRow 2, completeBatch 1, sendCallback 1: completed, cancelled, delivered',
  'batch-ended-without-a-run':
    'planBatch 1, completeBatch 1, sendCallback 1: completed, cancelled, delivered',
  'batch-failed':
    'planBatch 1, commitRows 1, readNextRows 1, generateRow 2, completeBatch 1, sendCallback 1: completed, site, delivered',
  'batch-failed-row':
    'planBatch 1, commitRows 2, readNextRows 2, generateRow 4, markRowsFailed 1, commitRows 2, readNextRows 2, deployBatchPreview 1, publish 1, deployBatch 1, completeBatch 1: completed',
  'batch-not-to-be-run': 'planBatch 1: completed',
  'batch-paused-and-resumed':
    'planBatch 2, commitRows 3, readNextRows 2, generateRow 4, commitRows 3, deployBatchPreview 2, completeBatch 2, planBatch 2, commitRows 3, readNextRows 2, deployBatchPreview 2, publish 1, deployBatch 1, completeBatch 2: completed',
  'batch-published':
    'planBatch 1, commitRows 2, readNextRows 2, generateRow 4, commitRows 2, readNextRows 2, deployBatchPreview 1, publish 1, deployBatch 1, completeBatch 1, sendCallback 1: completed, delivered',
  'batch-with-a-long-history':
    'planBatch 1, commitRows 2, readNextRows 1, generateRow 2, commitRows 2: continued as new',
  'generate-asks':
    'readSite 1, generatePage 6, releasePermit 2, acquirePermit 2, generatePage 6, releasePermit 2, acquirePermit 2, generatePage 6, commitChanges 1, deployPreview 1, sendCallback 1: completed, delivered',
  'generate-asks-and-is-cancelled':
    'readSite 1, generatePage 3, releasePermit 1, sendCallback 1: failed, cancelled, delivered',
  'generate-asks-in-vain':
    'readSite 1, generatePage 5, releasePermit 1, acquirePermit 1, generatePage 5, commitChanges 1, deployPreview 1: completed',
  'generate-by-model-over-budget': 'readSite 1, generatePage 3: failed, input',
  'generate-by-model-rejected': 'readSite 1, generatePage 5: failed, agent',
  'generate-cancelled':
    'readSite 1, generatePage 3, commitChanges 1, deployPreview 1, deletePreview 1, sendCallback 1: failed, cancelled, delivered',
  'generate-cancelled-too-late':
    'readSite 1, generatePage 3, commitChanges 1, deployPreview 1, publish 1, deployProduction 1, sendCallback 1: completed, delivered',
  'generate-failed-callback-retried':
    'readSite 1, generatePage 3, sendCallback 1: failed, agent, failed',
  'generate-held':
    'readSite 1, generatePage 3, commitChanges 1, deployPreview 1, sendCallback 1: completed, delivered',
  'generate-published':
    'readSite 1, generatePage 3, commitChanges 1, deployPreview 1, publish 1, deployProduction 1, sendCallback 1: completed, delivered',
  'generate-retried':
    'readSite 1, generatePage 1, commitChanges 1, deployPreview 1, publish 1, deployProduction 1: completed',
  'generate-took-too-long': 'readSite 1, sendCallback 1: failed, service, delivered',
  'prompt-asks':
    'readSite 1, runAgentTurn 4, releasePermit 3, acquirePermit 3, runAgentTurn 4, releasePermit 3, acquirePermit 3, runAgentTurn 4, releasePermit 3, acquirePermit 3, runAgentTurn 4, commitChanges 1, deployPreview 1, sendCallback 1: completed, delivered',
  'prompt-nothing-changed': 'readSite 1, runAgentTurn 1, commitChanges 1: completed',
  'publish-result':
    'readTaskResult 1, deployPreview 1, publish 1, deployProduction 1, sendCallback 1: completed, delivered',
  'edit-saved': 'deployPreview 1: completed',
  redelivered: 'sendCallback 1: completed, delivered',
  'redelivered-refused': 'sendCallback 1: failed, failed',
  'restore-published':
    'readSite 2, restoreDeployment 1, deployPreview 1, publish 1, deployProduction 1, sendCallback 1: completed, delivered',
};
