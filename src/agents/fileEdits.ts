import { LRUCache } from 'lru-cache';
import { limits } from '../contract/task.ts';
import { DomainError, invalidInput } from '../errors.ts';
import { isProof, PROOF } from '../sites/files/proofs.ts';
import type { FileChange, Tree } from '../sites/git/repository.ts';
import { checkPageBytes, readPageSource } from '../sites/pages/pageSource.ts';

export interface FileEdits {
  /** The paths of all files with the edits, sorted. */
  paths(): string[];
  source(path: string): Promise<string>;
  /** A file's text in the commit. */
  original(path: string): Promise<string>;
  /**
   * Writes a file; null deletes it. Content equal to the commit's undoes the edit.
   * @throws DomainError LIMIT_EXCEEDED above the size limits; INVALID_INPUT for a file that proves
   *   who owns the site
   */
  write(path: string, content: string | null): Promise<void>;
  /** A file's size in bytes; 0 for no file. */
  bytes(path: string): number;
  /** Copies the edits. @returns a function that brings them back */
  save(): () => void;
  /** Files that differ from the commit, by path. */
  changes(): FileChange[];
  /** Characters held in memory. */
  size(): number;
}

/** Characters of cached originals: a whole site may be larger than the memory. */
const KEPT_LENGTH = 32_000_000;

/** A commit's files with edits on top of them, in memory. */
export function createFileEdits(tree: Tree): FileEdits {
  const edits = new Map<string, string | null>();
  const kept = new LRUCache<string, string>({
    maxSize: KEPT_LENGTH,
    sizeCalculation: ({ length }) => length + 1,
  });
  let held = 0;
  const exists = (path: string) =>
    edits.has(path) ? edits.get(path) !== null : tree.entries.has(path);
  const original = async (path: string) => {
    const known = kept.get(path) ?? (await readPageSource(tree, path)).source;
    kept.set(path, known);
    return known;
  };
  return {
    paths: () => [...new Set([...tree.entries.keys(), ...edits.keys()])].filter(exists).sort(),
    original,
    source: async (path) => edits.get(path) ?? (await original(path)),
    write: async (path, content) => {
      const isThere = tree.entries.has(path);
      const isAsBefore =
        content === null ? !isThere : isThere && content === (await original(path));
      const others = held - bytesOf(edits.get(path));
      if (isAsBefore) edits.delete(path);
      else {
        if (isProof(path)) throw invalidInput(`${path}: ${PROOF}`);
        checkBytes(path, bytesOf(content), others);
        edits.set(path, content);
      }
      held = others + bytesOf(edits.get(path));
    },
    bytes: (path) =>
      edits.has(path) ? bytesOf(edits.get(path)) : (tree.entries.get(path)?.size ?? 0),
    save: () => {
      const [saved, before] = [new Map(edits), held];
      return () => {
        edits.clear();
        for (const [path, content] of saved) edits.set(path, content);
        held = before;
      };
    },
    changes: () =>
      [...edits].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, content]) => ({ path, content })),
    size: () => held + kept.calculatedSize,
  };
}

const bytesOf = (content: string | null | undefined) => Buffer.byteLength(content ?? '');

/** Checks the limits of a commit at each edit: a short prompt can create many long pages. */
function checkBytes(path: string, bytes: number, others: number): void {
  checkPageBytes(path, 'would have', bytes);
  if (others + bytes > limits.taskBytes)
    throw new DomainError(
      'LIMIT_EXCEEDED',
      `The task's pages would have more than the ${limits.taskBytes} bytes that are allowed together`,
    );
}
