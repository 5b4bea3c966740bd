import { expect } from 'chai';
import { createOrganizations } from '../../../src/organizations/organizations.ts';
import { createSites } from '../../../src/organizations/sites.ts';
import { createDeployments } from '../../../src/storage/deployments.ts';
import { createRetention } from '../../../src/storage/retention.ts';
import { randomTaskId } from '../../../src/temporal/tasks/taskId.ts';
import { atTime } from '../../helpers/atTime.ts';
import { testDatabase } from '../../helpers/database.ts';
import { begun, going } from '../../helpers/deployed.ts';

const DAY = 86_400_000;
const [a, b, c] = ['a', 'b', 'c'].map((digit) => digit.repeat(40)) as [string, string, string];

describe('createRetention(db, { previewRetention })', () => {
  let db: Awaited<ReturnType<typeof testDatabase>>;
  let siteIds: string[];
  beforeEach(async () => {
    db = await testDatabase();
    const { organizationId } = await createOrganizations(db).create({ name: 'Retention' });
    const made = ['One', 'Two'].map((name) =>
      createSites(db).create({ organizationId, name, repository: null }),
    );
    siteIds = (await Promise.all(made)).map(({ siteId }) => siteId);
  });
  const after = (days: number, previewRetention?: number) =>
    atTime(
      () => Date.now() + days * DAY,
      createRetention(db, { ...(previewRetention !== undefined && { previewRetention }) }),
    );
  const setPreview = (taskId: string, retainedBy = taskId, siteId = siteIds[0]!) =>
    createDeployments(db).setPreview({ ...begun, siteId, taskId, commit: a, retainedBy });

  describe('endedResults(siteId, taskIds)', () => {
    for (const days of [0.5, 7, 90])
      it(`returns the tasks whose previews ended after ${days} days`, async () => {
        const [old, never] = [randomTaskId(), randomTaskId()];
        await setPreview(old);
        const ended = (at: number) => after(at, days).endedResults(siteIds[0]!, [old, never]);
        expect(await ended(days - 0.01)).to.deep.equal([]);
        expect(await ended(days + 0.001), 'within the time that requests need').to.deep.equal([]);
        expect(await ended(days + 0.01)).to.deep.equal([old]);
        expect((await ended(2 * days)).sort()).to.deep.equal([old, never].sort());
      });

    it('does not return a task that it has only seen, which may still get a preview', async () => {
      const taskId = randomTaskId();
      await after(0, 30).endedResults(siteIds[0]!, [taskId]);
      const deployments = createDeployments(db, { previewRetention: 30 });
      expect(await deployments.preview(taskId)).to.equal(null);
      await setPreview(taskId);
      expect(await deployments.preview(taskId)).to.include({ commit: a, isShown: true });
    });
  });

  describe('keptDeployments(siteId, commits)', () => {
    const kept = async (days: number, commits = [a, b, c]) =>
      [...(await after(days).keptDeployments(siteIds[0]!, commits))].sort();
    const setLive = (commit: string, expected: string | null) =>
      createDeployments(db).setLive({
        ...going,
        siteId: siteIds[0]!,
        commit,
        taskId: null,
        expected,
      });

    it('keeps live commits, those that were live for 30 days, and new commits for as long', async () => {
      await setLive(a, null);
      await setLive(b, a);
      expect(await kept(29)).to.deep.equal([a, b, c]);
      expect(await kept(31)).to.deep.equal([b, c]);
      expect(await kept(58)).to.deep.equal([b, c]);
      expect(await kept(60)).to.deep.equal([b]);
      expect(await kept(1_000)).to.deep.equal([b]);
    });
  });

  it('lets machines forget a result only when it has ended, however late its preview was created', () => {
    const committedAt = Date.now() - 31 * DAY;
    expect(after(0, 30).resultEnds(committedAt)).to.be.greaterThan(Date.now());
    expect(after(0, 30).resultEnds(committedAt - 2 * DAY)).to.be.lessThan(Date.now());
    expect(after(0).resultEnds(committedAt)).to.equal(Infinity);
  });
});
