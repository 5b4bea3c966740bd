import type { Clone } from './clone.ts';
import { timeOf } from './history.ts';
import { readLog, trailer } from './readLog.ts';
import { checkObjectId, EDITOR } from './refNames.ts';
import { readKnown } from './readTree.ts';
import type { BatchTip, HandEdit } from './repository.ts';

/** Edits that are read at once. A run of the batch takes them over, so there are few. */
const MOST_EDITS = 1_000;
const OUTPUT_BYTES = 4 * 1024 ** 2;

/** A commit by hand, and the paths that it changed. */
interface EditCommit {
  parent: string;
  at: string;
  editor: string;
  paths: string[];
}

/**
 * Reads the edits by hand at the top of a batch's hidden ref: the latest of each file, by one git
 * command.
 * @param batch `tip` and `shown` end the search: what is below them is known
 * @param commit the ref's commit, which must be here
 * @throws DomainError GIT_FAILED, PAGE_UNREADABLE
 */
export async function editsOnTop(
  clone: Clone,
  batch: { taskId: string; tip: string; shown?: string },
  commit: string,
  signal?: AbortSignal,
): Promise<Omit<BatchTip, 'commit'>> {
  const stops = [batch.tip, ...(batch.shown === undefined ? [] : [batch.shown])];
  const { taskId } = batch;
  const own = await readEdits(clone, { taskId, commit, stops }, signal);
  const below = own.at(-1)?.parent ?? commit;
  const tree = await readKnown(clone, commit, signal);
  const edits = new Map<string, HandEdit>();
  for (const { at, editor, paths } of own)
    for (const path of paths.filter((one) => !edits.has(one) && tree.entries.has(one)))
      edits.set(path, {
        path,
        source: await tree.read(path),
        at,
        ...(editor !== '' && { editor }),
      });
  return { edits: [...edits.values()], below };
}

/** The commits by hand on the first-parent line, the latest first, down to the first other one. */
async function readEdits(
  clone: Clone,
  { taskId, commit, stops }: { taskId: string; commit: string; stops: string[] },
  signal?: AbortSignal,
): Promise<EditCommit[]> {
  const range = [checkObjectId(commit), '--not', ...stops.map(checkObjectId)];
  const request = {
    commits: [`--max-count=${MOST_EDITS}`, '--ignore-missing', ...range],
    fields: ['%P', '%at', ...['Agent-Task-Edit', EDITOR].map(trailer)],
    maxBytes: OUTPUT_BYTES,
  };
  const edits: EditCommit[] = [];
  for (const { fields, files } of await readLog(clone, request, signal)) {
    const [parents = '', seconds, edited, editor = ''] = fields;
    const [parent = '', ...others] = parents.split(' ');
    if (edited !== taskId || others.length > 0) break;
    edits.push({ parent, at: timeOf(seconds), editor, paths: files.map(({ path }) => path) });
  }
  return edits;
}
