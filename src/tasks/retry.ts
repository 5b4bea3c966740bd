import { defined } from '../contract/defined.ts';
import type { GeneratePagesWork, TaskInput, WrittenPage } from '../contract/task.ts';
import type { TaskRequest } from '../temporal/tasks/tasks.ts';
import type { Caller } from './caller.ts';
import type { FollowUp } from './publish.ts';
import { requireResult } from './previews.ts';
import { conflict } from './results.ts';
import {
  type AskedTask,
  checkCallback,
  findSite,
  type FollowUpDeps,
  type Sent,
  start,
  startedBefore,
} from './start.ts';

/**
 * Temporal accepts 2 MiB for one argument. 50,000 bytes are reserved for the fields that `fitting`
 * does not count.
 */
const START_BYTES = 2 * 1024 ** 2 - 50_000;

/**
 * Starts a task that repeats a failed task's work.
 * @throws DomainError NOT_FOUND, CONFLICT if the task did not fail, INVALID_CALLBACK_URL
 */
export const retry = (caller: Caller, deps: FollowUpDeps, request: FollowUp, sent: Sent) =>
  start(caller, deps, () => retryOf(caller, deps, request), sent);

/**
 * What a retry would do, without starting it.
 * @returns null if an equal request has started it with the same idempotency key
 * @throws DomainError as `retry`
 */
export async function checkRetry(
  caller: Caller,
  deps: FollowUpDeps,
  request: FollowUp,
  sent: Sent,
): Promise<Awaited<ReturnType<typeof retryOf>> | null> {
  const asked = await retryOf(caller, deps, request);
  return (await startedBefore(caller, deps, asked, sent)) ? null : asked;
}

/**
 * Builds the retry from the failed task's request. It reuses the pages that the failed task had
 * written, and what people answered it.
 */
async function retryOf(
  caller: Caller,
  deps: FollowUpDeps,
  { taskId, callbackUrl: given, title }: FollowUp,
) {
  await checkCallback(given, deps);
  const task = await deps.tasks.find(caller.organizationId, taskId);
  if (task.type !== 'generate_pages')
    throw conflict(`Task is of type ${task.type}: only generate_pages can be retried`);
  if (task.finished?.status !== 'failed')
    throw conflict(
      `Task ${task.finished ? 'completed' : 'is still running'}: only a failed task can be retried`,
    );
  const { input, ...made } = await deps.tasks.request(caller.organizationId, taskId);
  const site = await findSite(caller, deps, task.siteId);
  const { publish, onWarnings, onto, ontoNotes, model, budget, ask } = input;
  if (onto) await requireResult(deps, onto.taskId);
  const callbackUrl = given ?? input.callbackUrl;
  const work = withMade(input, made);
  const fields = defined({
    publish,
    onWarnings,
    callbackUrl,
    onto,
    ontoNotes,
    model,
    budget,
    ask,
    work,
  });
  const about = { title: title ?? task.title, follows: taskId };
  const asked = { retryOf: taskId, callbackUrl: given, title };
  return { site, fields, about, asked } satisfies AskedTask;
}

/**
 * Adds the written pages and the answers to the work. If the failed task was a retry, what it had
 * reused is included: pages only with the same template digest.
 */
function withMade(
  input: TaskInput,
  { written, answered }: Omit<TaskRequest, 'input'>,
): GeneratePagesWork {
  const { answered: before, ...asked } = input.work as GeneratePagesWork;
  const all = { ...before, ...answered };
  const work = { ...asked, ...(Object.keys(all).length > 0 && { answered: all }) };
  const given = work.written?.digest === written?.digest ? work.written?.pages : undefined;
  const kept = written
    ? { digest: written.digest, pages: { ...given, ...written.pages } }
    : work.written;
  return {
    ...work,
    ...defined({ written: kept && { ...kept, pages: fitting({ ...input, work }, kept.pages) } }),
  };
}

/**
 * The pages that fit into the workflow's argument beside the request. The others are written again.
 */
function fitting({ work, ontoNotes = [] }: TaskInput, pages: Record<string, WrittenPage>) {
  const kept: typeof pages = {};
  let left = START_BYTES - bytesOf({ ...work, written: undefined }) - bytesOf(ontoNotes);
  for (const [slug, page] of Object.entries(pages)) {
    const bytes = bytesOf({ [slug]: page });
    if (bytes > left) continue;
    kept[slug] = page;
    left -= bytes;
  }
  return kept;
}

const bytesOf = (value: object) => Buffer.byteLength(JSON.stringify(value));
