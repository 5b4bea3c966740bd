import type { Insertable, Kysely } from 'kysely';
import { DomainError } from '../errors.ts';
import type { Schema } from '../storage/schema.ts';
import { lockOrganization } from './locks.ts';
import { labelsFor } from './siteLabel.ts';

/**
 * How long a removed site's host label is kept, in days: over a year. Visitors' browsers still have
 * its service workers, caches and links, and cookies for at most 400 days (RFC 6265bis, section
 * 5.5).
 */
const KEPT_DAYS = 400;
const DAY_MS = 86_400_000;

export interface SiteLabelOptions {
  /** Sites of one organization at most, those whose label is kept included. Default: no limit. */
  most?: number | undefined;
  now?: (() => Date) | undefined;
}

type NewRow = Omit<Insertable<Schema['sites']>, 'label'>;

/**
 * The host labels of sites: each belongs to one site, and then for a while to the organization that
 * removed it.
 */
export function createSiteLabels(
  db: Kysely<Schema>,
  { most = Infinity, now = () => new Date() }: SiteLabelOptions,
) {
  const since = () => new Date(now().getTime() - KEPT_DAYS * DAY_MS);

  return {
    /**
     * Inserts a site with the best label that is free for its organization.
     * @returns the site's id
     * @throws DomainError CONFLICT where the organization has too many
     */
    insertSite: (row: NewRow): Promise<string> =>
      db.transaction().execute(async (trx) => {
        const { organization_id: organizationId } = row;
        await lockOrganization(trx, organizationId);
        const labels = labelsFor(row.name);
        let label = labels.next().value;
        while (!(await insert(trx, { ...row, label }, since()))) label = labels.next().value;
        await trx.deleteFrom('kept_labels').where('label', '=', label).execute(); // it is in use, and counts once
        if ((await labelsOf(trx, organizationId, { since: since(), most })) > most)
          throw tooMany(most);
        return row.id;
      }),

    /** Removes a site, and keeps its label. */
    remove: (siteId: string): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const gone = trx
          .deleteFrom('sites')
          .where('id', '=', siteId)
          .returning(['label', 'organization_id']);
        const site = await gone.executeTakeFirst();
        if (site)
          await trx
            .insertInto('kept_labels')
            .values({ ...site, removed_at: now() })
            .execute();
        await trx.deleteFrom('kept_labels').where('removed_at', '<=', since()).execute();
      }),

    /** Removes a site, and keeps nothing. */
    async undo(siteId: string): Promise<void> {
      await db.deleteFrom('sites').where('id', '=', siteId).execute();
    },

    /** Whether a site had this label that is gone, in any case. */
    async isKeptLabel(label: string): Promise<boolean> {
      const found = keptIn(db, since()).select('label').where('label', '=', label.toLowerCase());
      return (await found.executeTakeFirst()) !== undefined;
    },

    /** Frees a kept label for everybody. @throws DomainError NOT_FOUND */
    async releaseLabel(label: string): Promise<void> {
      const freed = db.deleteFrom('kept_labels').where('label', '=', label.toLowerCase());
      const { numDeletedRows } = await freed.executeTakeFirst();
      if (numDeletedRows === 0n)
        throw new DomainError('NOT_FOUND', `No removed site had the name ${label}`);
    },
  };
}

const keptIn = (db: Kysely<Schema>, since: Date) =>
  db.selectFrom('kept_labels').where('removed_at', '>', since);

/**
 * Inserts a site with this label, unless it is taken. The unique column decides between sites that
 * are made at once. A label may be freed while this waits for it: whether it is kept is read after
 * that.
 */
async function insert(
  trx: Kysely<Schema>,
  row: Insertable<Schema['sites']>,
  since: Date,
): Promise<boolean> {
  const kept = keptIn(trx, since).select('label').where('label', '=', row.label);
  const isOfOthers = async () =>
    (await kept.where('organization_id', '!=', row.organization_id).executeTakeFirst()) !==
    undefined;
  if (await isOfOthers()) return false;
  const free = trx
    .insertInto('sites')
    .values(row)
    .onConflict((conflict) => conflict.column('label').doNothing());
  const made = await free.returning('id').executeTakeFirst();
  if (!made || !(await isOfOthers())) return made !== undefined;
  await trx.deleteFrom('sites').where('id', '=', made.id).execute();
  return false;
}

/**
 * How many labels an organization has, in use and kept: at most one more than the most that it may
 * have.
 */
async function labelsOf(
  trx: Kysely<Schema>,
  organizationId: string,
  { since, most }: { since: Date; most: number },
): Promise<number> {
  if (most === Infinity) return 0;
  const used = trx
    .selectFrom('sites')
    .select('label')
    .where('organization_id', '=', organizationId);
  const kept = keptIn(trx, since).select('label').where('organization_id', '=', organizationId);
  return (
    await used
      .unionAll(kept)
      .limit(most + 1)
      .execute()
  ).length;
}

const tooMany = (most: number) =>
  new DomainError(
    'CONFLICT',
    `The organization has ${most} sites already, those removed in the last ${KEPT_DAYS} days included`,
  );
