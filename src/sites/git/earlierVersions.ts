import type { ResultCommit } from '../../contract/site.ts';
import { type Clone, prefixOf } from './clone.ts';
import { gitFailure } from './failure.ts';
import { nulSeparated } from './nulSeparated.ts';

const OUTPUT_BYTES = 16 * 1024 ** 2;
const noFile = /^0+$/;

/** Whether a result's commits since the merge base wrote this file; null: deleted it. */
export type IsEarlier = (path: string, blob: string | null) => boolean;

/**
 * Reads the versions that a result's files had since the merge base. A squash brings them into the
 * production branch, and not the commits.
 * @throws DomainError GIT_FAILED
 */
export async function earlierVersions(
  clone: Clone,
  { base, commit }: Pick<ResultCommit, 'commit'> & { base: string },
  signal?: AbortSignal,
): Promise<IsEarlier> {
  const how = ['--first-parent', '--diff-merges=first-parent', '--raw', '--no-abbrev', '-z'];
  const where = clone.root === '' ? [] : ['--', clone.root];
  const args = ['log', ...how, '--no-renames', '--format=', `${base}..${commit}`, ...where];
  const result = await clone.store.tryGit({ args, maxBytes: OUTPUT_BYTES, signal });
  if (result.code !== 0) throw gitFailure('Reading the versions of files', result);
  const prefix = prefixOf(clone);
  const versions = new Set<string>();
  let blob: string | undefined;
  for (const text of nulSeparated(result.stdout)) {
    // `:<mode> <mode> <blob> <blob> <status>`, then the path
    if (blob === undefined) blob = text.split(' ')[3];
    else {
      versions.add(nameOf(text.slice(prefix.length), noFile.test(blob) ? null : blob));
      blob = undefined;
    }
  }
  return (path, id) => versions.has(nameOf(path, id));
}

const nameOf = (path: string, blob: string | null) => `${blob} ${path}`;
