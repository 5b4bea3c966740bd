import { expect } from 'chai';
import { author, createdAt, publishTask, Workplace } from '../../../../helpers/team/workplace.ts';

describe('lastChanges(commit)', () => {
  let place: Workplace;
  beforeEach(() => void (place = new Workplace()));
  afterEach(() => place.remove());

  it('names author, time and task of the last change of each file, with one command', async () => {
    place.push({ 'index.html': 'home', 'über/a b.html': 'a', 'old.html': 'old' });
    place.push({ 'über/a b.html': 'b', 'old.html': null });
    const repository = place.open();
    const taskId = `bg-${'a1'.repeat(11)}`;
    await publishTask(repository, taskId, { 'index.html': 'new' });
    const changes = await repository.lastChanges(await repository.fetchHead());
    expect([...changes.keys()].sort()).to.deep.equal(['index.html', 'old.html', 'über/a b.html']);
    const seconds = `${createdAt.slice(0, 19)}.000Z`;
    expect(changes.get('index.html')).to.deep.equal({ at: seconds, by: author.name, taskId });
    expect(changes.get('über/a b.html')).to.include({ by: 'T', taskId: null });
  });

  it("reads only the site's folder, and is not misled by names", async () => {
    place.push({ 'web/\u0001x.html': '1', 'web/a.html': '1', 'other/a.html': '1' });
    place.push({ 'other/a.html': '2' });
    const repository = place.open({ root: 'web' });
    const changes = await repository.lastChanges(await repository.fetchHead());
    expect([...changes.keys()].sort()).to.deep.equal(['\u0001x.html', 'a.html']);
  });
});
