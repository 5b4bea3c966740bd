import { proxyActivities } from '@temporalio/workflow';
import { defined } from '../src/contract/defined.ts';
import type { Heartbeats, TaskInput } from '../src/contract/task.ts';
import { siteInSummary, summaryLine } from '../src/contract/text.ts';
import type { Activities } from '../activities/index.ts';
import * as policies from './policies.ts';

export const git = proxyActivities<
  Pick<Activities, 'readSite' | 'readResult' | 'commitChanges' | 'restoreDeployment' | 'publish'>
>(policies.git);
type Agent = Pick<Activities, 'generatePage' | 'agentStep'>;
/** Of the rules, whoever did the task before. */
export const dropping = proxyActivities<Pick<Activities, 'dropFacts'>>(policies.model);
const rules = proxyActivities<Agent>(policies.model);
const languageModel = proxyActivities<Agent>(policies.languageModel);
export const deployment = proxyActivities<Pick<Activities, 'deployPreview' | 'deployProduction'>>(
  policies.deployment,
);
export const settling = proxyActivities<Pick<Activities, 'settleNotes'>>(policies.settling);
export const callbacks = proxyActivities<Pick<Activities, 'sendCallback'>>(policies.callback);

/** The steps of whoever does the task's work. */
export const agentOf = ({ model }: Pick<TaskInput, 'model'>) =>
  model === undefined ? rules : languageModel;

/** How often the steps of a task send heartbeats, by when their workers count as dead. */
export const heartbeatOf = (
  { heartbeats }: Pick<TaskInput, 'heartbeats'>,
  of: keyof Heartbeats = 'steps',
) => ({
  heartbeatTimeout: policies.deadAfter(heartbeats?.[of]),
});

/**
 * The reference to the task that every activity gets. Only the steps that need contexts or prompt
 * get those too.
 */
export const refOf = ({
  taskId,
  organizationId,
  siteId,
  createdAt,
  onto,
  requestId,
}: TaskInput) => ({
  taskId,
  organizationId,
  siteId,
  createdAt,
  ...defined({ ontoTaskId: onto?.taskId, requestId }),
});

/** One line for the Temporal UI. */
export const summary = (text: string) => ({ summary: summaryLine(text) });

export const siteOf = ({ siteName }: Pick<TaskInput, 'siteName'>) => siteInSummary(siteName);
