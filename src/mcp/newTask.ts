import { isTaskId } from '../contract/task.ts';
import { notFound } from '../errors.ts';
import type { CreateRequest } from '../tasks/create.ts';
import { findSite, type Sent } from '../tasks/start.ts';
import type { Call } from './tool.ts';

/** The arguments of tools that change something. */
export interface Changing {
  idempotencyKey?: string;
  confirm?: boolean;
}

/** The arguments of a tool that starts a task of its own. */
export type NewTask<Command> = Omit<Extract<CreateRequest, { command: Command }>, 'command'> &
  Changing;

/** The path at which REST creates tasks: an idempotency key names one task, by either way. */
export const TASKS = '/api/v1/agent/tasks';

export const sentTo = (path: string, idempotencyKey: string | undefined): Sent => ({
  idempotencyKey,
  path,
});

/** @throws DomainError NOT_FOUND, SITE_WITHOUT_REPOSITORY */
export async function askAboutNewTask(
  { caller, parts }: Call,
  { siteId }: { siteId: string },
): Promise<string> {
  const site = await findSite(caller, parts, siteId);
  const address = parts.liveAddress(site);
  return `Put what the task makes live at ${address} at once, before anybody has seen it?`;
}

/**
 * The id of a task, for the log too.
 * @throws DomainError NOT_FOUND if it is malformed
 */
export function knownTask({ caller }: Pick<Call, 'caller'>, taskId: string): string {
  if (!isTaskId(taskId)) throw notFound('Task not found');
  caller.subject.taskId = taskId;
  return taskId;
}
