import type { Batch } from '../../src/contract/batch.ts';
import { defined } from '../../src/contract/defined.ts';
import { DomainError } from '../../src/errors.ts';
import type { BatchTip, HandEdit, Repository } from '../../src/sites/git/repository.ts';
import type { SiteWithRepository } from '../../src/contract/site.ts';
import type { ActivityDeps, TaskRef } from '../deps.ts';

type Deps = Pick<ActivityDeps, 'batches'>;

export interface EditPlace {
  task: TaskRef;
  site: SiteWithRepository;
  repository: Repository;
  batch: Batch;
  signal: AbortSignal;
}

/**
 * Makes edits by hand in the batch's hidden ref a part of the batch: those of pages to be published
 * are in its commit then, and those of held pages are stored until the pages are committed.
 * Repeatable: until the database knows the ref's commit, the ref has the edits at its top. Throws
 * PAGE_CHANGED, PUSH_REFUSED, GIT_FAILED.
 * @returns the batch as it is then
 */
export async function takeOverEdits(deps: Deps, { batch, ...place }: EditPlace): Promise<Batch> {
  const { batches } = deps;
  const { batchId, organizationId, base, commit, shown } = batch;
  const tip = commit ?? base!;
  const { repository, signal } = place;
  const asked = { taskId: batchId, tip, ...defined({ shown }) };
  const found = await repository.fetchParts(asked, signal);
  if (found.commit === (shown ?? null)) return batch;
  const rows = await batches.at(
    batchId,
    found.edits.map(({ path }) => path),
  );
  const editOf = (path: string) => found.edits.find((edit) => edit.path === path)!;
  const made = rows.filter(({ state }) => state === 'committed' || state === 'published');
  const open = rows.filter((row) => !made.includes(row));
  const kept = open.map(({ number, path }) => {
    const { source, at, editor } = editOf(path);
    return { number, edit: { source, at, ...defined({ editor }) } };
  });
  await batches.keepEdits(batchId, kept);
  const edits = made.map((row) => ({ ...editOf(row.path), slug: row.slug }));
  const taken = await take({ batch, ...place }, { tip, found, edits });
  await batches.takeOver(batchId, { ...taken, edited: made.map(({ number }) => number) });
  return batches.find(organizationId, batchId);
}

type NamedEdit = HandEdit & { slug: string };

/** @returns the commit of the ref, and that of the batch if it has more now */
async function take(
  place: EditPlace,
  { tip, found, edits }: { tip: string; found: BatchTip; edits: NamedEdit[] },
): Promise<{ shown: string | null; commit?: string }> {
  const { task, repository, signal } = place;
  if (found.commit === null || edits.length === 0) return { shown: found.commit };
  if (found.below === tip) return { shown: found.commit, commit: found.commit };
  await refuseChanged(place, { tip, below: found.below, edits });
  const commit = await commitEdits(place, tip, edits);
  const move = { taskId: task.taskId, commit, expected: found.commit };
  if (!(await repository.pushParts(move, signal))) throw editedAgain(place.batch);
  return { shown: commit, commit };
}

/** The batch may have another base since the page was shown, on which others changed it. */
async function refuseChanged(
  { batch: { batchId }, repository, signal }: EditPlace,
  { tip, below, edits }: { tip: string; below: string; edits: NamedEdit[] },
): Promise<void> {
  const [before, now] = await Promise.all(
    [below, tip].map((commit) => repository.tree({ commit, heldBy: batchId }, signal)),
  );
  for (const { path, slug } of edits)
    if (before!.entries.get(path)?.id !== now!.entries.get(path)?.id)
      throw new DomainError('PAGE_CHANGED', `Page changed since it was edited by hand: ${slug}`);
}

/**
 * Commits edits by hand onto a commit of the batch, each as a person's. @returns the last commit
 */
export async function commitEdits(
  { task, site, repository, signal }: EditPlace,
  tip: string,
  edits: NamedEdit[],
): Promise<string> {
  const { taskId } = task;
  let commit = tip;
  for (const { path, source, slug, at, editor } of edits)
    commit = await repository.commitPart(
      {
        taskId,
        base: { commit, heldBy: taskId },
        changes: [{ path, content: source }],
        message: `Edit ${slug} by hand`,
        author: site.author,
        createdAt: at,
        trailer: 'Agent-Task-Edit',
        editor,
      },
      signal,
    );
  return commit;
}

/** The step runs again then, and takes the edit over. */
export const editedAgain = ({ batchId }: Batch) =>
  new DomainError('GIT_FAILED', `Pages of ${batchId} were edited meanwhile`, { retryable: true });
