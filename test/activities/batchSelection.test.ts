import { expect } from 'chai';
import { BatchRun, fileOf } from '../helpers/batchRun.ts';
import { TaskSite } from '../helpers/activities.ts';
import { git } from '../helpers/team/workplace.ts';

const cities = ['Arad', 'Brest', 'Cork', 'Derby'];

describe('the pages of a batch that people select for its publish', function () {
  this.timeout(60_000);
  let site: TaskSite;
  beforeEach(async () => {
    site = await TaskSite.createSmall();
  });
  afterEach(() => site.remove());

  const liveCities = () => {
    const files = git(site.workplace.remote, 'ls-tree', '-r', '--name-only', 'main').split('\n');
    return cities.filter((city) => files.includes(fileOf(city)));
  };
  const publish = async (
    batch: BatchRun,
    selection: Parameters<BatchRun['store']['selectForPublish']>[1],
  ) => {
    await batch.store.selectForPublish(batch.batchId, selection);
    await batch.again({ publish: true });
  };

  it('go live, and the others are held in the preview, with the edits by hand of both', async () => {
    const batch = await BatchRun.make(site, cities);
    await batch.edit('Brest', 'Brest by hand');
    await batch.edit('Cork', 'Cork by hand');
    await publish(batch, { publish: [1, 2], hold: [3, 4], commit: null });
    expect(await batch.states()).to.deep.equal(['published', 'published', 'held', 'held']);
    expect(liveCities()).to.deep.equal(['Arad', 'Brest']);
    expect(batch.headline('Brest', 'main')).to.equal('Brest by hand');
    expect(batch.headline('Cork')).to.equal('Cork by hand');
    await publish(batch, { publish: [3], hold: [], commit: null });
    expect(await batch.states()).to.deep.equal(['published', 'published', 'published', 'held']);
    expect(batch.headline('Cork', 'main')).to.equal('Cork by hand');
    expect(liveCities()).to.deep.equal(['Arad', 'Brest', 'Cork']);
  });

  it('can be selected again among pages that were approved after an earlier publish', async () => {
    const batch = await BatchRun.make(site, cities);
    await publish(batch, { publish: [1], hold: [2, 3, 4], commit: null });
    const { commit } = await batch.find();
    for (const number of [2, 3, 4]) await batch.approve(number);
    await batch.again({ publish: false });
    expect(await batch.states()).to.deep.equal([
      'published',
      'committed',
      'committed',
      'committed',
    ]);
    await batch.edit('Arad', 'Arad by hand');
    await publish(batch, { publish: [1, 3], hold: [2, 4], commit: commit! });
    expect(await batch.states()).to.deep.equal(['published', 'held', 'published', 'held']);
    expect(liveCities()).to.deep.equal(['Arad', 'Cork']);
    expect(batch.headline('Arad', 'main')).to.equal('Arad by hand');
  });

  it('do not go live if an approval meanwhile asks for another publish', async () => {
    const batch = await BatchRun.make(site, cities);
    await batch.store.change(batch.batchId, { status: 'running', publish: false });
    expect(await batch.store.beginPublish(batch.batchId)).to.equal(false);
    await batch.store.change(batch.batchId, { publish: true });
    expect(await batch.store.beginPublish(batch.batchId)).to.equal(true);
  });
});
