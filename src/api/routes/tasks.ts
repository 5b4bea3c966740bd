import Router from '@koa/router';
import { type Assign, RULES } from '../../agents/assignment.ts';
import type { CheckTask } from '../../contract/check.ts';
import { defined } from '../../contract/defined.ts';
import type { NoteStates } from '../../contract/noteStates.ts';
import type { Site } from '../../contract/site.ts';
import { slugsOf, type TaskWork } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import {
  type ApiContext,
  type ApiRouter,
  type ApiState,
  type Caller,
  callerOf,
  identityOf,
  workOf as workOfRequest,
} from '../context.ts';
import type { Makers } from '../../organizations/makers.ts';
import { jsonBody } from '../middleware/body.ts';
import { enter } from '../middleware/enter.ts';
import { roomOnDisk } from '../middleware/roomOnDisk.ts';
import { validate } from '../middleware/validate.ts';
import { openAddresses, requireResult } from '../../tasks/previews.ts';
import { liveFactsOf, nothingLive, type PublicationDeps } from '../../tasks/publications.ts';
import { createViewBodies, presentAbout, presentChecked } from './tasks.present.ts';
import { notesDownFrom, statesOf } from '../../tasks/openNotes.ts';
import { readCheckBody } from './tasks.check.ts';
import { createTaskBody, type CreateTaskBody } from './tasks.schema.ts';
import { checkCallback, findSite, start, type StartDeps, taskIdOf } from '../../tasks/start.ts';

export interface TaskRouteDeps extends StartDeps, PublicationDeps {
  assign: Assign;
  noteStates: NoteStates;
  makers: Makers;
  checkTask: CheckTask;
}

/** Specification: Endpoints. */
export function taskRoutes(deps: TaskRouteDeps): ApiRouter {
  const router = new Router<ApiState>({ strict: true, sensitive: true });
  const entered = [...enter(deps, 'create'), roomOnDisk(deps)];
  router.post('/agent/tasks', ...entered, jsonBody(), validate(createTaskBody), (ctx) =>
    start(ctx, deps, (caller) => askedTask(caller, deps, ctx.state.body)),
  );
  router.post('/agent/tasks/check', ...enter(deps, 'check'), jsonBody(), (ctx) => check(ctx, deps));
  const bodyOf = createViewBodies();
  router.get('/agent/tasks/:taskId', ...enter(deps, 'read'), async (ctx) => {
    const { organizationId } = identityOf(ctx);
    const view = await deps.tasks.read(organizationId, taskIdOf(ctx));
    const [about] = await presentAbout(deps.makers, [view.about]);
    const { siteId, type, createdAt, template, restores, group } = view.about;
    const isCompleted = view.status === 'completed';
    const states = await statesOf(deps, view.taskId, isCompleted ? (view.output.notes ?? []) : []);
    const live = isCompleted
      ? await liveFactsOf(deps, organizationId, { ...view, slugs: () => slugsOf(view.output) })
      : nothingLive;
    ctx.type = 'json';
    ctx.body = bodyOf(
      view,
      { open: await openAddresses(deps, view), states },
      { about: { ...about!, ...defined({ siteId, type, createdAt, template, restores, group }) }, live },
    );
  });
  return router;
}

/** POST /agent/tasks/check */
async function check(ctx: ApiContext, deps: TaskRouteDeps): Promise<void> {
  const { body, faulty } = readCheckBody(ctx.state.body);
  const { site, fields } = await askedTask(callerOf(ctx), deps, body);
  const { model, onto, work } = fields;
  const checked = await deps.checkTask({ site, onto, work, isModel: model !== undefined }, workOfRequest(ctx));
  ctx.body = presentChecked(checked, model ?? RULES, faulty);
}

/** Checks in the order that design.md fixes: callback URL, site, repository; then the task to work on top of. */
async function askedTask(caller: Caller, deps: TaskRouteDeps, body: CreateTaskBody) {
  const { publish, onWarnings, callbackUrl, baseTaskId, model, budget, title, group } = body;
  const assigned = deps.assign({ type: body.command, model, budget });
  await checkCallback(callbackUrl, deps);
  const site = await findSite(caller, deps, body.siteId);
  const onto = baseTaskId === undefined ? undefined : await findBase(deps, site, baseTaskId);
  const asked = {
    ...defined({ publish, callbackUrl, onto, work: workOf(body) }),
    ...(onWarnings === 'hold' && { onWarnings }),
  };
  const ontoNotes = publish && onto ? await notesBelow(deps, caller, onto.taskId) : [];
  return {
    site,
    fields: { ...asked, ...assigned, ...(ontoNotes.length > 0 && { ontoNotes }) },
    about: { title, follows: baseTaskId, group },
    asked: { ...asked, ...defined({ model, budget, title, group }) },
  };
}

/** Notes on the results that go live with a task that publishes: none of a base task that is live. */
async function notesBelow(deps: TaskRouteDeps, caller: Caller, baseTaskId: string) {
  const isLive = (await deps.publications.of([baseTaskId])).has(baseTaskId);
  return isLive ? [] : notesDownFrom(deps, caller, baseTaskId);
}

/** The result to work on top of; undefined where the base task, and what it was built on, changed nothing. */
async function findBase(deps: TaskRouteDeps, { organizationId, siteId }: Site, baseTaskId: string) {
  const base = await deps.tasks.find(organizationId, baseTaskId).catch((error: unknown) => {
    throw isNotFound(error) ? new DomainError('NOT_FOUND', 'Base task not found') : error;
  });
  if (base.siteId !== siteId) throw new DomainError('INVALID_INPUT', 'baseTaskId names a task of another site');
  if (!base.finished) throw new DomainError('CONFLICT', 'Base task is still running');
  if (base.finished.status === 'failed')
    throw new DomainError('CONFLICT', 'Base task failed: there is no result to work on top of');
  const { result } = base.finished;
  if (result) await requireResult(deps, result.taskId);
  return result;
}

const isNotFound = (error: unknown) => error instanceof DomainError && error.code === 'NOT_FOUND';

function workOf(body: CreateTaskBody): TaskWork {
  if (body.command === 'prompt') return { type: 'prompt', prompt: body.prompt };
  const items = body.items.map(({ targetPageSlug, context, externalId, facts }) =>
    defined({ targetPageSlug, context, externalId, facts }),
  );
  const { templatePageSlug, linkFrom } = body;
  return { type: 'generate_pages', templatePageSlug, items, ...defined({ linkFrom }) };
}
