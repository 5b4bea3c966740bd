import type { FactRemovalResponse } from '../../../contract/responses.ts';
import type { Note } from '../../../contract/task.ts';
import { type FactSelection, removeTaskFacts } from '../../../tasks/removeTaskFacts.ts';
import { readNoteStates } from '../../../tasks/openNotes.ts';
import { changeNoteStates, type NoteStatesRequest } from '../../../tasks/changeNoteStates.ts';
import type { VersionPorts } from '../../../tasks/taskVersions.ts';
import { type ApiContext, type ApiRouter, callerOf, taskIdOf } from '../../context.ts';
import type { RouteDeps } from '../../apiDeps.ts';
import { createRouter } from '../../router.ts';
import { validBody } from '../../middleware/validBody.ts';
import { enter } from '../../middleware/enter.ts';
import { roomOnDisk } from '../../middleware/roomOnDisk.ts';
import { dropBody, notesBody } from './notes.schema.ts';
import { presentNotes } from './tasks.present.ts';
import { presentVersion, undoUrlOf } from './versions.ts';

type NoteRouteDeps = VersionPorts & RouteDeps<'hasRoom' | 'publicUrl'>;

/**
 * Notes (what a person should check on the pages of a task): resolves them, i.e. records what
 * became of them, or removes the facts that they name.
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
  selection: FactSelection,
): Promise<FactRemovalResponse> {
  const request = { taskId: taskIdOf(ctx), ...selection };
  const removal = await removeTaskFacts(callerOf(ctx), deps, request);
  const { taskId, version, sentences } = removal;
  const presentAll = async (notes: Note[]) =>
    presentNotes(notes, await readNoteStates(deps, taskId, notes));
  return {
    taskId,
    version: version && presentVersion(version),
    undo: version && undoUrlOf(deps.publicUrl(), taskId),
    removed: await presentAll(removal.removed),
    gone: await presentAll(removal.gone),
    remaining: await presentAll(removal.remaining),
    messages: sentences,
  };
}
