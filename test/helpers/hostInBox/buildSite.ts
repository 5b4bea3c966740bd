import { execFile } from 'node:child_process';
import { cpSync, existsSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../documents.ts';
import { findProgram } from '../programs.ts';
import { installScript } from '../siteGenerators/install.ts';
import { type SiteBuild, starters } from '../siteGenerators/starters.ts';
import { teamEnvironment } from '../team/environment.ts';

const run = promisify(execFile);
const BUILDS_WITHIN_MS = 120_000;
/** The generators by the files in which sites configure them. */
const generators: Record<string, SiteBuild> = {
  '.eleventy.js': starters['Eleventy']!.build!,
  'eleventy.config.mjs': starters['Eleventy']!.build!,
  'astro.config.mjs': starters['Astro']!.build!,
};
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

/** The generator of a site; undefined for a site of finished pages. */
export function findGenerator(folder: string): SiteBuild | undefined {
  const configuration = Object.keys(generators).find((name) => existsSync(join(folder, name)));
  return configuration === undefined ? undefined : generators[configuration];
}

/**
 * Runs a generator on the files of a site, which may run code of theirs: with bubblewrap it sees
 * nothing else of this machine and no network, without it runs with an empty environment.
 * @param folder of the files
 * @param output new folder for what the generator made
 * @returns what the generator said
 * @throws Error with what it said where it fails
 */
export async function buildSite(
  folder: string,
  generator: SiteBuild,
  output: string,
): Promise<string> {
  const tools = generator.isOurs ? root : (await run('bash', [installScript])).stdout.trim();
  const modules = join(tools, 'node_modules');
  symlinkSync(modules, join(folder, 'node_modules'));
  const words = [...sandboxOf(folder, modules), ...generator.command(tools)];
  const [program, ...args] = words as [string, ...string[]];
  const env = { PATH: process.env.PATH, HOME: '/tmp', ASTRO_TELEMETRY_DISABLED: '1' };
  const options = { cwd: folder, env, timeout: BUILDS_WITHIN_MS, maxBuffer: 1e8 };
  const { stdout } = await run(program, args, options);
  cpSync(join(folder, generator.output), output, { recursive: true });
  return stdout;
}

/** The words before the program's; none without bubblewrap. */
function sandboxOf(folder: string, modules: string): string[] {
  const bubblewrap = findProgram('bubblewrap');
  if (bubblewrap === null) return [];
  const readable = [...system, dirname(process.execPath), modules];
  return [
    bubblewrap,
    '--unshare-all',
    '--die-with-parent',
    '--new-session',
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
