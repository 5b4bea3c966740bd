import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { answerOf } from '../operator.ts';
import type { Service } from '../service.ts';
import { teamEnvironment, withoutMaintenance } from './environment.ts';
import { until } from '../until.ts';

const run = promisify(execFile);
const folderOf = (path: string) => fileURLToPath(new URL(`../../../${path}/`, import.meta.url));

export const demoPages = folderOf('src/demo/site');
/** A site that we did not write. */
export const modernPages = folderOf('node_modules/startbootstrap-modern-business/dist');

const sites = new Set<TeamSite>();
/**
 * Folders of sites that this process made once, by their pages: to make one takes some fifteen
 * processes of git.
 */
const templates = new Map<string, Promise<string>>();

/** Runs git as a team member would. */
async function git(cwd: string, ...args: string[]): Promise<string> {
  const identity = ['-c', 'user.name=Team', '-c', 'user.email=team@example.test'];
  const { stdout } = await run('git', [...identity, ...args], { cwd, env: teamEnvironment });
  return stdout.trim();
}

/**
 * A team's bare repository with a team member's clone beside it, registered as a site of the demo's
 * organization.
 */
export class TeamSite {
  readonly folder = mkdtempSync(join(tmpdir(), 'team-site-'));
  readonly remote = join(this.folder, 'site.git');
  readonly clone = join(this.folder, 'clone');
  readonly service: Service;
  readonly name: string;
  siteId = '';

  private constructor(service: Service, name: string) {
    this.service = service;
    this.name = name;
    sites.add(this);
  }

  /** @param name small letters: also the site's host label; one that no other site has */
  static async register(service: Service, name: string, pages = demoPages): Promise<TeamSite> {
    const site = await TeamSite.build(service, name, pages);
    const owner = ['--organization', service.demo.organizationId, '--name', name];
    const created = await answerOf(
      service.dataDir,
      'site',
      'create',
      ...owner,
      '--repository',
      site.remote,
    );
    site.siteId = created.siteId as string;
    return site;
  }

  /**
   * The repository alone, which nobody has registered yet. @param service the one that `run` and
   * `create` ask
   */
  static async build(service: Service, name: string, pages = demoPages): Promise<TeamSite> {
    const site = new TeamSite(service, name);
    const template = templates.get(pages) ?? TeamSite.fill(pages);
    templates.set(pages, template);
    cpSync(await template, site.folder, { recursive: true });
    return site;
  }

  private static async fill(pages: string): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), 'team-site-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    const [remote, clone] = [join(folder, 'site.git'), join(folder, 'clone')];
    await git(folder, 'init', '-q', '--bare', '-b', 'main', remote);
    withoutMaintenance(remote);
    await git(folder, 'clone', '-q', remote, clone);
    await git(clone, 'config', 'remote.origin.url', '../site.git');
    cpSync(pages, clone, { recursive: true });
    await git(clone, 'add', '-A');
    await git(clone, 'commit', '-q', '-m', 'The site');
    await git(clone, 'push', '-q', 'origin', 'HEAD:main');
    return folder;
  }

  git = git;

  /** Writes files on top of the production branch and pushes them. @returns the commit */
  async push(files: Record<string, string>, message = 'By hand'): Promise<string> {
    await this.git(this.clone, 'fetch', '-q', 'origin', 'main');
    await this.git(this.clone, 'reset', '-q', '--hard', 'origin/main');
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(this.clone, path)), { recursive: true });
      writeFileSync(join(this.clone, path), content);
    }
    await this.git(this.clone, 'add', '-A');
    await this.git(this.clone, 'commit', '-q', '-m', message);
    await this.git(this.clone, 'push', '-q', 'origin', 'HEAD:main');
    return this.git(this.clone, 'rev-parse', 'HEAD');
  }

  head = () => this.git(this.remote, 'rev-parse', 'main');
  files = async (commit = 'main') =>
    (await this.git(this.remote, 'ls-tree', '-r', '--name-only', commit)).split('\n').sort();
  /** A file of a commit, to the last byte. */
  async show(path: string, commit = 'main'): Promise<string> {
    return (await run('git', ['show', `${commit}:${path}`], { cwd: this.remote })).stdout;
  }

  private hook(name: string, script: string): void {
    const hook = join(this.remote, 'hooks', name);
    mkdirSync(dirname(hook), { recursive: true });
    writeFileSync(hook, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }

  /** A pre-receive hook of the remote. */
  refuse = (script: string) => this.hook('pre-receive', script);

  /**
   * Holds the pushes to refs that contain the text until `open` is called; `arrived` waits for the
   * first of them.
   * @param when after the refs have moved, it is only the answer that is held
   */
  gate(
    ref: string,
    when: 'pre-receive' | 'post-receive' = 'pre-receive',
  ): { arrived(): Promise<void>; open(): void } {
    const [seen, gate] = [join(this.folder, `${when}-seen`), join(this.folder, `${when}-gate`)];
    writeFileSync(gate, '');
    rmSync(seen, { force: true });
    this.hook(
      when,
      `while read old new ref; do case "$ref" in *${ref}*) echo "$ref" > '${seen}'; while [ -e '${gate}' ]; do sleep 0.05; done;; esac; done`,
    );
    return {
      arrived: async () => void (await until(`a push to ${ref}`, () => existsSync(seen), 60_000)),
      open: () => rmSync(gate, { force: true }),
    };
  }

  /** The file as it was when the site was registered. */
  source = (path: string, pages = demoPages) => readFileSync(join(pages, path), 'utf8');

  live = (path: string) => `http://${this.name}.sites.localhost:${this.service.port}${path}`;

  /** Creates a task on the site. @returns its taskId */
  create = (body: object) => this.service.createTask({ siteId: this.siteId, ...body });
  /** Creates a task on the site and waits for its end. */
  run = async (body: object) => this.service.waitForTask(await this.create(body));
}

/** For `after`. */
export function removeTeamSites(): void {
  for (const { folder } of sites) rmSync(folder, { recursive: true, force: true });
  sites.clear();
}

/** The body of a generate_pages task for cities, from the page of Austin. */
export const citiesBody = (cities: string[], more: object = {}) => ({
  command: 'generate_pages',
  templatePageSlug: '/locations/austin',
  items: cities.map((city) => ({
    targetPageSlug: `/locations/${city.toLowerCase()}`,
    context: `City: ${city}\nHeadline: Web design in ${city} that works`,
  })),
  ...more,
});
