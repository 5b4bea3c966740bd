import type { TaskInput, TaskView } from '../contract/task.ts';

/** What the API asks of Temporal. */
export interface Tasks {
  /**
   * Starts the task's workflow. With an `idempotencyKey` the taskId is derived from organization and key, and a repeated start
   * with the same `bodyHash` answers the first task's ids again.
   * Throws START_FAILED within 5 s when Temporal can't be reached, IDEMPOTENCY_MISMATCH for another body.
   */
  start(request: StartRequest): Promise<StartedTask>;
  /** The status view. Throws NOT_FOUND for an unknown task and for another organization's. */
  read(organizationId: string, taskId: string): Promise<TaskView>;
}

export interface StartRequest {
  task: Omit<TaskInput, 'taskId' | 'createdAt'>;
  idempotencyKey?: string;
  /** Digest of the validated body, compared for the same idempotency key. */
  bodyHash: string;
}

export interface StartedTask {
  taskId: string;
  createdAt: string;
}
