import { randomUUID } from 'node:crypto';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Credential, GitHubApp, SiteCredential } from '../contract/site.ts';
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
   * Stores another secret of a site: of its previews' protection, or of its forge's webhooks.
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
   * @throws DomainError CONFIGURATION; GIT_FAILED for a removed credential: the caller read the
   *   site before its credential was replaced, so a retry helps
   */
  open(credentialId: string): Promise<Credential>;
  /** A site's other secret. @throws DomainError as `open` */
  openSecret(credentialId: string): Promise<string>;
  /** Removes a credential if no site uses it any more. */
  removeUnused(credentialId: string): Promise<void>;
  /** Encrypts secrets again that are not encrypted with the first key. @returns how many */
  reseal(): Promise<number>;
}

type Row = Selectable<Schema['site_credentials']>;
type NewRow = Pick<Row, 'id' | 'organization_id' | 'kind' | 'username' | 'public_key'>;

/**
 * The identity of a sealed secret. It can't be opened in another row or for another organization.
 */
const identityOf = ({ id, organization_id, kind }: Pick<Row, 'id' | 'organization_id' | 'kind'>) =>
  `site_credentials ${id} ${organization_id} ${kind}`;

export function createCredentials(db: Kysely<Schema>, box: SecretBox): Credentials {
  const insert = (into: Kysely<Schema>, row: NewRow, secret: string) => {
    const { keyId, sealed } = box.seal(secret, identityOf(row));
    const values = { ...row, key_id: keyId, sealed, created_at: new Date() };
    return into.insertInto('site_credentials').values(values).execute();
  };
  const unused = () => db.deleteFrom('site_credentials').where('id', 'not in', usedIn(db));
  const openRow = (row: Row) =>
    box.open({ keyId: row.key_id, sealed: Buffer.from(row.sealed) }, identityOf(row));

  return {
    async addToken(organizationId, { username, token }) {
      const row = rowOf(organizationId, 'token', { username });
      await insert(db, row, token);
      return { credentialId: row.id, kind: 'token' };
    },

    async addGitHubApp(organizationId, { appId, installationId, privateKey }) {
      const row = rowOf(organizationId, 'github-app');
      await insert(db, row, JSON.stringify({ appId, installationId, privateKey }));
      return { credentialId: row.id, kind: 'github-app' };
    },

    async addSecret(organizationId, secret) {
      const row = rowOf(organizationId, 'secret');
      await insert(db, row, secret);
      return row.id;
    },

    async addDeployKey(organizationId) {
      await unused()
        .where('created_at', '<', new Date(Date.now() - DAY_MS))
        .execute();
      const id = randomUUID();
      const { privateKey, publicKey } = newDeployKey(`agent-tasks-${id.slice(0, 8)}`);
      const row = rowOf(organizationId, 'deploy-key', { id, public_key: publicKey });
      await db.transaction().execute(async (trx) => {
        await requireRoom(trx, organizationId);
        await insert(trx, row, privateKey);
      });
      return { deployKeyId: id, publicKey, fingerprint: fingerprintOf(publicKey) };
    },

    async findDeployKey(organizationId, deployKeyId) {
      const row = isUuid(deployKeyId) ? await find(db, deployKeyId) : undefined;
      if (
        row?.organization_id !== organizationId ||
        row.kind !== 'deploy-key' ||
        row.public_key === null
      )
        throw new DomainError('NOT_FOUND', 'Deploy key not found');
      return { credentialId: row.id, kind: 'deploy-key', publicKey: row.public_key };
    },

    async open(credentialId) {
      const row = await find(db, credentialId);
      if (!row || row.kind === 'secret') throw replaced();
      const secret = openRow(row);
      if (row.kind === 'deploy-key') return { kind: row.kind, privateKey: secret };
      if (row.kind === 'github-app')
        return { kind: row.kind, ...(JSON.parse(secret) as GitHubApp) };
      return { kind: row.kind, username: row.username ?? '', token: secret };
    },

    async openSecret(credentialId) {
      const row = await find(db, credentialId);
      if (row?.kind !== 'secret') throw replaced();
      return openRow(row);
    },

    async removeUnused(credentialId) {
      await unused().where('id', '=', credentialId).execute();
    },

    async reseal() {
      const { keyId } = box;
      if (keyId === undefined) return 0;
      let count = 0;
      for (;;) {
        const others = db.selectFrom('site_credentials').selectAll().where('key_id', '!=', keyId);
        const rows = await others.limit(AT_ONCE).execute();
        for (const row of rows) await update(db, row, box.seal(openRow(row), identityOf(row)));
        count += rows.length;
        if (rows.length < AT_ONCE) return count;
      }
    },
  };
}

const rowOf = (
  organizationId: string,
  kind: Row['kind'],
  columns: Partial<NewRow> = {},
): NewRow => ({
  id: randomUUID(),
  organization_id: organizationId,
  kind,
  username: null,
  public_key: null,
  ...columns,
});

/** Ids of the credentials that sites use: for their repositories, and for their own hosts. */
const usedIn = (db: Kysely<Schema>) =>
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

async function requireRoom(trx: Kysely<Schema>, organizationId: string): Promise<void> {
  await lockOrganization(trx, organizationId);
  const unused = trx
    .selectFrom('site_credentials')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('kind', '=', 'deploy-key')
    .where('id', 'not in', usedIn(trx))
    .limit(MOST_UNUSED);
  if ((await unused.execute()).length < MOST_UNUSED) return;
  throw new DomainError(
    'CONFLICT',
    `The organization has ${MOST_UNUSED} deploy keys that no site uses: use one, or wait a day`,
  );
}

const replaced = () =>
  new DomainError('GIT_FAILED', "The site's credential was replaced meanwhile", {
    retryable: true,
  });

const find = (db: Kysely<Schema>, id: string): Promise<Row | undefined> =>
  db.selectFrom('site_credentials').selectAll().where('id', '=', id).executeTakeFirst();

async function update(
  db: Kysely<Schema>,
  { id, key_id }: Row,
  { keyId, sealed }: ReturnType<SecretBox['seal']>,
) {
  const change = db.updateTable('site_credentials').set({ key_id: keyId, sealed });
  await change.where('id', '=', id).where('key_id', '=', key_id).execute();
}
