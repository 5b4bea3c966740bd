import { randomBytes } from 'node:crypto';
import { isTaskId } from '../../contract/task.ts';
import { visible } from '../../contract/visible.ts';
import { onCode } from '../../errors.ts';
import { type Clone, prefixOf } from './clone.ts';
import { gitFailure } from './failure.ts';
import { timeOf } from './history.ts';
import { forMany } from './forMany.ts';
import { nulSeparated } from './nulSeparated.ts';
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
const TRAILERS = ['Agent-Task', 'Agent-Task-Edit', EDITOR].map(
  (key) => `%x00%(trailers:key=${key},valueonly,separator=%x20)`,
);
/** Parts of a commit before its paths: its mark and time, its author, its trailers. */
const HEAD_PARTS = 2 + TRAILERS.length;

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
  const mark = `\u0001${randomBytes(8).toString('hex')} `; // no file has this name
  const how = ['--first-parent', '--diff-merges=first-parent', '--name-only', '-z', '--no-renames'];
  const format = [
    '--no-show-signature',
    '--no-color',
    `--format=${mark}%ct%x00%an${TRAILERS.join('')}`,
  ];
  const where = clone.root === '' ? [] : ['--', clone.root];
  const args = ['log', ...how, ...format, `--max-count=${count}`, commit, ...where];
  const result = await clone.store.tryGit({
    args,
    maxBytes: OUTPUT_BYTES,
    timeout: WITHIN_MS,
    signal,
  });
  if (result.code !== 0) throw gitFailure('Reading the history', result);
  return changesIn(result.stdout, { mark, prefix: prefixOf(clone), signal });
}

/**
 * Takes apart `<mark><seconds>\0<name>\0<task>\0<edited
 * task>\0<editor>\0\n<path>\0<path>\0<mark>…`.
 */
async function changesIn(
  output: Buffer,
  { mark, prefix, signal }: { mark: string; prefix: string; signal: AbortSignal | undefined },
): Promise<Map<string, LastChange>> {
  const changes = new Map<string, LastChange>();
  const head: string[] = [];
  let change: LastChange | undefined;
  const take = (text: string) => {
    if (text.startsWith(mark)) head.length = 0;
    if (head.length < HEAD_PARTS) {
      head.push(text);
      if (head.length === HEAD_PARTS) change = changeOf(head, mark);
      return;
    }
    const path = text.startsWith('\n') ? text.slice(1) : text;
    if (!path.startsWith(prefix) || !change) return;
    const own = path.slice(prefix.length);
    if (!changes.has(own)) changes.set(own, change);
  };
  await forMany(nulSeparated(output), take, signal);
  return changes;
}

function changeOf(
  [marked = '', name = '', task = '', edited = '', editor = '']: string[],
  mark: string,
): LastChange {
  const by = visible(name.slice(0, NAME_CHARACTERS)).replace(/\p{Cc}/gu, ' ');
  const [made, changed] = [task, edited].map((ids) =>
    ids.slice(0, NAME_CHARACTERS).split(' ').find(isTaskId),
  );
  return {
    at: timeOf(marked.slice(mark.length)),
    by,
    taskId: made ?? changed ?? null,
    ...(!made && changed && { isByHand: true as const, ...(isPersonId(editor) && { editor }) }),
  };
}

const isPersonId = (text: string) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
