import { TASK_WORKFLOW, type TaskStatus } from '../../contract/task.ts';
import type { LatestCallbackState } from './taskService.ts';

/** Quotes a value for a visibility query. */
export const quoteValue = (value: string) => `'${value.replace(/['"\\`]/g, '\\$&')}'`;

/** The query for an organization's tasks. */
export const organizationTasksQuery = (organizationId: string) =>
  `WorkflowType = ${quoteValue(TASK_WORKFLOW)} AND OrganizationId = ${quoteValue(organizationId)}`;

/**
 * The queries for tasks of a status. A workflow that was ended from outside never decided its
 * status: its task counts as failed.
 */
export const statusQueries: Record<TaskStatus, string> = {
  running: "(TaskStatus = 'running' AND ExecutionStatus = 'Running')",
  completed: "TaskStatus = 'completed'",
  failed: "(TaskStatus = 'failed' OR (TaskStatus = 'running' AND ExecutionStatus != 'Running'))",
};

/**
 * The queries for tasks by their callback's first delivery. If the workflow was ended before the
 * delivery, the delivery has failed.
 */
const firstDeliveryQueries: Record<LatestCallbackState, string> = {
  pending: "(CallbackStatus = 'pending' AND ExecutionStatus = 'Running')",
  accepted: "CallbackStatus = 'delivered'",
  failed:
    "(CallbackStatus = 'failed' OR (CallbackStatus = 'pending' AND ExecutionStatus != 'Running'))",
};

/**
 * The query for tasks by their callback's latest delivery.
 * @param redelivered the state of the latest redelivery, by taskId
 */
export function callbackQuery(
  state: LatestCallbackState,
  redelivered: Map<string, LatestCallbackState>,
): string {
  const { same = [], other = [] } = Object.groupBy(redelivered, ([, latest]) =>
    latest === state ? 'same' : 'other',
  );
  const idList = (entries: typeof same) => entries.map(([taskId]) => quoteValue(taskId)).join(', ');
  const firstCondition = firstDeliveryQueries[state];
  const firstUnlessRedelivered =
    other.length === 0
      ? firstCondition
      : `(${firstCondition} AND WorkflowId NOT IN (${idList(other)}))`;
  return same.length === 0
    ? firstUnlessRedelivered
    : `(${firstUnlessRedelivered} OR WorkflowId IN (${idList(same)}))`;
}
