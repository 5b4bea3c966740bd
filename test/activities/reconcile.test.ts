import { expect } from 'chai';
import { TaskSite } from '../helpers/activities.ts';

describe('reconcile()', () => {
  let site: TaskSite;
  before(async () => {
    site = await TaskSite.create();
  });
  after(() => site.remove());

  it('logs each workflow that was listed wrongly, and tells how many', async () => {
    const found = { described: 9, removed: ['bg-1', 'bg-2'], ended: ['bg-3'], left: ['bg-4'] };
    const worker = site.worker('data', { reconcile: () => Promise.resolve(found) });
    expect(await worker.reconcile({})).to.deep.equal({ described: 9, wrong: 4 });
    const lines = site.logs.filter(({ msg }) => String(msg).endsWith('wrongly listed as running'));
    expect(lines.at(-1)!['msg'], 'of one that is left').to.equal(
      'may be wrongly listed as running',
    );
    expect(lines.map(({ workflowId, became }) => [workflowId, became])).to.deep.equal([
      ['bg-1', 'removed'],
      ['bg-2', 'removed'],
      ['bg-3', 'ended'],
      ['bg-4', 'left'],
    ]);
  });
});
