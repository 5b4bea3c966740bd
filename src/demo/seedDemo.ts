import type { Site, SiteRepository } from '../contract/site.ts';
import type { ApiKeys } from '../organizations/apiKeys.ts';
import type { Organizations } from '../organizations/organizations.ts';
import { hasRole } from '../contract/roles.ts';
import type { Sites } from '../organizations/sites.ts';
import type { CommandLauncher } from '../sites/git/launcher/launcher.ts';
import { readDemoKey } from './demoFile.ts';
import { type DemoFolder, ensureDemoRepository } from './demoRepository.ts';

/**
 * The demo, which a start sets up so that a first request works at once: an organization, two
 * sites with local repositories, and an API key. With `NODE_ENV=production` there is no demo.
 *
 * - `openDemo.ts`: the entry: sets up the demo, and writes `demo.json`.
 * - `seedDemo.ts`: creates what is missing in the database. `demoRepository.ts`: the repository.
 * - `demoFile.ts`: reads and writes `demo.json`. `staleLocks.ts`: removes locks of a killed git.
 * - `site/`: the pages of the first site, in HTML. `notes/`: the second site, in Markdown, with the
 *   conventions of the generator Eleventy.
 *
 * Out: `{ "baseUrl": "http://localhost:3000/api/v1", "apiKey": "ak_…", "siteId": "…", … }`
 */

const ORGANIZATION = 'Demo';
const SITE = 'Northwind';
const NOTES_SITE = 'Northwind notes';
const KEY = 'demo';

export interface SeedDependencies {
  /** The service's data folder. It must exist, and only one process may use it. */
  dataDir: string;
  launcher: CommandLauncher;
  organizations: Pick<Organizations, 'list' | 'create'>;
  keys: Pick<ApiKeys, 'authenticate' | 'create'>;
  sites: Pick<Sites, 'list' | 'create' | 'setRepository'>;
  /** Makes the head of the production branch live, if nothing is live yet. Repeatable. */
  goLive(site: Site): Promise<void>;
}

export interface SeededDemo {
  organizationId: string;
  /** The site in HTML. */
  siteId: string;
  apiKey: string;
  /** Whether this start created the key, so that nobody has seen it yet. */
  isNewKey: boolean;
}

interface DemoSite {
  organizationId: string;
  name: string;
  folder: DemoFolder;
}

/**
 * Creates the demo organization, its sites and a key with the role member, or finds those of an
 * earlier start. Each step first looks for its result, so a start after a killed one continues.
 * The caller must write the key with `writeDemoFile`: the next start reads it there, because the
 * database stores only its hash.
 * @throws DomainError GIT_FAILED if a repository can't be made
 */
export async function seedDemo(deps: SeedDependencies): Promise<SeededDemo> {
  const organizationId = await ensureOrganization(deps);
  const site = await ensureSite(deps, { organizationId, name: SITE, folder: 'site' });
  await ensureSite(deps, { organizationId, name: NOTES_SITE, folder: 'notes' });
  return { organizationId, siteId: site.siteId, ...(await ensureKey(deps, organizationId)) };
}

/** Finds the oldest organization with the demo's name: an operator may have created another one. */
async function ensureOrganization({ organizations }: SeedDependencies): Promise<string> {
  const demoOrganization = (await organizations.list()).find(({ name }) => name === ORGANIZATION);
  return (demoOrganization ?? (await organizations.create({ name: ORGANIZATION }))).organizationId;
}

/** Finds or creates a demo site, and makes its pages live. */
async function ensureSite(deps: SeedDependencies, demoSite: DemoSite): Promise<Site> {
  const repository = await ensureDemoRepository(deps, demoSite.folder);
  const site = await ensureRegistered(deps, demoSite, repository);
  await deps.goLive(site);
  return site;
}

/**
 * Finds or registers a demo site. Corrects the URL of its repository, because the data folder may
 * have moved since the last start.
 */
async function ensureRegistered(
  { sites }: SeedDependencies,
  { organizationId, name }: DemoSite,
  repository: SiteRepository,
): Promise<Site> {
  const demoSite = (await sites.list(organizationId)).find((site) => site.name === name);
  if (!demoSite) return await sites.create({ organizationId, name, repository });
  if (demoSite.repository?.url === repository.url) return demoSite;
  await sites.setRepository(demoSite.siteId, repository);
  return { ...demoSite, repository };
}

/** Returns the key in demo.json if it is still valid, or else creates one. */
async function ensureKey(
  { dataDir, keys }: SeedDependencies,
  organizationId: string,
): Promise<Pick<SeededDemo, 'apiKey' | 'isNewKey'>> {
  const apiKey = await readDemoKey(dataDir);
  const keyOwner = apiKey === null ? null : await keys.authenticate(apiKey);
  if (
    apiKey !== null &&
    keyOwner?.organizationId === organizationId &&
    hasRole(keyOwner.role, 'member')
  )
    return { apiKey, isNewKey: false };
  const created = await keys.create({ organizationId, role: 'member', name: KEY });
  return { apiKey: created.apiKey, isNewKey: true };
}
