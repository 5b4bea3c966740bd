import { DomainError } from '../../errors.ts';
import type { GitCommand } from './git.ts';
import { type RefChange, writeRefs } from './looseRefs.ts';
import type { ObjectReader } from './objectReader.ts';

/** Points refs of ours at commits, or with null removes them. Those that are so stay as they are. Throws GIT_FAILED. */
export type SetRefs = (refs: Record<string, string | null>, signal?: AbortSignal) => Promise<void>;

interface Repository extends Pick<ObjectReader, 'find'> {
  dir: string;
  git: (args: string[], options: Pick<GitCommand, 'input' | 'signal'>) => Promise<string>;
}

/** What sets refs of one repository: by files, and by git where those do not do. */
export function createSetRefs({ dir, find, git }: Repository): SetRefs {
  return async (refs, signal) => {
    const left = await writeRefs(dir, await changesOf(refs, find), signal);
    if (left !== '') await git(['update-ref', '--stdin'], { input: left, signal });
  };
}

/** What is not so yet. Throws GIT_FAILED for a commit that is not here: no ref may lead to nothing. */
async function changesOf(refs: Record<string, string | null>, find: Repository['find']): Promise<RefChange[]> {
  const changes: RefChange[] = [];
  for (const [ref, commit] of Object.entries(refs)) {
    const found = await find('commit', ref);
    if ((found?.id ?? null) === commit) continue;
    if (commit !== null && !(await find('commit', commit)))
      throw new DomainError('GIT_FAILED', `${ref} can not point to ${commit}: it is not in the repository`);
    changes.push([ref, commit]);
  }
  return changes;
}
