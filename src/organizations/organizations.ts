import { randomBytes, randomUUID } from 'node:crypto';
import type { Insertable, Kysely, Selectable } from 'kysely';
import { defined } from '../contract/defined.ts';
import type { Organization } from '../contract/people.ts';
import { DomainError, invalidInput } from '../errors.ts';
import type { Schema } from '../storage/schema.ts';
import { type Actor, createAudit } from './audit.ts';
import { isUuid } from './uuid.ts';

const CALLBACK_SECRET_BYTES = 32;
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
   * The secrets that sign callbacks now, the newest first: for a day after a rotation, the previous
   * one too.
   * @throws DomainError NOT_FOUND
   */
  callbackSecrets(organizationId: string): Promise<[string, ...string[]]>;
  /** When the secret was made. @throws DomainError NOT_FOUND */
  callbackRotation(organizationId: string): Promise<CallbackRotation>;
  /**
   * Makes a new secret. The previous one also signs for one more day.
   * @throws DomainError NOT_FOUND
   */
  rotateCallbackSecret(by: Actor): Promise<CallbackRotation & { callbackSecret: string }>;
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

type Row = Selectable<Schema['organizations']>;

interface Options {
  /** The operator's limit of tokens of language models per month. Default: none. */
  tokensPerMonth?: number | undefined;
}

export function createOrganizations(
  db: Kysely<Schema>,
  { tokensPerMonth: mostTokens = Infinity }: Options = {},
): Organizations {
  async function row(organizationId: string): Promise<Row> {
    const all = db.selectFrom('organizations').selectAll();
    const found = isUuid(organizationId)
      ? await all.where('id', '=', organizationId).executeTakeFirst()
      : undefined;
    if (!found) throw notFound(organizationId);
    return found;
  }

  return {
    async create({ name }) {
      const made = newOrganization(name, new Date());
      await db.insertInto('organizations').values(made).execute();
      return present({ ...made, tokens_per_month: null });
    },
    async list() {
      const all = db.selectFrom('organizations').selectAll();
      return (await all.orderBy('created_at').orderBy('id').execute()).map(present);
    },
    get: async (organizationId) => present(await row(organizationId)),
    async change(organizationId, { name, tokensPerMonth }) {
      if ((tokensPerMonth ?? 0) > mostTokens) throw aboveOperators(mostTokens);
      await db
        .updateTable('organizations')
        .set(defined({ name, tokens_per_month: tokensPerMonth }))
        .where('id', '=', organizationId)
        .execute();
      return present(await row(organizationId));
    },
    callbackSecret: async (organizationId) => (await row(organizationId)).callback_secret,
    async callbackSecrets(organizationId) {
      const { callback_secret: secret, ...found } = await row(organizationId);
      const previous = found.previous_callback_secret;
      return [secret, ...(previous !== null && isOverlap(found, new Date()) ? [previous] : [])];
    },
    callbackRotation: async (organizationId) => rotationOf(await row(organizationId), new Date()),
    rotateCallbackSecret: (by) =>
      db.transaction().execute(async (trx) => {
        const rotated = await rotateSecret(trx, by.organizationId, new Date());
        await createAudit(trx).record({ ...by, action: 'callback-secret.rotate' });
        return { callbackSecret: rotated.callback_secret, ...rotationOf(rotated, new Date()) };
      }),
  };
}

const aboveOperators = (most: number) =>
  invalidInput(
    `Invalid request body: tokensPerMonth must be less than or equal to ${most}, the operator's limit`,
  );

/** The row to insert for a new organization. */
export function newOrganization(
  name: string,
  at = new Date(),
): Insertable<Schema['organizations']> {
  return { id: randomUUID(), name, callback_secret: newCallbackSecret(), created_at: at };
}

const notFound = (organizationId: string) =>
  new DomainError('NOT_FOUND', `Organization ${organizationId} not found`);

/**
 * Uses one statement, so that of two rotations at once, the second replaces the first one's secret.
 */
async function rotateSecret(db: Kysely<Schema>, organizationId: string, at: Date): Promise<Row> {
  const rotated = await db
    .updateTable('organizations')
    .set((column) => ({
      callback_secret: newCallbackSecret(),
      callback_secret_rotated_at: at,
      previous_callback_secret: column.ref('callback_secret'),
      previous_callback_secret_until: new Date(at.getTime() + DAY),
    }))
    .where('id', '=', organizationId)
    .returningAll()
    .executeTakeFirst();
  if (!rotated) throw notFound(organizationId);
  return rotated;
}

const isOverlap = (
  { previous_callback_secret_until: until }: Pick<Row, 'previous_callback_secret_until'>,
  at: Date,
) => until !== null && until > at;

const rotationOf = (row: Row, at: Date): CallbackRotation => ({
  rotatedAt: (row.callback_secret_rotated_at ?? row.created_at).toISOString(),
  previousUntil: isOverlap(row, at) ? row.previous_callback_secret_until!.toISOString() : null,
});

const newCallbackSecret = () => `whsec_${randomBytes(CALLBACK_SECRET_BYTES).toString('base64')}`;

const present = ({
  id,
  name,
  created_at,
  tokens_per_month: tokens,
}: Pick<Row, 'id' | 'name' | 'created_at' | 'tokens_per_month'>) => ({
  organizationId: id,
  name,
  createdAt: created_at.toISOString(),
  tokensPerMonth: tokens === null ? null : Number(tokens),
});
