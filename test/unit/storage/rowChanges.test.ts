import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { sql } from 'kysely';
import { createKeys } from '../../../src/organizations/apiKeys.ts';
import { createOrganizations } from '../../../src/organizations/organizations.ts';
import { createSites } from '../../../src/organizations/sites.ts';
import { type Database, openDatabase } from '../../../src/storage/database.ts';
import { createDeployments } from '../../../src/storage/deployments.ts';
import { temporaryFolder } from '../../helpers/database.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../../helpers/postgres.ts';
import { needProgram } from '../../helpers/programs.ts';
import { until } from '../../helpers/until.ts';
import { begun } from '../../helpers/deployed.ts';

const WITHIN_MS = 60_000;
const taskId = `bg-${'a1'.repeat(11)}`;
const commit = 'c'.repeat(40);

/** The keys and previews of a process, and an organization with a site. */
async function processOn(database: Database) {
  const { db, changes } = database;
  const { organizationId } = await createOrganizations(db).create({ name: 'Changes' });
  const { siteId } = await createSites(db).create({
    organizationId,
    name: 'Changes',
    repository: null,
  });
  const keys = createKeys(db, { changes });
  const deployments = createDeployments(db, { changes });
  const isHeard = () => until('changes to be heard', () => changes.areHeard(), WITHIN_MS);
  return { ...database, keys, deployments, organizationId, siteId, isHeard };
}
type Process = Awaited<ReturnType<typeof processOn>>;

/** Changes a row without a word to anybody: it shows whether a row is kept. */
async function quietly(
  database: Database,
  work: Promise<unknown> | ReturnType<typeof sql>,
): Promise<void> {
  await sql`alter table api_keys disable trigger told_changes`.execute(database.db);
  await (work instanceof Promise ? work : work.execute(database.db));
  await sql`alter table api_keys enable trigger told_changes`.execute(database.db);
}

describe('notifications about changed rows', function () {
  this.timeout(90_000);
  const folder = temporaryFolder();
  const open: Database[] = [];
  const opened = async (name: string, databaseUrl?: string) => {
    const database = await openDatabase({ dataDir: join(folder.path, name), databaseUrl });
    open.push(database);
    return database;
  };
  let server: PostgresDatabase | undefined;
  after(async () => {
    for (const database of open) await database.close();
    await server?.stop();
    folder.remove();
  });

  describe('of the embedded database', () => {
    let own: Process;
    before(async () => {
      own = await processOn(await opened('embedded'));
    });

    it('allow no caching before somebody listens', async () => {
      const { apiKey, keyId } = await own.keys.create({
        organizationId: own.organizationId,
        role: 'member',
      });
      expect(await own.keys.authenticate(apiKey)).to.include({ keyId });
      await quietly(own, sql`update api_keys set revoked_at = now() where id = ${keyId}`);
      expect(await own.keys.authenticate(apiKey)).to.equal(null);
    });

    it('clear the keys at once, whoever revokes', async () => {
      await own.listen();
      const other = createKeys(own.db);
      for (const revoke of [
        (keyId: string) => own.keys.revoke(keyId),
        (keyId: string) => other.revoke(keyId),
        (keyId: string) =>
          sql`update api_keys set revoked_at = now() where id = ${keyId}`.execute(own.db),
        (keyId: string) => sql`delete from api_keys where id = ${keyId}`.execute(own.db),
      ]) {
        const { apiKey, keyId } = await own.keys.create({
          organizationId: own.organizationId,
          role: 'member',
        });
        expect(await own.keys.authenticate(apiKey)).to.include({ keyId });
        await quietly(own, sql`update api_keys set role = 'viewer' where id = ${keyId}`);
        expect(await own.keys.authenticate(apiKey), 'kept').to.include({ role: 'member' });
        await revoke(keyId);
        expect(await own.keys.authenticate(apiKey)).to.equal(null);
      }
    });

    it('show a created, moved or deleted preview at once', async () => {
      const { deployments, siteId } = own;
      expect(await deployments.knownPreview(taskId)).to.equal(null);
      await deployments.setPreview({ ...begun, siteId, taskId, commit, retainedBy: taskId });
      expect(await deployments.knownPreview(taskId)).to.deep.include({ commit, isShown: true });
      const moved = 'd'.repeat(40);
      await createDeployments(own.db).movePreview({ taskId, commit: moved, expected: commit });
      expect(await deployments.knownPreview(taskId)).to.deep.include({ commit: moved });
      await deployments.removePreview({ siteId, taskId });
      expect(await deployments.knownPreview(taskId)).to.deep.include({ isShown: false });
    });

    it('show a preview that another process created, if there was none', async () => {
      const { deployments, siteId } = own;
      const made = `bg-${'b2'.repeat(11)}`;
      expect(await deployments.knownPreview(made)).to.equal(null);
      const preview = { ...begun, siteId, taskId: made, commit, retainedBy: made };
      await createDeployments(own.db).setPreview(preview);
      expect(await deployments.knownPreview(made)).to.deep.include({ commit, isShown: true });
    });
  });

  describe('of PostgreSQL', function () {
    let [one, other]: Process[] = [];
    before(async function () {
      needProgram(this, 'PostgreSQL');
      server = await createPostgresDatabase();
      one = await processOn(await opened('one', server.url));
      other = await processOn(await opened('other', server.url));
      for (const { listen, isHeard } of [one, other]) {
        await listen();
        await isHeard();
      }
    });

    const newKey = async () => {
      const made = await one!.keys.create({ organizationId: one!.organizationId, role: 'member' });
      for (const { keys } of [one!, other!])
        expect(await keys.authenticate(made.apiKey)).to.include({ keyId: made.keyId });
      return made;
    };

    it('clear the keys of another process, and report the delay', async () => {
      const delays: number[] = [];
      for (let n = 0; n < 20; n++) {
        const { apiKey, keyId } = await newKey();
        await other!.keys.revoke(keyId);
        const began = performance.now();
        expect(await other!.keys.authenticate(apiKey)).to.equal(null);
        await until(
          'the end of the key',
          async () => !(await one!.keys.authenticate(apiKey)),
          WITHIN_MS,
          1,
        );
        delays.push(performance.now() - began);
      }
      console.log(
        `      a revoked key ends in another process after ${Math.max(...delays).toFixed(1)} ms at most`,
      );
    });

    it('allow no caching after the listening connection breaks, until it listens again', async () => {
      const { apiKey, keyId } = await newKey();
      await quietly(other!, sql`update api_keys set revoked_at = now() where id = ${keyId}`);
      const waits =
        "datname = current_database() and wait_event = 'ClientRead' and query like 'listen %'";
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where ${sql.raw(waits)}`.execute(
        other!.db,
      );
      await until(
        'the end of the key',
        async () => !(await one!.keys.authenticate(apiKey)),
        WITHIN_MS,
        1,
      );
      await one!.isHeard();
      await other!.isHeard();
      const next = await newKey();
      await other!.keys.revoke(next.keyId);
      await until(
        'the end of the next',
        async () => !(await one!.keys.authenticate(next.apiKey)),
        WITHIN_MS,
        1,
      );
    });

    it('allow no caching behind a connection that is dead without a sign', async () => {
      const proxy = await startProxy(server!.port);
      const third = await processOn(
        await opened('third', server!.url.replace(`:${server!.port}`, `:${proxy.port}`)),
      );
      await third.listen();
      await third.isHeard();
      const { apiKey, keyId } = await newKey();
      expect(await third.keys.authenticate(apiKey)).to.include({ keyId });
      proxy.stall(/listen /);
      await other!.keys.revoke(keyId);
      await until(
        'the end of the key',
        async () => !(await third.keys.authenticate(apiKey)),
        WITHIN_MS,
      );
      await until('changes not to be heard', () => !third.changes.areHeard(), WITHIN_MS);
      proxy.goOn();
      await third.isHeard();
      await proxy.close();
    });

    for (const what of ['listen ', 'pg_notify'])
      it(`are received again after the answer to \`${what.trim()}\` was missing`, async () => {
        const proxy = await startProxy(server!.port);
        const database = await opened(
          what.trim(),
          server!.url.replace(`:${server!.port}`, `:${proxy.port}`),
        );
        const isBusy = () => database.pool!.totalCount > database.pool!.idleCount;
        proxy.stall(new RegExp(what));
        await database.listen();
        await until('the hanging', () => proxy.hanging() > 0, WITHIN_MS);
        expect(database.changes.areHeard()).to.equal(false);
        await until('another try', () => proxy.hanging() > 1, WITHIN_MS);
        if (what === 'pg_notify') await until('the pool to be free', () => !isBusy(), WITHIN_MS);
        proxy.goOn();
        await until('changes to be heard', () => database.changes.areHeard(), WITHIN_MS);
        await proxy.close();
      });
  });
});

/** Passes bytes on to a port; connections that have sent what matches can be made to hang. */
async function startProxy(target: number) {
  const connections: { from: Socket; to: Socket; sent: string }[] = [];
  let stalled: RegExp | undefined;
  const server = createServer((from) => {
    const to = connect(target, '127.0.0.1');
    const connection = { from, to, sent: '' };
    connections.push(connection);
    const hangs = () => stalled?.test(connection.sent);
    from.on('data', (chunk) => {
      connection.sent += chunk.toString('latin1');
      if (!hangs()) to.write(chunk);
    });
    to.on('data', (chunk) => hangs() || from.write(chunk));
    for (const socket of [from, to])
      socket.on('error', () => {}).on('close', () => (from.destroy(), to.destroy()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    stall: (which: RegExp) => void (stalled = which),
    /** Connections that have sent what matches. */
    hanging: () => connections.filter(({ sent }) => stalled?.test(sent)).length,
    goOn: () => void (stalled = undefined),
    close: async () => {
      for (const { from } of connections) from.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
