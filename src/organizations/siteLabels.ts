import { randomBytes } from 'node:crypto';
import type { Insertable, Kysely } from 'kysely';
import { DomainError } from '../errors.ts';
import type { Schema } from '../storage/schema.ts';
import { lockOrganization } from './locks.ts';
import { normalizeText } from '../contract/normalizeText.ts';

/**
 * Days for which a removed site's host label stays reserved. Visitors' browsers still have its
 * service workers, caches and links, and keep cookies for at most 400 days (RFC 6265bis, section
 * 5.5).
 */
const KEPT_DAYS = 400;
const DAY_MS = 86_400_000;

export interface SiteLabelOptions {
  /** The most labels of one organization, in use or reserved. Default: no limit. */
  most?: number | undefined;
}

type NewSiteRow = Omit<Insertable<Schema['sites']>, 'label'>;

/**
 * The host labels of sites. A host label is the part of a site's host names that differs between
 * sites: `northwind` in `northwind.sites.example`. It belongs to one site. A removed site's label
 * stays reserved for its organization for 400 days.
 */
export function createSiteLabels(
  db: Kysely<Schema>,
  { most: maxLabels = Infinity }: SiteLabelOptions,
) {
  const reservedSince = () => new Date(Date.now() - KEPT_DAYS * DAY_MS);

  return {
    /**
     * Inserts a site with the best label that its organization may use.
     * @returns the site's id
     * @throws DomainError CONFLICT if the organization has too many labels
     */
    insertSite: (row: NewSiteRow): Promise<string> =>
      db.transaction().execute(async (trx) => {
        const { organization_id: organizationId } = row;
        await lockOrganization(trx, organizationId);
        const labelCandidates = labelsFor(row.name);
        let label = labelCandidates.next().value;
        while (!(await insertIfFree(trx, { ...row, label }, reservedSince())))
          label = labelCandidates.next().value;
        // the label is in use again, so it must not also count as reserved
        await trx.deleteFrom('kept_labels').where('label', '=', label).execute();
        if (
          (await countLabels(trx, organizationId, { since: reservedSince(), most: maxLabels })) >
          maxLabels
        )
          throw tooManySitesError(maxLabels);
        return row.id;
      }),

    /** Removes a site, and reserves its label. */
    remove: (siteId: string): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const deletedSite = trx
          .deleteFrom('sites')
          .where('id', '=', siteId)
          .returning(['label', 'organization_id']);
        const removedSite = await deletedSite.executeTakeFirst();
        if (removedSite)
          await trx
            .insertInto('kept_labels')
            .values({ ...removedSite, removed_at: new Date() })
            .execute();
        await trx.deleteFrom('kept_labels').where('removed_at', '<=', reservedSince()).execute();
      }),

    /** Removes a site whose registration failed, without reserving its label. */
    async undo(siteId: string): Promise<void> {
      await db.deleteFrom('sites').where('id', '=', siteId).execute();
    },

    /** Whether a removed site's label is reserved. Ignores case. */
    async isKeptLabel(label: string): Promise<boolean> {
      const reservedLabel = reservedLabels(db, reservedSince())
        .select('label')
        .where('label', '=', label.toLowerCase());
      return (await reservedLabel.executeTakeFirst()) !== undefined;
    },

    /** Ends a label's reservation. @throws DomainError NOT_FOUND */
    async releaseLabel(label: string): Promise<void> {
      const deletedLabel = db.deleteFrom('kept_labels').where('label', '=', label.toLowerCase());
      const { numDeletedRows } = await deletedLabel.executeTakeFirst();
      if (numDeletedRows === 0n)
        throw new DomainError('NOT_FOUND', `No removed site has the host name ${label}`);
    },
  };
}

const reservedLabels = (db: Kysely<Schema>, reservedSince: Date) =>
  db.selectFrom('kept_labels').where('removed_at', '>', reservedSince);

/**
 * Inserts a site with this label, unless the label is taken. If two sites are inserted at once, the
 * unique column lets only one of them have the label. The insert may wait until another transaction
 * frees the label by removing its site. That reserves the label, so this checks the reservation
 * again afterwards.
 * @returns whether the site was inserted
 */
async function insertIfFree(
  trx: Kysely<Schema>,
  row: Insertable<Schema['sites']>,
  reservedSince: Date,
): Promise<boolean> {
  const labelReservation = reservedLabels(trx, reservedSince)
    .select('label')
    .where('label', '=', row.label);
  const isOfOthers = async () =>
    (await labelReservation
      .where('organization_id', '!=', row.organization_id)
      .executeTakeFirst()) !== undefined;
  if (await isOfOthers()) return false;
  const insertQuery = trx
    .insertInto('sites')
    .values(row)
    .onConflict((conflict) => conflict.column('label').doNothing());
  const insertedRow = await insertQuery.returning('id').executeTakeFirst();
  if (!insertedRow || !(await isOfOthers())) return insertedRow !== undefined;
  await trx.deleteFrom('sites').where('id', '=', insertedRow.id).execute();
  return false;
}

/** Counts an organization's labels, in use and reserved, up to `most` + 1. 0 without a limit. */
async function countLabels(
  trx: Kysely<Schema>,
  organizationId: string,
  { since: reservedSince, most: maxLabels }: { since: Date; most: number },
): Promise<number> {
  if (maxLabels === Infinity) return 0;
  const usedLabels = trx
    .selectFrom('sites')
    .select('label')
    .where('organization_id', '=', organizationId);
  const reservedLabelQuery = reservedLabels(trx, reservedSince)
    .select('label')
    .where('organization_id', '=', organizationId);
  return (
    await usedLabels
      .unionAll(reservedLabelQuery)
      .limit(maxLabels + 1)
      .execute()
  ).length;
}

const tooManySitesError = (maxLabels: number) =>
  new DomainError(
    'CONFLICT',
    `The organization already has ${maxLabels} sites, including sites that were removed in the last ${KEPT_DAYS} days`,
  );

const MAX_LENGTH = 30;
const NUMBERED = 9;
/** Labels that no site gets, because the service or its mail may need these host names. */
const RESERVED = new Set(
  'admin api app assets auth blog cdn console dashboard docs ftp help live localhost login mail preview sites smtp static status support temporal www'.split(
    ' ',
  ),
);

/**
 * Infinitely many host labels for a site, the best first: the name in [a-z0-9-], then the name with
 * numbers, then with random ends. Each has at most 30 characters, because `<taskId>--<label>` must
 * fit in the 63 of a DNS label (RFC 1035, section 2.3.4). None contains `--`.
 */
export function* labelsFor(name: string): Generator<string, never> {
  const baseLabel = labelBase(name);
  if (!RESERVED.has(baseLabel)) yield baseLabel;
  for (let number = 2; number <= NUMBERED; number++) yield labelWithEnd(baseLabel, String(number));
  for (;;) yield labelWithEnd(baseLabel, randomBytes(4).toString('hex'));
}

function labelBase(name: string): string {
  const plainName = normalizeText(name, 'NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase();
  return cutLabel(plainName.replace(/[^a-z0-9]+/g, '-').replace(/^-/, ''), MAX_LENGTH) || 'site';
}

function labelWithEnd(baseLabel: string, labelEnd: string): string {
  return `${cutLabel(baseLabel, MAX_LENGTH - labelEnd.length - 1)}-${labelEnd}`;
}

function cutLabel(label: string, length: number): string {
  return label.slice(0, length).replace(/-$/, '');
}
