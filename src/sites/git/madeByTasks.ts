import { onCode } from '../../errors.ts';
import type { HeldCommit } from '../../contract/site.ts';
import { type Clone, prefixOf } from './clone.ts';
import { readLog, trailer } from './readLog.ts';

/** Up to so many files, two git commands a file cost less than reading the history. */
const FEW = 3;
const OUTPUT_BYTES = 16 * 1024 ** 2;
const WITHIN_MS = 20_000;

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
    const { byTasks, byOthers } = changes?.get(path) ?? { byTasks: true, byOthers: true };
    const isMixed = byTasks && byOthers;
    if (isMixed ? await isMadeByTask(clone, commit, path, signal) : byTasks) made.add(path);
  }
  return made;
}

/** By path. A merge counts where it differs from all its parents. */
async function changesOf(
  clone: Clone,
  commit: string,
  signal?: AbortSignal,
): Promise<Map<string, Changes>> {
  const request = {
    commits: [commit],
    how: ['--full-history', '-c'],
    fields: [trailer('Agent-Task')],
    maxBytes: OUTPUT_BYTES,
    timeout: WITHIN_MS,
  };
  const changes = new Map<string, Changes>();
  for (const { fields, files } of await readLog(clone, request, signal)) {
    const isByTask = fields[0]?.trim() !== '';
    for (const { path } of files) {
      const { byTasks, byOthers } = changes.get(path) ?? { byTasks: false, byOthers: false };
      changes.set(path, { byTasks: byTasks || isByTask, byOthers: byOthers || !isByTask });
    }
  }
  return changes;
}

/**
 * Whether tasks made a file and changed it last.
 * @param path in the site's folder
 */
export async function isMadeByTask(
  clone: Clone,
  commit: string,
  path: string,
  signal?: AbortSignal,
): Promise<boolean> {
  const isByTask = async (...which: string[]) => {
    const commits = ['--max-count=1', ...which, commit];
    const request = {
      commits,
      how: [],
      fields: [trailer('Agent-Task')],
      only: prefixOf(clone) + path,
    };
    const [last] = await readLog(clone, request, signal);
    return last !== undefined && last.fields[0]?.trim() !== '';
  };
  return (await isByTask()) && (await isByTask('--diff-filter=A'));
}
