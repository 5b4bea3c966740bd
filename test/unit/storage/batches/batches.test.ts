import { expect } from 'chai';
import type { NewBatch } from '../../../../src/contract/batches/batchStore.ts';
import { createOrganizations } from '../../../../src/organizations/organizations.ts';
import { createSites } from '../../../../src/organizations/sites.ts';
import { createBatches } from '../../../../src/storage/batches/batches.ts';
import { atTime } from '../../../helpers/atTime.ts';
import { testDatabase } from '../../../helpers/database.ts';

const DAY = 86_400_000;
const page = {
  texts: { n1: 'headline' },
  notes: [{ kind: 'unused' as const, text: 'Secret' }],
};

describe('createBatches(db)', () => {
  let db: Awaited<ReturnType<typeof testDatabase>>;
  let organizationId: string;
  let siteId: string;
  let store: ReturnType<typeof createBatches>;
  before(async () => {
    db = await testDatabase();
    ({ organizationId } = await createOrganizations(db).create({ name: 'Batches' }));
    ({ siteId } = await createSites(db).create({
      organizationId,
      name: 'batches',
      repository: null,
    }));
    store = createBatches(db);
  });

  let count = 0;
  const rowsOf = (length: number) =>
    Array.from({ length }, (_, n) => ({
      number: n + 1,
      templatePageSlug: n % 2 ? '/b' : '/a',
      targetPageSlug: `/p${n + 1}`,
      context: `context ${n + 1}`,
    }));
  const given = (more: Partial<NewBatch> = {}): NewBatch => ({
    batchId: `bg-${String(++count).padStart(22, '0')}`,
    organizationId,
    siteId,
    createdAt: new Date(Date.UTC(2026, 0, 1, 0, count)).toISOString(),
    createdBy: { keyId: 'k' },
    bodyHash: 'hash',
    title: 'title',
    publish: true,
    onWarnings: 'publish',
    rows: rowsOf(3),
    ...more,
  });
  const made = async (more?: Partial<NewBatch>) => {
    const batch = given(more);
    expect(await store.create(batch)).to.equal(undefined);
    return batch.batchId;
  };
  const planned = async (more?: Partial<NewBatch>) => {
    const batchId = await made(more);
    const rows = await store.unplanned(batchId, 10_000);
    await store.plan(
      batchId,
      rows.map(({ number, targetPageSlug: slug }) => ({ number, slug, path: `${slug}.html` })),
    );
    return batchId;
  };
  const statesOf = async (batchId: string) =>
    (await store.rows(batchId, { after: 0, limit: 9 })).map(({ state }) => state);

  it('returns a batch as it was created, to its organization only', async () => {
    const batch = given({ canary: 2, holdBelow: 0.2, model: 'a/b' });
    await store.create(batch);
    const { rows, bodyHash, ...found } = {
      ...batch,
      status: 'running',
      canaryApproved: false,
    };
    expect([rows.length, bodyHash]).to.deep.equal([3, 'hash']);
    expect(await store.find(organizationId, batch.batchId)).to.deep.equal(found);
    const other = await createOrganizations(db).create({ name: 'Other' });
    for (const [owner, id] of [
      [other.organizationId, batch.batchId],
      [organizationId, 'bg-none'],
    ] as const) {
      const error = await store.find(owner, id).catch((caught: unknown) => caught);
      expect(error).to.include({ code: 'NOT_FOUND' });
    }
  });

  it('moves a batch to another commit: created pages stay on it, and waiting rows are planned again', async () => {
    const batchId = await planned();
    await store.written(batchId, 1, { page, isHeld: false });
    await store.begin(batchId, 'first');
    await store.commitRows(batchId, { commit: 'own', numbers: [1] });
    await store.move(batchId, { from: ['committed'], to: 'published' });
    await store.begin(batchId, 'second');
    const found = await store.find(organizationId, batchId);
    expect(found).to.include({ base: 'second', shown: 'own' }).and.not.have.property('commit');
    const unplanned = await store.unplanned(batchId, 9);
    expect(unplanned.map(({ number }) => number)).to.deep.equal([2, 3]);
    expect(await store.next(batchId, { state: 'published', limit: 9 })).to.have.length(1);
  });

  it('does not create a batch again, and returns the digest of the first request', async () => {
    const batch = given();
    await store.create(batch);
    const { createdAt } = batch;
    const again = await store.create({ ...batch, bodyHash: 'other', rows: rowsOf(5) });
    expect(again).to.deep.equal({ bodyHash: 'hash', createdAt });
    expect((await store.counts(batch.batchId)).waiting).to.equal(3);
  });

  it('creates 5,000 rows, in their order', async () => {
    const batchId = await planned({ rows: rowsOf(5_000) });
    const next = await store.next(batchId, { state: 'waiting', limit: 2, canary: 1 });
    expect(next).to.deep.equal([
      { number: 1, slug: '/p1', path: '/p1.html', templatePageSlug: '/a' },
    ]);
    expect(await store.next(batchId, { state: 'waiting', limit: 5_000 })).to.have.length(5_000);
    expect(await store.templates(batchId)).to.deep.equal(['/a', '/b']);
    const last = await store.rows(batchId, { after: 4_998, limit: 10 });
    expect(last.map(({ number }) => number)).to.deep.equal([4_999, 5_000]);
    expect(await store.input(batchId, 4_321)).to.include({ context: 'context 4321' });
  });

  it('takes a row from its request to its page, and does nothing to a finished row', async () => {
    const batchId = await planned({
      rows: [...rowsOf(3), { ...rowsOf(4)[3]!, error: 'Wrong slug' }],
    });
    expect(await statesOf(batchId)).to.deep.equal(['waiting', 'waiting', 'waiting', 'failed']);
    await store.written(batchId, 1, { page, isHeld: false });
    await store.written(batchId, 2, { page, isHeld: true });
    await store.written(batchId, 4, { page, isHeld: false });
    await store.fail(batchId, [{ number: 3, error: 'No fact' }]);
    expect(await statesOf(batchId)).to.deep.equal(['written', 'held', 'failed', 'failed']);
    const [first] = await store.pages(batchId, [1, 3]);
    expect(first).to.deep.include({ number: 1, path: '/p1.html', page: { texts: page.texts } });
    await store.storeShares(batchId, [{ number: 1, ownShare: 0.25 }]);
    const note = { kind: 'host' as const, text: 'New' };
    for (let n = 0; n < 2; n++) await store.addNotes(batchId, [{ number: 1, notes: [note] }]);
    await store.show(batchId, [{ number: 1, previewUrl: 'http://p' }]);
    await store.show(batchId, [{ number: 1, publishedUrl: 'http://l' }]);
    const move = { from: ['written', 'held'] as const, to: 'published' as const };
    expect(await store.move(batchId, { ...move, from: [...move.from], numbers: [1] })).to.equal(1);
    await store.fail(batchId, [{ number: 1, error: 'Too late' }]);
    expect((await store.rows(batchId, { after: 0, limit: 1 }))[0]).to.deep.equal({
      number: 1,
      targetPageSlug: '/p1',
      state: 'published',
      ownShare: 0.25,
      notes: [...page.notes, note],
      previewUrl: 'http://p',
      publishedUrl: 'http://l',
    });
    expect(await store.move(batchId, { from: ['failed'], to: 'waiting' })).to.equal(1);
    const rows = await store.rows(batchId, { after: 2, limit: 9 });
    expect(rows.map(({ state, error }) => [state, error])).to.deep.equal([
      ['waiting', undefined],
      ['failed', 'Wrong slug'],
    ]);
  });

  it('fails the rows of a template', async () => {
    const batchId = await planned();
    await store.failTemplate(batchId, '/a', 'Template page not found: /a');
    expect(await statesOf(batchId)).to.deep.equal(['failed', 'waiting', 'failed']);
    expect(await store.templates(batchId)).to.deep.equal(['/b']);
  });

  it('changes the given fields, and clears error and end if a batch continues', async () => {
    const batchId = await made();
    const finishedAt = new Date().toISOString();
    await store.begin(batchId, 'b');
    await store.change(batchId, { status: 'failed', errorMessage: 'Down', finishedAt });
    const failed = await store.find(organizationId, batchId);
    expect(failed).to.include({ status: 'failed', errorMessage: 'Down', finishedAt, base: 'b' });
    await store.change(batchId, { status: 'running', canaryApproved: true });
    const begun = await store.find(organizationId, batchId);
    expect(begun).to.include({ status: 'running', canaryApproved: true, base: 'b' });
    expect(begun).to.not.have.any.keys('errorMessage', 'finishedAt');
  });

  it('lists the latest first, page by page', async () => {
    const ids = [await made(), await made(), await made()];
    const [latest] = await store.list(organizationId, { siteId, limit: 1 });
    expect(latest!.batchId).to.equal(ids[2]);
    const rest = await store.list(organizationId, { before: latest!, limit: 2 });
    expect(rest.map(({ batchId }) => batchId)).to.deep.equal([ids[1], ids[0]]);
    expect(await store.list('00000000-0000-4000-8000-000000000000', { limit: 9 })).to.have.length(
      0,
    );
  });

  it('deletes batches whose previews have expired, and those of removed sites', async () => {
    const keeping = createBatches(db, { previewRetention: 7 });
    const daysAgo = (days: number) => atTime(() => Date.now() - days * DAY, createBatches(db));
    const [old, young, open, edited] = [await made(), await made(), await made(), await made()];
    for (const [batchId, days] of [
      [old, 8],
      [young, 6],
      [edited, 8],
    ] as const)
      await daysAgo(days).change(batchId, { status: 'completed' });
    await daysAgo(6).edit(edited, 1);
    await store.prune();
    expect(await store.find(organizationId, old)).to.be.an('object');
    await keeping.prune();
    const error = await store.find(organizationId, old).catch((caught: unknown) => caught);
    expect(error).to.include({ code: 'NOT_FOUND' });
    for (const id of [young, open, edited])
      expect(await store.find(organizationId, id)).to.be.an('object');
    await store.remove(open);
    expect(await statesOf(open)).to.deep.equal([]);
    await db.deleteFrom('sites').where('id', '=', siteId).execute();
    expect(await store.list(organizationId, { limit: 9 })).to.deep.equal([]);
    expect(await statesOf(young)).to.deep.equal([]);
  });
});
