import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TASKS } from '../refNames.ts';
import type { CloneStore } from '../clones/cloneStore.ts';

/**
 * Speeds up a push to a repository on this machine. git's receiving side is then a child process
 * too, and these settings make it list only those hidden refs that are pushed. Otherwise each push
 * reads the results of all old tasks: with 10,000 of them, 112 ms of CPU time instead of 30. The
 * settings are in a file that replaces the user's. git reads it before the repository's own
 * settings, which still take precedence.
 * @param refs git's refspecs, such as `<commit>:refs/agent-tasks/<taskId>`
 * @param push runs the push with these environment variables
 * @see git-config(1) receive.hideRefs; core.alternateRefsPrefixes, because the receiving side lists
 *   all refs once more through the folder for arriving objects
 */
export function withOtherRefsHidden<T>(
  store: Pick<CloneStore, 'withFolder'>,
  refs: string[],
  push: (env: Record<string, string>) => Promise<T>,
): Promise<T> {
  const pushedTaskRefs = refs
    .map((ref) => ref.slice(ref.lastIndexOf(':') + 1))
    .filter((ref) => ref.startsWith(TASKS));
  const hideLines = [TASKS.slice(0, -1), ...pushedTaskRefs.map((ref) => `!${ref}`)].map(
    (ref) => `  hideRefs = ${ref}`,
  );
  const settings = [
    '[core]',
    '  alternateRefsPrefixes = refs/heads',
    '[receive]',
    ...hideLines,
    '',
  ];
  return store.withFolder(async (folder) => {
    const file = join(folder, 'config');
    await writeFile(file, settings.join('\n'));
    return push({ GIT_CONFIG_GLOBAL: file });
  });
}
