import { randomUUID } from 'node:crypto';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { RepositoryCredential, GitHubApp, SiteCredential } from '../contract/site.ts';
import { DomainError } from '../errors.ts';
import type { Schema } from '../storage/schema.ts';
import { fingerprintOf, newDeployKey } from './deployKey.ts';
import { lockOrganization } from './locks.ts';
import type { SecretBox } from './secretBox.ts';
import { isUuid } from './uuid.ts';

const DAY_MS = 24 * 60 * 60_000;
const AT_ONCE = 100;
/** The most deploy keys of an organization that no site uses. */
const MOST_UNUSED = 100;

export interface NewToken {
  username: string;
  token: string;
}

/** A deploy key's public half. */
export interface PublicDeployKey {
  deployKeyId: string;
  /** A line of authorized_keys. */
  publicKey: string;
  /** `SHA256:…` */
  fingerprint: string;
}

/**
 * Tokens, deploy keys and GitHub Apps for repositories, and other secrets of sites. The database
 * stores secrets encrypted. No response contains one.
 */
export interface Credentials {
  /** Stores a token. @throws DomainError CONFLICT if the service has no key to encrypt it */
  addToken(organizationId: string, token: NewToken): Promise<SiteCredential>;
  /** Stores a GitHub App's key. @throws DomainError as `addToken` */
  addGitHubApp(organizationId: string, app: GitHubApp): Promise<SiteCredential>;
  /**
   * Stores another secret of a site: the one that opens its protected previews, or that of its
   * forge's webhooks.
   * @returns its credentialId
   * @throws DomainError as `addToken`
   */
  addSecret(organizationId: string, secret: string): Promise<string>;
  /**
   * Makes a deploy key. It is removed after a day if no site uses it.
   * @throws DomainError CONFLICT as `addToken`, and if the organization has 100 unused deploy keys
   */
  addDeployKey(organizationId: string): Promise<PublicDeployKey>;
  /** The organization's deploy key. @throws DomainError NOT_FOUND */
  findDeployKey(
    organizationId: string,
    deployKeyId: string,
  ): Promise<SiteCredential & { publicKey: string }>;
  /**
   * A repository's credential with its secret.
   * @throws DomainError CONFIGURATION if it can't be decrypted; GIT_FAILED (retryable) if it was
   *   removed, because the site got another one after the caller had read the site
   */
  open(credentialId: string): Promise<RepositoryCredential>;
  /** A site's other secret. @throws DomainError as `open` */
  openSecret(credentialId: string): Promise<string>;
  /** Removes a credential if no site uses it any more. */
  removeUnused(credentialId: string): Promise<void>;
  /** Encrypts secrets with the first key that are encrypted with another one. @returns how many */
  reseal(): Promise<number>;
}

type CredentialRow = Selectable<Schema['site_credentials']>;
type NewCredentialRow = Pick<
  CredentialRow,
  'id' | 'organization_id' | 'kind' | 'username' | 'public_key'
>;

/**
 * The identity of an encrypted secret, which binds it to its row and its organization: it can't be
 * decrypted in another one.
 */
const secretIdentity = ({
  id,
  organization_id,
  kind,
}: Pick<CredentialRow, 'id' | 'organization_id' | 'kind'>) =>
  `site_credentials ${id} ${organization_id} ${kind}`;

export function createCredentials(db: Kysely<Schema>, secretBox: SecretBox): Credentials {
  const insertCredential = (database: Kysely<Schema>, row: NewCredentialRow, secret: string) => {
    const { keyId, sealed } = secretBox.seal(secret, secretIdentity(row));
    const credentialColumns = { ...row, key_id: keyId, sealed, created_at: new Date() };
    return database.insertInto('site_credentials').values(credentialColumns).execute();
  };
  const deleteUnused = () =>
    db.deleteFrom('site_credentials').where('id', 'not in', usedCredentialIds(db));
  const openRow = (row: CredentialRow) =>
    secretBox.open({ keyId: row.key_id, sealed: Buffer.from(row.sealed) }, secretIdentity(row));

  return {
    async addToken(organizationId, { username, token }) {
      const row = newCredentialRow(organizationId, 'token', { username });
      await insertCredential(db, row, token);
      return { credentialId: row.id, kind: 'token' };
    },

    async addGitHubApp(organizationId, { appId, installationId, privateKey }) {
      const row = newCredentialRow(organizationId, 'github-app');
      await insertCredential(db, row, JSON.stringify({ appId, installationId, privateKey }));
      return { credentialId: row.id, kind: 'github-app' };
    },

    async addSecret(organizationId, secret) {
      const row = newCredentialRow(organizationId, 'secret');
      await insertCredential(db, row, secret);
      return row.id;
    },

    async addDeployKey(organizationId) {
      await deleteUnused()
        .where('created_at', '<', new Date(Date.now() - DAY_MS))
        .execute();
      const id = randomUUID();
      const { privateKey, publicKey } = newDeployKey(`agent-tasks-${id.slice(0, 8)}`);
      const row = newCredentialRow(organizationId, 'deploy-key', { id, public_key: publicKey });
      await db.transaction().execute(async (trx) => {
        await requireRoomForDeployKey(trx, organizationId);
        await insertCredential(trx, row, privateKey);
      });
      return { deployKeyId: id, publicKey, fingerprint: fingerprintOf(publicKey) };
    },

    async findDeployKey(organizationId, deployKeyId) {
      const row = isUuid(deployKeyId) ? await findCredential(db, deployKeyId) : undefined;
      if (
        row?.organization_id !== organizationId ||
        row.kind !== 'deploy-key' ||
        row.public_key === null
      )
        throw new DomainError('NOT_FOUND', 'Deploy key not found');
      return { credentialId: row.id, kind: 'deploy-key', publicKey: row.public_key };
    },

    async open(credentialId) {
      const row = await findCredential(db, credentialId);
      if (!row || row.kind === 'secret') throw credentialReplacedError();
      const secret = openRow(row);
      if (row.kind === 'deploy-key') return { kind: row.kind, privateKey: secret };
      if (row.kind === 'github-app')
        return { kind: row.kind, ...(JSON.parse(secret) as GitHubApp) };
      return { kind: row.kind, username: row.username ?? '', token: secret };
    },

    async openSecret(credentialId) {
      const row = await findCredential(db, credentialId);
      if (row?.kind !== 'secret') throw credentialReplacedError();
      return openRow(row);
    },

    async removeUnused(credentialId) {
      await deleteUnused().where('id', '=', credentialId).execute();
    },

    async reseal() {
      const { keyId } = secretBox;
      if (keyId === undefined) return 0;
      let resealedCount = 0;
      for (;;) {
        const otherCredentials = db
          .selectFrom('site_credentials')
          .selectAll()
          .where('key_id', '!=', keyId);
        const rows = await otherCredentials.limit(AT_ONCE).execute();
        for (const row of rows)
          await updateSealedSecret(db, row, secretBox.seal(openRow(row), secretIdentity(row)));
        resealedCount += rows.length;
        if (rows.length < AT_ONCE) return resealedCount;
      }
    },
  };
}

const newCredentialRow = (
  organizationId: string,
  kind: CredentialRow['kind'],
  columns: Partial<NewCredentialRow> = {},
): NewCredentialRow => ({
  id: randomUUID(),
  organization_id: organizationId,
  kind,
  username: null,
  public_key: null,
  ...columns,
});

/** Ids of the credentials that sites use, for their repositories and their external hosts. */
const usedCredentialIds = (db: Kysely<Schema>) =>
  db
    .selectFrom('sites')
    .innerJoinLateral(
      sql<{ id: string | null }>`(values
        (credential_id),
        ((own_host #>> '{bypass,credentialId}')::uuid),
        ((own_host #>> '{webhook,credentialId}')::uuid)
      )`.as<'used'>(sql`used (id)`),
      (join) => join.onTrue(),
    )
    .select((column) => column.ref('used.id').$notNull().as('id'))
    .where('used.id', 'is not', null);

async function requireRoomForDeployKey(trx: Kysely<Schema>, organizationId: string): Promise<void> {
  await lockOrganization(trx, organizationId);
  const unusedKeys = trx
    .selectFrom('site_credentials')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('kind', '=', 'deploy-key')
    .where('id', 'not in', usedCredentialIds(trx))
    .limit(MOST_UNUSED);
  if ((await unusedKeys.execute()).length < MOST_UNUSED) return;
  throw new DomainError(
    'CONFLICT',
    `The organization already has ${MOST_UNUSED} deploy keys that no site uses. Use one of them, or wait one day until the service deletes them.`,
  );
}

const credentialReplacedError = () =>
  new DomainError(
    'GIT_FAILED',
    'The credential of the site was replaced during the request. Send the request again.',
    {
      retryable: true,
    },
  );

const findCredential = (db: Kysely<Schema>, id: string): Promise<CredentialRow | undefined> =>
  db.selectFrom('site_credentials').selectAll().where('id', '=', id).executeTakeFirst();

async function updateSealedSecret(
  db: Kysely<Schema>,
  { id, key_id }: CredentialRow,
  { keyId, sealed }: ReturnType<SecretBox['seal']>,
) {
  const credentialUpdate = db.updateTable('site_credentials').set({ key_id: keyId, sealed });
  await credentialUpdate.where('id', '=', id).where('key_id', '=', key_id).execute();
}
