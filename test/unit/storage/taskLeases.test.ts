import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { createTaskLeases } from '../../../src/storage/taskLeases.ts';
import { testDatabase } from '../../helpers/database.ts';

describe('createTaskLeases(db, limit)', () => {
  let db: Awaited<ReturnType<typeof testDatabase>>;
  before(async () => {
    db = await testDatabase();
  });
  const [organizationId, siteId] = ['', ''].map(() => randomUUID()) as [string, string];
  const leasesWith = (limit: number) => createTaskLeases(db, limit);
  /** An organization of the test's own, with one site. */
  const owner = () => ({ organizationId: randomUUID(), siteId: randomUUID() });
  const ids = (count: number) => Array.from({ length: count }, () => `bg-${randomUUID()}`);

  it('gives exactly as many permits as allowed, however many tasks ask at once', async () => {
    const leases = leasesWith(7);
    const start = owner();
    const taken = await Promise.all(ids(50).map((taskId) => leases.acquire({ ...start, taskId })));
    expect(taken.filter((place) => place === 'taken')).to.have.length(7);
    expect(new Set(taken)).to.deep.equal(new Set(['taken', 'full']));
  });

  it('gives a task that has a permit the same one, which is returned once', async () => {
    const leases = leasesWith(1);
    const start = { ...owner(), taskId: ids(1)[0]! };
    const other = { ...start, taskId: ids(1)[0]! };
    expect(await leases.acquire(start)).to.equal('taken');
    expect(await leases.acquire(start)).to.equal('had');
    expect(await leases.acquire(other)).to.equal('full');
    await leases.release(start.taskId);
    await leases.release(start.taskId);
    expect(await leases.acquire(other)).to.equal('taken');
  });

  it('queues tasks that take a permit again by their time, before new tasks', async () => {
    const leases = leasesWith(2);
    const own = owner();
    const [one, two, three, four, fresh] = ids(5).map((taskId) => ({ ...own, taskId }));
    await Promise.all([leases.acquire(one!), leases.acquire(two!)]);
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 2, 3, minute));
    expect(await leases.reacquire(four!, at(9))).to.equal(false);
    expect(await leases.reacquire(three!, at(5))).to.equal(false);
    await leases.release(one!.taskId);
    expect(await leases.acquire(fresh!)).to.equal('full');
    expect(await leases.reacquire(four!, at(9))).to.equal(false);
    expect(await leases.reacquire(three!, at(5))).to.equal(true);
    expect(await leases.reacquire(three!, at(5))).to.equal(true);
    expect(await leases.reacquire(four!, at(9))).to.equal(false);
    // one that leaves the line is in nobody's way
    await leases.release(four!.taskId);
    await leases.release(two!.taskId);
    expect(await leases.acquire(fresh!)).to.equal('taken');
    expect(await leases.reacquire({ ...owner(), taskId: ids(1)[0]! }, at(1))).to.equal(true);
  });

  it('counts each organization separately', async () => {
    const leases = leasesWith(1);
    const [one, other] = [owner(), owner()];
    const take = async (start: { organizationId: string; siteId: string }) =>
      leases.acquire({ ...start, taskId: ids(1)[0]! });
    expect([await take(one), await take(one), await take(other)]).to.deep.equal([
      'taken',
      'full',
      'taken',
    ]);
  });

  it('reports each old lease to one caller, until it is old again', async () => {
    const leases = leasesWith(1_000);
    const taskIds = ids(3);
    for (const taskId of taskIds) await leases.acquire({ organizationId, siteId, taskId });
    const own = (told: string[]) => told.filter((taskId) => taskIds.includes(taskId));
    expect(own(await leases.claimUnchecked(60_000, 1_000))).to.deep.equal([]);
    await db
      .updateTable('task_leases')
      .set({ checked_at: new Date(Date.now() - 61_000) })
      .where('task_id', 'in', taskIds.slice(0, 2))
      .execute();
    const told = await Promise.all([
      leases.claimUnchecked(60_000, 1_000),
      leases.claimUnchecked(60_000, 1_000),
    ]);
    expect(own(told.flat()).sort()).to.deep.equal(taskIds.slice(0, 2).sort());
  });
});
