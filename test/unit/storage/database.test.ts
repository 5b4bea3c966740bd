import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { sql } from 'kysely';
import { createOrganizations } from '../../../src/organizations/organizations.ts';
import { openDatabase } from '../../../src/storage/database.ts';
import { lockDataDir } from '../../../src/storage/dataFolderLock.ts';
import { killChildren, runModule } from '../../helpers/children.ts';
import { temporaryFolder } from '../../helpers/database.ts';

const source = (path: string) => new URL(`../../../src/${path}`, import.meta.url).href;

describe('openDatabase({ dataDir })', function () {
  this.timeout(90_000);
  let folder: ReturnType<typeof temporaryFolder>;
  before(() => (folder = temporaryFolder()));
  after(() => folder.remove());
  afterEach(killChildren);

  // Making a database takes seconds: the tests go on with the one that the first of them made.
  const dataDir = () => join(folder.path, 'new', 'data');
  const open = () => openDatabase({ dataDir: dataDir() });
  const modeOf = (path: string) => statSync(path).mode & 0o777;

  /** A process that makes organizations without end, and prints the id of each when it is kept. */
  const writer = () =>
    runModule(`
      import { openDatabase } from '${source('storage/database.ts')}';
      import { createOrganizations } from '${source('organizations/organizations.ts')}';
      const organizations = createOrganizations((await openDatabase({ dataDir: ${JSON.stringify(dataDir())} })).db);
      for (;;) console.log((await organizations.create({ name: 'Kept' })).organizationId);
    `);

  it('creates the database in a new folder, and keeps its contents', async () => {
    mkdirSync(join(dataDir(), 'database.new'), { recursive: true, mode: 0o755 });
    lockDataDir(dataDir()).release();
    writeFileSync(
      join(dataDir(), 'database.new', 'PG_VERSION'),
      'half made by a start that was killed',
    );
    const first = await open();
    const made = await createOrganizations(first.db).create({ name: 'Kept' });
    await first.close();
    const second = await open();
    expect(await createOrganizations(second.db).list()).to.deep.equal([made]);
    await second.close();
  });

  it('takes little memory for buffers', async () => {
    const database = await open();
    const { rows } = await sql<{
      bytes: number;
    }>`select pg_size_bytes(current_setting('shared_buffers')) as bytes`.execute(database.db);
    await database.close();
    expect(Number(rows[0]!.bytes)).to.be.at.most(8 * 1024 ** 2);
  });

  it('closes the folder to other users, except for a command that creates nothing', async () => {
    for (const [mayMake, mode] of [
      [false, 0o755],
      [true, 0o700],
    ] as const) {
      chmodSync(dataDir(), 0o755);
      const database = await openDatabase({ dataDir: dataDir(), mayMake });
      expect(modeOf(dataDir())).to.equal(mode);
      await database.close();
    }
  });

  it('loses nothing to kill -9, and rejects the folder until then', async () => {
    const child = writer();
    const kept = [await child.line()];
    await open().then(
      () => expect.fail('two processes on one database'),
      (error: Error) => expect(error.message).to.contain(` (pid ${child.process.pid})`),
    );
    while (kept.length < 50) kept.push(await child.line());
    await child.kill();
    const database = await open();
    const found = (await createOrganizations(database.db).list()).map(
      ({ organizationId }) => organizationId,
    );
    expect(found).to.include.members(kept);
    await database.close();
  });

  it('creates nothing if nothing may be created, and says so', async () => {
    const missing = join(folder.path, 'missing');
    const error = await openDatabase({ dataDir: missing, mayMake: false }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).to.include({ code: 'CONFIGURATION' });
    expect((error as Error).message).to.contain(`${missing} (DATA_DIR)`);
    expect(existsSync(missing)).to.equal(false);
  });

  it('counts data that another process is creating as held, not as missing', async () => {
    const making = join(folder.path, 'making');
    mkdirSync(making);
    const lock = lockDataDir(making);
    const error = await openDatabase({ dataDir: making, mayMake: false }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).to.include({ code: 'CONFLICT' });
    lock.release();
  });

  it('reports that the folder is a file', async () => {
    const file = join(folder.path, 'file');
    writeFileSync(file, '');
    const error = await openDatabase({ dataDir: file }).catch((thrown: unknown) => thrown);
    expect(error).to.include({ code: 'CONFIGURATION' });
    expect((error as Error).message).to.match(/^DATA_DIR .*\/file\b.* \(ENOTDIR\): /);
  });

  it('rejects a database that a later version created, and frees the folder', async () => {
    const first = await open();
    await sql`insert into kysely_migration (name, timestamp) values ('999_later', '2030')`.execute(
      first.db,
    );
    await first.close();
    for (let start = 0; start < 2; start++) {
      const error = await open().catch((thrown: unknown) => thrown);
      expect(error).to.include({ code: 'CONFIGURATION' });
      expect((error as Error).message).to.equal(
        'A later version of the service has migrated the database (999_later). Start that version, or restore a backup from before the upgrade',
      );
    }
  });
});
