import type { Insertable, Kysely } from 'kysely';
import { DomainError } from '../errors.ts';
import type { Schema } from '../storage/schema.ts';
import { labelsFor } from './siteLabel.ts';

/**
 * How long a removed site's host label is kept, in days: over a year. Visitors' browsers still have its service workers,
 * caches and links, and cookies for at most 400 days (RFC 6265bis, section 5.5).
 */
const KEPT_DAYS = 400;
const DAY_MS = 86_400_000;

export interface SiteLabelOptions {
  /** Sites of one organization at most, those whose label is kept included. Default: no limit. */
  most?: number | undefined;
  now?: (() => Date) | undefined;
}

type NewRow = Omit<Insertable<Schema['sites']>, 'label'>;

/** The host labels of sites: each belongs to one site, and then for a while to the organization that removed it. */
export function createSiteLabels(db: Kysely<Schema>, { most = Infinity, now = () => new Date() }: SiteLabelOptions) {
  const keptSince = () => new Date(now().getTime() - KEPT_DAYS * DAY_MS);
  const kept = (from: Kysely<Schema>) => from.selectFrom('kept_labels').where('removed_at', '>', keptSince());
  const isOfOthers = async (from: Kysely<Schema>, label: string, organizationId: string) =>
    (await kept(from)
      .select('label')
      .where('label', '=', label)
      .where('organization_id', '!=', organizationId)
      .executeTakeFirst()) !== undefined;

  async function requireRoom(trx: Kysely<Schema>, organizationId: string): Promise<void> {
    if (most === Infinity) return;
    const own = await trx
      .selectFrom('sites')
      .select('label')
      .where('organization_id', '=', organizationId)
      .unionAll(kept(trx).select('label').where('organization_id', '=', organizationId))
      .limit(most + 1)
      .execute();
    if (own.length > most) throw tooMany(most);
  }

  /**
   * Inserts a site with this label, unless it is taken. The unique column decides between sites that are made at once.
   * A label may be freed while this waits for it: whether it is kept is read after that.
   */
  async function insert(trx: Kysely<Schema>, row: NewRow, label: string): Promise<boolean> {
    if (await isOfOthers(trx, label, row.organization_id)) return false;
    const made = await trx
      .insertInto('sites')
      .values({ ...row, label })
      .onConflict((conflict) => conflict.column('label').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!made) return false;
    if (!(await isOfOthers(trx, label, row.organization_id))) return true;
    await trx.deleteFrom('sites').where('id', '=', made.id).execute();
    return false;
  }

  return {
    /** Inserts a site with the best label that is free for its organization. @throws DomainError CONFLICT */
    insertSite: (row: NewRow): Promise<void> =>
      db.transaction().execute(async (trx) => {
        // one at a time of an organization: of those that come at once, each would count too few
        const own = trx.selectFrom('organizations').select('id').where('id', '=', row.organization_id);
        await own.forNoKeyUpdate().execute();
        const labels = labelsFor(row.name);
        let label = labels.next().value;
        // its own former labels come back at once, and do not count twice
        while (!(await insert(trx, row, label))) label = labels.next().value;
        await trx.deleteFrom('kept_labels').where('label', '=', label).execute();
        await requireRoom(trx, row.organization_id);
      }),

    /** Removes a site, and keeps its label. */
    removeSite: (siteId: string): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const gone = trx.deleteFrom('sites').where('id', '=', siteId).returning(['label', 'organization_id']);
        const site = await gone.executeTakeFirst();
        if (site)
          await trx
            .insertInto('kept_labels')
            .values({ ...site, removed_at: now() })
            .execute();
        await trx.deleteFrom('kept_labels').where('removed_at', '<=', keptSince()).execute();
      }),

    /** Whether a site had this label that is gone, in any case. */
    async isKept(label: string): Promise<boolean> {
      const found = kept(db).select('label').where('label', '=', label.toLowerCase());
      return (await found.executeTakeFirst()) !== undefined;
    },

    /** Frees a kept label for everybody. @throws DomainError NOT_FOUND */
    async release(label: string): Promise<void> {
      const freed = db.deleteFrom('kept_labels').where('label', '=', label.toLowerCase());
      const { numDeletedRows } = await freed.executeTakeFirst();
      if (numDeletedRows === 0n) throw new DomainError('NOT_FOUND', `No removed site had the name ${label}`);
    },
  };
}

const tooMany = (most: number) =>
  new DomainError(
    'CONFLICT',
    `The organization has ${most} sites already, those removed in the last ${KEPT_DAYS} days included`,
  );
