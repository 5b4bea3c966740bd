import { randomBytes } from 'node:crypto';
import { onCode } from '../../errors.ts';
import type { HeldCommit } from '../../contract/site.ts';
import { type Clone, prefixOf } from './clone.ts';
import { gitFailure } from './failure.ts';
import { forMany } from './forMany.ts';
import { nulSeparated } from './nulSeparated.ts';
import { isMadeByTask } from './history.ts';

/** Up to so many files, two git commands a file cost less than reading the history. */
const FEW = 3;
const OUTPUT_BYTES = 16 * 1024 ** 2;
const WITHIN_MS = 20_000;
const TRAILER = '%(trailers:key=Agent-Task,valueonly,separator=%x20)';

/** Which kinds of commits changed a file, anywhere in the history. */
interface Changes {
  byTasks: boolean;
  byOthers: boolean;
}

/**
 * Which files tasks made and changed last, as `isMadeByTask` tells of one. Reads the whole history
 * by one git command: it decides for files that only tasks changed, and for those that no task did.
 * The others are asked for one by one, and all are where the history is too long.
 * @param paths in the site's folder
 */
export async function madeByTasks(
  clone: Clone,
  { commit }: Pick<HeldCommit, 'commit'>,
  paths: string[],
  signal?: AbortSignal,
): Promise<ReadonlySet<string>> {
  const read = () => changesOf(clone, commit, signal).catch(onCode(['LIMIT_EXCEEDED'], null));
  const changes = paths.length > FEW ? await read() : null;
  const made = new Set<string>();
  for (const path of paths) {
    const full = prefixOf(clone) + path;
    const { byTasks, byOthers } = changes?.get(full) ?? { byTasks: true, byOthers: true };
    const isMixed = byTasks && byOthers;
    if (isMixed ? await isMadeByTask(clone.store, commit, full, signal) : byTasks) made.add(path);
  }
  return made;
}

/** By path from the repository's root. A merge counts where it differs from all its parents. */
async function changesOf(
  clone: Clone,
  commit: string,
  signal?: AbortSignal,
): Promise<Map<string, Changes>> {
  const mark = `\u0001${randomBytes(8).toString('hex')} `; // no file has this name
  const how = ['--full-history', '-c', '--name-only', '-z', '--no-renames'];
  const format = ['--no-show-signature', '--no-color', `--format=${mark}${TRAILER}`];
  const where = clone.root === '' ? [] : ['--', clone.root];
  const result = await clone.store.tryGit({
    args: ['log', ...how, ...format, commit, ...where],
    maxBytes: OUTPUT_BYTES,
    timeout: WITHIN_MS,
    signal,
  });
  if (result.code !== 0) throw gitFailure('Reading the history', result);
  const changes = new Map<string, Changes>();
  let isByTask = false;
  const take = (text: string) => {
    // git puts a line end before the first path of a commit
    const part = text.replace(/^\n/, '');
    if (part.startsWith(mark)) isByTask = part.slice(mark.length).trim() !== '';
    else {
      const { byTasks, byOthers } = changes.get(part) ?? { byTasks: false, byOthers: false };
      changes.set(part, { byTasks: byTasks || isByTask, byOthers: byOthers || !isByTask });
    }
  };
  await forMany(nulSeparated(result.stdout), take, signal);
  return changes;
}
