import { randomUUID } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import type { Site, SiteRegister, SiteRepository } from '../contract/site.ts';
import { DomainError } from '../errors.ts';
import type { Schema } from '../storage/schema.ts';
import { createOrganizations } from './organizations.ts';
import { labelsFor } from './siteLabel.ts';
import { isUuid } from './uuid.ts';

const DEFAULT_AUTHOR = { name: 'Agent Tasks', email: 'agent-tasks@localhost' };

export interface NewSite {
  /** A UUID that was chosen before; a new one by default. */
  siteId?: string | undefined;
  organizationId: string;
  name: string;
  /** Its URL must have passed `checkRepositoryUrl`. null: the site has no repository information. */
  repository: SiteRepository | null;
  author?: Site['author'] | undefined;
}

export interface Sites extends SiteRegister {
  /** @throws DomainError NOT_FOUND */
  get(siteId: string): Promise<Site>;
  /** The site with this host label, in any case. */
  findByLabel(label: string): Promise<Site | null>;
  /** The ids of an organization's sites; none for an unknown organization. */
  idsOf(organizationId: string): Promise<string[]>;
  /** The sites of one organization, or of all, the oldest first. */
  list(organizationId?: string): Promise<Site[]>;
  /** The next sites of all organizations by their ids, after the given one. */
  listAfter(siteId: string | undefined, limit: number): Promise<Site[]>;
  /** @throws DomainError NOT_FOUND for an unknown organization */
  create(site: NewSite): Promise<Site>;
  /** Changes where the site's repository is. */
  setRepository(siteId: string, repository: SiteRepository): Promise<void>;
  /** Removes a site and its deployments from the register. Leaves its repository as it is. */
  remove(siteId: string): Promise<void>;
}

/** The register of sites (specification: Site). */
export function createSites(db: Kysely<Schema>): Sites {
  const all = db.selectFrom('sites').selectAll();

  async function byId(siteId: string): Promise<Site | null> {
    if (!isUuid(siteId)) return null;
    return presentIfAny(await all.where('id', '=', siteId).executeTakeFirst());
  }

  return {
    async find(organizationId, siteId) {
      const site = await byId(siteId);
      return site?.organizationId === organizationId ? site : null;
    },
    async get(siteId) {
      const site = await byId(siteId);
      if (!site) throw new DomainError('NOT_FOUND', 'Site not found');
      return site;
    },
    async findByLabel(label) {
      return presentIfAny(await all.where('label', '=', label.toLowerCase()).executeTakeFirst());
    },
    async idsOf(organizationId) {
      const rows = await db.selectFrom('sites').select('id').where('organization_id', '=', organizationId).execute();
      return rows.map(({ id }) => id);
    },
    async list(organizationId) {
      const sites = all.orderBy('created_at').orderBy('id');
      if (organizationId === undefined) return (await sites.execute()).map(present);
      await createOrganizations(db).get(organizationId);
      return (await sites.where('organization_id', '=', organizationId).execute()).map(present);
    },
    async listAfter(siteId, limit) {
      const sites = all.orderBy('id').limit(limit);
      return (await (siteId === undefined ? sites : sites.where('id', '>', siteId)).execute()).map(present);
    },
    async create(site) {
      await createOrganizations(db).get(site.organizationId);
      return insertWithFreeLabel(db, site);
    },
    async setRepository(siteId, { url, branch, root }) {
      const place = { repository_url: url, repository_branch: branch, repository_root: root };
      await db.updateTable('sites').set(place).where('id', '=', siteId).execute();
    },
    async remove(siteId) {
      await db.deleteFrom('sites').where('id', '=', siteId).execute();
    },
  };
}

type Row = Selectable<Schema['sites']>;

/** The unique column decides which label is free, so that concurrently created sites never share one. */
async function insertWithFreeLabel(db: Kysely<Schema>, site: NewSite): Promise<Site> {
  const values = rowOf(site);
  const labels = labelsFor(site.name);
  for (;;) {
    const made = await db
      .insertInto('sites')
      .values({ ...values, label: labels.next().value })
      .onConflict((conflict) => conflict.column('label').doNothing())
      .returningAll()
      .executeTakeFirst();
    if (made) return present(made);
  }
}

function rowOf({ siteId, organizationId, name, repository, author = DEFAULT_AUTHOR }: NewSite) {
  return {
    id: siteId ?? randomUUID(),
    organization_id: organizationId,
    name,
    repository_url: repository?.url ?? null,
    repository_branch: repository?.branch ?? 'main',
    repository_root: repository?.root ?? '',
    author_name: author.name,
    author_email: author.email,
    created_at: new Date(),
  };
}

function presentIfAny(row: Row | undefined): Site | null {
  return row ? present(row) : null;
}

function present(row: Row): Site {
  const { repository_url: url, repository_branch: branch, repository_root: root } = row;
  return {
    siteId: row.id,
    organizationId: row.organization_id,
    name: row.name,
    label: row.label,
    repository: url === null ? null : { url, branch, root },
    author: { name: row.author_name, email: row.author_email },
    createdAt: row.created_at.toISOString(),
  };
}
