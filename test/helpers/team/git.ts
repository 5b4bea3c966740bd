import { startShell } from '../shell.ts';
import { teamEnvironment } from './environment.ts';

const identity = {
  GIT_AUTHOR_NAME: 'T',
  GIT_AUTHOR_EMAIL: 't@test',
  GIT_COMMITTER_NAME: 'T',
  GIT_COMMITTER_EMAIL: 't@test',
};

let shell: ReturnType<typeof startShell> | undefined;

/** Runs a command as a team member would. */
export function member(cwd: string, ...words: string[]): string {
  shell ??= startShell({ ...teamEnvironment, ...identity });
  return shell(cwd, ...words);
}

/** The same with git, without white space around what it printed. */
export const git = (cwd: string, ...args: string[]): string => member(cwd, 'git', ...args).trim();
