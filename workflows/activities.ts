import { type ActivityInterfaceFor, proxyActivities } from '@temporalio/workflow';
import { defined } from '../src/contract/defined.ts';
import { type Heartbeats, type TaskInput, WORK_LIMIT_MS } from '../src/contract/task.ts';
import { siteInSummary, summaryLine } from '../src/contract/text.ts';
import type { TaskRef } from '../activities/deps.ts';
import type { Activities } from '../activities/index.ts';
import * as policies from './policies.ts';

// The steps of a task, by the policy with which Temporal runs them.

/** Reads, commits and pushes, and the rows of batches: a batch can't do without them. */
export const gitSteps = proxyActivities<
  Pick<
    Activities,
    | 'readSite'
    | 'readResult'
    | 'commitChanges'
    | 'commitRows'
    | 'restoreDeployment'
    | 'publish'
    | 'planRows'
    | 'nextRows'
    | 'failRows'
    | 'endBatch'
  >
>(policies.git);
type AgentSteps = Pick<Activities, 'generatePage' | 'agentStep' | 'writeRow'>;
/** The rules drop notes, also where a language model made the task's pages. */
export const ruleSteps = proxyActivities<AgentSteps & Pick<Activities, 'dropFacts'>>(
  policies.rules,
);
const modelSteps = proxyActivities<AgentSteps>(policies.languageModel);
export const deploymentSteps = proxyActivities<
  Pick<
    Activities,
    'deployPreview' | 'withdraw' | 'deployProduction' | 'showRows' | 'confirmRows' | 'putRowsLive'
  >
>(policies.deployment);
export const lookSteps = proxyActivities<Pick<Activities, 'look' | 'mergePullRequest'>>(
  policies.look,
);
export const settlingSteps = proxyActivities<Pick<Activities, 'settleNotes' | 'leavePlace'>>(
  policies.settling,
);
export const placeSteps = proxyActivities<Pick<Activities, 'takePlace'>>(policies.place);
export const callbackSteps = proxyActivities<Pick<Activities, 'sendCallback'>>(policies.callback);

/** The steps of the task's agent: a language model, or the rules. */
export const agentOf = ({ model }: Pick<TaskInput, 'model'>): ActivityInterfaceFor<AgentSteps> =>
  model === undefined ? ruleSteps : modelSteps;

/** The heartbeat timeout of a task's steps, after which their worker counts as dead. */
export const heartbeatOf = (
  { heartbeats }: Pick<TaskInput, 'heartbeats'>,
  of: keyof Heartbeats = 'steps',
) => ({
  heartbeatTimeout: policies.deadAfter(heartbeats?.[of]),
});

/** What every activity gets of the task. Contexts and prompt go only to steps that need them. */
export const refOf = ({
  taskId,
  organizationId,
  siteId,
  createdAt,
  onto,
  requestId,
}: Omit<TaskRef, 'ontoTaskId'> & Pick<TaskInput, 'onto'>) => ({
  taskId,
  organizationId,
  siteId,
  createdAt,
  ...defined({ ontoTaskId: onto?.taskId, requestId }),
});

/** One line for the Temporal UI. */
export const summary = (text: string) => ({ summary: summaryLine(text) });

/**
 * One line for the Temporal UI, with the step's own limit. Temporal shows a timeout of 24 hours,
 * which includes the time that a step waits for its site.
 */
export const workSummary = (text: string) => ({
  summary: `${summaryLine(text)} (at most ${WORK_LIMIT_MS / 60_000} minutes of work)`,
});

export const siteOf = ({ siteName }: Pick<TaskInput, 'siteName'>) => siteInSummary(siteName);
