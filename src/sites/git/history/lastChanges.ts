import { isTaskId } from '../../../contract/task.ts';
import { removeInvisible } from '../../../contract/text/removeInvisible.ts';
import { onCode } from '../../../errors.ts';
import type { SiteClone } from '../siteClone.ts';
import { commitTime } from './commits.ts';
import { readLog, trailerField } from './readLog.ts';
import { checkObjectId, EDITOR } from '../refNames.ts';

/** The last change of a file: its author and time. */
export interface LastChange {
  /** When the change came into the branch, as ISO 8601, UTC. */
  at: string;
  /** The commit's author, at most 200 characters. */
  by: string;
  /** The task that the commit's message names. */
  taskId: string | null;
  /** Whether the commit is a person's edit of the task's result. */
  isByHand?: true;
  /** The id of the editing person, as the message says. */
  editor?: string;
}

/** Commits to read: many first, then few if the many have changed too many files. */
const COMMITS = [1_000, 50];
const OUTPUT_BYTES = 4 * 1024 ** 2;
const TIMEOUT_MS = 5_000;
const NAME_CHARACTERS = 200;

/**
 * Finds the last change of each of the site's files, by path, in the branch's latest commits:
 * `about.html` → `{ at: '2026-01-05T10:00:00.000Z', by: 'Ana', taskId: null }`. A merge counts as a
 * change of its files, because it brought them into the branch. Files that only older commits
 * changed are missing. So are all files if the latest 50 commits changed too many.
 */
export async function readLastChanges(
  clone: SiteClone,
  commit: string,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, LastChange>> {
  for (const count of COMMITS) {
    const reading = readChanges(clone, { commit: checkObjectId(commit), count }, signal);
    const changes = await reading.catch(onCode(['LIMIT_EXCEEDED'], null));
    if (changes) return changes;
  }
  return new Map();
}

async function readChanges(
  clone: SiteClone,
  { commit, count }: { commit: string; count: number },
  signal?: AbortSignal,
): Promise<Map<string, LastChange>> {
  const request = {
    commits: [`--max-count=${count}`, commit],
    fields: ['%ct', '%an', ...['Agent-Task', 'Agent-Task-Edit', EDITOR].map(trailerField)],
    maxBytes: OUTPUT_BYTES,
    timeout: TIMEOUT_MS,
  };
  const changes = new Map<string, LastChange>();
  for (const { fields, files } of await readLog(clone, request, signal)) {
    const change = parseChange(fields);
    for (const { path } of files) if (!changes.has(path)) changes.set(path, change);
  }
  return changes;
}

function parseChange([
  seconds,
  name = '',
  taskTrailer = '',
  editTrailer = '',
  editor = '',
]: string[]): LastChange {
  const by = removeInvisible(name.slice(0, NAME_CHARACTERS)).replace(/\p{Cc}/gu, ' ');
  const [commitTask, editedTask] = [taskTrailer, editTrailer].map((ids) =>
    ids.slice(0, NAME_CHARACTERS).split(' ').find(isTaskId),
  );
  return {
    at: commitTime(seconds),
    by,
    taskId: commitTask ?? editedTask ?? null,
    ...(!commitTask &&
      editedTask && { isByHand: true as const, ...(isPersonId(editor) && { editor }) }),
  };
}

const isPersonId = (text: string) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
