import type { Clone } from './clone.ts';
import { gitFailure } from './failure.ts';
import { endedByNul, forMany } from './manyThings.ts';
import type { IndexEntry } from './objects.ts';

/** A commit's changes to the site, by path relative to its root. */
export type Difference = Map<string, IndexEntry>;

/**
 * The files of the site that differ between two commits, as the later one has them. Both trees must have been read:
 * only then their size is known to be within the limits.
 * Records of `diff-tree -r -z`: `:<old mode> <new mode> <old id> <new id> <status>\0<path>\0`.
 */
export async function difference(
  { store, root }: Clone,
  from: string,
  to: string,
  signal?: AbortSignal,
): Promise<Difference> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', `${from}:${root}`, `${to}:${root}`];
  const result = await store.tryGit({ args, signal });
  if (result.code !== 0) throw gitFailure('Comparing two commits', result);
  const changed: Difference = new Map();
  await forMany(entriesIn(result.stdout), (entry) => changed.set(entry.path, entry), signal);
  return changed;
}

function* entriesIn(output: Buffer): Generator<IndexEntry> {
  const fields = endedByNul(output);
  for (const facts of fields) {
    const [, mode = '', , id = '', status] = facts.split(' ');
    const path = fields.next().value ?? '';
    yield { path, mode, id: status === 'D' ? null : id };
  }
}

/**
 * Merges the changes of a task and of others since the same base. A file that only the task changed is the task's.
 * @returns the entries to set on top of the others' commit, and the paths that both changed differently
 */
export function mergeByFile(task: Difference, others: Difference): { taken: IndexEntry[]; conflicts: string[] } {
  const taken: IndexEntry[] = [];
  const conflicts: string[] = [];
  for (const entry of task.values()) {
    const theirs = others.get(entry.path);
    if (!theirs) taken.push(entry);
    else if (theirs.id !== entry.id || (entry.id !== null && theirs.mode !== entry.mode)) conflicts.push(entry.path);
  }
  return { taken, conflicts };
}
