import Router from '@koa/router';
import { noteIdOf } from '../../contract/noteIds.ts';
import type { NoteStates } from '../../contract/noteStates.ts';
import type { Note } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import type { Makers } from '../../organizations/makers.ts';
import type { TaskRecord } from '../../temporal/tasks/tasks.ts';
import {
  type ApiContext,
  type ApiRouter,
  type ApiState,
  type Caller,
  callerOf,
  pathParameter,
  type ValidBody,
} from '../context.ts';
import { jsonBody } from '../middleware/body.ts';
import { enter } from '../middleware/enter.ts';
import { roomOnDisk } from '../middleware/roomOnDisk.ts';
import { validate } from '../middleware/validate.ts';
import { statesOf } from '../../tasks/openNotes.ts';
import { dropNotes, type DropDeps } from '../../tasks/dropNotes.ts';
import { dropBody, noteBody, type NotesBody, notesBody } from './notes.schema.ts';
import { presentNotes } from './tasks.present.ts';
import { makerOf, taskIdOf } from '../../tasks/start.ts';

export interface NoteDeps extends DropDeps {
  noteStates: NoteStates;
  makers: Makers;
}

/** What becomes of a task's notes: somebody settles them, or what they are about is taken out. */
export function noteRoutes(deps: NoteDeps): ApiRouter {
  const router = new Router<ApiState>({ strict: true, sensitive: true });
  const entered = enter(deps, 'create');
  router.post('/agent/tasks/:taskId/notes/drop', ...entered, roomOnDisk(deps), jsonBody(), validate(dropBody), (ctx) =>
    dropNotes(ctx, deps),
  );
  router.patch('/agent/tasks/:taskId/notes', ...entered, jsonBody(), validate(notesBody), async (ctx) => {
    ctx.body = { notes: await settle(ctx, deps, ctx.state.body) };
  });
  router.patch('/agent/tasks/:taskId/notes/:noteId', ...entered, jsonBody(), validate(noteBody), async (ctx) => {
    const notes = [pathParameter(ctx, 'noteId')];
    [ctx.body] = await settle(ctx, deps, { ...ctx.state.body, notes });
  });
  return router;
}

/** @returns the notes that are meant, as they are now */
async function settle(ctx: ApiContext<ValidBody<unknown>>, deps: NoteDeps, { state, ...meant }: NotesBody) {
  const caller = callerOf(ctx);
  const taskId = taskIdOf(ctx);
  const notes = notesMeant(await deps.tasks.find(caller.organizationId, taskId), meant);
  await setState(deps, { caller, taskId, notes, state });
  return presentNotes(notes, await statesOf(deps, taskId, notes));
}

function notesMeant({ finished }: TaskRecord, { page, notes: ids }: Omit<NotesBody, 'state'>): Note[] {
  if (!finished) throw new DomainError('CONFLICT', 'Task is still running');
  const all = finished.status === 'completed' ? (finished.output.notes ?? []) : [];
  const missing = ids?.find((id) => !all.some((note) => noteIdOf(note) === id));
  if (missing !== undefined) throw new DomainError('NOT_FOUND', 'Note not found');
  return all.filter((note) => (!ids || ids.includes(noteIdOf(note))) && (page === undefined || note.page === page));
}

interface Setting {
  caller: Pick<Caller, 'organizationId' | 'userId' | 'keyId'>;
  /** The task that the notes are read at. */
  taskId: string;
  notes: readonly Note[];
  state: NotesBody['state'];
}

/** Notes of tasks below are settled there, for all that see them. */
export async function setState(
  { noteStates }: Pick<NoteDeps, 'noteStates'>,
  { caller, taskId, notes, state }: Setting,
): Promise<void> {
  const { organizationId } = caller;
  for (const [task, same] of Map.groupBy(notes, (note) => note.task ?? taskId)) {
    const noteIds = same.map(noteIdOf);
    if (state === 'open') await noteStates.reopen({ taskId: task, noteIds });
    else await noteStates.set({ organizationId, taskId: task, noteIds, state, by: makerOf(caller), at: new Date() });
  }
}
