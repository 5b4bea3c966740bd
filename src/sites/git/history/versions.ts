import type { ResultCommit } from '../../../contract/site.ts';
import {
  parseVersionDetails,
  type VersionCommit,
  type VersionDetails,
} from '../../../contract/versions.ts';
import type { SiteClone } from '../siteClone.ts';
import { checkObjectId, EDITOR, VERSION } from '../refNames.ts';
import { commitTime } from './commits.ts';
import { readLog, trailerField } from './readLog.ts';

const MAX_VERSIONS = 1_000;
const OUTPUT_BYTES = 16 * 1024 ** 2;

/**
 * Reads the versions of a result from the history of its hidden ref, by one git command.
 * @param tip the ref's commit, which must be in the clone
 * @returns the versions after the result, the latest first
 * @throws DomainError GIT_FAILED, LIMIT_EXCEEDED
 */
export async function readResultVersions(
  clone: SiteClone,
  { commit: result, retainedBy: taskId }: ResultCommit,
  tip: string,
  signal?: AbortSignal,
): Promise<VersionCommit[]> {
  const range = [checkObjectId(tip), '--not', checkObjectId(result)];
  const request = {
    commits: [`--max-count=${MAX_VERSIONS}`, ...range],
    fields: [
      '%H',
      '%P',
      '%at',
      '%<(200,trunc)%s',
      ...['Agent-Task-Edit', 'Agent-Task', EDITOR, VERSION].map(trailerField),
    ],
    maxBytes: OUTPUT_BYTES,
  };
  const log = await readLog(clone, request, signal);
  return log.flatMap(({ fields, files }): VersionCommit[] => {
    const [commit = '', parents = '', seconds, message = '', ...trailers] = fields;
    const [editedTask, resultTask, editor, trailer] = trailers;
    // repaired rows of a batch are a result and a version
    if (editedTask !== taskId && !(trailer && resultTask === taskId)) return [];
    const details: VersionDetails = trailer ? parseVersionDetails(trailer) : { kind: 'edit' };
    return [
      {
        commit,
        parent: firstParentOf(parents),
        at: commitTime(seconds),
        message: message.trim(),
        ...(editor && { editor }),
        paths: files.map(({ path }) => path),
        ...details,
      },
    ];
  });
}

function firstParentOf(parents: string): string {
  const end = parents.indexOf(' ');
  return end < 0 ? parents : parents.slice(0, end);
}
