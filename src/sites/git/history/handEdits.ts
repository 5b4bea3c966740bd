import type { SiteClone } from '../siteClone.ts';
import { commitTime } from './commits.ts';
import { readLog, trailerField } from './readLog.ts';
import { checkObjectId, EDITOR } from '../refNames.ts';
import { readCachedTree } from '../trees/readTree.ts';
import type { SiteTree } from '../trees/siteTree.ts';
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
  for (const { at, editor, paths, parent } of handEdits) {
    const isNewEdit = (path: string) => !edits.has(path) && tree.entries.has(path);
    const filesAndEntries = await listEditedPaths(clone, { tree, parent, paths }, signal);
    for (const path of filesAndEntries.filter(isNewEdit))
      edits.set(path, {
        path,
        source: await tree.read(path),
        at,
        ...(editor !== '' && { editor }),
      });
  }
  return { edits: [...edits.values()], uneditedCommit };
}

/**
 * The paths of files that an edit changed. For a data file, those of its changed entries. Later
 * edits may have changed them too.
 */
async function listEditedPaths(
  clone: SiteClone,
  { tree, parent, paths }: { tree: SiteTree; parent: string; paths: string[] },
  signal?: AbortSignal,
): Promise<string[]> {
  const partsOf = (path: string) => tree.entries.get(path)?.parts;
  if (!paths.some(partsOf)) return paths;
  const { entries } = await readCachedTree(clone, parent, signal);
  return paths.flatMap((path) => {
    const changedParts = partsOf(path)?.filter((part) => entries.get(part.path)?.id !== part.id);
    return changedParts?.map((part) => part.path) ?? [path];
  });
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
