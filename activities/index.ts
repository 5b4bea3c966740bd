import { createConversationCache } from '../src/agents/conversations.ts';
import type { ActivityDependencies } from './deps.ts';
import { createTaskPriority } from '../src/threads/precedence.ts';
import { createCommitRows } from './batches/commitRows.ts';
import { createEndBatch } from './batches/endBatch.ts';
import { createFailRows } from './batches/failRows.ts';
import { createNextRows } from './batches/nextRows.ts';
import { createPlanRows } from './batches/planRows.ts';
import { createPutRowsLive } from './batches/putRowsLive.ts';
import { createConfirmRows } from './batches/confirmRows.ts';
import { createShowRows } from './batches/showRows.ts';
import { createWriteRow } from './batches/writeRow.ts';
import { createAgentStep } from './agentStep.ts';
import { createCleanUp } from './cleanUp.ts';
import { createCommitChanges } from './commitChanges.ts';
import { createDeployPreview } from './deployPreview.ts';
import { createDeployProduction } from './deployProduction.ts';
import { createDropFacts } from './dropFacts.ts';
import { createGeneratePage } from './generatePage.ts';
import { createLook } from './look.ts';
import { createMergePullRequest } from './mergePullRequest.ts';
import { createPageWriter } from './pageWriter.ts';
import { createLeavePlace, createTakePlace } from './places.ts';
import { createPublish } from './publish.ts';
import { createReadResult } from './readResult.ts';
import { createReadSite } from './readSite.ts';
import { createRestoreDeployment } from './restoreDeployment.ts';
import { createSettleNotes } from './settleNotes.ts';
import { createSendCallback } from './sendCallback.ts';
import { createTaskTemplates } from './taskTemplates.ts';
import { createWithdraw } from './withdraw.ts';
import { queueModelCalls } from './queueModelCalls.ts';
import { observeActivities } from './observed.ts';
import { yieldToTasks, prioritizeTasks } from './tasksFirst.ts';

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
