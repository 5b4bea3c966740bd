import { isTaskId } from '../../contract/task.ts';
import { visible } from '../../contract/visible.ts';
import { onCode } from '../../errors.ts';
import type { Clone } from './clone.ts';
import { timeOf } from './history.ts';
import { readLog, trailer } from './readLog.ts';
import { checkObjectId, EDITOR } from './refNames.ts';

/** The last change of a file: its author and time. */
export interface LastChange {
  /** When the change came into the branch, as ISO 8601, UTC. */
  at: string;
  /** The commit's author, at most 200 characters. */
  by: string;
  /** The task that the commit's message names. */
  taskId: string | null;
  /** Whether the commit is an edit by hand on top of the task's result. */
  isByHand?: true;
  /** The id of the editing person, as the message says. */
  editor?: string;
}

/** Commits to read: many first, then few if the many have changed too many files. */
const COMMITS = [1_000, 50];
const OUTPUT_BYTES = 4 * 1024 ** 2;
const WITHIN_MS = 5_000;
const NAME_CHARACTERS = 200;

/**
 * The last changes of the site's files in the branch's latest commits, by path. Runs one git
 * command, whose work grows with the commits and their changes. A merge counts as a change of its
 * files: it brought them into the branch.
 * @returns nothing for files that only earlier commits changed
 */
export async function lastChanges(
  clone: Clone,
  commit: string,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, LastChange>> {
  for (const count of COMMITS) {
    const reading = read(clone, { commit: checkObjectId(commit), count }, signal);
    const found = await reading.catch(onCode(['LIMIT_EXCEEDED'], null));
    if (found) return found;
  }
  return new Map();
}

async function read(
  clone: Clone,
  { commit, count }: { commit: string; count: number },
  signal?: AbortSignal,
): Promise<Map<string, LastChange>> {
  const request = {
    commits: [`--max-count=${count}`, commit],
    fields: ['%ct', '%an', ...['Agent-Task', 'Agent-Task-Edit', EDITOR].map(trailer)],
    maxBytes: OUTPUT_BYTES,
    timeout: WITHIN_MS,
  };
  const changes = new Map<string, LastChange>();
  for (const { fields, files } of await readLog(clone, request, signal)) {
    const change = changeOf(fields);
    for (const { path } of files) if (!changes.has(path)) changes.set(path, change);
  }
  return changes;
}

function changeOf([seconds, name = '', task = '', edited = '', editor = '']: string[]): LastChange {
  const by = visible(name.slice(0, NAME_CHARACTERS)).replace(/\p{Cc}/gu, ' ');
  const [made, changed] = [task, edited].map((ids) =>
    ids.slice(0, NAME_CHARACTERS).split(' ').find(isTaskId),
  );
  return {
    at: timeOf(seconds),
    by,
    taskId: made ?? changed ?? null,
    ...(!made && changed && { isByHand: true as const, ...(isPersonId(editor) && { editor }) }),
  };
}

const isPersonId = (text: string) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
