import { forMany } from './forMany.ts';
import type { Tree } from './repository.ts';
import type { ChangedEntry } from './readTree.ts';

/** A commit's changes to the site, by path relative to the site's root. */
export type Difference = Map<string, ChangedEntry>;

/** The site's files that differ between two commits: entries of the later commit, in path order. */
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
 * Merges a task's changes with others' changes since the same base. A file that only the task
 * changed gets the task's version.
 * @returns the entries to set on top of the others' commit, and the paths that both sides changed
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
