import type { Started } from '../../contract/answers.ts';
import { dropNotes } from '../../tasks/dropNotes.ts';
import { statesOf } from '../../tasks/openNotes.ts';
import { settleNotes, type SettleRequest } from '../../tasks/settleNotes.ts';
import { type ApiContext, type ApiRouter, callerOf, sentIn, taskIdOf } from '../context.ts';
import type { RouteNeeds } from '../parts.ts';
import { createRouter } from '../router.ts';
import { validBody } from '../middleware/validBody.ts';
import type { FollowUpDeps } from '../../tasks/start.ts';
import { enter } from '../middleware/enter.ts';
import { roomOnDisk } from '../middleware/roomOnDisk.ts';
import { dropBody, type DropBody, notesBody } from './notes.schema.ts';
import { presentNotes, presentStarted } from './tasks.present.ts';

type Deps = FollowUpDeps & RouteNeeds<'makers' | 'hasRoom'>;

/** Settling a task's notes, or dropping what they are about. */
export function noteRoutes(deps: Deps): ApiRouter {
  const router = createRouter();
  const entered = enter(deps, 'create');
  router.post(
    '/agent/tasks/:taskId/notes/drop',
    ...entered,
    roomOnDisk(deps),
    ...validBody(dropBody),
    async (ctx) => {
      ctx.body = await drop(ctx, deps, ctx.state.body);
    },
  );
  router.patch('/agent/tasks/:taskId/notes', ...entered, ...validBody(notesBody), async (ctx) => {
    ctx.body = { notes: await settle(ctx, deps, ctx.state.body) };
  });
  return router;
}

/** @returns the matching notes with their new state */
async function settle(ctx: ApiContext, deps: Deps, request: SettleRequest) {
  const taskId = taskIdOf(ctx);
  const notes = await settleNotes(callerOf(ctx), deps, taskId, request);
  return presentNotes(notes, await statesOf(deps, taskId, notes));
}

/** POST /agent/tasks/{taskId}/notes/drop */
async function drop(ctx: ApiContext, deps: Deps, request: DropBody): Promise<Started> {
  const asked = { taskId: taskIdOf(ctx), ...request };
  return presentStarted(await dropNotes(callerOf(ctx), deps, asked, sentIn(ctx)));
}
