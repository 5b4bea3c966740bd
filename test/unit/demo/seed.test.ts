import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Kysely } from 'kysely';
import { readDemoKey, writeDemoFile } from '../../../src/demo/demoFile.ts';
import { type DemoFolder, ensureDemoRepository } from '../../../src/demo/demoRepository.ts';
import { seedDemo, type SeededDemo, type SeedDependencies } from '../../../src/demo/seedDemo.ts';
import { createKeys } from '../../../src/organizations/apiKeys.ts';
import { createOrganizations } from '../../../src/organizations/organizations.ts';
import { createSites } from '../../../src/organizations/sites.ts';
import { createGit } from '../../../src/sites/git/command/git.ts';
import type { Schema } from '../../../src/storage/schema.ts';
import { temporaryFolder, testDatabase } from '../../helpers/database.ts';
import { testLauncher } from '../../helpers/launcher.ts';
import { processesOf } from '../../helpers/processes.ts';
import { until } from '../../helpers/until.ts';

const urls = { baseUrl: 'http://localhost:3000/api/v1', temporalUiUrl: 'http://localhost:8233' };
const repositoryModule = new URL('../../../src/demo/demoRepository.ts', import.meta.url).href;
const launcherModule = new URL('../../../src/sites/git/launcher/launcher.ts', import.meta.url).href;

describe('seeding the demo', () => {
  let db: Kysely<Schema>;
  let folder: ReturnType<typeof temporaryFolder>;
  let deps: SeedDependencies;
  let wentLive: string[];

  beforeEach(async () => {
    db = await testDatabase();
    await db
      .updateTable('organizations')
      .set({ name: 'Of an earlier test' })
      .where('name', '=', 'Demo')
      .execute();
    folder = temporaryFolder();
    wentLive = [];
    deps = {
      dataDir: folder.path,
      launcher: testLauncher,
      organizations: createOrganizations(db),
      keys: createKeys(db),
      sites: createSites(db),
      goLive: ({ siteId }) => {
        wentLive.push(siteId);
        return Promise.resolve();
      },
    };
  });

  afterEach(() => folder.remove());

  /** A whole start: what the service does with the answer. */
  async function start(): Promise<SeededDemo> {
    const seeded = await seedDemo(deps);
    expect(await writeDemoFile(folder.path, { ...urls, ...seeded })).to.equal(
      join(folder.path, 'demo.json'),
    );
    return seeded;
  }

  const demoOrganizations = async () =>
    (await deps.organizations.list()).filter(({ name }) => name === 'Demo');

  it('creates an organization, two sites on real repositories, and a working member key', async () => {
    const demo = await start();
    const sites = await deps.sites.list(demo.organizationId);
    expect(sites.map(({ name, repository }) => ({ name, ...repository }))).to.deep.equal(
      [
        ['Northwind', 'site'],
        ['Northwind notes', 'notes'],
      ].map(([name, folderName]) => ({
        name,
        url: `file://${folder.path}/demo/${folderName}.git`,
        branch: 'main',
        root: '',
      })),
    );
    expect(sites[0]?.siteId).to.equal(demo.siteId);
    expect(await deps.keys.authenticate(demo.apiKey)).to.include({
      organizationId: demo.organizationId,
      role: 'member',
    });
    expect(wentLive).to.deep.equal(sites.map(({ siteId }) => siteId));
  });

  it('keeps every ID and the key over a second start, and says that the key is not new', async () => {
    const first = await start();
    expect(first.isNewKey).to.equal(true);
    const before = await heads();
    expect(await start()).to.deep.equal({ ...first, isNewKey: false });
    expect(await heads()).to.deep.equal(before);
    expect(await createKeys(db).list(first.organizationId)).to.have.length(1);
  });

  it('creates only a new key if demo.json is lost, cut or names a revoked key', async () => {
    const first = await start();
    const ids = { organizationId: first.organizationId, siteId: first.siteId };
    const path = join(folder.path, 'demo.json');
    writeFileSync(path, '{"apiKey": "ak_');
    const second = await start();
    expect(second).to.include(ids);
    expect(second.apiKey).not.to.equal(first.apiKey);
    expect(second.isNewKey).to.equal(true);
    const known = await deps.keys.authenticate(second.apiKey);
    await createKeys(db).revoke(known?.keyId ?? '');
    const third = await start();
    expect(third).to.include(ids);
    expect(await deps.keys.authenticate(third.apiKey)).to.include({ role: 'member' });
  });

  const steps: [string, (deps: SeedDependencies) => SeedDependencies][] = [
    ['the organization and a repository', (d) => ({ ...d, sites: { ...d.sites, list: killed } })],
    ['a site', (d) => ({ ...d, goLive: killed })],
    ['going live', (d) => ({ ...d, keys: { ...d.keys, create: killed } })],
    [
      'the first site',
      (d) => ({
        ...d,
        sites: {
          ...d.sites,
          create: (site) => (site.name === 'Northwind' ? d.sites.create(site) : killed()),
        },
      }),
    ],
  ];
  for (const [step, cut] of steps)
    it(`continues after an end right behind ${step}`, async () => {
      await seedDemo(cut(deps)).then(
        () => expect.fail('The seeding was to be cut'),
        (error: Error) => expect(error.message).to.equal('killed'),
      );
      const demo = await start();
      expect(await demoOrganizations()).to.have.length(1);
      const sites = await deps.sites.list(demo.organizationId);
      expect(sites.map(({ name }) => name)).to.deep.equal(['Northwind', 'Northwind notes']);
      expect(await start()).to.deep.equal({ ...demo, isNewKey: false });
    });

  it('builds the repository again if a kill -9 left half of one', async () => {
    const program = `const { ensureDemoRepository } = await import(${JSON.stringify(repositoryModule)});
      const { createLauncher } = await import(${JSON.stringify(launcherModule)});
      const deps = { dataDir: ${JSON.stringify(folder.path)}, launcher: createLauncher() };
      await ensureDemoRepository(deps, 'site');`;
    const env = { ...process.env, PATH: `${process.env.PATH}:${folder.path}` }; // names all that it starts
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      env,
      stdio: 'ignore',
    });
    const gone = once(child, 'exit');
    const demoFolder = join(folder.path, 'demo');
    while (!existsSync(demoFolder) || !readdirSync(demoFolder).length)
      await new Promise(setImmediate);
    child.kill('SIGKILL');
    await gone;
    await until('the end of what it started', () => processesOf(folder.path).length === 0);
    await ensureDemoRepository({ dataDir: folder.path, launcher: testLauncher }, 'site');
    await git('fsck', '--strict');
    expect(readdirSync(demoFolder)).to.deep.equal(['site.git']);
  });

  for (const [name, page] of [
    ['site', 'locations/austin.html'],
    ['notes', 'content/workshops/austin.md'],
  ] as const)
    it(`commits the files of src/demo/${name} as they are, the same commit on every machine`, async () => {
      await ensureDemoRepository({ dataDir: folder.path, launcher: testLauncher }, name);
      const files = (await gitAt(folder.path, name, 'ls-tree', '-r', '--name-only', 'main'))
        .trim()
        .split('\n');
      const site = fileURLToPath(new URL(`../../../src/demo/${name}`, import.meta.url));
      const written = readdirSync(site, { recursive: true, withFileTypes: true }).filter((entry) =>
        entry.isFile(),
      );
      expect(files).to.have.length(written.length).and.to.include(page);
      const other = temporaryFolder();
      try {
        await ensureDemoRepository({ dataDir: other.path, launcher: testLauncher }, name);
        expect(await heads(other.path, name)).to.deep.equal(await heads(folder.path, name));
      } finally {
        other.remove();
      }
    });

  it('writes demo.json for its owner only, and reads its key back', async () => {
    const demo = { ...urls, organizationId: 'o', siteId: 's', apiKey: 'ak_x' };
    expect(await readDemoKey(folder.path)).to.equal(null);
    await writeDemoFile(folder.path, demo);
    expect(statSync(join(folder.path, 'demo.json')).mode & 0o777).to.equal(0o600);
    expect(await readDemoKey(folder.path)).to.equal('ak_x');
    expect(readdirSync(folder.path)).to.deep.equal(['demo.json']);
  });

  async function git(...args: string[]): Promise<string> {
    return gitAt(folder.path, 'site', ...args);
  }

  async function heads(dataDir = folder.path, name: DemoFolder = 'site'): Promise<string[]> {
    const format = '--format=%(objectname)';
    return (await gitAt(dataDir, name, 'for-each-ref', format, 'refs/heads')).trim().split('\n');
  }
});

const identity = {
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@a.example',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@a.example',
};

async function gitAt(dataDir: string, name: DemoFolder, ...args: string[]): Promise<string> {
  const result = await createGit({ launcher: testLauncher }).run({
    args,
    dir: join(dataDir, 'demo', `${name}.git`),
    env: identity,
  });
  if (result.code !== 0) throw new Error(result.stderr);
  return result.stdout.toString();
}

function killed(): Promise<never> {
  return Promise.reject(new Error('killed'));
}
