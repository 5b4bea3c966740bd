import type { SiteClone } from '../siteClone.ts';
import { commitTime } from './commits.ts';
import { readLog, trailerField } from './readLog.ts';
import { checkObjectId, EDITOR } from '../refNames.ts';
import { readCachedTree } from '../trees/readTree.ts';
import type { BatchTip, HandEdit } from '../repository.ts';

/** Most edits that are read. The batch takes edits over regularly, so there are few. */
const MAX_EDITS = 1_000;
const OUTPUT_BYTES = 4 * 1024 ** 2;

/** The commit of a person's edit, and the paths that it changed. */
interface HandEditCommit {
  parent: string;
  at: string;
  editor: string;
  paths: string[];
}

/**
 * Reads the edits by hand that are the latest commits of a batch's hidden ref, by one git command.
 * @param batch `tip` and `shown` are commits that end the search: edits up to them are known
 * @param commit the ref's commit, which must be in the clone
 * @returns the latest edit of each file that still exists, and the commit before all edits
 * @throws DomainError GIT_FAILED, PAGE_UNREADABLE
 */
export async function readHandEdits(
  clone: SiteClone,
  batch: { taskId: string; tip: string; shown?: string },
  commit: string,
  signal?: AbortSignal,
): Promise<Omit<BatchTip, 'commit'>> {
  const stops = [batch.tip, ...(batch.shown === undefined ? [] : [batch.shown])];
  const { taskId } = batch;
  const handEdits = await readEditCommits(clone, { taskId, commit, stops }, signal);
  const uneditedCommit = handEdits.at(-1)?.parent ?? commit;
  const tree = await readCachedTree(clone, commit, signal);
  const edits = new Map<string, HandEdit>();
  for (const { at, editor, paths } of handEdits)
    for (const path of paths.filter(
      (candidate) => !edits.has(candidate) && tree.entries.has(candidate),
    ))
      edits.set(path, {
        path,
        source: await tree.read(path),
        at,
        ...(editor !== '' && { editor }),
      });
  return { edits: [...edits.values()], uneditedCommit };
}

/** The latest commits, newest first, up to the first one that is not an edit of this batch. */
async function readEditCommits(
  clone: SiteClone,
  { taskId, commit, stops }: { taskId: string; commit: string; stops: string[] },
  signal?: AbortSignal,
): Promise<HandEditCommit[]> {
  const revisions = [checkObjectId(commit), '--not', ...stops.map(checkObjectId)];
  const request = {
    commits: [`--max-count=${MAX_EDITS}`, '--ignore-missing', ...revisions],
    fields: ['%P', '%at', ...['Agent-Task-Edit', EDITOR].map(trailerField)],
    maxBytes: OUTPUT_BYTES,
  };
  const edits: HandEditCommit[] = [];
  for (const { fields, files } of await readLog(clone, request, signal)) {
    const [parents = '', seconds, editedTaskId, editor = ''] = fields;
    const [parent = '', ...otherParents] = parents.split(' ');
    if (editedTaskId !== taskId || otherParents.length > 0) break;
    edits.push({ parent, at: commitTime(seconds), editor, paths: files.map(({ path }) => path) });
  }
  return edits;
}
