import { defined } from '../src/contract/defined.ts';
import type { DropWork, TaskInput } from '../src/contract/task.ts';
import { dropping, git, heartbeatOf, refOf, settling, siteOf, summary } from './activities.ts';
import { atHome } from './atHome.ts';
import { attempt } from './failures.ts';
import type { Progress } from './progress.ts';
import type { WorkResult } from './workResult.ts';

/**
 * What notes are about goes from their pages: read in parallel, then one commit. No model has a
 * part in it.
 */
export async function dropNotes(
  task: TaskInput,
  work: DropWork,
  progress: Progress,
): Promise<WorkResult> {
  const ref = refOf(task);
  progress.phase('reading');
  const read = summary(`Read ${siteOf(task)}`);
  const { base } = await atHome(task, git.readSite, read, [
    defined({ task: ref, onto: task.onto }),
  ]);

  progress.phase('working');
  const done = await Promise.all(
    work.pages.map(async ({ slug, notes }) => {
      const title = summary(`Find what goes of ${slug} of ${siteOf(task)}`);
      const found = await atHome(task, dropping.dropFacts, title, [
        { task: ref, base, slug, notes },
      ]);
      progress.pageDone(slug);
      return { slug, notes, found };
    }),
  );

  progress.phase('committing');
  const pages = done.flatMap(({ found }) => found.page ?? []);
  const commit = summary(`Commit ${pages.length} page(s) to ${siteOf(task)}`);
  const edit = { type: 'drop' as const, pages };
  const changes = await atHome(task, git.commitChanges, commit, [{ task: ref, base, edit }]);

  const all = done.flatMap(({ notes, found }) =>
    notes.map((note) => ({ note, isDropped: found.dropped.includes(note.id) })),
  );
  const left = all
    .filter(({ isDropped }) => !isDropped)
    .map(({ note: { id: _, only: __, task: ___, ...note } }) => note);
  const says = done.flatMap(({ found }) => found.says);
  return {
    base,
    ...changes,
    notes: [...left, ...done.flatMap(({ found }) => found.notes), ...changes.notes],
    externalIds: work.externalIds,
    dropped: all
      .filter(({ isDropped }) => isDropped)
      .map(({ note }) => ({ taskId: note.task!, noteId: note.id })),
    ...(says.length > 0 && { summary: says.join('\n') }),
  };
}

/**
 * Tells of the notes that a task has dropped. If that can't be told, they stay open where they
 * were.
 */
export async function settleDropped(task: TaskInput, { dropped = [] }: WorkResult): Promise<void> {
  if (task.work.type !== 'drop' || dropped.length === 0) return;
  const title = summary(`Settle ${dropped.length} note(s) of ${siteOf(task)}`);
  const { by } = task.work;
  await attempt(
    settling.settleNotes.executeWithOptions({ ...title, ...heartbeatOf(task) }, [
      { task: refOf(task), dropped, ...defined({ by }) },
    ]),
  );
}
