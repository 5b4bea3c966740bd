import { LRUCache } from 'lru-cache';
import { limits } from '../contract/task.ts';
import { DomainError } from '../errors.ts';
import { isProof, PROOF } from '../sites/files/proofs.ts';
import type { FileChange, Tree } from '../sites/git/repository.ts';
import { checkPageBytes, readPageSource } from '../sites/pages/pageSource.ts';

export interface FileEdits {
  /** Every file now, sorted. */
  paths(): string[];
  source(path: string): Promise<string>;
  /** A file of the commit as it was. */
  original(path: string): Promise<string>;
  /**
   * null deletes. Content equal to the commit's is no edit.
   * @throws DomainError LIMIT_EXCEEDED before too much is held; INVALID_INPUT for a file that
   *   proves who owns the site
   */
  write(path: string, content: string | null): Promise<void>;
  /** Files that differ from the commit, by path. */
  changes(): FileChange[];
  /** Characters that are held in memory. */
  size(): number;
}

/**
 * Originals that are kept, in characters: an edit of every page reads a whole site, which may be
 * larger than the memory.
 */
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
      if (!isAsBefore) refuseProof(path);
      if (!isAsBefore) checkBytes(path, bytesOf(content), others);
      held = others + (isAsBefore ? 0 : bytesOf(content));
      if (isAsBefore) edits.delete(path);
      else edits.set(path, content);
    },
    changes: () =>
      [...edits].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, content]) => ({ path, content })),
    size: () => held + kept.calculatedSize,
  };
}

const bytesOf = (content: string | null | undefined) => Buffer.byteLength(content ?? '');

function refuseProof(path: string): void {
  if (isProof(path)) throw new DomainError('INVALID_INPUT', `${path}: ${PROOF}`);
}

/**
 * The limits of what a task may commit, where its edits are made: a short prompt can make many long
 * pages.
 */
function checkBytes(path: string, bytes: number, others: number): void {
  checkPageBytes(path, 'would have', bytes);
  if (others + bytes > limits.taskBytes)
    throw new DomainError(
      'LIMIT_EXCEEDED',
      `The task's pages would have more than the ${limits.taskBytes} bytes that are allowed together`,
    );
}
