import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TASKS } from './refNames.ts';
import type { Store } from './store.ts';

/**
 * For a push to a repository on this machine, whose receiving side is our child too: it lists, and
 * checks against, none of the hidden refs but those that are pushed. Otherwise each push reads the
 * results of all old tasks: with 10,000, 112 ms of CPU time in place of 30. The settings are in a
 * file in place of the user's, which git reads before the repository's own: those count.
 * @param refs as git's refspecs
 * @see git-config(1) receive.hideRefs; core.alternateRefsPrefixes, since the receiving side asks
 *   for all refs once more through the folder where it keeps what arrives
 */
export function withOthersHidden<T>(
  store: Pick<Store, 'withFolder'>,
  refs: string[],
  push: (env: Record<string, string>) => Promise<T>,
): Promise<T> {
  const pushed = refs
    .map((ref) => ref.slice(ref.lastIndexOf(':') + 1))
    .filter((ref) => ref.startsWith(TASKS));
  const hidden = [TASKS.slice(0, -1), ...pushed.map((ref) => `!${ref}`)].map(
    (ref) => `  hideRefs = ${ref}`,
  );
  const settings = ['[core]', '  alternateRefsPrefixes = refs/heads', '[receive]', ...hidden, ''];
  return store.withFolder(async (folder) => {
    const file = join(folder, 'config');
    await writeFile(file, settings.join('\n'));
    return push({ GIT_CONFIG_GLOBAL: file });
  });
}
