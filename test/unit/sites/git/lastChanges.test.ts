import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { author, createdAt, git, publishTask, Workplace } from '../../../helpers/team/workplace.ts';

describe('lastChanges(commit)', () => {
  let place: Workplace;
  beforeEach(() => void (place = new Workplace()));
  afterEach(() => place.remove());

  it('names author, time and task of the last change of each file, by one command', async () => {
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

  it('takes a merge as the change that brought its files into the branch', async () => {
    place.push({ 'a.html': '1', 'b.html': '1' });
    git(place.clone, 'checkout', '-q', '-b', 'side');
    await writeFile(join(place.clone, 'b.html'), '2');
    git(place.clone, 'commit', '-q', '-a', '-m', 'side');
    git(place.clone, 'checkout', '-q', 'main');
    place.push({ 'a.html': '2' });
    git(place.clone, 'merge', '-q', '--no-ff', '-m', 'merge', 'side');
    git(place.clone, 'commit', '-q', '--amend', '--no-edit', '--author', 'Merger <m@test>');
    git(place.clone, 'push', '-q', 'origin', 'main');
    expect(git(place.remote, 'log', '-1', '--format=%P', 'main').split(' ')).to.have.length(2);
    const repository = place.open();
    const changes = await repository.lastChanges(await repository.fetchHead());
    const at = new Date(Number(git(place.clone, 'log', '-1', '--format=%ct')) * 1000).toISOString();
    expect(changes.get('b.html')).to.include({ by: 'Merger', at });
    expect(changes.get('a.html')).to.include({ by: 'T' });
  });

  it("reads the site's folder only, and is not misled by names", async () => {
    place.push({ 'web/\u0001x.html': '1', 'web/a.html': '1', 'other/a.html': '1' });
    place.push({ 'other/a.html': '2' });
    const repository = place.open({ root: 'web' });
    const changes = await repository.lastChanges(await repository.fetchHead());
    expect([...changes.keys()].sort()).to.deep.equal(['\u0001x.html', 'a.html']);
  });
});
