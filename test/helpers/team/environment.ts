import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Without git's own maintenance, which starts several processes after each commit and push, and
 * without sample hooks.
 */
const settings = { 'gc.auto': '0', 'maintenance.auto': 'false', 'init.templateDir': '' };

/** The environment of a team member's git: nothing of this machine's settings. */
export const teamEnvironment = {
  PATH: process.env.PATH,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_COUNT: String(Object.keys(settings).length),
  ...Object.fromEntries(
    Object.entries(settings).flatMap(([key, value], i) => [
      [`GIT_CONFIG_KEY_${i}`, key],
      [`GIT_CONFIG_VALUE_${i}`, value],
    ]),
  ),
};

/**
 * Keeps a team's bare repository from maintenance after pushes of the service, which has an
 * environment of its own.
 */
export const withoutMaintenance = (repository: string) =>
  appendFileSync(join(repository, 'config'), '[receive]\n\tautogc = false\n');
