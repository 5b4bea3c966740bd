import { DomainError } from '../../../errors.ts';
import { createGit } from './git.ts';
import type { CommandLauncher } from '../launcher/launcher.ts';

/**
 * Checks at the start that git is installed and new enough (GIT_CONFIG_GLOBAL needs 2.32).
 * @param launcher starts git
 * @param gitPath the git program; default `git` on PATH
 * @returns git's version, e.g. `2.39.5`
 * @throws DomainError CONFIGURATION that says what to install
 */
export async function checkGit(launcher: CommandLauncher, gitPath?: string): Promise<string> {
  const { stdout } = await createGit({ launcher, gitPath }).run({
    args: ['--version'],
    timeout: 10_000,
  });
  const [, version, major, minor] = /git version ((\d+)\.(\d+)\S*)/.exec(stdout.toString()) ?? [];
  if (version === undefined || Number(major) * 1000 + Number(minor) < 2032)
    throw new DomainError(
      'CONFIGURATION',
      `git 2.32 or later is required, but PATH has ${version ?? 'an unknown version'}`,
    );
  return version;
}
