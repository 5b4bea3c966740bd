import type { ResultCommit } from '../../../contract/site.ts';
import type { SiteClone } from '../siteClone.ts';
import { readLog } from './readLog.ts';

const OUTPUT_BYTES = 16 * 1024 ** 2;

/** Whether a result's commits since the merge base wrote this blob at this path; null: deletion. */
export type EarlierVersionTest = (path: string, blob: string | null) => boolean;

/**
 * Reads the versions that a result's files had since the merge base. If a pull request was
 * squashed, production has one of these versions, but none of the commits.
 * @throws DomainError GIT_FAILED
 */
export async function readEarlierVersions(
  clone: SiteClone,
  { base, commit }: Pick<ResultCommit, 'commit'> & { base: string },
  signal?: AbortSignal,
): Promise<EarlierVersionTest> {
  const request = { commits: [`${base}..${commit}`], withBlobs: true, maxBytes: OUTPUT_BYTES };
  const log = await readLog(clone, request, signal);
  const versions = new Set(
    log.flatMap(({ files }) => files.map(({ path, blob }) => versionKey(path, blob))),
  );
  return (path, blob) => versions.has(versionKey(path, blob));
}

const versionKey = (path: string, blob: string | null) => `${blob} ${path}`;
