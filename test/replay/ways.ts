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
    'planRows 1, commitRows 1, nextRows 1, writeRow 2, endBatch 1, sendCallback 1: completed, cancelled, delivered',
  'batch-cancelled-by-operator':
    'planRows 1, commitRows 1, nextRows 1, writeRow 2, endBatch 1, sendCallback 1: completed, cancelled, delivered',
  'batch-ended-without-a-run':
    'planRows 1, endBatch 1, sendCallback 1: completed, cancelled, delivered',
  'batch-failed':
    'planRows 1, commitRows 1, nextRows 1, writeRow 2, endBatch 1, sendCallback 1: completed, site, delivered',
  'batch-failed-row':
    'planRows 1, commitRows 2, nextRows 2, writeRow 4, failRows 1, commitRows 2, nextRows 2, showRows 1, publish 1, putRowsLive 1, endBatch 1: completed',
  'batch-not-to-be-run': 'planRows 1: completed',
  'batch-paused-and-resumed':
    'planRows 2, commitRows 3, nextRows 2, writeRow 4, commitRows 3, showRows 2, endBatch 2, planRows 2, commitRows 3, nextRows 2, showRows 2, publish 1, putRowsLive 1, endBatch 2: completed',
  'batch-published':
    'planRows 1, commitRows 2, nextRows 2, writeRow 4, commitRows 2, nextRows 2, showRows 1, publish 1, putRowsLive 1, endBatch 1, sendCallback 1: completed, delivered',
  'batch-with-a-long-history':
    'planRows 1, commitRows 2, nextRows 1, writeRow 2, commitRows 2: continued as new',
  'drop-published':
    'readSite 1, dropFacts 2, commitChanges 1, deployPreview 1, publish 1, deployProduction 1, settleNotes 1, sendCallback 1: completed, delivered',
  'generate-asks':
    'readSite 1, generatePage 6, leavePlace 2, takePlace 2, generatePage 6, leavePlace 2, takePlace 2, generatePage 6, commitChanges 1, deployPreview 1, sendCallback 1: completed, delivered',
  'generate-asks-and-is-cancelled':
    'readSite 1, generatePage 3, leavePlace 1, sendCallback 1: failed, cancelled, delivered',
  'generate-asks-in-vain':
    'readSite 1, generatePage 5, leavePlace 1, takePlace 1, generatePage 5, commitChanges 1, deployPreview 1: completed',
  'generate-by-model-over-budget': 'readSite 1, generatePage 3: failed, input',
  'generate-by-model-rejected': 'readSite 1, generatePage 5: failed, agent',
  'generate-cancelled':
    'readSite 1, generatePage 3, commitChanges 1, deployPreview 1, withdraw 1, sendCallback 1: failed, cancelled, delivered',
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
    'readSite 1, agentStep 4, leavePlace 3, takePlace 3, agentStep 4, leavePlace 3, takePlace 3, agentStep 4, leavePlace 3, takePlace 3, agentStep 4, commitChanges 1, deployPreview 1, sendCallback 1: completed, delivered',
  'prompt-nothing-changed': 'readSite 1, agentStep 1, commitChanges 1: completed',
  'publish-result':
    'readResult 1, deployPreview 1, publish 1, deployProduction 1, sendCallback 1: completed, delivered',
  redelivered: 'sendCallback 1: completed, delivered',
  'redelivered-refused': 'sendCallback 1: failed, failed',
  'restore-published':
    'readSite 2, restoreDeployment 1, deployPreview 1, publish 1, deployProduction 1, sendCallback 1: completed, delivered',
};
