import { createConversationCache } from '../src/agents/conversationCache.ts';
import type { ActivityDependencies } from './deps.ts';
import { createTaskPriority } from '../src/threads/taskPriority.ts';
import { createCommitRows } from './batches/commitRows.ts';
import { createCompleteBatch } from './batches/completeBatch.ts';
import { createMarkRowsFailed } from './batches/markRowsFailed.ts';
import { createReadNextRows } from './batches/readNextRows.ts';
import { createPlanBatch } from './batches/planBatch.ts';
import { createDeployBatch } from './batches/deployBatch.ts';
import { createVerifyBatchPages } from './batches/verifyBatchPages.ts';
import { createDeployBatchPreview } from './batches/deployBatchPreview.ts';
import { createGenerateRow } from './batches/generateRow.ts';
import { createRunAgentTurn } from './runAgentTurn.ts';
import { createPruneSites } from './pruneSites.ts';
import { createCommitChanges } from './commitChanges.ts';
import { createDeployPreview } from './deployPreview.ts';
import { createDeployProduction } from './deployProduction.ts';
import { createDeliverEvent } from './deliverEvent.ts';
import { createMailCreator } from './mailCreator.ts';
import { createRecordEvent } from './recordEvent.ts';
import { createGeneratePage } from './generatePage.ts';
import { createCheckDeployment } from './checkDeployment.ts';
import { createMergePullRequest } from './mergePullRequest.ts';
import { createPageWriter } from './pageWriter.ts';
import { createReleasePermit, createAcquirePermit } from './permits.ts';
import { createPublish } from './publish.ts';
import { createReadTaskResult } from './readTaskResult.ts';
import { createReadSite } from './readSite.ts';
import { createRestoreDeployment } from './restoreDeployment.ts';
import { createSendCallback } from './sendCallback.ts';
import { createTaskTemplates } from './taskTemplates.ts';
import { createDeletePreview } from './deletePreview.ts';
import { queueModelCalls } from './queueModelCalls.ts';
import { observeActivities } from './observeActivities.ts';
import { yieldToTasks, prioritizeTasks } from './taskPriority.ts';

/**
 * Creates the activities: everything that workflows do outside of Temporal. Temporal may run one
 * several times, so each file says in a sentence with "Repeatable" why that is harmless.
 *
 * - A task: `readSite`, then `generatePage` or `runAgentTurn`, then `commitChanges` (or, for an
 *   earlier result, `readTaskResult` or `restoreDeployment`).
 * - Its deployment: `deployPreview`, `checkDeployment`, `publish`, `mergePullRequest`,
 *   `deployProduction`, `deletePreview`.
 * - A batch of pages (`batches/`): from `planBatch` over `generateRow` to `completeBatch`.
 * - The rest: permits, callbacks, events and the clean-up.
 *
 * For example, `readSite({ task, templatePageSlug: '/locations/austin', … })` returns
 * `{ base: '<commit id>', template: { path: 'locations/austin.html', … }, targets: […] }`.
 * @param ports what the activities depend on
 * @returns the activities by their registered names, each wrapped by `observeActivities`
 */
export function createActivities(ports: ActivityDependencies) {
  const deps = { ...ports, conversations: createConversationCache() };
  const { precedence = createTaskPriority() } = ports;
  const batchDeps = yieldToTasks(precedence, deps);
  const templates = createTaskTemplates(deps);
  const openTemplate = createPageWriter(deps, templates);
  const openRowTemplate = createPageWriter(batchDeps, createTaskTemplates(batchDeps));
  const tasks = prioritizeTasks(precedence, {
    readSite: createReadSite(deps, templates),
    readTaskResult: createReadTaskResult(deps),
    generatePage: queueModelCalls(deps.calls, createGeneratePage(openTemplate)),
    runAgentTurn: queueModelCalls(deps.calls, createRunAgentTurn(deps)),
    commitChanges: createCommitChanges(deps),
    restoreDeployment: createRestoreDeployment(deps),
    deployPreview: createDeployPreview(deps),
    checkDeployment: createCheckDeployment(deps),
    mergePullRequest: createMergePullRequest(deps),
    deletePreview: createDeletePreview(deps),
    publish: createPublish(deps),
    deployProduction: createDeployProduction(deps),
  });
  const batches = {
    planBatch: createPlanBatch(batchDeps),
    readNextRows: createReadNextRows(deps),
    markRowsFailed: createMarkRowsFailed(deps),
    generateRow: queueModelCalls(deps.calls, createGenerateRow(deps, openRowTemplate)),
    commitRows: createCommitRows(batchDeps),
    deployBatchPreview: createDeployBatchPreview(batchDeps),
    verifyBatchPages: createVerifyBatchPages(deps),
    deployBatch: createDeployBatch(deps),
    completeBatch: createCompleteBatch(deps),
  };
  const activities = {
    ...tasks,
    ...batches,
    releasePermit: createReleasePermit(deps),
    acquirePermit: createAcquirePermit(deps),
    sendCallback: createSendCallback(deps),
    recordEvent: createRecordEvent(deps),
    deliverEvent: createDeliverEvent(deps),
    mailCreator: createMailCreator(deps),
    pruneSites: createPruneSites(deps),
  };
  return observeActivities(deps.log, activities, ports);
}

export type TaskActivities = ReturnType<typeof createActivities>;
