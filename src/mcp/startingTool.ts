import type { ObjectSchema } from 'joi';
import { Joi } from '../boundedJoi.ts';
import type { TaskCheck } from '../contract/checks.ts';
import { withoutUndefined } from '../contract/withoutUndefined.ts';
import { isTaskId } from '../contract/task.ts';
import { DomainError, notFoundError } from '../errors.ts';
import { createTask, findCreatedTask, type CreateTaskRequest } from '../tasks/createTask.ts';
import { checkTaskRequest } from '../tasks/checkTask.ts';
import type { RequestIdempotency } from '../tasks/startTask.ts';
import {
  confirmField,
  pickFields,
  idempotencyKey,
  presentStart,
  siteId,
  startedAnswer,
} from './schemas.ts';
import type { AssistantCall, AssistantTool } from './tool.ts';

/** The arguments of tools that change something. */
export interface ChangingArgs {
  idempotencyKey?: string;
  confirm?: boolean;
}

/** The arguments of a tool that starts a task of its own. */
export type NewTaskArgs<Command> = Omit<
  Extract<CreateTaskRequest, { command: Command }>,
  'command'
> &
  ChangingArgs;

/** The REST path that creates tasks. An idempotency key means the same task in REST and in MCP. */
export const TASKS_PATH = '/api/v1/agent/tasks';

export const submissionTo = (
  path: string,
  idempotencyKey: string | undefined,
): RequestIdempotency => ({
  idempotencyKey,
  path,
});

/**
 * The common part of the tools that start a task from a request: `generate_pages` and
 * `change_site`. They have the use case, the limits and the confirmation in common.
 * @param command the command of the REST request
 * @param body the schema of the REST body
 * @param fields the fields of the body that the tool takes
 */
export const startingTool = <Command extends CreateTaskRequest['command']>(
  command: Command,
  body: ObjectSchema,
  fields: string[],
) => {
  const submissionOf = ({ confirm: _, idempotencyKey, ...request }: NewTaskArgs<Command>) => ({
    request: { ...request, command } as unknown as CreateTaskRequest,
    idempotency: submissionTo(TASKS_PATH, idempotencyKey),
  });
  return {
    input: Joi.object({
      siteId,
      ...pickFields(body, ...fields),
      confirm: confirmField,
      idempotencyKey,
    }),
    output: startedAnswer,
    limit: 'create',
    starts: true,
    isPublishing: (_, { publish }) => publish,
    async question({ caller, deps, jobOwner }, args) {
      const { request, idempotency } = submissionOf(args);
      if (await findCreatedTask(caller, deps, request, idempotency)) return null;
      const { checked: taskCheck, site } = await checkTaskRequest(caller, deps, request, jobOwner);
      refuseTaskProblems(taskCheck);
      return askToPublishAtOnce(deps, site);
    },
    async run({ caller, deps }, args) {
      const { request, idempotency } = submissionOf(args);
      return presentStart(await createTask(caller, deps, request, idempotency));
    },
  } satisfies Partial<AssistantTool<NewTaskArgs<Command>>>;
};

/**
 * The request of a tool that publishes or retries a task. Its idempotency key counts for the path
 * of the REST request, so that it means the same task in REST and in MCP.
 */
export function followUpSubmission(
  call: Pick<AssistantCall, 'caller'>,
  { taskId, title, idempotencyKey }: { taskId: string; title?: string } & ChangingArgs,
  name: 'publish' | 'retry',
): { request: { taskId: string; title?: string }; idempotency: RequestIdempotency } {
  return {
    request: { taskId: requireTaskId(call, taskId), ...withoutUndefined({ title }) },
    idempotency: submissionTo(`${TASKS_PATH}/${taskId}/${name}`, idempotencyKey),
  };
}

/** The question to the person before a task that publishes its result without a review. */
export const askToPublishAtOnce = (
  deps: AssistantCall['deps'],
  site: Parameters<AssistantCall['deps']['liveOriginOf']>[0],
) =>
  `Make the result of the task live at ${deps.liveOriginOf(site)} as soon as it is ready, without a review?`;

/**
 * Refuses a task that would fail, so that the person is not asked about it.
 * @throws DomainError INVALID_INPUT with the first problem
 */
export function refuseTaskProblems({
  problems,
  items,
}: Pick<TaskCheck, 'problems' | 'items'>): void {
  const [firstProblem, ...otherProblems] = [...problems, ...items.flatMap((item) => item.problems)];
  if (!firstProblem) return;
  const moreWords = otherProblems.length > 0 ? ` (and ${otherProblems.length} more problems)` : '';
  throw new DomainError(
    'INVALID_INPUT',
    `The task would fail: ${firstProblem.message}${moreWords}`,
  );
}

/**
 * Checks the form of a task's id, and adds it to the log lines of the request.
 * @throws DomainError NOT_FOUND if it is malformed
 */
export function requireTaskId({ caller }: Pick<AssistantCall, 'caller'>, taskId: string): string {
  if (!isTaskId(taskId)) throw notFoundError('Task not found');
  caller.logContext.taskId = taskId;
  return taskId;
}
