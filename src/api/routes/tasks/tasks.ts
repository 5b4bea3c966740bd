import { parseDictionary } from 'structured-headers';
import { checkTaskRequest, type CheckTaskPorts } from '../../../tasks/checkTask.ts';
import { createTask } from '../../../tasks/createTask.ts';
import { readTask, type ReadTaskPorts } from '../../../tasks/readTask.ts';
import type { TaskCheckResponse } from '../../../contract/responses.ts';
import type { RequestCaller } from '../../../tasks/caller.ts';
import type { JobOwner } from '../../../threads/threadPool.ts';
import {
  type ApiContext,
  type ApiRouter,
  callerOf,
  readSubmission,
  taskIdOf,
  jobOwnerOf,
} from '../../context.ts';
import type { RouteDeps } from '../../apiDeps.ts';
import { createRouter } from '../../router.ts';
import { validBody } from '../../middleware/validBody.ts';
import { jsonBody } from '../../middleware/body.ts';
import { enter } from '../../middleware/enter.ts';
import { roomOnDisk } from '../../middleware/roomOnDisk.ts';
import { waitForEnd } from '../../waitForEnd.ts';
import {
  createViewBodies,
  presentChecked,
  presentStartedTask,
  presentTask,
} from './tasks.present.ts';
import { readCheckBody } from './tasks.check.ts';
import { createTaskBody } from './tasks.schema.ts';

type TaskRouteDeps = CheckTaskPorts & ReadTaskPorts & RouteDeps<'hasRoom' | 'watchers' | 'waits'>;

/** Creates, checks and reads tasks (docs/contract.md, section 5). */
export function taskRoutes(deps: TaskRouteDeps): ApiRouter {
  const router = createRouter();
  const entryChecks = [...enter(deps, 'create'), roomOnDisk(deps)];
  router.post('/agent/tasks', ...entryChecks, ...validBody(createTaskBody), async (ctx) => {
    ctx.body = presentStartedTask(
      await createTask(callerOf(ctx), deps, ctx.state.body, readSubmission(ctx)),
    );
  });
  router.post('/agent/tasks/check', ...enter(deps, 'check'), jsonBody(), async (ctx) => {
    ctx.body = await answerTaskCheck(callerOf(ctx), deps, ctx.state.body, jobOwnerOf(ctx));
  });
  const presentBody = createViewBodies();
  router.get('/agent/tasks/:taskId', ...enter(deps, 'read'), async (ctx) => {
    const waitSeconds = preferredWait(ctx);
    if (
      waitSeconds > 0 &&
      (await waitForEnd(ctx, deps, { taskId: taskIdOf(ctx), ms: waitSeconds * 1_000 }))
    )
      ctx.set('Preference-Applied', `wait=${waitSeconds}`);
    const foundTask = await readTask(callerOf(ctx), deps, taskIdOf(ctx));
    ctx.type = 'json';
    ctx.body = presentBody(foundTask, await presentTask(deps.creators, foundTask.view.about));
  });
  return router;
}

/**
 * Returns what a task would do, without starting it.
 * @param givenBody the request, as it was sent
 * @throws DomainError as `createTask`, except for problems of an item, which are in the response
 */
export async function answerTaskCheck(
  caller: RequestCaller,
  deps: CheckTaskPorts,
  givenBody: unknown,
  jobOwner: JobOwner,
): Promise<TaskCheckResponse> {
  const { body, faulty: invalidItems } = readCheckBody(givenBody);
  const { checked, agent } = await checkTaskRequest(caller, deps, body, jobOwner);
  return presentChecked(checked, agent, invalidItems);
}

/** Maximum seconds that a response waits. Proxies cut silent connections after a minute. */
const LONGEST_S = 50;
/** Most characters of the field `Prefer` that are read. Its parser takes 10 ms for 15,000. */
const LONGEST_PREFERENCES = 500;

/**
 * How long the client wants to wait for the end of the task (`Prefer: wait=30`, RFC 7240, section
 * 4.3).
 * @returns seconds, 50 at most; 0 if the field is absent, invalid or too long
 */
function preferredWait(ctx: ApiContext): number {
  const preferences = ctx.get('Prefer');
  if (preferences.length > LONGEST_PREFERENCES) return 0;
  try {
    const [waitSeconds] = parseDictionary(preferences).get('wait') ?? [];
    return typeof waitSeconds === 'number'
      ? Math.min(Math.max(Math.trunc(waitSeconds), 0), LONGEST_S)
      : 0;
  } catch {
    return 0;
  }
}
