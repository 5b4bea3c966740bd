import { randomBytes } from 'node:crypto';
import { type Clone, prefixOf } from './clone.ts';
import { gitFailure } from './failure.ts';
import { timeOf } from './history.ts';
import { nulSeparated } from './nulSeparated.ts';
import { checkObjectId, EDITOR } from './refNames.ts';
import { readKnown } from './readTree.ts';
import type { BatchTip, HandEdit } from './repository.ts';

/** Edits that are read at once. A run of the batch takes them over, so there are few. */
const MOST_EDITS = 1_000;
const OUTPUT_BYTES = 4 * 1024 ** 2;
const TRAILERS = ['Agent-Task-Edit', EDITOR].map(
  (key) => `%x00%(trailers:key=${key},valueonly,separator=%x20)`,
);

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
  const mark = `\u0001${randomBytes(8).toString('hex')} `; // no file has this name
  const how = ['--first-parent', '--diff-merges=first-parent', '--name-only', '-z', '--no-renames'];
  const format = `${mark}%P%x00%at${TRAILERS.join('')}`;
  const result = await clone.store.tryGit({
    args: [
      'log',
      ...how,
      '--no-show-signature',
      '--no-color',
      `--format=${format}`,
      `--max-count=${MOST_EDITS}`,
      '--ignore-missing',
      checkObjectId(commit),
      '--not',
      ...stops.map(checkObjectId),
    ],
    maxBytes: OUTPUT_BYTES,
    signal,
  });
  if (result.code !== 0) throw gitFailure('Reading the edits of a batch', result);
  return editsIn(result.stdout, { mark, taskId, prefix: prefixOf(clone) });
}

/** Takes apart `<mark><parents>\0<seconds>\0<task>\0<editor>\0\n<path>\0<path>\0<mark>…`. */
function editsIn(
  output: Buffer,
  { mark, taskId, prefix }: { mark: string; taskId: string; prefix: string },
): EditCommit[] {
  const edits: EditCommit[] = [];
  const head: string[] = [];
  for (const text of nulSeparated(output)) {
    if (text.startsWith(mark)) head.length = 0;
    if (head.length <= 1 + TRAILERS.length) {
      head.push(text);
      if (head.length <= 1 + TRAILERS.length) continue;
      const [marked = '', seconds, edited, editor = ''] = head;
      const [parent = '', ...others] = marked.slice(mark.length).split(' ');
      if (edited !== taskId || others.length > 0) return edits;
      edits.push({ parent, at: timeOf(seconds), editor, paths: [] });
      continue;
    }
    const path = text.startsWith('\n') ? text.slice(1) : text;
    if (path.startsWith(prefix)) edits.at(-1)!.paths.push(path.slice(prefix.length));
  }
  return edits;
}
