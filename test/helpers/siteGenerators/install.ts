import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Says with `--check` whether the generators are there or can be installed. Without, installs them. */
export const installScript = join(import.meta.dirname, 'install.sh');

/** Jekyll and its theme come from the system. */
export const canInstallSiteGenerators = () =>
  spawnSync('gem', ['contents', 'minima']).status === 0 &&
  spawnSync('bash', [installScript, '--check']).status === 0;
