import type { ObjectSchema } from 'joi';
import { Joi } from '../joi.ts';
import { isTaskId } from '../contract/task.ts';
import { notFound } from '../errors.ts';
import { create, type CreateRequest } from '../tasks/create.ts';
import { findSite, type Sent } from '../tasks/start.ts';
import { confirm, fieldsOf, idempotencyKey, presentStart, started } from './schemas.ts';
import type { Call, Tool } from './tool.ts';

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

/**
 * What the tools share that start a task of their own.
 * @param fields those of the REST API's body that assistants may give
 */
export const startsTask = <Command extends CreateRequest['command']>(
  command: Command,
  body: ObjectSchema,
  fields: string[],
) =>
  ({
    input: Joi.object({ ...fieldsOf(body, ...fields), confirm, idempotencyKey }),
    output: started,
    limit: 'create',
    starts: true,
    isPublishing: (_, { publish }) => publish,
    question: askAboutNewTask,
    async run({ caller, parts }, { confirm: _, idempotencyKey, ...request }) {
      const asked = { ...request, command } as unknown as CreateRequest;
      return presentStart(await create(caller, parts, asked, sentTo(TASKS, idempotencyKey)));
    },
  }) satisfies Partial<Tool<NewTask<Command>>>;

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
