import Router from '@koa/router';
import type { DroppedFromAll, Started } from '../../contract/answers.ts';
import type { Makers } from '../../organizations/makers.ts';
import {
  dropNotes,
  dropNotesOnAll,
  type DropDeps,
  type DropRequest,
} from '../../tasks/dropNotes.ts';
import { statesOf } from '../../tasks/openNotes.ts';
import { settleNotes, type SettleRequest } from '../../tasks/settleNotes.ts';
import {
  type ApiContext,
  type ApiRouter,
  type ApiState,
  callerOf,
  pathParameter,
  sentIn,
  taskIdOf,
} from '../context.ts';
import { jsonBody } from '../middleware/body.ts';
import { enter, type EnterDeps } from '../middleware/enter.ts';
import { roomOnDisk, type RoomDeps } from '../middleware/roomOnDisk.ts';
import { validate } from '../middleware/validate.ts';
import { dropBody, noteBody, notesBody } from './notes.schema.ts';
import { presentNotes, presentStarted } from './tasks.present.ts';

export interface NoteDeps extends DropDeps, EnterDeps, RoomDeps {
  makers: Makers;
}

/** What becomes of a task's notes: somebody settles them, or what they are about is taken out. */
export function noteRoutes(deps: NoteDeps): ApiRouter {
  const router = new Router<ApiState>({ strict: true, sensitive: true });
  const entered = enter(deps, 'create');
  router.post(
    '/agent/tasks/:taskId/notes/drop',
    ...entered,
    roomOnDisk(deps),
    jsonBody(),
    validate(dropBody),
    async (ctx) => {
      ctx.body = await drop(ctx, deps, ctx.state.body);
    },
  );
  router.patch(
    '/agent/tasks/:taskId/notes',
    ...entered,
    jsonBody(),
    validate(notesBody),
    async (ctx) => {
      ctx.body = { notes: await settle(ctx, deps, ctx.state.body) };
    },
  );
  router.patch(
    '/agent/tasks/:taskId/notes/:noteId',
    ...entered,
    jsonBody(),
    validate(noteBody),
    async (ctx) => {
      const notes = [pathParameter(ctx, 'noteId')];
      [ctx.body] = await settle(ctx, deps, { ...ctx.state.body, notes });
    },
  );
  return router;
}

/** @returns the notes that are meant, as they are now */
async function settle(ctx: ApiContext, deps: NoteDeps, request: SettleRequest) {
  const taskId = taskIdOf(ctx);
  const notes = await settleNotes(callerOf(ctx), deps, taskId, request);
  return presentNotes(notes, await statesOf(deps, taskId, notes));
}

/** POST /agent/tasks/{taskId}/notes/drop */
async function drop(
  ctx: ApiContext,
  deps: NoteDeps,
  request: DropRequest,
): Promise<Started | DroppedFromAll> {
  const asked = [callerOf(ctx), deps, taskIdOf(ctx), request, sentIn(ctx)] as const;
  if (!request.group) return presentStarted(await dropNotes(...asked));
  const { started, refused } = await dropNotesOnAll(...asked);
  return {
    tasks: started.map(({ drops, ...task }) => ({ ...presentStarted(task), drops })),
    refused,
  };
}
