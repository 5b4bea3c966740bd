import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError } from '../../errors.ts';
import type { GitRepository, TreeEntry } from '../../sites/git/repository.ts';
import { createSiteBudget } from './siteBudget.ts';

/** Disk space for copies of files. */
const COPIES_BYTES = 2 * 1024 ** 3;
/** How long a copy that nobody reads is kept. */
const IDLE_MS = 10 * 60_000;

/**
 * Copies of large files on disk. Git can only write a whole file, at its own pace. From a copy, any
 * part of the file can be streamed as slowly as its reader reads.
 */
export interface DiskCopies {
  /**
   * The path of a file's copy, which exists until `endSignal` is aborted. Git writes the copy once
   * for all concurrent readers, and stops when the last one has gone.
   * @throws DomainError UNAVAILABLE without enough space; the reason of an aborted `endSignal`;
   *   what `GitRepository.writeBlob` throws
   */
  open(
    wanted: {
      siteId: string;
      file: Pick<TreeEntry, 'id' | 'size'>;
      repository: Pick<GitRepository, 'writeBlob'>;
    },
    endSignal: AbortSignal,
  ): Promise<string>;
  /** Removes all copies. */
  close(): Promise<void>;
}

interface DiskCopy {
  path: string;
  bytes: number;
  readers: number;
  written: Promise<void>;
  isWritten: boolean;
  stop: AbortController;
  idle: NodeJS.Timeout | undefined;
}

interface DiskCopiesOptions {
  /** The folder for copies, which is emptied at the start. */
  folder: string;
  /** Whether the disk has space for so many bytes more. */
  hasRoom: (bytes: number) => Promise<boolean>;
  /**
   * The most bytes of all copies. Copies that are being read take at most half of that per site.
   */
  total?: number;
  idleMs?: number;
}

export async function createDiskCopies({
  folder,
  hasRoom,
  total: totalLimit = COPIES_BYTES,
  idleMs = IDLE_MS,
}: DiskCopiesOptions) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const budget = createSiteBudget(totalLimit);
  const { copies, drop, shrinkTo } = createCopyShelf();
  let copyCount = 0;

  async function writeCopy(
    copy: DiskCopy,
    id: string,
    repository: Pick<GitRepository, 'writeBlob'>,
  ): Promise<void> {
    await shrinkTo(totalLimit);
    if (!(await hasRoom(copy.bytes))) {
      await shrinkTo(0);
      throw new DomainError('UNAVAILABLE', 'The disk is nearly full', { retryable: true });
    }
    await repository.writeBlob(id, copy.path, copy.stop.signal);
    copy.stop.signal.throwIfAborted();
    copy.isWritten = true;
  }

  function beginCopy(
    copyKey: string,
    { id, size }: Pick<TreeEntry, 'id' | 'size'>,
    repository: Pick<GitRepository, 'writeBlob'>,
  ) {
    const copy: DiskCopy = {
      path: join(folder, `${++copyCount}`),
      bytes: size,
      readers: 0,
      isWritten: false,
      idle: undefined,
      written: Promise.resolve(),
      stop: new AbortController(),
    };
    copies.set(copyKey, copy);
    copy.written = writeCopy(copy, id, repository);
    copy.written.catch(() => drop(copyKey, copy));
    return copy;
  }

  /** Ends a reader's use of a copy. The last one stops its writing, or starts its idle time. */
  function leaveCopy(copyKey: string, copy: DiskCopy): void {
    if (--copy.readers > 0) return;
    const isCurrent = copies.get(copyKey) === copy;
    if (isCurrent) copies.delete(copyKey);
    if (!copy.isWritten) copy.stop.abort();
    else if (isCurrent) {
      copies.set(copyKey, copy);
      copy.idle = setTimeout(() => void drop(copyKey, copy), idleMs).unref();
    }
  }

  return {
    async open({ siteId, file, repository }, endSignal) {
      const copyKey = `${siteId} ${file.id}`;
      budget.take({ siteId, thing: copyKey, bytes: file.size }, endSignal);
      const copy = copies.get(copyKey) ?? beginCopy(copyKey, file, repository);
      clearTimeout(copy.idle);
      copy.readers++;
      endSignal.addEventListener('abort', () => leaveCopy(copyKey, copy));
      await copy.written;
      endSignal.throwIfAborted();
      return copy.path;
    },
    async close() {
      for (const copy of copies.values()) copy.stop.abort();
      await rm(folder, { recursive: true, force: true });
    },
  } satisfies DiskCopies;
}

/** The copies that exist, the least recently read one first. */
function createCopyShelf() {
  const copies = new Map<string, DiskCopy>();

  async function dropCopy(copyKey: string, copy: DiskCopy): Promise<void> {
    clearTimeout(copy.idle);
    if (copies.get(copyKey) === copy) copies.delete(copyKey);
    // after a failure, the next start empties the folder
    await rm(copy.path, { force: true }).catch(() => undefined);
  }

  /** Removes copies that nobody reads, until the remaining ones have at most `bytes` together. */
  async function shrinkShelfTo(bytes: number): Promise<void> {
    let totalBytes = [...copies.values()].reduce((sum, copy) => sum + copy.bytes, 0);
    for (const [copyKey, copy] of copies) {
      if (totalBytes <= bytes) return;
      if (copy.readers > 0) continue;
      totalBytes -= copy.bytes;
      await dropCopy(copyKey, copy);
    }
  }

  return { copies, drop: dropCopy, shrinkTo: shrinkShelfTo };
}
