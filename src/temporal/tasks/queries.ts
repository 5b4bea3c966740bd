import { TASK_WORKFLOW, type TaskStatus } from '../../contract/task.ts';
import type { CallbackState } from './tasks.ts';

/** A value in a query of Temporal's visibility. */
export const quote = (value: string) => `'${value.replace(/['"\\`]/g, '\\$&')}'`;

/** An organization's tasks. */
export const tasksOf = (organizationId: string) =>
  `WorkflowType = ${quote(TASK_WORKFLOW)} AND OrganizationId = ${quote(organizationId)}`;

/** Tasks of a status. A workflow that was ended from outside never decided its status: its task counts as failed. */
export const withStatus: Record<TaskStatus, string> = {
  running: "(TaskStatus = 'running' AND ExecutionStatus = 'Running')",
  completed: "TaskStatus = 'completed'",
  failed: "(TaskStatus = 'failed' OR (TaskStatus = 'running' AND ExecutionStatus != 'Running'))",
};

/** Tasks by the delivery of their callback. One whose workflow was ended in the middle of it counts as failed. */
export const withCallback: Record<CallbackState, string> = {
  pending: "(CallbackStatus = 'pending' AND ExecutionStatus = 'Running')",
  accepted: "CallbackStatus = 'delivered'",
  failed: "(CallbackStatus = 'failed' OR (CallbackStatus = 'pending' AND ExecutionStatus != 'Running'))",
};
