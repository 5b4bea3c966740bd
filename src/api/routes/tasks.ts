import { parseDictionary } from 'structured-headers';
import { check, type CheckDeps } from '../../tasks/check.ts';
import { create } from '../../tasks/create.ts';
import { read, type ReadDeps } from '../../tasks/read.ts';
import type { Checked } from '../../contract/answers.ts';
import type { Caller } from '../../tasks/caller.ts';
import type { Work } from '../../threads/threads.ts';
import { type ApiContext, type ApiRouter, callerOf, sentIn, taskIdOf, workOf } from '../context.ts';
import type { RouteNeeds } from '../parts.ts';
import { createRouter } from '../router.ts';
import { validBody } from '../middleware/validBody.ts';
import { jsonBody } from '../middleware/body.ts';
import { enter } from '../middleware/enter.ts';
import { roomOnDisk } from '../middleware/roomOnDisk.ts';
import { waitForEnd } from '../waitForEnd.ts';
import { createViewBodies, presentChecked, presentStarted, presentTask } from './tasks.present.ts';
import { readCheckBody } from './tasks.check.ts';
import { createTaskBody } from './tasks.schema.ts';

type Deps = CheckDeps & ReadDeps & RouteNeeds<'hasRoom' | 'watchers' | 'waits'>;

/** See docs/contract.md, section 5. */
export function taskRoutes(deps: Deps): ApiRouter {
  const router = createRouter();
  const entered = [...enter(deps, 'create'), roomOnDisk(deps)];
  router.post('/agent/tasks', ...entered, ...validBody(createTaskBody), async (ctx) => {
    ctx.body = presentStarted(await create(callerOf(ctx), deps, ctx.state.body, sentIn(ctx)));
  });
  router.post('/agent/tasks/check', ...enter(deps, 'check'), jsonBody(), async (ctx) => {
    ctx.body = await checkRequest(callerOf(ctx), deps, ctx.state.body, workOf(ctx));
  });
  const bodyOf = createViewBodies();
  router.get('/agent/tasks/:taskId', ...enter(deps, 'read'), async (ctx) => {
    const wait = preferredWait(ctx);
    if (wait > 0 && (await waitForEnd(ctx, deps, { taskId: taskIdOf(ctx), ms: wait * 1_000 })))
      ctx.set('Preference-Applied', `wait=${wait}`);
    const task = await read(callerOf(ctx), deps, taskIdOf(ctx));
    ctx.type = 'json';
    ctx.body = bodyOf(task, await presentTask(deps.makers, task.view.about));
  });
  return router;
}

/**
 * Says what would become of a task, without starting it.
 * @param given the request, as it was sent
 * @throws DomainError as `create`, but for what is wrong with an item
 */
export async function checkRequest(
  caller: Caller,
  deps: CheckDeps,
  given: unknown,
  work: Work,
): Promise<Checked> {
  const { body, faulty } = readCheckBody(given);
  const { checked, agent } = await check(caller, deps, body, work);
  return presentChecked(checked, agent, faulty);
}

/** The most seconds that an answer waits: proxies cut silent answers after a minute. */
const LONGEST_S = 50;

/**
 * How long the client prefers to wait for an answer (RFC 7240, section 4.3).
 * @returns seconds, 50 at most; 0 if it says nothing, or nothing that can be read
 */
function preferredWait(ctx: ApiContext): number {
  try {
    const [wait] = parseDictionary(ctx.get('Prefer')).get('wait') ?? [];
    return typeof wait === 'number' ? Math.min(Math.max(Math.trunc(wait), 0), LONGEST_S) : 0;
  } catch {
    return 0;
  }
}
