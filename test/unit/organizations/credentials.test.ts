import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ExternalHost } from '../../../src/contract/site.ts';
import { createCredentials } from '../../../src/organizations/credentials.ts';
import { createOrganizations } from '../../../src/organizations/organizations.ts';
import { createSecretBox } from '../../../src/organizations/secretBox.ts';
import { createSites } from '../../../src/organizations/sites.ts';
import { ownSecretsKeys, readSecretsKeys } from '../../../src/storage/secretsKeys.ts';
import { temporaryFolder, testDatabase } from '../../helpers/database.ts';

const key = (id: string) => ({ id, key: randomBytes(32) });
const errorOf = (work: () => unknown): Error => {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error('It did not fail');
};
const codeOf = async (work: () => unknown) => {
  try {
    await work();
    return undefined;
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('createSecretBox(keys)', () => {
  it('opens what it sealed, for the same row only, and nothing that was changed', async () => {
    const box = createSecretBox([key('a')]);
    const made = box.seal('geheim ü', 'row 1');
    expect(made.sealed.includes('geheim')).to.equal(false);
    expect(box.open(made, 'row 1')).to.equal('geheim ü');
    expect(box.seal('geheim ü', 'row 1').sealed.equals(made.sealed)).to.equal(false);
    expect(await codeOf(() => box.open(made, 'row 2'))).to.equal('CONFIGURATION');
    for (const at of [0, 12, made.sealed.length - 1]) {
      const changed = Buffer.from(made.sealed);
      changed[at]! ^= 1;
      expect(
        await codeOf(() => box.open({ ...made, sealed: changed }, 'row 1')),
        `byte ${at}`,
      ).to.equal('CONFIGURATION');
    }
    expect(await codeOf(() => box.open({ ...made, sealed: Buffer.alloc(3) }, 'row 1'))).to.equal(
      'CONFIGURATION',
    );
  });

  it('opens with any of its keys, seals with the first, and fails without one', async () => {
    const [old, fresh] = [key('old'), key('new')];
    const made = createSecretBox([old]).seal('x', 'row');
    const both = createSecretBox([fresh, old]);
    expect([both.open(made, 'row'), both.seal('x', 'row').keyId]).to.deep.equal(['x', 'new']);
    expect(await codeOf(() => createSecretBox([fresh]).open(made, 'row'))).to.equal(
      'CONFIGURATION',
    );
    expect(await codeOf(() => createSecretBox([]).seal('x', 'row'))).to.equal('CONFLICT');
  });
});

describe('readSecretsKeys(text)', () => {
  const base64 = (bytes: number) => randomBytes(bytes).toString('base64');
  it('reads IDs and keys in their order', () => {
    const [one, two] = [base64(32), base64(32)];
    expect(readSecretsKeys(`2026:${one}, old.1:${two}`)).to.deep.equal([
      { id: '2026', key: Buffer.from(one, 'base64') },
      { id: 'old.1', key: Buffer.from(two, 'base64') },
    ]);
  });
  for (const [what, text] of Object.entries({
    'a short key': `a:${base64(16)}`,
    'no id': base64(32),
    'two of one id': `a:${base64(32)},a:${base64(32)}`,
    'an end that is empty': `a:${base64(32)},`,
  }))
    it(`rejects ${what} without showing it`, () => {
      const { message } = errorOf(() => readSecretsKeys(text));
      expect(message).to.match(/^Invalid settings: SECRETS_KEYS: /);
      expect(message).to.not.include(text.slice(-20));
    });

  it('creates a key for a data folder once, which only its user can read', () => {
    const folder = temporaryFolder();
    const [made] = ownSecretsKeys(folder.path);
    expect(ownSecretsKeys(folder.path)).to.deep.equal([made]);
    expect(statSync(join(folder.path, 'secrets.key')).mode & 0o777).to.equal(0o600);
    expect(
      existsSync(folder.path) && readFileSync(join(folder.path, 'secrets.key'), 'utf8'),
    ).to.match(/^own:/);
    folder.remove();
  });
});

describe('ownSecretsKeys(folder)', () => {
  it('leaves nothing on a full disk, and creates the key when there is room', () => {
    const folder = temporaryFolder();
    const script = `
      const { ownSecretsKeys } = await import(${JSON.stringify(import.meta.resolve('../../../src/storage/secretsKeys.ts'))});
      try { ownSecretsKeys(${JSON.stringify(folder.path)}); } catch (error) { console.log(error.code); }`;
    // a limit on files' sizes is refused like a full disk, at every write
    const full = [
      '-c',
      `trap '' XFSZ; ulimit -f 0; "$@" | cat`,
      'sh',
      process.execPath,
      '--input-type=module',
      '-e',
    ];
    expect(execFileSync('sh', [...full, script], { encoding: 'utf8' })).to.equal('EFBIG\n');
    expect(readdirSync(folder.path)).to.deep.equal([]);
    const made = ownSecretsKeys(folder.path);
    expect([made.length, ownSecretsKeys(folder.path), readdirSync(folder.path)]).to.deep.equal([
      1,
      made,
      ['secrets.key'],
    ]);
    folder.remove();
  });
});

describe('createCredentials(db, box)', () => {
  async function open() {
    const db = await testDatabase();
    const organizations = createOrganizations(db);
    const [{ organizationId }, { organizationId: other }] = [
      await organizations.create({ name: 'Own' }),
      await organizations.create({ name: 'Other' }),
    ];
    return { db, organizationId, other, old: key(randomBytes(4).toString('hex')) };
  }
  const rows = (db: Awaited<ReturnType<typeof testDatabase>>, organizationId: string) =>
    db
      .selectFrom('site_credentials')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .execute();

  it('stores secrets that the database alone does not reveal, and that open for their own row only', async () => {
    const { db, organizationId, other, old } = await open();
    const credentials = createCredentials(db, createSecretBox([old]));
    const { credentialId } = await credentials.addToken(organizationId, {
      username: 'me',
      token: 'the-token-4711',
    });
    const { deployKeyId, publicKey } = await credentials.addDeployKey(organizationId);
    const app = { appId: '4711', installationId: null, privateKey: 'the-app-key-4711' };
    const ofApp = await credentials.addGitHubApp(organizationId, app);
    expect(ofApp.kind).to.equal('github-app');
    const secretId = await credentials.addSecret(organizationId, 'the-bypass-4711');
    const dump = (await rows(db, organizationId)).map(({ sealed, ...row }) => [
      row,
      Buffer.from(sealed).toString('latin1'),
    ]);
    expect(JSON.stringify(dump)).to.not.match(/the-token-4711|PRIVATE KEY|the-app-key|the-bypass/);
    expect(await credentials.open(credentialId)).to.deep.equal({
      kind: 'token',
      username: 'me',
      token: 'the-token-4711',
    });
    expect(await credentials.open(ofApp.credentialId)).to.deep.equal({
      kind: 'github-app',
      ...app,
    });
    expect(await credentials.openSecret(secretId)).to.equal('the-bypass-4711');
    for (const open of [
      () => credentials.open(secretId),
      () => credentials.openSecret(credentialId),
    ])
      expect(await codeOf(open)).to.equal('GIT_FAILED');
    expect(await credentials.open(deployKeyId))
      .to.have.property('privateKey')
      .that.includes('BEGIN PRIVATE KEY');
    expect(await credentials.findDeployKey(organizationId, deployKeyId)).to.deep.equal({
      credentialId: deployKeyId,
      kind: 'deploy-key',
      publicKey,
    });
    for (const [owner, id] of [
      [other, deployKeyId],
      [organizationId, credentialId],
      [organizationId, 'x'],
    ] as const)
      expect(await codeOf(() => credentials.findDeployKey(owner, id))).to.equal('NOT_FOUND');
    // as somebody would who can write to the database, to read another organization's secret
    await db
      .updateTable('site_credentials')
      .set({
        sealed: Buffer.from(
          (await rows(db, organizationId)).find(({ id }) => id === credentialId)!.sealed,
        ),
      })
      .where('id', '=', deployKeyId)
      .execute();
    expect(await codeOf(() => credentials.open(deployKeyId))).to.equal('CONFIGURATION');
    await db.deleteFrom('site_credentials').where('organization_id', '=', organizationId).execute();
  });

  it('asks for another attempt if a credential was replaced after the site was read', async () => {
    const { db, organizationId, old } = await open();
    const credentials = createCredentials(db, createSecretBox([old]));
    const { credentialId } = await credentials.addToken(organizationId, {
      username: 'me',
      token: 't',
    });
    const { deployKeyId } = await credentials.addDeployKey(organizationId);
    for (const id of [credentialId, deployKeyId, randomUUID()]) {
      await credentials.removeUnused(id);
      const failure = await credentials.open(id).catch((error: unknown) => error);
      expect(failure).to.include({ code: 'GIT_FAILED', retryable: true });
    }
  });

  it("keeps the secrets of a site's external host while the site names them", async () => {
    const { db, organizationId, old } = await open();
    const credentials = createCredentials(db, createSecretBox([old]));
    const sites = createSites(db);
    const [bypass, webhook, unused] = [
      await credentials.addSecret(organizationId, 'bypass'),
      await credentials.addSecret(organizationId, 'webhook'),
      await credentials.addSecret(organizationId, 'unused'),
    ];
    const repository = { url: 'https://git.example/a/b.git', branch: 'main', root: '' };
    const ownHost: ExternalHost = {
      forge: 'forgejo',
      apiUrl: 'https://git.example/api/v1',
      project: 'a/b',
      publish: 'push',
      merge: 'automatic',
      previewReports: [],
      liveReports: [],
      reporter: null,
      hosts: ['pages.example'],
      previewUrl: null,
      liveUrl: null,
      pageUrls: [],
      webhook: { credentialId: webhook },
      buildMinutes: 10,
      hasPreviews: true,
      publishWindow: 20,
    };
    const protectedHost = { ...ownHost, bypass: { header: 'x-bypass', credentialId: bypass } };
    const site = { organizationId, name: 'Own', repository, ownHost: protectedHost };
    const { siteId } = await sites.create(site);
    const removeAll = async () => {
      for (const id of [bypass, webhook, unused]) await credentials.removeUnused(id);
      return (await rows(db, organizationId)).map(({ id }) => id);
    };
    expect(await removeAll()).to.have.members([bypass, webhook]);
    await sites.setRepository(siteId, repository, { ownHost });
    expect(await removeAll()).to.deep.equal([webhook]);
    await sites.remove(siteId);
    expect(await removeAll()).to.deep.equal([]);
  });

  it('seals all credentials again with the first key, so that the old key can be removed', async () => {
    const { db, organizationId, old } = await open();
    const fresh = key(randomBytes(4).toString('hex'));
    // those of tests that had this database before
    await db.updateTable('sites').set({ credential_id: null }).execute();
    await db.deleteFrom('site_credentials').execute();
    const before = createCredentials(db, createSecretBox([old]));
    const { credentialId } = await before.addToken(organizationId, { username: 'me', token: 't' });
    await before.addDeployKey(organizationId);
    const both = createCredentials(db, createSecretBox([fresh, old]));
    expect([await both.reseal(), await both.reseal()]).to.deep.equal([2, 0]);
    expect(await createCredentials(db, createSecretBox([fresh])).open(credentialId)).to.include({
      token: 't',
    });
    expect(await codeOf(() => before.open(credentialId))).to.equal('CONFIGURATION');
  });

  it('removes keys that no site has used for a day, and credentials that no site uses any more', async () => {
    const { db, organizationId, old } = await open();
    const credentials = createCredentials(db, createSecretBox([old]));
    const sites = createSites(db);
    const [used, stale, fresh] = [
      await credentials.addDeployKey(organizationId),
      await credentials.addDeployKey(organizationId),
      await credentials.addDeployKey(organizationId),
    ];
    const credential = await credentials.findDeployKey(organizationId, used.deployKeyId);
    const repository = {
      url: 'git@git.example:a.git',
      branch: 'main',
      root: '',
      isGuarded: true as const,
      credential,
    };
    const { siteId } = await sites.create({ organizationId, name: 'S', repository });
    expect((await sites.get(siteId)).repository).to.deep.equal(repository);
    const long = [used.deployKeyId, stale.deployKeyId];
    const yesterday = new Date(Date.now() - 25 * 3_600_000);
    await db
      .updateTable('site_credentials')
      .set({ created_at: yesterday } as never)
      .where('id', 'in', long)
      .execute();
    const next = await credentials.addDeployKey(organizationId);
    const ids = async () => (await rows(db, organizationId)).map(({ id }) => id);
    expect(await ids()).to.have.members([used.deployKeyId, fresh.deployKeyId, next.deployKeyId]);
    await credentials.removeUnused(used.deployKeyId);
    expect(await ids()).to.include(used.deployKeyId);
    await sites.remove(siteId);
    await credentials.removeUnused(used.deployKeyId);
    expect(await ids()).to.not.include(used.deployKeyId);
  });
});
