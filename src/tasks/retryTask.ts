import { withoutUndefined } from '../contract/withoutUndefined.ts';
import type { GeneratePagesWork, TaskInput, WrittenPage } from '../contract/task.ts';
import type { RecordedTaskRequest } from '../temporal/tasks/taskService.ts';
import type { RequestCaller } from './caller.ts';
import type { FollowUpRequest } from './publishTask.ts';
import { requireResult } from './previews.ts';
import { taskConflict } from './taskResults.ts';
import {
  type ResolvedTask,
  checkCallback,
  findCallerSite,
  type FollowUpPorts,
  type RequestIdempotency,
  startTask,
  findStartedTask,
} from './startTask.ts';

/**
 * Temporal accepts 2 MiB for one argument. 50,000 bytes are reserved for the fields that
 * `pagesThatFit` does not count.
 */
const START_BYTES = 2 * 1024 ** 2 - 50_000;

/**
 * Starts a task that repeats the work of a failed `generate_pages` task. It reuses the pages that
 * the failed task has written.
 * @throws DomainError NOT_FOUND, CONFLICT if the task did not fail, INVALID_CALLBACK_URL
 */
export const startRetryTask = (
  caller: RequestCaller,
  deps: FollowUpPorts,
  request: FollowUpRequest,
  idempotency: RequestIdempotency,
) => startTask(caller, deps, () => resolveRetry(caller, deps, request), idempotency);

/**
 * Builds the task that a retry would start, without starting it.
 * @returns null if an equal request has started it with the same idempotency key
 * @throws DomainError as `startRetryTask`
 */
export async function previewRetry(
  caller: RequestCaller,
  deps: FollowUpPorts,
  request: FollowUpRequest,
  idempotency: RequestIdempotency,
): Promise<Awaited<ReturnType<typeof resolveRetry>> | null> {
  const resolvedRetry = await resolveRetry(caller, deps, request);
  return (await findStartedTask(caller, deps, resolvedRetry, idempotency)) ? null : resolvedRetry;
}

/**
 * Builds the retry from the failed task's request. It reuses the pages that the failed task had
 * written, and what people answered it.
 */
async function resolveRetry(
  caller: RequestCaller,
  deps: FollowUpPorts,
  { taskId, callbackUrl: requestedCallbackUrl, title }: FollowUpRequest,
) {
  await checkCallback(requestedCallbackUrl, deps);
  const task = await deps.tasks.find(caller.organizationId, taskId);
  if (task.type !== 'generate_pages')
    throw taskConflict(
      `The task has the type ${task.type}, and only generate_pages tasks can be retried`,
    );
  if (task.finished?.status !== 'failed') throw notFailedError(task.finished !== undefined);
  const { input, ...reusableWork } = await deps.tasks.request(caller.organizationId, taskId);
  const site = await findCallerSite(caller, deps, task.siteId);
  const { publish, onWarnings, baseTask, baseTaskNotes, model, budget, ask } = input;
  if (baseTask) await requireResult(deps, baseTask.taskId);
  const callbackUrl = requestedCallbackUrl ?? input.callbackUrl;
  const work = addReusableWork(input, reusableWork);
  const fields = withoutUndefined({
    publish,
    onWarnings,
    callbackUrl,
    baseTask,
    baseTaskNotes,
    model,
    budget,
    ask,
    work,
  });
  const about = { title: title ?? task.title, follows: taskId };
  const comparedRetry = { retryOf: taskId, callbackUrl: requestedCallbackUrl, title };
  return { site, fields, about, comparedRequest: comparedRetry } satisfies ResolvedTask;
}

/**
 * Adds the written pages and the people's answers to the work. If the failed task was a retry
 * itself, also adds what it reused. Pages of another version of the template are left out.
 */
function addReusableWork(
  input: TaskInput,
  { written, answered }: Omit<RecordedTaskRequest, 'input'>,
): GeneratePagesWork {
  const { answered: earlierAnswers, ...requestedPages } = input.work as GeneratePagesWork;
  const allAnswers = { ...earlierAnswers, ...answered };
  const work = {
    ...requestedPages,
    ...(Object.keys(allAnswers).length > 0 && { answered: allAnswers }),
  };
  const earlierPages = work.written?.digest === written?.digest ? work.written?.pages : undefined;
  const keptPages = written
    ? { digest: written.digest, pages: { ...earlierPages, ...written.pages } }
    : work.written;
  return {
    ...work,
    ...withoutUndefined({
      written: keptPages && {
        ...keptPages,
        pages: pagesThatFit({ ...input, work }, keptPages.pages),
      },
    }),
  };
}

/**
 * The written pages that fit into the workflow's argument beside the request. The retry writes the
 * others again.
 */
function pagesThatFit({ work, baseTaskNotes = [] }: TaskInput, pages: Record<string, WrittenPage>) {
  const fittingPages: typeof pages = {};
  let remainingBytes =
    START_BYTES - bytesAsJson({ ...work, written: undefined }) - bytesAsJson(baseTaskNotes);
  for (const [slug, page] of Object.entries(pages)) {
    const pageBytes = bytesAsJson({ [slug]: page });
    if (pageBytes > remainingBytes) continue;
    fittingPages[slug] = page;
    remainingBytes -= pageBytes;
  }
  return fittingPages;
}

const bytesAsJson = (value: object) => Buffer.byteLength(JSON.stringify(value));

export const notFailedError = (isCompleted: boolean) =>
  taskConflict(
    `The task ${isCompleted ? 'is completed' : 'is still running'}, and only failed tasks can be retried`,
  );
