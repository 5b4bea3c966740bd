import type { CurrentVersion } from '../../../contract/approvals.ts';
import type { ResultCommit } from '../../../contract/site.ts';
import { fetchResult } from '../commits/taskCommit.ts';
import { checkObjectId, EDITOR } from '../refNames.ts';
import type { SiteClone } from '../siteClone.ts';
import { readLog, trailerField } from './readLog.ts';

/**
 * Reads the current commit of a result, and who made it by hand.
 * @throws DomainError as `fetchResult`
 */
export async function readCurrentVersion(
  clone: SiteClone,
  result: ResultCommit,
  signal?: AbortSignal,
): Promise<CurrentVersion> {
  const commit = await fetchResult(clone, result, signal);
  const request = {
    commits: ['--max-count=1', checkObjectId(commit)],
    fields: ['%H', trailerField(EDITOR)],
    maxBytes: 1_000_000,
  };
  const [latestCommit] = await readLog(clone, request, signal);
  const isOfVersion = latestCommit?.fields[0] === commit;
  return { commit, editor: (isOfVersion && latestCommit.fields[1]) || null };
}
