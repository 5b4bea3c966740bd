import { randomUUID } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import type { EndpointKind, EventType } from '../contract/events.ts';
import type { WebhookEndpoint, WebhookEndpointCreated } from '../contract/responses.ts';
import { withoutUndefined } from '../contract/withoutUndefined.ts';
import { DomainError } from '../errors.ts';
import type { Schema } from '../storage/schema.ts';
import { type AuditActor, type AuditRecord, createAudit } from './audit.ts';
import { lockOrganization } from './locks.ts';
import { isOverlap, newSigningSecret } from './organizations.ts';
import type { SecretBox } from './secretBox.ts';
import { isUuid } from './uuid.ts';

/** The most endpoints of an organization. */
export const MOST_ENDPOINTS = 20;
const DAY = 86_400_000;

export interface NewEndpoint {
  kind: EndpointKind;
  url: string;
  description: string;
  eventTypes: EventType[];
}

export type EndpointChanges = Partial<Omit<NewEndpoint, 'kind'> & { enabled: boolean }>;

/** The endpoints that receive an organization's events. URL and secrets are stored encrypted. */
export interface WebhookEndpoints {
  list(organizationId: string): Promise<WebhookEndpoint[]>;
  /** @throws DomainError NOT_FOUND */
  find(organizationId: string, endpointId: string): Promise<WebhookEndpoint>;
  /**
   * Creates an endpoint.
   * @returns it with its secret, which nothing else returns
   * @throws DomainError CONFLICT if the organization has 20 endpoints, or the service has no key to
   *   encrypt secrets
   */
  create(by: AuditActor, endpoint: NewEndpoint): Promise<WebhookEndpointCreated>;
  /** Changes an endpoint. Enabling it forgets its failures. @throws DomainError NOT_FOUND */
  change(by: AuditActor, endpointId: string, changes: EndpointChanges): Promise<WebhookEndpoint>;
  /** Removes an endpoint with its log. @throws DomainError NOT_FOUND */
  remove(by: AuditActor, endpointId: string): Promise<void>;
  /**
   * Makes a new secret. The previous one also signs for one more day.
   * @throws DomainError NOT_FOUND; CONFLICT for Slack and Teams, which have no secret
   */
  rotateSecret(by: AuditActor, endpointId: string): Promise<WebhookEndpointCreated>;
  /** Encrypts with the first key what another key encrypted. @returns how many endpoints */
  reseal(): Promise<number>;
}

/** What the column `sealed` has, as JSON. */
interface SealedEndpoint {
  url: string;
  /** The newest first. */
  secrets: string[];
}

export type EndpointRow = Selectable<Schema['webhook_endpoints']>;
type SealedColumns = Pick<EndpointRow, 'id' | 'organization_id' | 'key_id' | 'sealed'>;

const endpointIdentity = ({ id, organization_id }: Pick<EndpointRow, 'id' | 'organization_id'>) =>
  `webhook_endpoints ${id} ${organization_id}`;

/** Decrypts an endpoint's URL, and the secrets that sign its events now. */
export function openEndpoint(secretBox: SecretBox, row: EndpointRow): SealedEndpoint {
  const { url, secrets } = unseal(secretBox, row);
  return {
    url,
    secrets: isOverlap(row.previous_until, new Date()) ? secrets : secrets.slice(0, 1),
  };
}

const unseal = (secretBox: SecretBox, row: SealedColumns) =>
  JSON.parse(
    secretBox.open({ keyId: row.key_id, sealed: Buffer.from(row.sealed) }, endpointIdentity(row)),
  ) as SealedEndpoint;

function sealColumns(
  secretBox: SecretBox,
  row: Pick<EndpointRow, 'id' | 'organization_id'>,
  sealedParts: SealedEndpoint,
) {
  const { keyId, sealed } = secretBox.seal(JSON.stringify(sealedParts), endpointIdentity(row));
  return { key_id: keyId, sealed };
}

interface WebhookEndpointOptions {
  /** Called after an organization's endpoints changed, because this process may cache them. */
  onChange?: (organizationId: string) => void;
}

export function createWebhookEndpoints(
  db: Kysely<Schema>,
  secretBox: SecretBox,
  { onChange = () => undefined }: WebhookEndpointOptions = {},
): WebhookEndpoints {
  const inTransaction = <T>(
    { organizationId }: AuditActor,
    runChange: (trx: Kysely<Schema>) => Promise<T>,
  ): Promise<T> =>
    db
      .transaction()
      .execute(runChange)
      .finally(() => onChange(organizationId));

  /** Changes a locked row, and records that in the audit. */
  const changeEndpoint = (
    by: AuditActor,
    endpointId: string,
    action: AuditRecord['action'],
    changesOf: (row: EndpointRow) => object,
  ): Promise<EndpointRow> =>
    inTransaction(by, async (trx) => {
      const row = await findRow(trx, by.organizationId, endpointId, true);
      const changedRow = await trx
        .updateTable('webhook_endpoints')
        .set(changesOf(row))
        .where('id', '=', row.id)
        .returningAll()
        .executeTakeFirstOrThrow();
      await createAudit(trx).record({ ...by, action, subject: endpointTitle(changedRow) });
      return changedRow;
    });

  return {
    async list(organizationId) {
      const rows = await endpointsOf(db, organizationId)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map(presentEndpoint);
    },

    find: async (organizationId, endpointId) =>
      presentEndpoint(await findRow(db, organizationId, endpointId)),

    create: (by, endpoint) =>
      inTransaction(by, (trx) => insertEndpoint(trx, secretBox, by, endpoint)),

    change: async (by, endpointId, { url, description, eventTypes, enabled }) =>
      presentEndpoint(
        await changeEndpoint(by, endpointId, 'webhook-endpoint.update', (row) => ({
          ...withoutUndefined({
            description,
            event_types: eventTypes && JSON.stringify(eventTypes),
          }),
          ...(url !== undefined && {
            ...sealColumns(secretBox, row, { ...unseal(secretBox, row), url }),
            shown_url: shownUrl(row.kind, url),
          }),
          ...(enabled !== undefined && {
            enabled,
            disabled_because: enabled ? null : (row.disabled_because ?? 'request'),
            notice_due: false,
            failing_since: null,
          }),
          // an update without columns is not SQL
          rotated_at: row.rotated_at,
        })),
      ),

    remove: (by, endpointId) =>
      inTransaction(by, async (trx) => {
        const row = await findRow(trx, by.organizationId, endpointId, true);
        await trx.deleteFrom('webhook_endpoints').where('id', '=', row.id).execute();
        const subject = endpointTitle(row);
        await createAudit(trx).record({ ...by, action: 'webhook-endpoint.delete', subject });
      }),

    async rotateSecret(by, endpointId) {
      const secret = newSigningSecret();
      const row = await changeEndpoint(by, endpointId, 'webhook-endpoint.rotate', (oldRow) => {
        const { url, secrets } = unseal(secretBox, oldRow);
        if (oldRow.kind !== 'webhook') throw new DomainError('CONFLICT', NO_SECRET);
        const rotatedAt = new Date();
        return {
          ...sealColumns(secretBox, oldRow, { url, secrets: [secret, ...secrets.slice(0, 1)] }),
          rotated_at: rotatedAt,
          previous_until: new Date(rotatedAt.getTime() + DAY),
        };
      });
      return { ...presentEndpoint(row), secret };
    },

    reseal: () => resealEndpoints(db, secretBox),
  };
}

async function insertEndpoint(
  trx: Kysely<Schema>,
  secretBox: SecretBox,
  by: AuditActor,
  { kind, url, description, eventTypes }: NewEndpoint,
): Promise<WebhookEndpointCreated> {
  const { organizationId } = by;
  await lockOrganization(trx, organizationId);
  const endpoints = await endpointsOf(trx, organizationId).limit(MOST_ENDPOINTS).execute();
  if (endpoints.length === MOST_ENDPOINTS) throw tooManyEndpoints();
  const rowIds = { id: randomUUID(), organization_id: organizationId };
  const secrets = kind === 'webhook' ? [newSigningSecret()] : [];
  const createdAt = new Date();
  const row = await trx
    .insertInto('webhook_endpoints')
    .values({
      ...rowIds,
      ...sealColumns(secretBox, rowIds, { url, secrets }),
      kind,
      shown_url: shownUrl(kind, url),
      description,
      event_types: JSON.stringify(eventTypes),
      rotated_at: createdAt,
      enabled: true,
      created_at: createdAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const subject = endpointTitle(row);
  await createAudit(trx).record({ ...by, action: 'webhook-endpoint.create', subject });
  return { ...presentEndpoint(row), secret: secrets[0] ?? null };
}

/** An organization has few endpoints, so all of them are encrypted again at once. */
async function resealEndpoints(db: Kysely<Schema>, secretBox: SecretBox): Promise<number> {
  const { keyId } = secretBox;
  if (keyId === undefined) return 0;
  const rows = await db
    .selectFrom('webhook_endpoints')
    .select(['id', 'organization_id', 'key_id', 'sealed'])
    .where('key_id', '!=', keyId)
    .execute();
  for (const row of rows)
    await db
      .updateTable('webhook_endpoints')
      .set(sealColumns(secretBox, row, unseal(secretBox, row)))
      .where('id', '=', row.id)
      .where('sealed', '=', row.sealed)
      .execute();
  return rows.length;
}

const NO_SECRET = 'Messages to Slack and Microsoft Teams are not signed, so they have no secret';

const tooManyEndpoints = () =>
  new DomainError(
    'CONFLICT',
    `The organization already has ${MOST_ENDPOINTS} webhook endpoints. Delete one of them first.`,
  );

const endpointsOf = (db: Kysely<Schema>, organizationId: string) =>
  db.selectFrom('webhook_endpoints').selectAll().where('organization_id', '=', organizationId);

/** @param isLocked whether to lock the row until the transaction ends */
export async function findRow(
  db: Kysely<Schema>,
  organizationId: string,
  endpointId: string,
  isLocked = false,
): Promise<EndpointRow> {
  const row = isUuid(endpointId)
    ? await endpointsOf(db, organizationId)
        .where('id', '=', endpointId)
        .$if(isLocked, (query) => query.forUpdate())
        .executeTakeFirst()
    : undefined;
  if (!row) throw new DomainError('NOT_FOUND', 'Webhook endpoint not found');
  return row;
}

/** The paths of incoming webhooks of Slack and Teams are secrets: whoever knows them may post. */
const shownUrl = (kind: EndpointKind, url: string) =>
  kind === 'webhook' ? url : new URL(url).origin;

/** For the audit, which has no secrets: a query may contain one. */
const endpointTitle = ({ kind, description, shown_url: url }: EndpointRow) =>
  `${description} (${kind}, ${new URL(url).origin})`;

const presentEndpoint = (row: EndpointRow): WebhookEndpoint => ({
  endpointId: row.id,
  kind: row.kind,
  url: row.shown_url,
  description: row.description,
  eventTypes: row.event_types,
  enabled: row.enabled,
  ...withoutUndefined({ disabledBecause: row.disabled_because ?? undefined }),
  failingSince: row.failing_since?.toISOString() ?? null,
  secretRotatedAt: row.kind === 'webhook' ? row.rotated_at.toISOString() : null,
  previousSecretUntil: isOverlap(row.previous_until, new Date())
    ? row.previous_until!.toISOString()
    : null,
  createdAt: row.created_at.toISOString(),
});
