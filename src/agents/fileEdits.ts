import type { FileChange, Tree } from '../sites/repository.ts';

export interface FileEdits {
  /** Every file now, sorted. */
  paths(): string[];
  source(path: string): Promise<string>;
  /** A file of the commit as it was. */
  original(path: string): Promise<string>;
  /** null deletes. What is as in the commit again is no edit. */
  write(path: string, content: string | null): Promise<void>;
  /** Files that differ from the commit, by path. */
  changes(): FileChange[];
}

/** A commit's files with edits on top of them, in memory. */
export function createFileEdits(tree: Tree): FileEdits {
  const edits = new Map<string, string | null>();
  const base = new Map<string, string>();
  const exists = (path: string) => (edits.has(path) ? edits.get(path) !== null : tree.entries.has(path));
  const original = async (path: string) => {
    if (!base.has(path)) base.set(path, await tree.read(path));
    return base.get(path)!;
  };
  return {
    paths: () => [...new Set([...tree.entries.keys(), ...edits.keys()])].filter(exists).sort(),
    original,
    source: async (path) => edits.get(path) ?? (await original(path)),
    write: async (path, content) => {
      if (tree.entries.has(path)) await original(path);
      if (content === (base.get(path) ?? null)) edits.delete(path);
      else edits.set(path, content);
    },
    changes: () => [...edits].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, content]) => ({ path, content })),
  };
}
