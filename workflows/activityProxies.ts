import { type ActivityInterfaceFor, proxyActivities } from '@temporalio/workflow';
import { withoutUndefined } from '../src/contract/withoutUndefined.ts';
import { type HeartbeatIntervals, type TaskInput, WORK_LIMIT_MS } from '../src/contract/task.ts';
import { summarySiteName, summaryLine } from '../src/contract/text/summaries.ts';
import type { TaskRef } from '../activities/deps.ts';
import type { TaskActivities } from '../activities/index.ts';
import * as policies from './policies.ts';

// The activities that workflows call, grouped by their policy in `policies.ts`: how long they may
// take, and how often Temporal tries them.

/** Activities that read, commit and push, and those of a batch's rows. A failure ends the work. */
export const gitActivities = proxyActivities<
  Pick<
    TaskActivities,
    | 'readSite'
    | 'readTaskResult'
    | 'commitChanges'
    | 'commitRows'
    | 'restoreDeployment'
    | 'publish'
    | 'planBatch'
    | 'readNextRows'
    | 'markRowsFailed'
    | 'completeBatch'
  >
>(policies.git);
type AgentActivities = Pick<TaskActivities, 'generatePage' | 'runAgentTurn' | 'generateRow'>;
const ruleActivities = proxyActivities<AgentActivities>(policies.rules);
const languageModelActivities = proxyActivities<AgentActivities>(policies.languageModel);
export const deploymentActivities = proxyActivities<
  Pick<
    TaskActivities,
    | 'deployPreview'
    | 'deletePreview'
    | 'deployProduction'
    | 'deployBatchPreview'
    | 'verifyBatchPages'
    | 'deployBatch'
  >
>(policies.deployment);
export const deploymentCheckActivities = proxyActivities<
  Pick<TaskActivities, 'checkDeployment' | 'mergePullRequest'>
>(policies.deploymentCheck);
export const releasingActivities = proxyActivities<Pick<TaskActivities, 'releasePermit'>>(
  policies.releasing,
);
export const permitActivities = proxyActivities<Pick<TaskActivities, 'acquirePermit'>>(
  policies.permit,
);
export const callbackActivities = proxyActivities<Pick<TaskActivities, 'sendCallback'>>(
  policies.callback,
);
export const eventActivities = proxyActivities<
  Pick<TaskActivities, 'recordEvent' | 'deliverEvent' | 'mailCreator'>
>(policies.event);

/** The activities of the task's agent: a language model, or the rules, which need no model. */
export const agentActivities = ({
  model,
}: Pick<TaskInput, 'model'>): ActivityInterfaceFor<AgentActivities> =>
  model === undefined ? ruleActivities : languageModelActivities;

/** The heartbeat timeout of a task's activities, after which their worker counts as dead. */
export const heartbeatOptions = (
  { heartbeats }: Pick<TaskInput, 'heartbeats'>,
  activityKind: keyof HeartbeatIntervals = 'steps',
) => ({
  heartbeatTimeout: policies.heartbeatTimeoutMs(heartbeats?.[activityKind]),
});

/** The fields of the task that every activity gets. Only some also get a context or the prompt. */
export const taskRefOf = ({
  taskId,
  organizationId,
  siteId,
  createdAt,
  baseTask,
  requestId,
}: Omit<TaskRef, 'baseTaskId'> & Pick<TaskInput, 'baseTask'>) => ({
  taskId,
  organizationId,
  siteId,
  createdAt,
  ...withoutUndefined({ baseTaskId: baseTask?.taskId, requestId }),
});

/** One line for the Temporal UI. */
export const summaryOptions = (text: string) => ({ summary: summaryLine(text) });

/**
 * One line for the Temporal UI, with the limit that the activity sets itself. Temporal shows a
 * timeout of 24 hours, which includes the time that an activity waits for its site.
 */
export const workSummaryOptions = (text: string) => ({
  summary: `${summaryLine(text)} (limit: ${WORK_LIMIT_MS / 60_000} minutes of work)`,
});

export const siteLabel = ({ siteName }: Pick<TaskInput, 'siteName'>) => summarySiteName(siteName);
