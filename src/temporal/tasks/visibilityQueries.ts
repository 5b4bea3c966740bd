import { TASK_WORKFLOW, type TaskStatus } from '../../contract/task.ts';
import type { CallbackState } from './tasks.ts';

/** Quotes a value for a visibility query. */
export const quote = (value: string) => `'${value.replace(/['"\\`]/g, '\\$&')}'`;

/** The query for an organization's tasks. */
export const tasksOf = (organizationId: string) =>
  `WorkflowType = ${quote(TASK_WORKFLOW)} AND OrganizationId = ${quote(organizationId)}`;

/**
 * The queries for tasks of a status. A workflow that was ended from outside never decided its
 * status: its task counts as failed.
 */
export const withStatus: Record<TaskStatus, string> = {
  running: "(TaskStatus = 'running' AND ExecutionStatus = 'Running')",
  completed: "TaskStatus = 'completed'",
  failed: "(TaskStatus = 'failed' OR (TaskStatus = 'running' AND ExecutionStatus != 'Running'))",
};

/**
 * The queries for tasks by their callback's first delivery. It has failed if the workflow was ended
 * before the delivery was.
 */
const withFirstDelivery: Record<CallbackState, string> = {
  pending: "(CallbackStatus = 'pending' AND ExecutionStatus = 'Running')",
  accepted: "CallbackStatus = 'delivered'",
  failed:
    "(CallbackStatus = 'failed' OR (CallbackStatus = 'pending' AND ExecutionStatus != 'Running'))",
};

/**
 * The query for tasks by their callback's latest delivery.
 * @param redelivered the state of the latest redelivery, by taskId
 */
export function withCallback(
  state: CallbackState,
  redelivered: Map<string, CallbackState>,
): string {
  const { same = [], other = [] } = Object.groupBy(redelivered, ([, latest]) =>
    latest === state ? 'same' : 'other',
  );
  const listed = (some: typeof same) => some.map(([taskId]) => quote(taskId)).join(', ');
  const first = withFirstDelivery[state];
  const still = other.length === 0 ? first : `(${first} AND WorkflowId NOT IN (${listed(other)}))`;
  return same.length === 0 ? still : `(${still} OR WorkflowId IN (${listed(same)}))`;
}
