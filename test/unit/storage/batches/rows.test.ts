import { expect } from 'chai';
import type { Kysely } from 'kysely';
import { type RowState, rowStates, WORKFLOW_GONE } from '../../../../src/contract/batches/batch.ts';
import type { NewBatch } from '../../../../src/contract/batches/batchStore.ts';
import { createOrganizations } from '../../../../src/organizations/organizations.ts';
import { createSites } from '../../../../src/organizations/sites.ts';
import { createBatches } from '../../../../src/storage/batches/batches.ts';
import { type Database, openDatabase } from '../../../../src/storage/database.ts';
import type { Schema } from '../../../../src/storage/schema.ts';
import { createTaskLeases } from '../../../../src/storage/taskLeases.ts';
import { atTime } from '../../../helpers/atTime.ts';
import { temporaryFolder } from '../../../helpers/database.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../../../helpers/postgres.ts';
import { needProgram } from '../../../helpers/programs.ts';

const DAY = 86_400_000;
const pageOf = (headline: string) => ({ texts: { n1: headline } });
/** What a text of a customer may hold, and a column of texts can't: U+0000, half a character. */
const hostile = '\0 \ud800 \udfff \u2028 \\u0000 \' " $1 %00 \u{1f600} \x1b[31m';

interface OpenDatabase {
  db: Kysely<Schema>;
  close(): Promise<void>;
}

/** The tests of the rows, on a database. */
function describeRows(what: string, open: (context: Mocha.Context) => Promise<OpenDatabase>) {
  describe(`the rows of createBatches(db), ${what}`, function () {
    this.timeout(120_000);
    let opened: OpenDatabase | undefined;
    let db: Kysely<Schema>;
    let organizationId: string;
    let siteId: string;
    let store: ReturnType<typeof createBatches>;
    before(async function () {
      opened = await open(this);
      ({ db } = opened);
      ({ organizationId } = await createOrganizations(db).create({ name: 'Batches' }));
      ({ siteId } = await createSites(db).create({
        organizationId,
        name: 'rows',
        repository: null,
      }));
      store = createBatches(db);
    });
    after(() => opened?.close());

    let count = 0;
    const rowsOf = (length: number) =>
      Array.from({ length }, (_, n) => ({
        number: n + 1,
        templatePageSlug: '/a',
        targetPageSlug: `/p${n + 1}`,
        context: `Context ${n + 1}`,
      }));
    const given = (more: Partial<NewBatch> = {}): NewBatch => ({
      batchId: `bg-${String(++count).padStart(22, '0')}`,
      organizationId,
      siteId,
      createdAt: new Date().toISOString(),
      createdBy: { keyId: 'k' },
      bodyHash: 'hash',
      title: 'Title',
      publish: true,
      onWarnings: 'publish',
      rows: rowsOf(3),
      ...more,
    });
    const planned = async (more?: Partial<NewBatch>) => {
      const batch = given(more);
      await store.create(batch);
      const paths = batch.rows.map(({ number }) => ({
        number,
        slug: `/p${number}`,
        path: `p${number}.html`,
      }));
      await store.plan(batch.batchId, paths);
      return batch.batchId;
    };
    const viewsOf = (batchId: string) => store.rows(batchId, { after: 0, limit: 9 });
    const statesOf = async (batchId: string) => (await viewsOf(batchId)).map(({ state }) => state);
    const textOf = async (batchId: string, number: number) =>
      (await store.pages(batchId, [number]))[0]?.page.texts['n1'];

    it('keeps the page that a repeated activity stored before, also after it is approved', async () => {
      const batchId = await planned();
      await store.written(batchId, 1, { page: pageOf('first'), isHeld: true });
      await store.move(batchId, { from: ['held'], to: 'written', numbers: [1] });
      await store.written(batchId, 1, { page: pageOf('second'), isHeld: true });
      expect(await textOf(batchId, 1)).to.equal('first');
      expect(await statesOf(batchId)).to.deep.equal(['written', 'waiting', 'waiting']);
    });

    it('revive no finished row, and fail none whose page is committed', async () => {
      const batchId = await planned();
      for (const number of [1, 2])
        await store.written(batchId, number, { page: pageOf('x'), isHeld: false });
      await store.move(batchId, { from: ['written'], to: 'committed', numbers: [1] });
      await store.move(batchId, { from: ['written'], to: 'skipped', numbers: [2] });
      await store.fail(batchId, [{ number: 3, error: 'No fact' }]);
      const before = await viewsOf(batchId);
      for (const number of [1, 2, 3])
        await store.written(batchId, number, { page: pageOf('late'), isHeld: true });
      await store.fail(batchId, [
        { number: 1, error: 'Timed out' },
        { number: 2, error: 'Timed out' },
      ]);
      expect(await viewsOf(batchId)).to.deep.equal(before);
      expect(await statesOf(batchId)).to.deep.equal(['committed', 'skipped', 'failed']);
    });

    it('keep the path of a row, and the error of one whose request is wrong', async () => {
      const batchId = await planned({
        rows: [{ ...rowsOf(1)[0]!, error: 'Wrong' }, ...rowsOf(2).slice(1)],
      });
      await store.plan(batchId, [{ number: 2, slug: '/p2', path: 'other.html' }]);
      expect((await store.next(batchId, { state: 'waiting', limit: 9 }))[0]).to.include({
        path: 'p2.html',
      });
      await store.fail(batchId, [{ number: 1, error: 'Other' }]);
      expect((await viewsOf(batchId))[0]).to.include({ error: 'Wrong', state: 'failed' });
    });

    it('return texts with any characters exactly', async () => {
      const row = {
        ...rowsOf(1)[0]!,
        context: hostile,
        externalId: hostile,
        facts: 'drop' as const,
      };
      const batchId = await planned({
        title: hostile,
        callbackUrl: hostile,
        rows: [row, { ...rowsOf(2)[1]!, error: hostile }],
      });
      expect(await store.input(batchId, 1)).to.deep.equal(row);
      const note = { kind: 'unused' as const, text: hostile, value: hostile };
      await store.written(batchId, 1, {
        page: { ...pageOf(hostile), notes: [note] },
        isHeld: false,
      });
      await store.addNotes(batchId, [{ number: 1, notes: [{ ...note, text: `${hostile}!` }] }]);
      await store.change(batchId, { status: 'failed', errorMessage: hostile });
      expect(await textOf(batchId, 1)).to.equal(hostile);
      const [made, failed] = await viewsOf(batchId);
      expect(made).to.include({ externalId: hostile });
      expect(made!.notes!.map(({ text }) => text)).to.deep.equal([hostile, `${hostile}!`]);
      expect(failed).to.include({ error: hostile });
      await store.fail(batchId, [{ number: 1, error: hostile }]);
      expect((await viewsOf(batchId))[0]).to.include({ error: hostile });
      expect(await store.find(organizationId, batchId)).to.include({
        title: hostile,
        callbackUrl: hostile,
        errorMessage: hostile,
      });
    });

    it('return the rows of a canary, and others in place of those that fail or are skipped', async () => {
      const batchId = await planned({ rows: rowsOf(7) });
      const next = async () =>
        (await store.next(batchId, { state: 'waiting', limit: 10, canary: 3 })).map(
          ({ number }) => number,
        );
      expect(await next()).to.deep.equal([1, 2, 3]);
      await store.fail(batchId, [{ number: 1, error: 'No' }]);
      await store.written(batchId, 2, { page: pageOf('x'), isHeld: false });
      await store.move(batchId, { from: ['waiting'], to: 'skipped', numbers: [3] });
      expect(await next()).to.deep.equal([4, 5]);
      for (const number of [4, 5])
        await store.written(batchId, number, { page: pageOf('x'), isHeld: number === 5 });
      expect(await next()).to.deep.equal([]);
      await store.move(batchId, { from: ['failed'], to: 'waiting', numbers: [1] });
      expect(await next(), 'one that is retried').to.deep.equal([1]);
    });

    it('are created once, however many callers try at once', async () => {
      const batch = given();
      const made = await Promise.all([1, 2, 3, 4].map(() => store.create(batch)));
      expect(made.filter((before) => before === undefined)).to.have.length(1);
      expect((await store.counts(batch.batchId)).waiting).to.equal(3);
    });

    it('are deleted with paused and abandoned batches of any number, but not with a running one', async () => {
      const later = (days: number) =>
        atTime(() => Date.now() + days * DAY, createBatches(db, { previewRetention: 7 }));
      const ids: string[] = [];
      for (let n = 0; n < 45; n++) ids.push(await planned({ rows: rowsOf(1) }));
      const running = await planned();
      for (const id of ids) await store.change(id, { status: 'paused' });
      await later(6).prune();
      expect(await store.find(organizationId, ids[0]!)).to.be.an('object');
      await later(8).prune();
      const left = (await store.list(organizationId, { limit: 1_000 })).map((one) => one.batchId);
      expect(left).to.include(running);
      expect(left.filter((id) => ids.includes(id))).to.deep.equal([]);
    });

    it('become part of the commit, or none of them if one was skipped in the meantime', async () => {
      const batchId = await planned();
      for (const number of [1, 2, 3])
        await store.written(batchId, number, { page: pageOf('x'), isHeld: false });
      await store.move(batchId, { from: ['written'], to: 'skipped', numbers: [2] });
      const numbers = [1, 2, 3];
      expect(await store.commitRows(batchId, { commit: 'c', numbers })).to.equal(false);
      expect(await statesOf(batchId)).to.deep.equal(['written', 'skipped', 'written']);
      expect(await store.find(organizationId, batchId)).to.not.have.any.keys('commit', 'shown');
      expect(await store.commitRows(batchId, { commit: 'd', numbers: [1, 3] })).to.equal(true);
      expect(await statesOf(batchId)).to.deep.equal(['committed', 'skipped', 'committed']);
      const found = await store.find(organizationId, batchId);
      expect(found).to.include({ commit: 'd', shown: 'd' });
    });

    it('change only in a batch with the given states that is not being published', async () => {
      const batchId = await planned();
      const statusOf = async () => (await store.find(organizationId, batchId)).status;
      expect(await store.change(batchId, { status: 'paused' }, ['running'])).to.equal(true);
      expect(await store.beginPublish(batchId)).to.equal(false);
      expect(await store.change(batchId, { status: 'cancelled' }, ['running'])).to.equal(false);
      expect(await store.change(batchId, { status: 'running' }, ['paused'])).to.equal(true);
      expect(await store.beginPublish(batchId)).to.equal(true);
      expect(await store.beginPublish(batchId), 'again').to.equal(true);
      expect(await store.change(batchId, { status: 'cancelled' }, ['running'])).to.equal(false);
      await store.end(batchId, () => null);
      expect(await store.change(batchId, { status: 'cancelled' }, ['running'])).to.equal(true);
      expect(await statusOf()).to.equal('cancelled');
    });

    it('end a batch, unless somebody starts it again', async () => {
      const batchId = await planned();
      const begun = Promise.withResolvers<void>();
      const ended = store.end(batchId, ({ status }, rows) => {
        begun.resolve();
        return status === 'running' && rows.waiting === 3 ? { status: 'completed' } : null;
      });
      await begun.promise;
      const again = store.change(batchId, { status: 'running' }, ['running', 'completed']);
      await ended;
      expect(await again).to.equal(true);
      expect((await store.find(organizationId, batchId)).status).to.equal('running');
      const gone = await store
        .end(`bg-${'9'.repeat(22)}`, () => null)
        .catch((error: unknown) => error);
      expect(gone).to.include({ code: 'NOT_FOUND' });
    });

    it('fail a batch without a workflow, but none that was just begun or has ended', async () => {
      const later = atTime(() => Date.now() + 61_000, createBatches(db));
      const [running, paused] = [await planned(), await planned()];
      await store.change(paused, { status: 'paused' });
      await store.lost(running);
      expect((await store.find(organizationId, running)).status).to.equal('running');
      const untold = await later.lost(running);
      expect(untold).to.include({ batchId: running, status: 'failed' });
      expect(await later.lost(paused)).to.equal(undefined);
      const lost = await store.find(organizationId, running);
      expect(lost).to.include({ status: 'failed', errorMessage: WORKFLOW_GONE });
      expect((await store.find(organizationId, paused)).status).to.equal('paused');
    });

    it('let a batch that is to run keep its lease when an earlier run ends', async () => {
      const leases = createTaskLeases(db, 10);
      const taskId = await planned();
      await leases.acquire({ taskId, organizationId, siteId });
      const has = async () => (await leases.ofSites([siteId])).includes(taskId);
      await leases.releaseEnded(taskId);
      expect(await has()).to.equal(true);
      await store.change(taskId, { status: 'completed' });
      await leases.releaseEnded(taskId);
      expect(await has()).to.equal(false);
      await leases.acquire({ taskId: 'bg-task', organizationId, siteId });
      await leases.releaseEnded('bg-task');
      expect(await leases.ofSites([siteId])).to.deep.equal([]);
    });

    describe('edits by hand', () => {
      const at = '2026-01-02T03:04:05.000Z';
      const edit = { source: '<h1>Secret edit</h1>', at, editor: 'e' };
      /** A batch with pages in its preview. */
      async function shown(states: Record<number, RowState>) {
        const { batchId } = await written();
        for (const [number, state] of Object.entries(states))
          await store.move(batchId, { from: [...rowStates], to: state, numbers: [Number(number)] });
        await store.show(
          batchId,
          [1, 2, 3].map((number) => ({ number, previewUrl: `http://p/${number}` })),
        );
        return batchId;
      }
      async function written() {
        const batchId = await planned();
        for (const number of [1, 2, 3])
          await store.written(batchId, number, { page: { texts: {} }, isHeld: false });
        return { batchId };
      }
      const statesIn = async (batchId: string) =>
        (await store.rows(batchId, { after: 0, limit: 9 })).map(({ state }) => state);

      it('are accepted for pages that the preview has, of a batch that does not run', async () => {
        const batchId = await shown({ 1: 'published', 2: 'held', 3: 'skipped' });
        expect(await store.editable(batchId, '/p1')).to.include({ number: 1, state: 'published' });
        expect(await store.editable(batchId, '/p2')).to.include({ number: 2, state: 'held' });
        for (const slug of ['/p3', '/p4', ''])
          expect(await store.editable(batchId, slug)).to.equal(null);
        expect(await store.edit(batchId, 1)).to.equal(false);
        expect(await statesIn(batchId)).to.deep.equal(['published', 'held', 'skipped']);
        await store.change(batchId, { status: 'completed' });
        expect(await store.edit(batchId, 3)).to.equal(false);
        expect(await store.edit(batchId, 2)).to.equal(true);
        expect(await store.edit(batchId, 1)).to.equal(true);
        expect(await store.edit(batchId, 1)).to.equal(true);
        expect(await statesIn(batchId)).to.deep.equal(['committed', 'held', 'skipped']);
        await store.change(batchId, { status: 'cancelled' });
        expect(await store.edit(batchId, 1)).to.equal(false);
      });

      it('survive when the row is written and committed again', async () => {
        const batchId = await shown({ 1: 'held' });
        await store.keepEdits(batchId, [{ number: 1, edit }]);
        await store.fail(batchId, [{ number: 1, error: 'Broken' }]);
        await store.move(batchId, { from: ['failed'], to: 'waiting' });
        await store.written(batchId, 1, { page: { texts: { n1: 'Again' } }, isHeld: false });
        const [row] = await store.pages(batchId, [1]);
        expect(row).to.deep.include({ edit, page: { texts: { n1: 'Again' } } });
        expect(await store.commitRows(batchId, { commit: 'c', numbers: [1] })).to.equal(true);
        const [committed] = await store.pages(batchId, [1]);
        expect(committed).to.deep.include({ edit });
      });

      it('become part of the commit that contains them, and make live rows ready to publish', async () => {
        const batchId = await shown({ 1: 'published', 2: 'published', 3: 'skipped' });
        const found = await store.at(batchId, ['p1.html', 'p3.html', 'unknown']);
        expect(found).to.deep.equal([
          { number: 1, slug: '/p1', path: 'p1.html', state: 'published', isEdited: false },
        ]);
        expect(await store.at(batchId, [])).to.deep.equal([]);
        await store.takeOver(batchId, { shown: 's', commit: 'c', edited: [1] });
        expect(await statesIn(batchId)).to.deep.equal(['committed', 'published', 'skipped']);
        expect(await store.find(organizationId, batchId)).to.include({ shown: 's', commit: 'c' });
        await store.takeOver(batchId, { shown: null, edited: [] });
        const { shown: none, commit } = await store.find(organizationId, batchId);
        expect([none, commit]).to.deep.equal([undefined, 'c']);
      });

      it('stay with rows that yield to others, which only live and committed rows do', async () => {
        const batchId = await shown({ 1: 'published', 2: 'committed', 3: 'held' });
        await store.keepEdits(batchId, [{ number: 2, edit }]);
        const rows = [1, 2, 3].map((number) => ({ number, error: 'Changed' }));
        await store.yieldToProduction(batchId, { commit: 'theirs', rows });
        expect(await statesIn(batchId)).to.deep.equal(['failed', 'failed', 'held']);
        const batch = await store.find(organizationId, batchId);
        expect(batch).to.include({ commit: 'theirs', shown: 'theirs' });
        const found = await store.at(batchId, ['p1.html', 'p2.html']);
        expect(found.map(({ number, isEdited }) => [number, isEdited])).to.deep.equal([[2, true]]);
        await store.yieldToProduction(batchId, { rows: [] });
        expect(await store.find(organizationId, batchId)).to.include({ commit: 'theirs' });
        await store.move(batchId, { from: ['failed'], to: 'waiting' });
        await store.begin(batchId, 'base');
        const open = await store.unplanned(batchId, 9);
        expect(open.map(({ number, isEdited }) => [number, isEdited])).to.deep.equal([
          [1, false],
          [2, true],
        ]);
      });
    });

    it('are created and planned with few statements, 5,000 of them', async () => {
      const statements: string[] = [];
      const counted = createBatches(
        db.withPlugin({
          transformQuery: ({ node }) => {
            statements.push(node.kind);
            return node;
          },
          transformResult: ({ result }) => Promise.resolve(result),
        }),
      );
      const batch = given({ rows: rowsOf(5_000) });
      await counted.create(batch);
      expect(statements).to.have.length(21);
      await counted.plan(
        batch.batchId,
        batch.rows.map(({ number }) => ({ number, slug: `/p${number}`, path: `p${number}.html` })),
      );
      const numbers = batch.rows.map(({ number }) => number);
      const move = { from: ['waiting' as const], to: 'skipped' as const, numbers };
      expect(await counted.move(batch.batchId, move)).to.equal(5_000);
      expect(statements).to.have.length(23);
    });
  });
}

describeRows('in the embedded database', async () => {
  const folder = temporaryFolder();
  const database: Database = await openDatabase({ dataDir: folder.path });
  const close = async () => {
    await database.close();
    folder.remove();
  };
  return { db: database.db, close };
});

describeRows('in PostgreSQL', async (context) => {
  needProgram(context, 'PostgreSQL');
  const folder = temporaryFolder();
  const server: PostgresDatabase = await createPostgresDatabase();
  const database = await openDatabase({ dataDir: folder.path, databaseUrl: server.url });
  const close = async () => {
    await database.close();
    await server.stop();
    folder.remove();
  };
  return { db: database.db, close };
});
