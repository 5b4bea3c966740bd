import { expect } from 'chai';
import { author, createdAt, failureOf, git, task, Workplace } from './remotes.ts';

const taskId = 'bg-1';

describe('commitEdit', () => {
  let place: Workplace;
  let commit: string;
  beforeEach(async () => {
    place = new Workplace();
    const base = await place.push({ 'index.html': 'home', 'a.html': 'a' });
    commit = await place.open().commitTask(task(taskId, base, { 'a.html': 'by the task' }));
  });
  afterEach(() => place.remove());

  const edit = (parent: string, content: string) => ({
    ...{ taskId, parent, author, createdAt, message: 'Edit /a by hand' },
    changes: [{ path: 'a.html', content }],
  });

  it("moves the task's hidden ref to a commit on top, with a trailer of its own, and no other ref", async () => {
    const edited = await place.open().commitEdit(edit(commit, 'by hand'));
    expect(git(place.remote, 'rev-parse', `refs/agent-tasks/${taskId}`)).to.equal(edited);
    expect(git(place.remote, 'log', '-1', '--format=%P|%an|%ae|%at|%B', String(edited))).to.equal(
      `${commit}|Agent|agent@example.com|1772600767|Edit /a by hand\n\nAgent-Task-Edit: ${taskId}`,
    );
    expect(place.show('a.html', String(edited))).to.equal('by hand');
    expect(git(place.remote, 'for-each-ref', '--format=%(refname)').split('\n')).to.have.length(2);
  });

  it('answers null where another edit was faster, and changes nothing', async () => {
    const first = await place.open().commitEdit(edit(commit, 'first'));
    expect(await place.open({ dataDir: 'other' }).commitEdit(edit(commit, 'second'))).to.equal(null);
    expect(git(place.remote, 'rev-parse', `refs/agent-tasks/${taskId}`)).to.equal(first);
  });

  it('makes no commit of a change that changes nothing', async () => {
    expect(await place.open().commitEdit(edit(commit, 'by the task'))).to.equal(commit);
  });

  it('is found by fetchResult, on every machine', async () => {
    const edited = await place.open().commitEdit(edit(commit, 'by hand'));
    expect(await place.open({ dataDir: 'other' }).fetchResult({ commit, heldBy: taskId })).to.equal(edited);
  });

  it('makes a page count as the work of people, which no task replaces', async () => {
    const repository = place.open();
    const base = place.head();
    const created = await repository.commitTask(task('bg-2', base, { 'new.html': 'new' }));
    expect(await repository.isMadeByTask({ commit: created, heldBy: 'bg-2' }, 'new.html')).to.equal(true);
    const changes = [{ path: 'new.html', content: 'by hand' }];
    const edited = await repository.commitEdit({ ...edit(created, ''), taskId: 'bg-2', changes });
    expect(await repository.isMadeByTask({ commit: String(edited), heldBy: 'bg-2' }, 'new.html')).to.equal(false);
  });

  it('refuses a result that the ref does not have in it', async () => {
    const failure = await failureOf(
      place
        .open()
        .fetchResult({ commit: place.head(), heldBy: taskId })
        .then(() => place.open().fetchResult({ commit, heldBy: 'bg-9' })),
    );
    expect(failure?.code).to.equal('GIT_FAILED');
  });
});
