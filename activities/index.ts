import { createConversationCache } from '../src/agents/conversationCache.ts';
import type { ActivityDependencies } from './deps.ts';
import { createTaskPriority } from '../src/threads/taskPriority.ts';
import { createCommitRows } from './batches/commitRows.ts';
import { createEndBatch } from './batches/completeBatch.ts';
import { createFailRows } from './batches/failRows.ts';
import { createNextRows } from './batches/claimRows.ts';
import { createPlanRows } from './batches/planBatch.ts';
import { createPutRowsLive } from './batches/deployBatch.ts';
import { createConfirmRows } from './batches/verifyBatchPages.ts';
import { createShowRows } from './batches/deployBatchPreview.ts';
import { createWriteRow } from './batches/generateRow.ts';
import { createAgentStep } from './runAgentTurn.ts';
import { createCleanUp } from './cleanUp.ts';
import { createCommitChanges } from './commitChanges.ts';
import { createDeployPreview } from './deployPreview.ts';
import { createDeployProduction } from './deployProduction.ts';
import { createDropFacts } from './removeFacts.ts';
import { createGeneratePage } from './generatePage.ts';
import { createLook } from './checkDeployment.ts';
import { createMergePullRequest } from './mergePullRequest.ts';
import { createPageWriter } from './pageWriter.ts';
import { createLeavePlace, createTakePlace } from './permits.ts';
import { createPublish } from './publish.ts';
import { createReadResult } from './readResult.ts';
import { createReadSite } from './readSite.ts';
import { createRestoreDeployment } from './restoreDeployment.ts';
import { createSettleNotes } from './resolveNotes.ts';
import { createSendCallback } from './sendCallback.ts';
import { createTaskTemplates } from './taskTemplates.ts';
import { createWithdraw } from './deletePreview.ts';
import { queueModelCalls } from './queueModelCalls.ts';
import { observeActivities } from './observeActivities.ts';
import { yieldToTasks, prioritizeTasks } from './taskPriority.ts';

/**
 * Creates the activities: everything that workflows do outside of Temporal.
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
    readResult: createReadResult(deps),
    generatePage: queueModelCalls(deps.calls, createGeneratePage(openTemplate)),
    agentStep: queueModelCalls(deps.calls, createAgentStep(deps)),
    dropFacts: createDropFacts(deps),
    commitChanges: createCommitChanges(deps),
    restoreDeployment: createRestoreDeployment(deps),
    deployPreview: createDeployPreview(deps),
    look: createLook(deps),
    mergePullRequest: createMergePullRequest(deps),
    withdraw: createWithdraw(deps),
    publish: createPublish(deps),
    deployProduction: createDeployProduction(deps),
  });
  const batches = {
    planRows: createPlanRows(batchDeps),
    nextRows: createNextRows(deps),
    failRows: createFailRows(deps),
    writeRow: queueModelCalls(deps.calls, createWriteRow(deps, openRowTemplate)),
    commitRows: createCommitRows(batchDeps),
    showRows: createShowRows(batchDeps),
    confirmRows: createConfirmRows(deps),
    putRowsLive: createPutRowsLive(deps),
    endBatch: createEndBatch(deps),
  };
  const activities = {
    ...tasks,
    ...batches,
    settleNotes: createSettleNotes(deps),
    leavePlace: createLeavePlace(deps),
    takePlace: createTakePlace(deps),
    sendCallback: createSendCallback(deps),
    cleanUp: createCleanUp(deps),
  };
  return observeActivities(deps.log, activities, ports);
}

export type TaskActivities = ReturnType<typeof createActivities>;
