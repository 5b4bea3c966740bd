import type { ObjectSchema } from 'joi';
import { Joi } from '../joi.ts';
import type { TaskChecked } from '../contract/check.ts';
import { defined } from '../contract/defined.ts';
import { isTaskId } from '../contract/task.ts';
import { DomainError, notFound } from '../errors.ts';
import { create, createdBefore, type CreateRequest } from '../tasks/create.ts';
import { check } from '../tasks/check.ts';
import type { Sent } from '../tasks/start.ts';
import { confirm, fieldsOf, idempotencyKey, presentStart, siteId, started } from './schemas.ts';
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
) => {
  const requestOf = ({ confirm: _, idempotencyKey, ...request }: NewTask<Command>) => ({
    request: { ...request, command } as unknown as CreateRequest,
    sent: sentTo(TASKS, idempotencyKey),
  });
  return {
    input: Joi.object({ siteId, ...fieldsOf(body, ...fields), confirm, idempotencyKey }),
    output: started,
    limit: 'create',
    starts: true,
    isPublishing: (_, { publish }) => publish,
    async question({ caller, parts, work }, args) {
      const { request, sent } = requestOf(args);
      if (await createdBefore(caller, parts, request, sent)) return null;
      const { checked, site } = await check(caller, parts, request, work);
      refuseProblems(checked);
      return askToPublishAtOnce(parts, site);
    },
    async run({ caller, parts }, args) {
      const { request, sent } = requestOf(args);
      return presentStart(await create(caller, parts, request, sent));
    },
  } satisfies Partial<Tool<NewTask<Command>>>;
};

/** A follow-up of a task, as a call asks for it and as the REST API is sent it. */
export function followUpOf(
  call: Pick<Call, 'caller'>,
  { taskId, title, idempotencyKey }: { taskId: string; title?: string } & Changing,
  name: 'publish' | 'retry',
): { request: { taskId: string; title?: string }; sent: Sent } {
  return {
    request: { taskId: knownTask(call, taskId), ...defined({ title }) },
    sent: sentTo(`${TASKS}/${taskId}/${name}`, idempotencyKey),
  };
}

/** The question before a task that publishes what nobody can look at before. */
export const askToPublishAtOnce = (
  parts: Call['parts'],
  site: Parameters<Call['parts']['liveAddress']>[0],
) =>
  `Put what the task makes live at ${parts.liveAddress(site)} at once, before anybody has seen it?`;

/**
 * Refuses a task that would fail, so that nobody is asked about it.
 * @throws DomainError INVALID_INPUT with the first problem
 */
export function refuseProblems({ problems, items }: Pick<TaskChecked, 'problems' | 'items'>): void {
  const [problem, ...others] = [...problems, ...items.flatMap((item) => item.problems)];
  if (!problem) return;
  const more = others.length > 0 ? ` (and ${others.length} more problems)` : '';
  throw new DomainError('INVALID_INPUT', `The task would fail: ${problem.message}${more}`);
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
