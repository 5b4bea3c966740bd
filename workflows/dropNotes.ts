import { defined } from '../src/contract/defined.ts';
import type { DropWork, TaskInput } from '../src/contract/task.ts';
import {
  gitSteps,
  heartbeatOf,
  refOf,
  ruleSteps,
  settlingSteps,
  siteOf,
  summary,
} from './activities.ts';
import { atHome } from './atHome.ts';
import { settle } from './failures.ts';
import type { Progress } from './progress.ts';
import type { WorkResult } from './workResult.ts';

/**
 * Removes from pages what their notes are about: pages are read in parallel, then one commit. No
 * model takes part.
 */
export async function dropNotes(
  task: TaskInput,
  work: DropWork,
  progress: Progress,
): Promise<WorkResult> {
  const ref = refOf(task);
  progress.phase('reading');
  const reading = defined({ task: ref, onto: task.onto });
  const { base } = await atHome(task, gitSteps.readSite, `Read ${siteOf(task)}`, reading);

  progress.phase('working');
  const done = await Promise.all(
    work.pages.map(async ({ slug, notes }) => {
      const title = `Find what goes of ${slug} of ${siteOf(task)}`;
      const argument = { task: ref, base, slug, notes };
      const found = await atHome(task, ruleSteps.dropFacts, title, argument);
      progress.pageDone(slug);
      return { slug, notes, found };
    }),
  );

  progress.phase('committing');
  const pages = done.flatMap(({ found }) => found.page ?? []);
  const commit = `Commit ${pages.length} page(s) to ${siteOf(task)}`;
  const edit = { type: 'drop' as const, pages };
  const changes = await atHome(task, gitSteps.commitChanges, commit, { task: ref, base, edit });

  const all = done.flatMap(({ notes, found }) =>
    notes.map((note) => ({ note, isDropped: found.dropped.includes(note.id) })),
  );
  const left = all
    .filter(({ isDropped }) => !isDropped)
    .map(({ note: { id: _, task: __, ...note } }) => note);
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

/** Settles the notes that a task has dropped. If that fails, they stay open. */
export async function settleDropped(task: TaskInput, { dropped = [] }: WorkResult): Promise<void> {
  if (task.work.type !== 'drop' || dropped.length === 0) return;
  const title = summary(`Settle ${dropped.length} note(s) of ${siteOf(task)}`);
  const { by } = task.work;
  await settle(
    settlingSteps.settleNotes.executeWithOptions({ ...title, ...heartbeatOf(task) }, [
      { task: refOf(task), dropped, ...defined({ by }) },
    ]),
  );
}
