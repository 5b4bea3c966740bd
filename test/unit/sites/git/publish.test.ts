import { expect } from 'chai';
import { git, publication, publishTask, task, Workplace } from './remotes.ts';

describe('publish', () => {
  let place: Workplace;
  beforeEach(async () => {
    place = new Workplace();
    await place.push({ 'index.html': 'home', 'a.html': 'a', 'b.html': 'b', 'docs/x.html': 'x' });
  });
  afterEach(() => place.remove());

  it('fast-forwards to the task commit where nobody else changed anything', async () => {
    const { base, commit, live } = await publishTask(place.open(), 'bg-1', { 'new.html': 'new' });
    expect(live).to.equal(commit);
    expect(place.head()).to.equal(commit);
    expect(git(place.remote, 'rev-parse', 'main^')).to.equal(base);
    expect(git(place.remote, 'log', '-1', '--format=%an %ae %aI %ce %cI', 'main')).to.equal(
      'Agent agent@example.com 2026-03-04T05:06:07+00:00 agent@example.com 2026-03-04T05:06:07+00:00',
    );
    expect(place.show('new.html')).to.equal('new');
  });

  it('merges by file where somebody else pushed meanwhile', async () => {
    const repository = place.open();
    const base = await repository.fetchBase('bg-1');
    const commit = await repository.commitTask(task('bg-1', base, { 'new.html': 'new', 'a.html': null }));
    const pushed = await place.push({ 'b.html': 'b2', 'docs/y.html': 'y' });
    const live = await repository.publish(publication('bg-1', base, commit));
    expect(place.head()).to.equal(live);
    expect(git(place.remote, 'rev-parse', 'main^1', 'main^2').split('\n')).to.deep.equal([pushed, commit]);
    expect(place.files()).to.deep.equal(['b.html', 'docs/x.html', 'docs/y.html', 'index.html', 'new.html']);
    expect(place.show('b.html')).to.equal('b2');
  });
});
