import { check, type CheckDeps } from '../../tasks/check.ts';
import { create } from '../../tasks/create.ts';
import { read, type ReadDeps } from '../../tasks/read.ts';
import {
  type ApiContext,
  type ApiRouter,
  callerOf,
  identityOf,
  sentIn,
  taskIdOf,
  workOf,
} from '../context.ts';
import { createLongAnswers, endOf, type LongAnswers } from '../longAnswers.ts';
import type { RouteNeeds } from '../parts.ts';
import { preferredWait } from '../prefer.ts';
import { createRouter } from '../router.ts';
import { validBody } from '../middleware/validBody.ts';
import { jsonBody } from '../middleware/body.ts';
import { enter } from '../middleware/enter.ts';
import { roomOnDisk } from '../middleware/roomOnDisk.ts';
import { createViewBodies, presentChecked, presentStarted, presentTask } from './tasks.present.ts';
import { readCheckBody } from './tasks.check.ts';
import { createTaskBody } from './tasks.schema.ts';

type Deps = CheckDeps & ReadDeps & RouteNeeds<'hasRoom' | 'watchers'>;

/** Specification: Endpoints. */
export function taskRoutes(deps: Deps): ApiRouter {
  const router = createRouter();
  const entered = [...enter(deps, 'create'), roomOnDisk(deps)];
  router.post('/agent/tasks', ...entered, ...validBody(createTaskBody), async (ctx) => {
    ctx.body = presentStarted(await create(callerOf(ctx), deps, ctx.state.body, sentIn(ctx)));
  });
  router.post('/agent/tasks/check', ...enter(deps, 'check'), jsonBody(), (ctx) =>
    checkBody(ctx, deps),
  );
  const bodyOf = createViewBodies();
  const waits = createLongAnswers('requests that wait');
  router.get('/agent/tasks/:taskId', ...enter(deps, 'read'), async (ctx) => {
    const wait = preferredWait(ctx);
    if (wait > 0 && !waits.isFull(ctx)) await waitForEnd(ctx, deps, { wait, waits });
    const task = await read(callerOf(ctx), deps, taskIdOf(ctx));
    ctx.type = 'json';
    ctx.body = bodyOf(task, await presentTask(deps.makers, task.view.about));
  });
  return router;
}

/**
 * Waits for the end of a task as long as the client prefers. A task without a callback is over at
 * its end; one with a callback is watched until then.
 */
async function waitForEnd(
  ctx: ApiContext,
  { watchers, tasks }: Pick<Deps, 'watchers' | 'tasks'>,
  { wait, waits }: { wait: number; waits: LongAnswers },
): Promise<void> {
  const [ms, taskId] = [wait * 1_000, taskIdOf(ctx)];
  const ending = endOf(ms, waits.begin(ctx), watchers.closing);
  const watched = await watchers.join(identityOf(ctx).organizationId, taskId, ending.signal);
  ctx.set('Preference-Applied', `wait=${wait}`);
  const isRunning = () => watched.latest().view.status === 'running';
  if (!isRunning()) return;
  tasks.closed(taskId, ending.signal).then(
    () => ending.abort(),
    () => undefined, // the watch goes on
  );
  while (isRunning() && (await watched.next(ending.signal)));
}

/** POST /agent/tasks/check */
async function checkBody(ctx: ApiContext, deps: Deps): Promise<void> {
  const { body, faulty } = readCheckBody(ctx.state.body);
  const { checked, agent } = await check(callerOf(ctx), deps, body, workOf(ctx));
  ctx.body = presentChecked(checked, agent, faulty);
}
