import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { limits } from '../../../contract/task.ts';
import { DomainError, onCode } from '../../../errors.ts';
import { checkObjectId } from '../refNames.ts';

const idleMs = 30_000;

/** Largest object that is read, in bytes. It is held in memory. */
const maxObjectBytes = { blob: limits.fileBytes, tree: 32 * 1024 ** 2, commit: 32 * 1024 ** 2 };
type ObjectType = keyof typeof maxObjectBytes;

/** A git object: its id, and its bytes without git's header. */
export interface FoundObject {
  id: string;
  content: Buffer;
}

/** Reads the objects of one clone. */
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

interface GitObjectRequest {
  name: string;
  type: ObjectType;
}

interface PendingRequest extends GitObjectRequest {
  resolve: (object: FoundObject) => void;
  reject: (error: Error) => void;
}

/**
 * Reads objects and refs of one clone through a long-lived `git cat-file --batch`, which prints one
 * object after the other. The process starts on demand and ends after half a minute without
 * requests. Only object ids and the service's refs may be sent: a path with a newline would shift
 * all later answers.
 * @param start starts the process
 */
export function createObjectReader(start: () => ChildProcessWithoutNullStreams): ObjectReader {
  let currentSession: ReturnType<typeof startSession> | undefined;
  let idleTimer: NodeJS.Timeout | undefined;

  const stopSession = async () => {
    clearTimeout(idleTimer);
    const endedSession = currentSession;
    currentSession = undefined;
    await endedSession?.end();
  };

  async function askObject(request: GitObjectRequest): Promise<FoundObject> {
    clearTimeout(idleTimer);
    if (!currentSession?.alive()) currentSession = startSession(start());
    try {
      return await currentSession.ask(request);
    } finally {
      clearTimeout(idleTimer); // when several are answered at once, each ends here in turn
      if (currentSession?.waiting() === 0)
        idleTimer = setTimeout(() => void stopSession(), idleMs).unref();
    }
  }

  return {
    read: async (id) => (await askObject({ name: checkObjectId(id), type: 'blob' })).content,
    async find(type, name) {
      const request = { name: name.startsWith('refs/') ? name : checkObjectId(name), type };
      return askObject(request).catch(onCode(['NOT_FOUND'], null));
    },
    close: stopSession,
  };
}

/** One process. It answers requests in their order. */
function startSession(child: ChildProcessWithoutNullStreams) {
  const queue: PendingRequest[] = [];
  let alive = true;
  const processEnd = new Promise<void>((resolve) => {
    const failAll = () => {
      alive = false;
      for (const { reject } of queue.splice(0))
        reject(
          new DomainError('GIT_FAILED', 'Reading from the repository was interrupted', {
            retryable: true,
          }),
        );
      resolve();
    };
    child.on('error', failAll);
    child.on('close', failAll);
  });
  child.stdin.on('error', () => {}); // the process has ended: `close` reports it
  child.stderr.resume();
  child.stdout.on('data', createAnswerParser(queue));
  return {
    alive: () => alive,
    waiting: () => queue.length,
    ask: (request: GitObjectRequest) =>
      new Promise<FoundObject>((resolve, reject) => {
        queue.push({ ...request, resolve, reject });
        child.stdin.write(`${request.name}\n`);
      }),
    end() {
      alive = false;
      child.stdin.end();
      return processEnd;
    },
  };
}

interface ObjectHeader {
  id: string;
  /** Bytes that have not arrived yet, without the final newline. */
  size: number;
  /** Why the content is discarded. */
  error?: DomainError;
}

/** Parses the first line of an answer: `<id> <type> <bytes>`, or `<name> missing`. */
function readHeader(line: string, { name, type: wantedType }: GitObjectRequest): ObjectHeader {
  const [id = '', type, size] = line.split(' ');
  if (size === undefined)
    return { id, size: -1, error: new DomainError('NOT_FOUND', `Object ${name} not found`) };
  const answer = { id, size: Number(size) };
  if (type !== wantedType)
    return {
      ...answer,
      error: new DomainError('NOT_FOUND', `Object ${name} is not a ${wantedType}`),
    };
  if (answer.size <= maxObjectBytes[wantedType]) return answer;
  const maxSize = `${maxObjectBytes[wantedType] / 1024 ** 2} MiB`;
  return {
    ...answer,
    error: new DomainError(
      'LIMIT_EXCEEDED',
      `A ${wantedType} has ${size} bytes, which is more than ${maxSize}`,
    ),
  };
}

/**
 * Parses the output of `cat-file --batch`: a header line for each request, followed by the content
 * and a newline if the object exists. Discards the content of refused objects.
 */
function createAnswerParser(queue: PendingRequest[]) {
  let pending: Buffer[] = [];
  let length = 0;
  let answer: ObjectHeader | undefined;

  const finish = (content: Buffer) => {
    const pendingRequest = queue.shift();
    if (answer?.error) pendingRequest?.reject(answer.error);
    else pendingRequest?.resolve({ id: answer?.id ?? '', content });
    answer = undefined;
  };

  const restart = (remaining: Buffer) => {
    pending = remaining.length > 0 ? [remaining] : [];
    length = remaining.length;
  };

  return (chunk: Buffer) => {
    pending.push(chunk);
    length += chunk.length;
    for (;;) {
      if (!answer) {
        const received = Buffer.concat(pending, length);
        const newline = received.indexOf(10);
        restart(received);
        if (newline < 0 || !queue[0]) return;
        answer = readHeader(received.toString('latin1', 0, newline), queue[0]);
        restart(received.subarray(newline + 1));
      }
      if (answer.error) {
        const skipped = Math.min(length, answer.size + 1);
        restart(Buffer.concat(pending, length).subarray(skipped));
        answer.size -= skipped;
        if (answer.size >= 0) return;
        finish(Buffer.alloc(0));
      } else {
        if (length < answer.size + 1) return;
        const received = Buffer.concat(pending, length);
        restart(received.subarray(answer.size + 1));
        finish(received.subarray(0, answer.size));
      }
    }
  };
}
