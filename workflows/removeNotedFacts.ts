import { withoutUndefined } from '../src/contract/withoutUndefined.ts';
import type { FactRemovalWork, TaskInput } from '../src/contract/task.ts';
import {
  gitActivities,
  heartbeatOptions,
  taskRefOf,
  ruleActivities,
  resolvingActivities,
  siteLabel,
  summaryOptions,
} from './activityProxies.ts';
import { runOnPreferredWorker } from './preferredWorker.ts';
import { settle } from './failures.ts';
import type { ProgressReporter } from './progress.ts';
import type { WorkResult } from './workResult.ts';

/**
 * The work of a task that resolves notes by removing their facts from the pages, such as a price of
 * the template. The rules find the facts, page by page in parallel. Then one commit removes them.
 */
export async function removeNotedFacts(
  task: TaskInput,
  work: FactRemovalWork,
  progress: ProgressReporter,
): Promise<WorkResult> {
  const taskRef = taskRefOf(task);
  progress.phase('reading');
  const readArgument = withoutUndefined({ task: taskRef, baseTask: task.baseTask });
  const { base } = await runOnPreferredWorker(
    task,
    gitActivities.readSite,
    `Read ${siteLabel(task)}`,
    readArgument,
  );

  progress.phase('working');
  const pageResults = await Promise.all(
    work.pages.map(async ({ slug, notes }) => {
      const title = `Find what to remove from ${slug} of ${siteLabel(task)}`;
      const argument = { task: taskRef, base, slug, notes };
      const removal = await runOnPreferredWorker(task, ruleActivities.removeFacts, title, argument);
      progress.pageDone(slug);
      return { slug, notes, found: removal };
    }),
  );

  progress.phase('committing');
  const pages = pageResults.flatMap(({ found }) => found.page ?? []);
  const commitTitle = `Commit ${pages.length} page(s) to ${siteLabel(task)}`;
  const edit = { type: 'drop' as const, pages };
  const changes = await runOnPreferredWorker(task, gitActivities.commitChanges, commitTitle, {
    task: taskRef,
    base,
    edit,
  });

  const allNotes = pageResults.flatMap(({ notes, found }) =>
    notes.map((note) => ({ note, isDropped: found.dropped.includes(note.id) })),
  );
  const remainingNotes = allNotes
    .filter(({ isDropped }) => !isDropped)
    .map(({ note: { id: _, task: __, ...note } }) => note);
  const summaryLines = pageResults.flatMap(({ found }) => found.sentences);
  return {
    base,
    ...changes,
    notes: [
      ...remainingNotes,
      ...pageResults.flatMap(({ found }) => found.notes),
      ...changes.notes,
    ],
    externalIds: work.externalIds,
    dropped: allNotes
      .filter(({ isDropped }) => isDropped)
      .map(({ note }) => ({ taskId: note.task!, noteId: note.id })),
    ...(summaryLines.length > 0 && { summary: summaryLines.join('\n') }),
  };
}

/** Records the notes whose facts the task removed as resolved. If that fails, they stay open. */
export async function resolveDroppedNotes(
  task: TaskInput,
  { dropped = [] }: WorkResult,
): Promise<void> {
  if (task.work.type !== 'drop' || dropped.length === 0) return;
  const title = summaryOptions(`Resolve ${dropped.length} note(s) of ${siteLabel(task)}`);
  const { by } = task.work;
  await settle(
    resolvingActivities.resolveNotes.executeWithOptions({ ...title, ...heartbeatOptions(task) }, [
      { task: taskRefOf(task), dropped, ...withoutUndefined({ by }) },
    ]),
  );
}
