import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createOrganizations } from '../../../src/organizations/organizations.ts';
import { createSites } from '../../../src/organizations/sites.ts';
import { createDeployments, type Deployments } from '../../../src/storage/deployments.ts';
import { atTime } from '../../helpers/atTime.ts';
import { testDatabase } from '../../helpers/database.ts';
import { begun, going } from '../../helpers/deployed.ts';

const [a, b, c] = ['a', 'b', 'c'].map((digit) => digit.repeat(40)) as [string, string, string];

const DAY = 86_400_000;

describe('createDeployments(db)', () => {
  let deployments: Deployments;
  let siteId: string;
  let db: Awaited<ReturnType<typeof testDatabase>>;

  beforeEach(async () => {
    db = await testDatabase();
    const { organizationId } = await createOrganizations(db).create({ name: 'Deployments' });
    ({ siteId } = await createSites(db).create({ organizationId, name: 'Site', repository: null }));
    deployments = createDeployments(db);
  });

  const setLive = (commit: string, expected: string | null) =>
    deployments.setLive({ ...going, siteId, commit, taskId: 'bg-1', expected });

  it('has nothing live before the first deployment', async () => {
    expect(await deployments.live(siteId)).to.equal(null);
  });

  it('puts a first commit live only if nothing is live', async () => {
    expect(await setLive(a, null)).to.equal(true);
    expect(await setLive(b, null)).to.equal(false);
    const live = await deployments.live(siteId);
    expect(live).to.include({ commit: a, taskId: 'bg-1' });
    expect(live?.deployedAt).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('replaces only the expected commit', async () => {
    await setLive(a, null);
    expect(await setLive(c, b)).to.equal(false);
    expect(await setLive(b, a)).to.equal(true);
    expect(await setLive(c, a)).to.equal(false);
    expect((await deployments.live(siteId))?.commit).to.equal(b);
  });

  it('lets one of many changes from the same commit win', async () => {
    await setLive(a, null);
    const commits = Array.from({ length: 8 }, (_, index) => String(index).repeat(40));
    const won = await Promise.all(commits.map((commit) => setLive(commit, a)));
    expect(won.filter(Boolean)).to.have.length(1);
    expect((await deployments.live(siteId))?.commit).to.equal(commits[won.indexOf(true)]);
  });

  it('keeps the latest preview of a task', async () => {
    const taskId = `bg-${randomUUID()}`;
    expect(await deployments.preview(taskId)).to.equal(null);
    await deployments.setPreview({ ...begun, siteId, taskId, commit: a, retainedBy: taskId });
    await deployments.setPreview({ ...begun, siteId, taskId, commit: b, retainedBy: 'bg-other' });
    expect(await deployments.preview(taskId)).to.deep.equal({
      siteId,
      commit: b,
      retainedBy: 'bg-other',
      base: begun.base,
      isShown: true,
    });
    await deployments.setPreview({ ...begun, siteId, taskId, commit: b, retainedBy: taskId });
    expect(await deployments.preview(taskId)).to.deep.equal({
      siteId,
      commit: b,
      retainedBy: taskId,
      base: begun.base,
      isShown: true,
    });
  });

  const find = (taskId: string) =>
    db
      .selectFrom('preview_deployments')
      .selectAll()
      .where('task_id', '=', taskId)
      .executeTakeFirst();
  const row = async (taskId: string) => (await find(taskId))!;

  it('moves a preview only from the expected commit', async () => {
    const taskId = `bg-${randomUUID()}`;
    expect(await deployments.movePreview({ taskId, commit: b, expected: a })).to.equal(false);
    await deployments.setPreview({ ...begun, siteId, taskId, commit: a, retainedBy: taskId });
    const moved = await Promise.all(
      [b, c].map((commit) => deployments.movePreview({ taskId, commit, expected: a })),
    );
    expect(moved.filter(Boolean)).to.have.length(1);
    expect((await deployments.preview(taskId))?.commit).to.equal(moved[0] ? b : c);
  });

  describe('the end of a preview', () => {
    let time: number;
    let taskId: string;
    const over = (previewRetention: number) =>
      atTime(() => time, createDeployments(db, { previewRetention }));
    const isShown = async (days: number) => (await over(days).preview(taskId))?.isShown;
    beforeEach(async () => {
      taskId = `bg-${randomUUID()}`;
      time = Date.parse('2030-01-01T00:00:00.000Z');
      await over(30).setPreview({ ...begun, siteId, taskId, commit: a, retainedBy: 'bg-held' });
    });

    it('is its deletion, which can be repeated, ends no other preview, and keeps the commit', async () => {
      const other = `bg-${randomUUID()}`;
      await over(30).setPreview({ ...begun, siteId, taskId: other, commit: b, retainedBy: other });
      await over(30).removePreview({ siteId, taskId });
      time += DAY;
      await over(30).removePreview({ siteId, taskId });
      await over(30).removePreview({ siteId, taskId: `bg-${randomUUID()}` });
      expect(await over(30).preview(taskId)).to.deep.equal({
        siteId,
        commit: a,
        retainedBy: 'bg-held',
        base: begun.base,
        isShown: false,
      });
      expect((await row(taskId)).deleted_at?.getTime()).to.equal(time - DAY);
      expect(await over(30).preview(other)).to.include({ isShown: true });
    });

    it('is final: a late activity of the task, or a move, does not bring it back', async () => {
      await over(30).removePreview({ siteId, taskId });
      await over(30).setPreview({ ...begun, siteId, taskId, commit: b, retainedBy: 'bg-held' });
      await over(30).movePreview({ taskId, commit: c, expected: b });
      expect(await over(30).preview(taskId)).to.include({ commit: c, isShown: false });
    });

    for (const retainedBy of [undefined, 'bg-held'])
      it(`may come before the preview itself: a late activity of ${retainedBy ?? 'the task'} shows nothing`, async () => {
        const late = `bg-${randomUUID()}`;
        await over(30).removePreview({ siteId, taskId: late });
        expect(await over(30).preview(late)).to.equal(null);
        expect(await over(30).movePreview({ taskId: late, commit: b, expected: a })).to.equal(
          false,
        );
        for (const commit of [a, b]) {
          await over(30).setPreview({
            ...begun,
            siteId,
            taskId: late,
            commit,
            retainedBy: retainedBy ?? late,
          });
          const shown = {
            siteId,
            commit,
            retainedBy: retainedBy ?? late,
            base: begun.base,
            isShown: false,
          };
          expect(await over(30).preview(late)).to.deep.equal(shown);
        }
      });

    for (const days of [30, 1, 0.5, 400])
      it(`comes ${days} days after it was created or last moved, to the millisecond`, async () => {
        time += days * DAY - 1;
        expect(await isShown(days)).to.equal(true);
        expect(await over(days).movePreview({ taskId, commit: b, expected: a })).to.equal(true);
        time += days * DAY - 1;
        expect(await isShown(days)).to.equal(true);
        time += 1;
        expect(await over(days).preview(taskId)).to.include({ commit: b, isShown: false });
      });

    it('removes its row later when another preview is created: after 35 days, or after the retention', async () => {
      const next = () => `bg-${randomUUID()}`;
      const kept = async (retention: number) => {
        await over(retention).setPreview({
          ...begun,
          siteId,
          taskId: next(),
          commit: b,
          retainedBy: 'bg-held',
        });
        return (await over(retention).preview(taskId)) !== null;
      };
      await over(30).removePreview({ siteId, taskId });
      const never = next();
      await over(30).removePreview({ siteId, taskId: never });
      time += 35 * DAY;
      expect(await kept(30)).to.equal(true);
      time += 1;
      expect(await kept(60)).to.equal(true);
      // a few rows at a time, and other tests have left theirs
      let makings = 1;
      while ((await kept(1)) || (await find(never))) expect(++makings).to.be.below(50);
    });
  });
});
