import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createOrganizations } from '../../../src/organizations/organizations.ts';
import { createSites } from '../../../src/organizations/sites.ts';
import { createDeployments, type Deployments } from '../../../src/storage/deployments.ts';
import { testDatabase } from '../../helpers/database.ts';

const [a, b, c] = ['a', 'b', 'c'].map((digit) => digit.repeat(40)) as [string, string, string];

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
    deployments.setLive({ siteId, commit, taskId: 'bg-1', expected });

  it('has nothing live before the first deployment', async () => {
    expect(await deployments.live(siteId)).to.equal(null);
  });

  it('puts a first commit live only where nothing is', async () => {
    expect(await setLive(a, null)).to.equal(true);
    expect(await setLive(b, null)).to.equal(false);
    const live = await deployments.live(siteId);
    expect(live).to.include({ commit: a, taskId: 'bg-1' });
    expect(live?.deployedAt).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('replaces only the commit that was expected', async () => {
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
    await deployments.setPreview({ siteId, taskId, commit: a, heldBy: taskId });
    await deployments.setPreview({ siteId, taskId, commit: b, heldBy: 'bg-other' });
    expect(await deployments.preview(taskId)).to.deep.equal({ siteId, commit: b, heldBy: 'bg-other' });
    await deployments.setPreview({ siteId, taskId, commit: b, heldBy: taskId });
    expect(await deployments.preview(taskId)).to.deep.equal({ siteId, commit: b, heldBy: taskId });
  });

  it("reads a preview that an older version wrote, whose holder is the preview's own task", async () => {
    const taskId = `bg-${randomUUID()}`;
    await db
      .insertInto('preview_deployments')
      .values({ task_id: taskId, site_id: siteId, commit: a, held_by: null })
      .execute();
    expect(await deployments.preview(taskId)).to.deep.equal({ siteId, commit: a, heldBy: taskId });
  });

  it('moves a preview only from the commit that was expected', async () => {
    const taskId = `bg-${randomUUID()}`;
    expect(await deployments.movePreview({ taskId, commit: b, expected: a })).to.equal(false);
    await deployments.setPreview({ siteId, taskId, commit: a, heldBy: taskId });
    const moved = await Promise.all([b, c].map((commit) => deployments.movePreview({ taskId, commit, expected: a })));
    expect(moved.filter(Boolean)).to.have.length(1);
    expect((await deployments.preview(taskId))?.commit).to.equal(moved[0] ? b : c);
  });
});
