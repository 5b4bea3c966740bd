import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { limits } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import { checkObjectId } from './names.ts';

const idleMs = 30_000;

export interface BlobReader {
  /** The bytes of a blob. Throws NOT_FOUND, LIMIT_EXCEEDED over 100 MiB, GIT_FAILED (retryable) when git ends. */
  read(id: string): Promise<Buffer>;
  close(): Promise<void>;
}

interface Waiting {
  id: string;
  resolve: (bytes: Buffer) => void;
  reject: (error: Error) => void;
}

/**
 * Reads blobs through one long-lived `cat-file --batch`, started when needed and ended after half a minute without
 * work. Only object ids are sent: a path with a newline would shift every later answer.
 * @param start starts the process
 */
export function createBlobReader(start: () => ChildProcessWithoutNullStreams): BlobReader {
  let current: ReturnType<typeof session> | undefined;
  let idle: NodeJS.Timeout | undefined;

  const stop = async () => {
    clearTimeout(idle);
    const ended = current;
    current = undefined;
    await ended?.end();
  };

  return {
    async read(id) {
      checkObjectId(id);
      clearTimeout(idle);
      if (!current?.alive()) current = session(start());
      try {
        return await current.read(id);
      } finally {
        if (current?.waiting() === 0) idle = setTimeout(() => void stop(), idleMs).unref();
      }
    },
    close: stop,
  };
}

/** One process: requests are answered in their order. */
function session(child: ChildProcessWithoutNullStreams) {
  const queue: Waiting[] = [];
  let alive = true;
  const ended = new Promise<void>((resolve) => {
    const fail = () => {
      alive = false;
      for (const { reject } of queue.splice(0))
        reject(new DomainError('GIT_FAILED', 'Reading from the repository was interrupted', { retryable: true }));
      resolve();
    };
    child.on('error', fail);
    child.on('close', fail);
  });
  child.stdin.on('error', () => {}); // the process has ended: `close` tells
  child.stderr.resume();
  child.stdout.on('data', answers(queue));
  return {
    alive: () => alive,
    waiting: () => queue.length,
    read: (id: string) =>
      new Promise<Buffer>((resolve, reject) => {
        queue.push({ id, resolve, reject });
        child.stdin.write(`${id}\n`);
      }),
    end() {
      alive = false;
      child.stdin.end();
      return ended;
    },
  };
}

/**
 * Takes the output apart: `<id> <type> <bytes>\n<content>\n`, or `<id> missing\n`. Nothing of a refused blob is kept.
 */
function answers(queue: Waiting[]) {
  let pending: Buffer[] = [];
  let length = 0;
  let answer: { size: number; kept: boolean; error?: DomainError } | undefined;

  const header = (line: string): typeof answer => {
    const [id, type, size] = line.split(' ');
    if (size === undefined)
      return { size: -1, kept: false, error: new DomainError('NOT_FOUND', `Object ${id} not found`) };
    const bytes = Number(size);
    if (type !== 'blob')
      return { size: bytes, kept: false, error: new DomainError('NOT_FOUND', `Object ${id} is not a file`) };
    if (bytes <= limits.fileBytes) return { size: bytes, kept: true };
    return {
      size: bytes,
      kept: false,
      error: new DomainError('LIMIT_EXCEEDED', `A file of ${bytes} bytes is over 100 MiB`),
    };
  };

  const finish = (content: Buffer) => {
    const waiting = queue.shift();
    if (answer?.error) waiting?.reject(answer.error);
    else waiting?.resolve(content);
    answer = undefined;
  };

  const restart = (rest: Buffer) => {
    pending = rest.length > 0 ? [rest] : [];
    length = rest.length;
  };

  return (chunk: Buffer) => {
    pending.push(chunk);
    length += chunk.length;
    for (;;) {
      if (!answer) {
        const all = Buffer.concat(pending, length);
        const newline = all.indexOf(10);
        restart(all);
        if (newline < 0) return;
        answer = header(all.toString('latin1', 0, newline));
        restart(all.subarray(newline + 1));
      }
      if (answer && !answer.kept) {
        const skipped = Math.min(length, answer.size + 1);
        restart(Buffer.concat(pending, length).subarray(skipped));
        answer.size -= skipped;
        if (answer.size >= 0) return;
        finish(Buffer.alloc(0));
      } else if (answer) {
        if (length < answer.size + 1) return;
        const all = Buffer.concat(pending, length);
        restart(all.subarray(answer.size + 1));
        finish(all.subarray(0, answer.size));
      }
    }
  };
}
