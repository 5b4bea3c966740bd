import { randomBytes, randomUUID } from 'node:crypto';
import type { Insertable, Kysely, Selectable } from 'kysely';
import { withoutUndefined } from '../contract/withoutUndefined.ts';
import type { Organization } from '../contract/membership.ts';
import { DomainError, invalidInputError } from '../errors.ts';
import type { Schema } from '../storage/schema.ts';
import { type AuditActor, createAudit } from './audit.ts';
import { isUuid } from './uuid.ts';

const SIGNING_SECRET_BYTES = 32;
const DAY = 86_400_000;

export interface Organizations {
  create(organization: { name: string }): Promise<Organization>;
  /** All organizations, the oldest first. */
  list(): Promise<Organization[]>;
  /** @throws DomainError NOT_FOUND */
  get(organizationId: string): Promise<Organization>;
  /**
   * Changes an organization. `tokensPerMonth` may not be above the operator's.
   * @throws DomainError NOT_FOUND, INVALID_INPUT
   */
  change(organizationId: string, changes: OrganizationChanges): Promise<Organization>;
  /**
   * The secret that signs the organization's callbacks: `whsec_` and 32 bytes in base64 (Standard
   * Webhooks, section Signature scheme).
   * @throws DomainError NOT_FOUND
   */
  callbackSecret(organizationId: string): Promise<string>;
  /**
   * The secrets that sign callbacks now, the newest first. For a day after a rotation, the previous
   * secret signs too.
   * @throws DomainError NOT_FOUND
   */
  callbackSecrets(organizationId: string): Promise<[string, ...string[]]>;
  /** The times of the last rotation. @throws DomainError NOT_FOUND */
  callbackRotation(organizationId: string): Promise<CallbackRotation>;
  /**
   * Makes a new secret. The previous one also signs for one more day.
   * @throws DomainError NOT_FOUND
   */
  rotateCallbackSecret(by: AuditActor): Promise<CallbackRotation & { callbackSecret: string }>;
}

/** `tokensPerMonth`: null removes the organization's own limit. */
export type OrganizationChanges = Partial<Pick<Organization, 'name' | 'tokensPerMonth'>>;

/** Times are ISO 8601, UTC. */
export interface CallbackRotation {
  /** When the current secret was made. */
  rotatedAt: string;
  /** When the previous secret stops signing; null without one. */
  previousUntil: string | null;
}

type OrganizationRow = Selectable<Schema['organizations']>;

interface OrganizationOptions {
  /** The operator's limit of tokens of language models per month. Default: none. */
  tokensPerMonth?: number | undefined;
}

/**
 * Organizations, and what belongs to each of them. An organization is a customer of the service:
 * its members share sites, API keys and limits, and see nothing of other organizations. This file
 * has its name, its limit of tokens and the secret that signs its callbacks. Its neighbours have
 * the rest:
 *
 * - sites.ts, siteList.ts and siteLabels.ts: the sites and their host names
 * - credentials.ts, deployKey.ts and secretBox.ts: the secrets of sites, which are stored encrypted
 * - apiKeys.ts, apiKeyRows.ts and teamKeys.ts: API keys, for operators and for members
 * - shareLinks.ts: links that show a task's pages to people without an account
 * - modelUsage.ts, tokenLimits.ts and usageReport.ts: what language models cost
 * - webhookEndpoints.ts and eventDeliveries.ts: who receives events, and the log of deliveries
 * - audit.ts: who changed which setting
 *
 * `create({ name: 'Northwind' })` → `{ organizationId: '…', name: 'Northwind', createdAt: '…',
 * tokensPerMonth: null }`. The people of an organization are in src/accounts.
 */
export function createOrganizations(
  db: Kysely<Schema>,
  { tokensPerMonth: mostTokens = Infinity }: OrganizationOptions = {},
): Organizations {
  async function row(organizationId: string): Promise<OrganizationRow> {
    const organizationQuery = db.selectFrom('organizations').selectAll();
    const foundRow = isUuid(organizationId)
      ? await organizationQuery.where('id', '=', organizationId).executeTakeFirst()
      : undefined;
    if (!foundRow) throw organizationNotFound(organizationId);
    return foundRow;
  }

  return {
    async create({ name }) {
      const newRow = newOrganization(name, new Date());
      await db.insertInto('organizations').values(newRow).execute();
      return presentOrganization({ ...newRow, tokens_per_month: null });
    },
    async list() {
      const organizationQuery = db.selectFrom('organizations').selectAll();
      return (await organizationQuery.orderBy('created_at').orderBy('id').execute()).map(
        presentOrganization,
      );
    },
    get: async (organizationId) => presentOrganization(await row(organizationId)),
    async change(organizationId, { name, tokensPerMonth }) {
      if ((tokensPerMonth ?? 0) > mostTokens) throw aboveOperatorLimit(mostTokens);
      await db
        .updateTable('organizations')
        .set(withoutUndefined({ name, tokens_per_month: tokensPerMonth }))
        .where('id', '=', organizationId)
        .execute();
      return presentOrganization(await row(organizationId));
    },
    callbackSecret: async (organizationId) => (await row(organizationId)).callback_secret,
    async callbackSecrets(organizationId) {
      const { callback_secret: currentSecret, ...foundRow } = await row(organizationId);
      const previousSecret = foundRow.previous_callback_secret;
      return [
        currentSecret,
        ...(previousSecret !== null &&
        isOverlap(foundRow.previous_callback_secret_until, new Date())
          ? [previousSecret]
          : []),
      ];
    },
    callbackRotation: async (organizationId) =>
      presentRotation(await row(organizationId), new Date()),
    rotateCallbackSecret: (auditActor) =>
      db.transaction().execute(async (trx) => {
        const rotatedRow = await rotateSecret(trx, auditActor.organizationId, new Date());
        await createAudit(trx).record({ ...auditActor, action: 'callback-secret.rotate' });
        return {
          callbackSecret: rotatedRow.callback_secret,
          ...presentRotation(rotatedRow, new Date()),
        };
      }),
  };
}

const aboveOperatorLimit = (maxTokens: number) =>
  invalidInputError(
    `Invalid request body: tokensPerMonth must be less than or equal to ${maxTokens}, the operator's limit`,
  );

/** The row to insert for a new organization. */
export function newOrganization(
  name: string,
  createdAt = new Date(),
): Insertable<Schema['organizations']> {
  return { id: randomUUID(), name, callback_secret: newSigningSecret(), created_at: createdAt };
}

const organizationNotFound = (organizationId: string) =>
  new DomainError('NOT_FOUND', `Organization ${organizationId} not found`);

/**
 * Replaces the secret. Uses one statement, so that of two rotations at once, the second one keeps
 * the secret of the first as the previous one.
 */
async function rotateSecret(
  db: Kysely<Schema>,
  organizationId: string,
  rotatedAt: Date,
): Promise<OrganizationRow> {
  const rotatedRow = await db
    .updateTable('organizations')
    .set((column) => ({
      callback_secret: newSigningSecret(),
      callback_secret_rotated_at: rotatedAt,
      previous_callback_secret: column.ref('callback_secret'),
      previous_callback_secret_until: new Date(rotatedAt.getTime() + DAY),
    }))
    .where('id', '=', organizationId)
    .returningAll()
    .executeTakeFirst();
  if (!rotatedRow) throw organizationNotFound(organizationId);
  return rotatedRow;
}

/** Whether a secret that was replaced still signs. */
export const isOverlap = (overlapEnd: Date | null, currentTime: Date): boolean =>
  overlapEnd !== null && overlapEnd > currentTime;

const presentRotation = (row: OrganizationRow, currentTime: Date): CallbackRotation => ({
  rotatedAt: (row.callback_secret_rotated_at ?? row.created_at).toISOString(),
  previousUntil: isOverlap(row.previous_callback_secret_until, currentTime)
    ? row.previous_callback_secret_until!.toISOString()
    : null,
});

/** A secret that signs callbacks or events. */
export const newSigningSecret = () =>
  `whsec_${randomBytes(SIGNING_SECRET_BYTES).toString('base64')}`;

const presentOrganization = ({
  id,
  name,
  created_at,
  tokens_per_month: tokenLimit,
}: Pick<OrganizationRow, 'id' | 'name' | 'created_at' | 'tokens_per_month'>) => ({
  organizationId: id,
  name,
  createdAt: created_at.toISOString(),
  tokensPerMonth: tokenLimit === null ? null : Number(tokenLimit),
});
