import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError } from '../../errors.ts';
import type { Repository, TreeEntry } from '../../sites/git/repository.ts';
import { createBudget } from './siteBudget.ts';

/** Disk space for copies of files. */
const COPIES_BYTES = 2 * 1024 ** 3;
/** How long a copy that nobody reads is kept. */
const IDLE_MS = 10 * 60_000;

/** Copies of large files on disk, from which any part can be streamed at a reader's pace. */
export interface Copies {
  /**
   * The path of a file's copy, which exists until `end` is aborted. Git writes the copy once for
   * all concurrent readers, and stops when the last one has gone.
   * @throws DomainError UNAVAILABLE without enough space; the reason of an aborted `end`; what
   *   `Repository.writeBlob` throws
   */
  open(
    wanted: {
      siteId: string;
      file: Pick<TreeEntry, 'id' | 'size'>;
      repository: Pick<Repository, 'writeBlob'>;
    },
    end: AbortSignal,
  ): Promise<string>;
  /** Removes all copies. */
  close(): Promise<void>;
}

interface Copy {
  path: string;
  bytes: number;
  readers: number;
  written: Promise<void>;
  isWritten: boolean;
  stop: AbortController;
  idle: NodeJS.Timeout | undefined;
}

interface Options {
  /** The folder for copies. Emptied at the start. */
  folder: string;
  /** Whether the disk has space for so many bytes more. */
  hasRoom: (bytes: number) => Promise<boolean>;
  /**
   * The most bytes of all copies. Copies that are being read take at most half of that per site.
   */
  total?: number;
  idleMs?: number;
}

export async function createCopies({
  folder,
  hasRoom,
  total = COPIES_BYTES,
  idleMs = IDLE_MS,
}: Options) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const budget = createBudget(total);
  const { copies, drop, shrinkTo } = createShelf();
  let count = 0;

  async function write(
    copy: Copy,
    id: string,
    repository: Pick<Repository, 'writeBlob'>,
  ): Promise<void> {
    await shrinkTo(total);
    if (!(await hasRoom(copy.bytes))) {
      await shrinkTo(0);
      throw new DomainError('UNAVAILABLE', 'The disk is nearly full', { retryable: true });
    }
    await repository.writeBlob(id, copy.path, copy.stop.signal);
    copy.stop.signal.throwIfAborted();
    copy.isWritten = true;
  }

  function begin(
    key: string,
    { id, size }: Pick<TreeEntry, 'id' | 'size'>,
    repository: Pick<Repository, 'writeBlob'>,
  ) {
    const copy: Copy = {
      path: join(folder, `${++count}`),
      bytes: size,
      readers: 0,
      isWritten: false,
      idle: undefined,
      written: Promise.resolve(),
      stop: new AbortController(),
    };
    copies.set(key, copy);
    copy.written = write(copy, id, repository);
    copy.written.catch(() => drop(key, copy));
    return copy;
  }

  function leave(key: string, copy: Copy): void {
    if (--copy.readers > 0) return;
    const isCurrent = copies.get(key) === copy;
    if (isCurrent) copies.delete(key);
    if (!copy.isWritten) copy.stop.abort();
    else if (isCurrent) {
      copies.set(key, copy);
      copy.idle = setTimeout(() => void drop(key, copy), idleMs).unref();
    }
  }

  return {
    async open({ siteId, file, repository }, end) {
      const key = `${siteId} ${file.id}`;
      budget.take({ siteId, thing: key, bytes: file.size }, end);
      const copy = copies.get(key) ?? begin(key, file, repository);
      clearTimeout(copy.idle);
      copy.readers++;
      end.addEventListener('abort', () => leave(key, copy));
      await copy.written;
      end.throwIfAborted();
      return copy.path;
    },
    async close() {
      for (const copy of copies.values()) copy.stop.abort();
      await rm(folder, { recursive: true, force: true });
    },
  } satisfies Copies;
}

/** The copies, the least recently read one first. */
function createShelf() {
  const copies = new Map<string, Copy>();

  async function drop(key: string, copy: Copy): Promise<void> {
    clearTimeout(copy.idle);
    if (copies.get(key) === copy) copies.delete(key);
    // after a failure, the next start empties the folder
    await rm(copy.path, { force: true }).catch(() => undefined);
  }

  /** Removes copies that nobody reads, until all others have at most `bytes`. */
  async function shrinkTo(bytes: number): Promise<void> {
    let all = [...copies.values()].reduce((sum, copy) => sum + copy.bytes, 0);
    for (const [key, copy] of copies) {
      if (all <= bytes) return;
      if (copy.readers > 0) continue;
      all -= copy.bytes;
      await drop(key, copy);
    }
  }

  return { copies, drop, shrinkTo };
}
