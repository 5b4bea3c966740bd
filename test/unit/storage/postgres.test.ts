import { join } from 'node:path';
import { expect } from 'chai';
import { sql } from 'kysely';
import { countRequest, createRateLimits } from '../../../src/api/middleware/rateLimit.ts';
import { withoutUndefined } from '../../../src/contract/withoutUndefined.ts';
import { createOrganizations } from '../../../src/organizations/organizations.ts';
import { createSites } from '../../../src/organizations/sites.ts';
import { type Database, openDatabase } from '../../../src/storage/database.ts';
import { temporaryFolder } from '../../helpers/database.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../../helpers/postgres.ts';
import { needProgram } from '../../helpers/programs.ts';
import { until } from '../../helpers/until.ts';

describe('openDatabase({ dataDir, databaseUrl })', function () {
  this.timeout(90_000);
  let server: PostgresDatabase;
  let folder: ReturnType<typeof temporaryFolder>;
  let databases: Database[] = [];
  const warnings: string[] = [];
  const log = { warn: (_fields: object, message: string) => void warnings.push(message) };

  before(async function () {
    needProgram(this, 'PostgreSQL');
    folder = temporaryFolder();
    server = await createPostgresDatabase();
    // Three processes that start at the same time on a new database.
    const databaseUrl = server.url;
    const names = ['api', 'worker', 'other'];
    databases = await Promise.all(
      names.map((name) => openDatabase({ dataDir: join(folder.path, name), databaseUrl, log })),
    );
  });
  after(async () => {
    await Promise.all(databases.map((database) => database.close()));
    await server?.stop();
    folder?.remove();
  });

  const each = <T>(use: (database: Database, index: number) => T) => databases.map(use);

  it('migrates once, however many processes start at the same time', async () => {
    const { organizationId } = await createOrganizations(databases[0]!.db).create({
      name: 'Shared',
    });
    for (const { db } of databases)
      expect((await createOrganizations(db).get(organizationId)).name).to.equal('Shared');
  });

  it('lets all processes register as clients at the same time', async () => {
    const options = { createPerMinute: 2, readPerMinute: 2 };
    const limits = each(
      ({ pool }) => createRateLimits({ ...options, ...withoutUndefined({ pool }) }).create,
    );
    const counted = await Promise.all(limits.map((limiter) => countRequest(limiter, 'key')));
    expect(counted.filter(({ allowed }) => allowed)).to.have.length(2);
  });

  it('gives the label of a removed site to no other organization, even if it waits for it', async () => {
    const organizations = await Promise.all(
      each(({ db }, index) => createOrganizations(db).create({ name: `Racer ${index}` })),
    );
    const create = (index: number, name: string) =>
      createSites(databases[index]!.db).create({
        ...organizations[index]!,
        name,
        repository: null,
      });
    for (let round = 0; round < 50; round++) {
      const name = `Freed ${round}`;
      const { siteId, label } = await create(0, name);
      const [, ...made] = await Promise.all([
        createSites(databases[0]!.db).remove(siteId),
        create(1, name),
        create(2, name),
      ]);
      expect(made.map((site) => site.label)).to.not.include(label);
      expect((await create(0, name)).label).to.equal(label);
    }
  });

  it('keeps the number of sites, however many processes create them at the same time', async () => {
    const { organizationId } = await createOrganizations(databases[0]!.db).create({
      name: 'Three',
    });
    const make = (index: number) =>
      createSites(databases[index % 3]!.db, { most: 3 }).create({
        organizationId,
        name: 'Many',
        repository: null,
      });
    const made = await Promise.allSettled(Array.from({ length: 12 }, (_, index) => make(index)));
    expect(made.filter(({ status }) => status === 'fulfilled')).to.have.length(3);
  });

  it('rejects a data folder that another process of ours uses', async () => {
    const error = await openDatabase({
      dataDir: join(folder.path, 'api'),
      databaseUrl: server!.url,
    }).catch((thrown: unknown) => thrown);
    expect(error).to.include({ code: 'CONFLICT' });
  });

  it('survives connections that break while nobody uses them', async () => {
    const { db, pool } = databases[0]!;
    await pool!.query('select 1');
    await databases[1]!.pool!.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
    );
    const deadline = Date.now() + 10_000;
    while (pool!.totalCount > 0 && Date.now() < deadline) await new Promise(setImmediate);
    expect(warnings).to.include('database connection lost');
    expect(await createOrganizations(db).list()).to.be.an('array');
  });

  it('survives a connection that breaks in a query, which fails', async () => {
    const { db } = databases[0]!;
    const [broken] = await Promise.all([
      sql`select pg_sleep(60)`.execute(db).then(
        () => undefined,
        (error: unknown) => error,
      ),
      until('the end of the connection', async () => {
        const { rows } = await databases[1]!.pool!.query<object>(
          "select pg_terminate_backend(pid) from pg_stat_activity where query = 'select pg_sleep(60)' and datname = current_database()",
        );
        return rows.length > 0;
      }),
    ]);
    expect(broken).to.be.instanceOf(Error);
    await until('an answer over another connection', () =>
      createOrganizations(db)
        .list()
        .catch(() => undefined),
    );
  });

  it('names a server that does not answer, and neither user nor password', async () => {
    const dataDir = join(folder.path, 'unreachable');
    const databaseUrl = 'postgres://someone:hunter2@127.0.0.1:1/agents';
    const error = (await openDatabase({ dataDir, databaseUrl }).catch(
      (thrown: unknown) => thrown,
    )) as Error;
    expect(error).to.include({ code: 'CONFIGURATION', retryable: true });
    expect(error.message)
      .to.contain('127.0.0.1:1/agents')
      .and.not.to.match(/someone|hunter2/);
  });
});
