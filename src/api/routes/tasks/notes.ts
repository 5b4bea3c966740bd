import type { StartedTaskResponse } from '../../../contract/responses.ts';
import { startFactRemoval } from '../../../tasks/startFactRemoval.ts';
import { readNoteStates } from '../../../tasks/openNotes.ts';
import { changeNoteStates, type NoteStatesRequest } from '../../../tasks/changeNoteStates.ts';
import {
  type ApiContext,
  type ApiRouter,
  callerOf,
  readSubmission,
  taskIdOf,
} from '../../context.ts';
import type { RouteDeps } from '../../apiDeps.ts';
import { createRouter } from '../../router.ts';
import { validBody } from '../../middleware/validBody.ts';
import type { FollowUpPorts } from '../../../tasks/startTask.ts';
import { enter } from '../../middleware/enter.ts';
import { roomOnDisk } from '../../middleware/roomOnDisk.ts';
import { dropBody, type RemoveFactsBody, notesBody } from './notes.schema.ts';
import { presentNotes, presentStartedTask } from './tasks.present.ts';

type NoteRouteDeps = FollowUpPorts & RouteDeps<'creators' | 'hasRoom'>;

/**
 * Notes (what a person should check on the pages of a task): resolves them, i.e. records what
 * became of them, or starts a task that removes the facts that they name.
 */
export function noteRoutes(deps: NoteRouteDeps): ApiRouter {
  const router = createRouter();
  const entryChecks = enter(deps, 'create');
  router.post(
    '/agent/tasks/:taskId/notes/drop',
    ...entryChecks,
    roomOnDisk(deps),
    ...validBody(dropBody),
    async (ctx) => {
      ctx.body = await removeNoteFacts(ctx, deps, ctx.state.body);
    },
  );
  router.patch(
    '/agent/tasks/:taskId/notes',
    ...entryChecks,
    ...validBody(notesBody),
    async (ctx) => {
      ctx.body = { notes: await resolveTaskNotes(ctx, deps, ctx.state.body) };
    },
  );
  return router;
}

/** PATCH /agent/tasks/{taskId}/notes. @returns the matching notes with their new states */
async function resolveTaskNotes(ctx: ApiContext, deps: NoteRouteDeps, request: NoteStatesRequest) {
  const taskId = taskIdOf(ctx);
  const notes = await changeNoteStates(callerOf(ctx), deps, taskId, request);
  return presentNotes(notes, await readNoteStates(deps, taskId, notes));
}

/** POST /agent/tasks/{taskId}/notes/drop */
async function removeNoteFacts(
  ctx: ApiContext,
  deps: NoteRouteDeps,
  request: RemoveFactsBody,
): Promise<StartedTaskResponse> {
  const removalRequest = { taskId: taskIdOf(ctx), ...request };
  return presentStartedTask(
    await startFactRemoval(callerOf(ctx), deps, removalRequest, readSubmission(ctx)),
  );
}
