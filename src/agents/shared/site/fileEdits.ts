import { LRUCache } from 'lru-cache';
import { limits } from '../../../contract/task.ts';
import { DomainError, invalidInputError } from '../../../errors.ts';
import { isProofFile, PROOF_FILE_REASON } from '../../../sites/files/proofFiles.ts';
import type { FileChange, Tree } from '../../../sites/git/repository.ts';
import { checkPageBytes, readPageSource } from '../../../sites/pages/pageSource.ts';

export interface FileEdits {
  /** The paths of all files with the edits, sorted. */
  paths(): string[];
  source(path: string): Promise<string>;
  /** A file's text in the commit. */
  original(path: string): Promise<string>;
  /**
   * Writes a file; null deletes it. Content equal to the commit's undoes the edit.
   * @throws DomainError LIMIT_EXCEEDED above the size limits; INVALID_INPUT for a file that proves
   *   who owns the site, and for a data file whose entries are pages
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
const MAX_CACHED_CHARACTERS = 32_000_000;

/** A commit's files with edits on top of them, in memory. */
export function createFileEdits(tree: Tree): FileEdits {
  const edits = new Map<string, string | null>();
  const originals = new LRUCache<string, string>({
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: ({ length }) => length + 1,
  });
  let editedBytes = 0;
  const exists = (path: string) =>
    edits.has(path) ? edits.get(path) !== null : tree.entries.has(path);
  const original = async (path: string) => {
    const originalSource = originals.get(path) ?? (await readPageSource(tree, path)).source;
    originals.set(path, originalSource);
    return originalSource;
  };
  return {
    paths: () => [...new Set([...tree.entries.keys(), ...edits.keys()])].filter(exists).sort(),
    original,
    source: async (path) => edits.get(path) ?? (await original(path)),
    write: async (path, content) => {
      const isInCommit = tree.entries.has(path);
      const isUnchanged =
        content === null ? !isInCommit : isInCommit && content === (await original(path));
      const otherBytes = editedBytes - countContentBytes(edits.get(path));
      if (isUnchanged) edits.delete(path);
      else {
        if (tree.entries.get(path)?.parts)
          throw invalidInputError(`${path}: its entries are pages of the site. Edit these pages`);
        if (isProofFile(path)) throw invalidInputError(`${path}: ${PROOF_FILE_REASON}`);
        checkTaskBytes(path, countContentBytes(content), otherBytes);
        edits.set(path, content);
      }
      editedBytes = otherBytes + countContentBytes(edits.get(path));
    },
    bytes: (path) =>
      edits.has(path) ? countContentBytes(edits.get(path)) : (tree.entries.get(path)?.size ?? 0),
    save: () => {
      const [savedEdits, savedBytes] = [new Map(edits), editedBytes];
      return () => {
        edits.clear();
        for (const [path, content] of savedEdits) edits.set(path, content);
        editedBytes = savedBytes;
      };
    },
    changes: () =>
      [...edits]
        .sort(([first], [second]) => (first < second ? -1 : 1))
        .map(([path, content]) => ({ path, content })),
    size: () => editedBytes + originals.calculatedSize,
  };
}

const countContentBytes = (content: string | null | undefined) => Buffer.byteLength(content ?? '');

/** Checks the limits of a commit at each edit: a short prompt can create many long pages. */
function checkTaskBytes(path: string, bytes: number, otherBytes: number): void {
  checkPageBytes(path, 'would have', bytes);
  if (otherBytes + bytes > limits.taskBytes)
    throw new DomainError(
      'LIMIT_EXCEEDED',
      `The pages of the task would have more than ${limits.taskBytes} bytes, the limit for one task`,
    );
}
