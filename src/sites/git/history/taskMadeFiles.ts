import { onCode } from '../../../errors.ts';
import type { RetainedCommitRef } from '../../../contract/site.ts';
import { type SiteClone, rootPrefix } from '../siteClone.ts';
import { readLog, trailerField } from './readLog.ts';

/** Up to this many files, two git commands for each cost less than reading the whole history. */
const FEW = 3;
const OUTPUT_BYTES = 16 * 1024 ** 2;
const TIMEOUT_MS = 20_000;

/** Which kinds of commits changed a file, anywhere in the history. */
interface ChangeOrigins {
  byTasks: boolean;
  byOthers: boolean;
}

/**
 * The paths for which `isMadeByTask` is true. For many paths, it first reads the whole history by
 * one git command, which decides for files that only tasks changed and for files that no task
 * changed. It checks the other files one by one, and all of them if the history is too long.
 * @param paths in the site's folder
 */
export async function findTaskMadeFiles(
  clone: SiteClone,
  { commit }: Pick<RetainedCommitRef, 'commit'>,
  paths: string[],
  signal?: AbortSignal,
): Promise<ReadonlySet<string>> {
  const readOrigins = () =>
    readChangeOrigins(clone, commit, signal).catch(onCode(['LIMIT_EXCEEDED'], null));
  const origins = paths.length > FEW ? await readOrigins() : null;
  const taskFiles = new Set<string>();
  for (const path of paths) {
    const { byTasks, byOthers } = origins?.get(path) ?? { byTasks: true, byOthers: true };
    const isMixed = byTasks && byOthers;
    if (isMixed ? await isMadeByTask(clone, commit, path, signal) : byTasks) taskFiles.add(path);
  }
  return taskFiles;
}

/** Who changed each file, by path. A merge counts if its file differs from those of all parents. */
async function readChangeOrigins(
  clone: SiteClone,
  commit: string,
  signal?: AbortSignal,
): Promise<Map<string, ChangeOrigins>> {
  const request = {
    commits: [commit],
    how: ['--full-history', '-c'],
    fields: [trailerField('Agent-Task')],
    maxBytes: OUTPUT_BYTES,
    timeout: TIMEOUT_MS,
  };
  const origins = new Map<string, ChangeOrigins>();
  for (const { fields, files } of await readLog(clone, request, signal)) {
    const isByTask = fields[0]?.trim() !== '';
    for (const { path } of files) {
      const { byTasks, byOthers } = origins.get(path) ?? { byTasks: false, byOthers: false };
      origins.set(path, { byTasks: byTasks || isByTask, byOthers: byOthers || !isByTask });
    }
  }
  return origins;
}

/**
 * Whether tasks made a file and changed it last, as the trailer `Agent-Task` of the commits says.
 * Other tasks may replace such a file, since it contains no person's work.
 * @param path in the site's folder
 */
export async function isMadeByTask(
  clone: SiteClone,
  commit: string,
  path: string,
  signal?: AbortSignal,
): Promise<boolean> {
  const isByTask = async (...filters: string[]) => {
    const commits = ['--max-count=1', ...filters, commit];
    const request = {
      commits,
      how: [],
      fields: [trailerField('Agent-Task')],
      only: rootPrefix(clone) + path,
    };
    const [lastEntry] = await readLog(clone, request, signal);
    return lastEntry !== undefined && lastEntry.fields[0]?.trim() !== '';
  };
  return (await isByTask()) && (await isByTask('--diff-filter=A'));
}
