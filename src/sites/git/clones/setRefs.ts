import { DomainError } from '../../../errors.ts';
import type { GitCommand } from '../command/git.ts';
import type { ObjectReader } from './objectReader.ts';

/**
 * Points the service's refs at commits; null removes a ref. Skips refs that are already correct.
 * Throws GIT_FAILED.
 */
export type RefSetter = (
  refs: Record<string, string | null>,
  signal?: AbortSignal,
) => Promise<void>;

interface RefRepository extends Pick<ObjectReader, 'find'> {
  git: (args: string[], options: Pick<GitCommand, 'input' | 'signal'>) => Promise<string>;
}

/** Sets refs of one repository in one transaction: all of them or none. */
export function createSetRefs({ find, git }: RefRepository): RefSetter {
  return async (refs, signal) => {
    const input = (await refChanges(refs, find)).join('');
    if (input !== '') await git(['update-ref', '--stdin'], { input, signal });
  };
}

/**
 * The refs to change, as lines for `update-ref --stdin`. Throws GIT_FAILED if a commit is missing
 * here: no ref may point to a missing commit.
 */
async function refChanges(
  refs: Record<string, string | null>,
  find: RefRepository['find'],
): Promise<string[]> {
  const changes: string[] = [];
  for (const [ref, commit] of Object.entries(refs)) {
    const current = await find('commit', ref);
    if ((current?.id ?? null) === commit) continue;
    if (commit !== null && !(await find('commit', commit)))
      throw new DomainError(
        'GIT_FAILED',
        `${ref} cannot point to ${commit}, because the commit is not in the repository`,
      );
    changes.push(commit === null ? `delete ${ref}\n` : `update ${ref} ${commit}\n`);
  }
  return changes;
}
