import { execFile } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../documents.ts';
import { findProgram } from '../programs.ts';
import { teamEnvironment } from '../team/environment.ts';

const run = promisify(execFile);
const BUILDS_WITHIN_MS = 120_000;
const OUTPUT = '_site';
const CONFIGURATION = '.eleventy.js';
const modules = join(root, 'node_modules');
/** The system's programs and libraries. */
const system = ['/usr', '/bin', '/lib', '/lib64'];

export interface Source {
  /** With the host's own token. */
  url: string;
  commit: string;
  /** File of the forge's authority; undefined: the system's. */
  ca: string | undefined;
}

/** Brings the files of one commit, without history, into an empty folder. */
export async function checkOut({ url, commit, ca }: Source, folder: string): Promise<void> {
  const options = { cwd: folder, env: { ...teamEnvironment, ...(ca && { GIT_SSL_CAINFO: ca }) } };
  await run('git', ['init', '-q'], options);
  await run('git', ['fetch', '-q', '--depth', '1', url, commit], options);
  await run('git', ['checkout', '-q', 'FETCH_HEAD'], options);
}

/** Whether a site is one that Eleventy makes. */
export const hasGenerator = (folder: string): boolean => existsSync(join(folder, CONFIGURATION));

/**
 * Runs Eleventy on the files of a site, which may run code of theirs: with bubblewrap it sees
 * nothing else of this machine and no network, without it runs with an empty environment.
 * @param folder of the files
 * @param output new folder for what Eleventy made
 * @returns what Eleventy said
 * @throws Error with what it said where it fails
 */
export async function buildSite(folder: string, output: string): Promise<string> {
  const words = [...sandboxOf(folder), process.execPath, join(modules, '@11ty/eleventy/cmd.cjs')];
  const [program, ...args] = words as [string, ...string[]];
  const env = { PATH: process.env.PATH };
  const options = { cwd: folder, env, timeout: BUILDS_WITHIN_MS, maxBuffer: 1e8 };
  const { stdout } = await run(program, [...args, `--output=${OUTPUT}`], options);
  cpSync(join(folder, OUTPUT), output, { recursive: true });
  return stdout;
}

/** The words before the program's; none without bubblewrap. */
function sandboxOf(folder: string): string[] {
  const bubblewrap = findProgram('bubblewrap');
  if (bubblewrap === null) return [];
  const readable = [...system, dirname(process.execPath), modules];
  return [
    bubblewrap,
    '--unshare-all',
    '--die-with-parent',
    '--new-session',
    '--clearenv',
    '--tmpfs',
    '/tmp', // before the modules, which may be below it
    ...readable.flatMap((path) => ['--ro-bind-try', path, path]),
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--bind',
    folder,
    '/site',
    '--chdir',
    '/site',
  ];
}
