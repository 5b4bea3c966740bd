import { readEntryPath } from '../../dataFiles/entryPaths.ts';
import { processMany } from '../command/processMany.ts';
import type { Tree } from '../repository.ts';
import type { ChangedEntry } from './dataFiles.ts';

/** A commit's changes to the site, by path relative to the site's root. */
export type TreeDifference = Map<string, ChangedEntry>;

/** The site's files that differ between two commits: entries of the later commit, in path order. */
export async function diffTrees(
  oldTree: Tree,
  newTree: Tree,
  signal?: AbortSignal,
): Promise<TreeDifference> {
  const changedEntries: ChangedEntry[] = [];
  if (oldTree.entries === newTree.entries) return new Map();
  const addChanged = (entry: ChangedEntry) => {
    const oldEntry = oldTree.entries.get(entry.path);
    if (oldEntry?.id !== entry.id || oldEntry.mode !== entry.mode) changedEntries.push(entry);
  };
  const addDeleted = (entry: ChangedEntry) => {
    if (!newTree.entries.has(entry.path)) changedEntries.push({ ...entry, id: null });
  };
  await processMany(newTree.entries.values(), addChanged, signal);
  await processMany(oldTree.entries.values(), addDeleted, signal);
  return new Map(
    changedEntries
      .sort((first, second) => (first.path < second.path ? -1 : 1))
      .map((entry) => [entry.path, entry]),
  );
}

/**
 * Leaves out what a merge of data files does not need. A file that others did not change is taken
 * as a whole. Otherwise, its entries are merged one by one.
 * @param task is changed
 */
export function omitMergedParts(task: TreeDifference, others: TreeDifference): void {
  const dataFiles = [...task].filter(([, { parts }]) => parts !== undefined);
  const wholeFiles = new Set(dataFiles.map(([path]) => path).filter((path) => !others.has(path)));
  for (const [path] of dataFiles) if (!wholeFiles.has(path)) task.delete(path);
  for (const [path, { text }] of task)
    if (text !== undefined && wholeFiles.has(readEntryPath(path)!.file)) task.delete(path);
}

/**
 * Gives the new entries of data files the order that they have in a task's tree, and each the entry
 * that it follows.
 * @param target the tree that gets them
 */
export function orderNewEntries(
  changes: ChangedEntry[],
  { task, target }: { task: Tree; target: Tree },
): ChangedEntry[] {
  const changesByPath = new Map(changes.map((change) => [change.path, change]));
  const orderedEntries: ChangedEntry[] = [];
  for (const { parts = [] } of task.entries.values()) {
    let after: string | undefined;
    for (const { path } of parts) {
      const change = changesByPath.get(path);
      if (target.entries.has(path)) after = path;
      else if (change) {
        orderedEntries.push(after === undefined ? change : { ...change, after });
        changesByPath.delete(path);
      }
    }
  }
  return [...changesByPath.values(), ...orderedEntries];
}

/**
 * Merges a task's changes with others' changes since the same base. A file that only the task
 * changed gets the task's version.
 * @returns the entries to change in the others' tree (`taken`), and the paths that both sides
 *   changed differently
 */
export function mergeByFile(
  task: TreeDifference,
  others: TreeDifference,
): { taken: ChangedEntry[]; conflicts: string[] } {
  const takenEntries: ChangedEntry[] = [];
  const conflicts: string[] = [];
  for (const entry of task.values()) {
    const otherEntry = others.get(entry.path);
    if (!otherEntry) takenEntries.push(entry);
    else if (otherEntry.id !== entry.id || (entry.id !== null && otherEntry.mode !== entry.mode))
      conflicts.push(entry.path);
  }
  return { taken: takenEntries, conflicts };
}
