import type { CurrentVersion } from '../../../contract/approvals.ts';
import { parseVersionDetails } from '../../../contract/versions.ts';
import type { ResultCommit } from '../../../contract/site.ts';
import { fetchResult } from '../commits/taskCommit.ts';
import { checkObjectId, EDITOR, VERSION } from '../refNames.ts';
import type { SiteClone } from '../siteClone.ts';
import { readLog, trailerField } from './readLog.ts';

/**
 * Reads the current commit of a result, and the person or API key that made it.
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
    fields: ['%H', ...[EDITOR, VERSION].map(trailerField)],
    maxBytes: 1_000_000,
  };
  const [latestCommit] = await readLog(clone, request, signal);
  const [id, editor, trailer] = latestCommit?.fields ?? [];
  if (id !== commit) return { commit, editor: null };
  const { keyId } = trailer ? parseVersionDetails(trailer) : {};
  return { commit, editor: editor || null, keyId };
}
