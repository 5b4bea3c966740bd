import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { limits } from '../../contract/task.ts';
import { DomainError, onCode } from '../../errors.ts';
import { checkObjectId } from './refNames.ts';

const idleMs = 30_000;

/** Largest object that is read, in bytes. It is held in memory. */
const mostBytes = { blob: limits.fileBytes, tree: 32 * 1024 ** 2, commit: 32 * 1024 ** 2 };
type Type = keyof typeof mostBytes;

export interface FoundObject {
  id: string;
  content: Buffer;
}

export interface ObjectReader {
  /**
   * The bytes of a blob. Throws NOT_FOUND, LIMIT_EXCEEDED over 100 MiB, GIT_FAILED (retryable) if
   * git ends.
   */
  read(id: string): Promise<Buffer>;
  /**
   * A commit, or the listing of a folder.
   * Throws LIMIT_EXCEEDED over 32 MiB, GIT_FAILED (retryable) if git ends.
   * @param name the id, or the full name of one of the service's refs
   * @returns null if it does not exist
   */
  find(type: 'commit' | 'tree', name: string): Promise<FoundObject | null>;
  close(): Promise<void>;
}

interface Asked {
  name: string;
  type: Type;
}

interface Waiting extends Asked {
  resolve: (object: FoundObject) => void;
  reject: (error: Error) => void;
}

/**
 * Reads objects and refs through one long-lived `cat-file --batch`. The process starts on demand
 * and ends after half a minute without requests. Only object ids and the service's refs may be
 * sent: a path with a newline would shift all later answers.
 * @param start starts the process
 */
export function createObjectReader(start: () => ChildProcessWithoutNullStreams): ObjectReader {
  let current: ReturnType<typeof session> | undefined;
  let idle: NodeJS.Timeout | undefined;

  const stop = async () => {
    clearTimeout(idle);
    const ended = current;
    current = undefined;
    await ended?.end();
  };

  async function askObject(asked: Asked): Promise<FoundObject> {
    clearTimeout(idle);
    if (!current?.alive()) current = session(start());
    try {
      return await current.ask(asked);
    } finally {
      clearTimeout(idle); // when several are answered at once, each ends here in turn
      if (current?.waiting() === 0) idle = setTimeout(() => void stop(), idleMs).unref();
    }
  }

  return {
    read: async (id) => (await askObject({ name: checkObjectId(id), type: 'blob' })).content,
    async find(type, name) {
      const asked = { name: name.startsWith('refs/') ? name : checkObjectId(name), type };
      return askObject(asked).catch(onCode(['NOT_FOUND'], null));
    },
    close: stop,
  };
}

/** One process. It answers requests in their order. */
function session(child: ChildProcessWithoutNullStreams) {
  const queue: Waiting[] = [];
  let alive = true;
  const ended = new Promise<void>((resolve) => {
    const fail = () => {
      alive = false;
      for (const { reject } of queue.splice(0))
        reject(
          new DomainError('GIT_FAILED', 'Reading from the repository was interrupted', {
            retryable: true,
          }),
        );
      resolve();
    };
    child.on('error', fail);
    child.on('close', fail);
  });
  child.stdin.on('error', () => {}); // the process has ended: `close` reports it
  child.stderr.resume();
  child.stdout.on('data', answers(queue));
  return {
    alive: () => alive,
    waiting: () => queue.length,
    ask: (asked: Asked) =>
      new Promise<FoundObject>((resolve, reject) => {
        queue.push({ ...asked, resolve, reject });
        child.stdin.write(`${asked.name}\n`);
      }),
    end() {
      alive = false;
      child.stdin.end();
      return ended;
    },
  };
}

interface Answer {
  id: string;
  /** Bytes that have not arrived yet, without the final newline. */
  size: number;
  /** Why the content is discarded. */
  error?: DomainError;
}

/** Parses the first line of an answer: `<id> <type> <bytes>`, or `<name> missing`. */
function readHeader(line: string, { name, type: wanted }: Asked): Answer {
  const [id = '', type, size] = line.split(' ');
  if (size === undefined)
    return { id, size: -1, error: new DomainError('NOT_FOUND', `Object ${name} not found`) };
  const answer = { id, size: Number(size) };
  if (type !== wanted)
    return { ...answer, error: new DomainError('NOT_FOUND', `Object ${name} is no ${wanted}`) };
  if (answer.size <= mostBytes[wanted]) return answer;
  const most = `${mostBytes[wanted] / 1024 ** 2} MiB`;
  return {
    ...answer,
    error: new DomainError('LIMIT_EXCEEDED', `A ${wanted} of ${size} bytes is over ${most}`),
  };
}

/**
 * Parses the output: headers, each with `<content>
 * ` if the object exists. Discards the content of refused objects.
 */
function answers(queue: Waiting[]) {
  let pending: Buffer[] = [];
  let length = 0;
  let answer: Answer | undefined;

  const finish = (content: Buffer) => {
    const waiting = queue.shift();
    if (answer?.error) waiting?.reject(answer.error);
    else waiting?.resolve({ id: answer?.id ?? '', content });
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
        if (newline < 0 || !queue[0]) return;
        answer = readHeader(all.toString('latin1', 0, newline), queue[0]);
        restart(all.subarray(newline + 1));
      }
      if (answer.error) {
        const skipped = Math.min(length, answer.size + 1);
        restart(Buffer.concat(pending, length).subarray(skipped));
        answer.size -= skipped;
        if (answer.size >= 0) return;
        finish(Buffer.alloc(0));
      } else {
        if (length < answer.size + 1) return;
        const all = Buffer.concat(pending, length);
        restart(all.subarray(answer.size + 1));
        finish(all.subarray(0, answer.size));
      }
    }
  };
}
