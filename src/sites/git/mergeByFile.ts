import { forMany } from './forMany.ts';
import type { Tree } from './repository.ts';
import type { ChangedEntry } from './readTree.ts';

/** A commit's changes to the site, by path relative to its root. */
export type Difference = Map<string, ChangedEntry>;

/**
 * The files of the site that differ between two commits, as the later one has them, in the order of
 * their paths.
 */
export async function difference(from: Tree, to: Tree, signal?: AbortSignal): Promise<Difference> {
  const changed: ChangedEntry[] = [];
  if (from.entries === to.entries) return new Map();
  const takeChanged = (entry: ChangedEntry) => {
    const before = from.entries.get(entry.path);
    if (before?.id !== entry.id || before.mode !== entry.mode) changed.push(entry);
  };
  const takeDeleted = (entry: ChangedEntry) => {
    if (!to.entries.has(entry.path)) changed.push({ ...entry, id: null });
  };
  await forMany(to.entries.values(), takeChanged, signal);
  await forMany(from.entries.values(), takeDeleted, signal);
  return new Map(
    changed.sort((a, b) => (a.path < b.path ? -1 : 1)).map((entry) => [entry.path, entry]),
  );
}

/**
 * Merges the changes of a task and of others since the same base. A file that only the task changed
 * is the task's.
 * @returns the entries to set on top of the others' commit, and the paths that both changed
 *   differently
 */
export function mergeByFile(
  task: Difference,
  others: Difference,
): { taken: ChangedEntry[]; conflicts: string[] } {
  const taken: ChangedEntry[] = [];
  const conflicts: string[] = [];
  for (const entry of task.values()) {
    const theirs = others.get(entry.path);
    if (!theirs) taken.push(entry);
    else if (theirs.id !== entry.id || (entry.id !== null && theirs.mode !== entry.mode))
      conflicts.push(entry.path);
  }
  return { taken, conflicts };
}
