import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answerOf } from '../operator.ts';
import type { Service } from '../service.ts';
import { TeamRepository } from './repository.ts';
import { until } from '../until.ts';

const folderOf = (path: string) => fileURLToPath(new URL(`../../../${path}/`, import.meta.url));

export const demoPages = folderOf('src/demo/site');
/** Four small pages. A step on them takes a fraction of what one on the demo site takes. */
export const smallPages = folderOf('test/helpers/team/smallSite');
/** A site that we did not write. */
export const modernPages = folderOf('node_modules/startbootstrap-modern-business/dist');

/** The pages of a site, by their paths. */
export const pagesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.html'))
      .map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  );

const sites = new Set<TeamSite>();
/** A team's repository, registered as a site of the demo's organization. */
export class TeamSite extends TeamRepository {
  service: Service;
  readonly name: string;
  siteId = '';

  /**
   * The repository alone, which nobody has registered yet.
   * @param service the one that `run` and `create` ask
   */
  constructor(service: Service, name: string, pages = demoPages) {
    super(pages);
    this.service = service;
    this.name = name;
    sites.add(this);
  }

  /** @param name small letters: also the site's host label; one that no other site has */
  static async register(service: Service, name: string, pages = demoPages): Promise<TeamSite> {
    const site = new TeamSite(service, name, pages);
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
      arrived: async () => void (await until(`a push to ${ref}`, () => existsSync(seen))),
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
