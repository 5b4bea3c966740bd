import { randomUUID } from 'node:crypto';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { PublishApproval } from '../contract/approvals.ts';
import { withoutUndefined } from '../contract/withoutUndefined.ts';
import type {
  CredentialKind,
  ExternalHost,
  Site,
  SiteProblem,
  SiteRegister,
  SiteRepository,
} from '../contract/site.ts';
import { DomainError } from '../errors.ts';
import { createRowCache } from '../storage/rowCache.ts';
import type { RowChanges } from '../storage/rowChanges.ts';
import type { Schema } from '../storage/schema.ts';
import { createOrganizations } from './organizations.ts';
import { createSiteLabels, type SiteLabelOptions } from './siteLabels.ts';
import { isUuid } from './uuid.ts';

const DEFAULT_AUTHOR = { name: 'Agent Tasks', email: 'agent-tasks@localhost' };

export interface NewSite {
  /** A UUID that the caller chose. Default: a new one. */
  siteId?: string | undefined;
  organizationId: string;
  name: string;
  /** Its URL must have passed `checkRepositoryUrl`. null for a site without a repository. */
  repository: SiteRepository | null;
  /** The external host of the site. Default: the embedded host serves the site. */
  ownHost?: ExternalHost | undefined;
  author?: Site['author'] | undefined;
}

/** The fields that decide the URLs of a site's previews. */
type AddressableSite = Pick<Site, 'siteId' | 'host' | 'label' | 'ownHost'>;

export interface Sites extends SiteRegister {
  /**
   * The fields that decide the URLs of a site's previews, cached: they may miss a change that
   * another process just made. null as for `find`.
   */
  findAddressable(organizationId: string, siteId: string): Promise<AddressableSite | null>;
  /** @throws DomainError NOT_FOUND */
  get(siteId: string): Promise<Site>;
  /** The site with this host label, in upper or lower case. */
  findByLabel(label: string): Promise<Site | null>;
  /** The ids of an organization's sites. Empty for an unknown organization. */
  idsOf(organizationId: string): Promise<string[]>;
  /**
   * The sites of one organization, or of all, the oldest first.
   * @throws DomainError NOT_FOUND for an unknown organization
   */
  list(organizationId?: string): Promise<Site[]>;
  /** Sites of all organizations by id, beginning after the given one. */
  listAfter(siteId: string | undefined, limit: number): Promise<Site[]>;
  /** Whether a removed site had this host label, which is still reserved. Ignores case. */
  isKeptLabel(label: string): Promise<boolean>;
  /**
   * Lets every organization use a removed site's host label again. @throws DomainError NOT_FOUND
   */
  releaseLabel(label: string): Promise<void>;
  /**
   * Registers a site with a new host label. Does not use the labels that other organizations'
   * removed sites had in the last 400 days.
   * @throws DomainError NOT_FOUND for an unknown organization, CONFLICT if it has too many sites
   */
  create(site: NewSite): Promise<Site>;
  /**
   * Changes a site's repository and credential, and clears the site's problem.
   * @param options.isElsewhere whether the new repository, branch or folder has other commits or
   *   pages. Then the records of production deployments are removed too
   * @param options.ownHost the new external host; null: the embedded host. Default: as before
   */
  setRepository(
    siteId: string,
    repository: SiteRepository,
    options?: { isElsewhere?: boolean; ownHost?: ExternalHost | null | undefined },
  ): Promise<void>;
  /** Changes the given fields. @throws DomainError NOT_FOUND */
  change(
    siteId: string,
    changes: {
      name?: string;
      author?: Site['author'];
      ownHost?: ExternalHost;
      publishApproval?: PublishApproval;
    },
  ): Promise<void>;
  /**
   * Stores that a webhook came from the site's forge, with a valid signature.
   * @param credentialId the secret that it was signed with. Stores nothing if the site has another
   *   one by now
   */
  hearWebhook(siteId: string, credentialId: string): Promise<void>;
  /** Stores the last problem with the site's repository; null clears it. */
  setProblem: (siteId: string, problem: SiteProblem | null) => Promise<void>;
  /**
   * Removes a site and its deployments, and reserves its host label. Leaves its repository alone.
   */
  remove(siteId: string): Promise<void>;
  /** Removes a new site whose registration failed. Does not reserve its host label. */
  undo(siteId: string): Promise<void>;
}

interface SiteOptions extends SiteLabelOptions {
  /** Reports changes of rows. With it, `findAddressable` caches sites until they change. */
  changes?: RowChanges;
}

/** The register of sites (docs/contract.md, section 4.6). */
export function createSites(db: Kysely<Schema>, { changes, ...options }: SiteOptions = {}): Sites {
  const allSites = sitesIn(db);
  const { insertSite, ...siteLabels } = createSiteLabels(db, options);
  const siteCache = createRowCache<Site>('sites', changes);

  async function byId(siteId: string): Promise<Site | null> {
    if (!isUuid(siteId)) return null;
    return presentIfAny(await allSites.where('sites.id', '=', siteId).executeTakeFirst());
  }

  return {
    ...siteLabels,
    ...siteLists(db),
    async remove(siteId) {
      await siteLabels.remove(siteId);
      siteCache.forget(siteId);
    },
    async find(organizationId, siteId) {
      const site = await byId(siteId);
      return site?.organizationId === organizationId ? site : null;
    },
    async findAddressable(organizationId, siteId) {
      const site = await siteCache.get(siteId, async () => (await byId(siteId)) ?? undefined);
      return site?.organizationId === organizationId ? site : null;
    },
    async get(siteId) {
      return (await byId(siteId)) ?? throwSiteNotFound();
    },
    async findByLabel(label) {
      return presentIfAny(
        await allSites.where('label', '=', label.toLowerCase()).executeTakeFirst(),
      );
    },
    async create(site) {
      await createOrganizations(db).get(site.organizationId);
      return (await byId(await insertSite(newSiteColumns(site))))!;
    },
    async setRepository(siteId, repository, { isElsewhere = false, ownHost } = {}) {
      const connectionColumns = {
        ...repositoryColumns(repository),
        ...(ownHost !== undefined && { own_host: externalHostJson(ownHost) }),
        had_own_host: sql<boolean>`had_own_host or own_host is not null`,
        problem: null,
      };
      await db.transaction().execute(async (trx) => {
        await trx.updateTable('sites').set(connectionColumns).where('id', '=', siteId).execute();
        for (const table of isElsewhere ? deploymentTables : [])
          await trx.deleteFrom(table).where('site_id', '=', siteId).execute();
      });
      siteCache.forget(siteId);
    },
    async change(siteId, { name, author, ownHost, publishApproval }) {
      const changedColumns = withoutUndefined({
        name,
        author_name: author?.name,
        author_email: author?.email,
        own_host: ownHost && externalHostJson(ownHost),
        publish_approval: publishApproval,
      });
      if (Object.keys(changedColumns).length === 0) return;
      const { numUpdatedRows } = await db
        .updateTable('sites')
        .set(changedColumns)
        .where('id', '=', siteId)
        .executeTakeFirst();
      siteCache.forget(siteId);
      if (numUpdatedRows === 0n) throwSiteNotFound();
    },
    async hearWebhook(siteId, credentialId) {
      await db
        .updateTable('sites')
        .set({ own_host: sql`jsonb_set(own_host, '{webhook,isHeard}', 'true')` })
        .where('id', '=', siteId)
        .where(sql<boolean>`own_host #>> '{webhook,credentialId}' = ${credentialId}`)
        .execute();
    },
    async setProblem(siteId, problem) {
      const changedColumns = {
        problem: problem?.text ?? null,
        problem_is_of_push: problem?.isOfPush ?? false,
      };
      await db.updateTable('sites').set(changedColumns).where('id', '=', siteId).execute();
    },
  };
}

/** Lists of sites. */
function siteLists(db: Kysely<Schema>): Pick<Sites, 'idsOf' | 'list' | 'listAfter'> {
  const allSites = sitesIn(db);
  return {
    async idsOf(organizationId) {
      const rows = await db
        .selectFrom('sites')
        .select('id')
        .where('organization_id', '=', organizationId)
        .execute();
      return rows.map(({ id }) => id);
    },
    async list(organizationId) {
      let siteQuery = allSites.orderBy('sites.created_at').orderBy('sites.id');
      if (organizationId !== undefined) {
        await createOrganizations(db).get(organizationId);
        siteQuery = siteQuery.where('sites.organization_id', '=', organizationId);
      }
      return (await siteQuery.execute()).map(presentSite);
    },
    async listAfter(siteId, limit) {
      let siteQuery = allSites.orderBy('sites.id').limit(limit);
      if (siteId !== undefined) siteQuery = siteQuery.where('sites.id', '>', siteId);
      return (await siteQuery.execute()).map(presentSite);
    },
  };
}

const deploymentTables = ['live_deployments', 'past_deployments', 'failed_deployments'] as const;

function throwSiteNotFound(): never {
  throw new DomainError('NOT_FOUND', 'Site not found');
}

/** The rows of sites, for more joins and conditions. */
export const sitesIn = (db: Kysely<Schema>) =>
  db
    .selectFrom('sites')
    .leftJoin('site_credentials as credential', 'credential.id', 'sites.credential_id')
    .selectAll('sites')
    .select((column) => [
      // no repository's credential is of the kind `secret`
      column.ref('credential.kind').$castTo<CredentialKind | null>().as('credential_kind'),
      'credential.public_key',
    ]);

export type SiteRow = Selectable<Schema['sites']> & {
  credential_kind: CredentialKind | null;
  public_key: string | null;
};

function newSiteColumns(site: NewSite) {
  const { siteId, organizationId, name, repository, ownHost, author = DEFAULT_AUTHOR } = site;
  return {
    id: siteId ?? randomUUID(),
    organization_id: organizationId,
    name,
    ...repositoryColumns(repository),
    own_host: externalHostJson(ownHost),
    author_name: author.name,
    author_email: author.email,
    created_at: new Date(),
  };
}

function repositoryColumns(repository: SiteRepository | null) {
  return {
    repository_url: repository?.url ?? null,
    repository_branch: repository?.branch ?? 'main',
    repository_root: repository?.root ?? '',
    is_guarded: repository?.isGuarded ?? false,
    credential_id: repository?.credential?.credentialId ?? null,
    known_hosts: repository?.knownHosts ?? null,
  };
}

const externalHostJson = (ownHost: ExternalHost | null | undefined) =>
  ownHost ? JSON.stringify(ownHost) : null;

const presentIfAny = (row: SiteRow | undefined) => (row ? presentSite(row) : null);

function repositoryInRow(siteRow: SiteRow): SiteRepository | null {
  const { repository_url: url, credential_id: credentialId, credential_kind: kind } = siteRow;
  if (url === null) return null;
  return {
    url,
    branch: siteRow.repository_branch,
    root: siteRow.repository_root,
    ...(siteRow.is_guarded && { isGuarded: true }),
    ...(credentialId !== null &&
      kind && {
        credential: {
          credentialId,
          kind,
          ...withoutUndefined({ publicKey: siteRow.public_key ?? undefined }),
        },
      }),
    ...(siteRow.known_hosts !== null && { knownHosts: siteRow.known_hosts }),
    ...(siteRow.problem !== null && {
      problem: { text: siteRow.problem, isOfPush: siteRow.problem_is_of_push },
    }),
  };
}

export function presentSite(siteRow: SiteRow): Site {
  return {
    siteId: siteRow.id,
    organizationId: siteRow.organization_id,
    name: siteRow.name,
    label: siteRow.label,
    repository: repositoryInRow(siteRow),
    host: siteRow.own_host === null ? 'embedded' : 'own',
    ...(siteRow.own_host !== null && { ownHost: siteRow.own_host }),
    ...(siteRow.own_host === null && siteRow.had_own_host && { hadOwnHost: true }),
    author: { name: siteRow.author_name, email: siteRow.author_email },
    ...(siteRow.publish_approval !== 'none' && { publishApproval: siteRow.publish_approval }),
    createdAt: siteRow.created_at.toISOString(),
  };
}
