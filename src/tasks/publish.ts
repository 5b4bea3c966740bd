import Router from '@koa/router';
import { defined } from '../contract/defined.ts';
import type { NoteStates } from '../contract/noteStates.ts';
import type { GeneratePagesWork, PublishWork, TaskInput, TaskOutput, WrittenPage } from '../contract/task.ts';
import { DomainError } from '../errors.ts';
import { publishTitle } from '../contract/title.ts';
import type { TaskRecord, TaskRequest } from '../temporal/tasks/tasks.ts';
import { type ApiContext, type ApiRouter, type ApiState, type Caller, callerOf, identityOf } from '../api/context.ts';
import { jsonBody } from '../api/middleware/body.ts';
import { enter } from '../api/middleware/enter.ts';
import { roomOnDisk } from '../api/middleware/roomOnDisk.ts';
import { validate } from '../api/middleware/validate.ts';
import { type Previews, requireResult } from './previews.ts';
import { notesDownFrom } from './openNotes.ts';
import { isEdited, presentPublication, type PublicationDeps } from './publications.ts';
import { followUpBody, type FollowUpBody } from '../api/routes/tasks.schema.ts';
import { presentStarted } from '../api/routes/tasks.present.ts';
import {
  type AskedTask,
  checkCallback,
  findSite,
  sentIn,
  start,
  startAsked,
  type StartDeps,
  startedBefore,
  startOrFail,
  taskIdOf,
} from './start.ts';

export interface FollowUpDeps extends StartDeps, Pick<PublicationDeps, 'publications'> {
  /** The commit that a task's preview shows: another one than the task's own where it was edited by hand. */
  deployments: Previews;
  noteStates: Pick<NoteStates, 'of'>;
}

/** Temporal takes an argument of 2 MiB at most; the rest is for the other fields. */
const START_BYTES = 2 * 1024 ** 2 - 50_000;

type Completed = Extract<NonNullable<TaskRecord['finished']>, { status: 'completed' }>;

/** Actions on an existing task: publish its result, retry it, cancel it. */
export function followUpRoutes(deps: FollowUpDeps): ApiRouter {
  const router = new Router<ApiState>({ strict: true, sensitive: true });
  const entered = enter(deps, 'create');
  const starting = [...entered, roomOnDisk(deps)];
  const body = jsonBody({ optional: true });
  router.post('/agent/tasks/:taskId/publish', ...starting, body, validate(followUpBody), (ctx) =>
    publish(ctx, deps, ctx.state.body),
  );
  router.post('/agent/tasks/:taskId/retry', ...starting, body, validate(followUpBody), (ctx) =>
    start(ctx, deps, async (caller) => retryOf(taskIdOf(ctx), caller, deps, ctx.state.body)),
  );
  router.post('/agent/tasks/:taskId/cancel', ...entered, (ctx) => cancel(ctx, deps));
  return router;
}

/**
 * Puts a task's result live, by a task of its own. Once it has succeeded, its repetition is not told that the task is
 * published, but what the first one was told.
 */
export async function publish(ctx: ApiContext, deps: FollowUpDeps, body: FollowUpBody): Promise<void> {
  const [taskId, caller, sent] = [taskIdOf(ctx), callerOf(ctx), sentIn(ctx)];
  await startOrFail(async () => {
    const { siteId } = await deps.tasks.find(caller.organizationId, taskId);
    const site = await findSite(caller, deps, siteId);
    const before = await startedBefore(caller, deps, { site, asked: askedOf(taskId, body) }, sent);
    ctx.body = presentStarted(
      before ?? (await startAsked(caller, deps, await publishOf(taskId, caller, deps, body), sent)),
    );
  });
}

const askedOf = (taskId: string, { callbackUrl, title }: FollowUpBody) => ({ publishOf: taskId, callbackUrl, title });

/** A task that puts another one's result live. Throws NOT_FOUND, CONFLICT where there is nothing to publish. */
async function publishOf(taskId: string, caller: Caller, deps: FollowUpDeps, body: FollowUpBody): Promise<AskedTask> {
  const { callbackUrl, title } = body;
  await checkCallback(callbackUrl, deps);
  const { task, site, output, result } = await publishableTask(taskId, caller, deps);
  const ownPages = pagesOf(output).map(({ slug }) => slug);
  const notes = await notesDownFrom(deps, caller, taskId);
  const name = title ?? task.title;
  const work: PublishWork = { type: 'publish', name, result, externalIds: externalIdsOf(output), ownPages, notes };
  const fields = defined({ publish: true, callbackUrl, work });
  const about = { title: title ?? publishTitle(task.title), follows: taskId };
  return { site, fields, about, asked: askedOf(taskId, body) };
}

/** A task whose result can go live. Throws NOT_FOUND, CONFLICT where there is nothing to publish. */
export async function publishableTask(taskId: string, caller: Caller, deps: FollowUpDeps) {
  const task = await deps.tasks.find(caller.organizationId, taskId);
  const site = await findSite(caller, deps, task.siteId);
  const { output, result } = completed(task);
  if (!result || isEmpty(output)) throw conflict('Task changed nothing: there is nothing to publish');
  await requireResult(deps, result.taskId);
  await refusePublished(deps, result.taskId);
  return { task, site, output, result };
}

/** A result that went live goes live again only with what was edited by hand since. */
async function refusePublished(deps: FollowUpDeps, taskId: string): Promise<void> {
  const published = (await deps.publications.of([taskId])).get(taskId);
  if (!published || isEdited(taskId, await deps.deployments.preview(taskId), published)) return;
  if (presentPublication(published).state !== 'replaced') throw conflict('Task is already published');
  throw conflict('Task was published, and replaced since: put its deployment live again instead');
}

/** The end of a task that something is to follow. Throws CONFLICT where there is none, or it failed. */
export function completed({ finished }: TaskRecord, what = 'publish'): Completed {
  if (!finished) throw conflict('Task is still running');
  if (finished.status === 'failed') throw conflict(`Task failed: there is nothing to ${what}`);
  return finished;
}

const isEmpty = ({ pagesCreated, pagesModified, pagesDeleted }: TaskOutput) =>
  pagesCreated.length + pagesModified.length + pagesDeleted.length === 0;

const pagesOf = ({ pagesCreated, pagesModified }: TaskOutput) => [...pagesCreated, ...pagesModified];

export const externalIdsOf = (output: TaskOutput) =>
  Object.fromEntries(
    pagesOf(output).flatMap(({ slug, externalId }) => (externalId === undefined ? [] : [[slug, externalId]])),
  );

/** The failed task's own request again; the pages that it had written need not be written twice. */
async function retryOf(
  taskId: string,
  caller: Caller,
  deps: FollowUpDeps,
  { callbackUrl: given, title }: FollowUpBody,
): Promise<AskedTask> {
  await checkCallback(given, deps);
  const task = await deps.tasks.find(caller.organizationId, taskId);
  if (task.type !== 'generate_pages')
    throw conflict(`Task is of type ${task.type}: only generate_pages can be retried`);
  if (task.finished?.status !== 'failed')
    throw conflict(`Task ${task.finished ? 'completed' : 'is still running'}: only a failed task can be retried`);
  const { input, written } = await deps.tasks.request(caller.organizationId, taskId);
  const site = await findSite(caller, deps, task.siteId);
  const { publish, onWarnings, onto, ontoNotes, model, budget } = input;
  if (onto) await requireResult(deps, onto.taskId);
  const callbackUrl = given ?? input.callbackUrl;
  const work = withWritten(input, written);
  const fields = defined({ publish, onWarnings, callbackUrl, onto, ontoNotes, model, budget, work });
  const about = { title: title ?? task.title, follows: taskId, group: task.group };
  return { site, fields, about, asked: { retryOf: taskId, callbackUrl: given, title } };
}

/** Of a task that was a retry itself, what it had been given counts too, where the template was the same. */
function withWritten(input: TaskInput, written: TaskRequest['written']): GeneratePagesWork {
  const work = input.work as GeneratePagesWork;
  const given = work.written?.digest === written?.digest ? work.written?.pages : undefined;
  const kept = written ? { digest: written.digest, pages: { ...given, ...written.pages } } : work.written;
  return { ...work, ...defined({ written: kept && { ...kept, pages: fitting(input, kept.pages) } }) };
}

/** The pages that the start of a workflow can carry beside the request; the others are written again. */
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

/** POST /agent/tasks/{taskId}/cancel */
async function cancel(ctx: ApiContext, { tasks }: FollowUpDeps): Promise<void> {
  const taskId = taskIdOf(ctx);
  await tasks.cancel(identityOf(ctx).organizationId, taskId);
  ctx.status = 202;
  ctx.body = { taskId, status: 'running' };
}

const conflict = (message: string) => new DomainError('CONFLICT', message);
