import { expect } from 'chai';
import {
  author,
  createdAt,
  failureOf,
  git,
  task,
  Workplace,
} from '../../../../helpers/team/workplace.ts';

const taskId = 'bg-1';

describe('commitEdit', () => {
  let place: Workplace;
  let commit: string;
  beforeEach(async () => {
    place = new Workplace();
    const base = place.push({ 'index.html': 'home', 'a.html': 'a' });
    commit = await place.open().commitTask(task(taskId, base, { 'a.html': 'by the task' }));
  });
  afterEach(() => place.remove());

  const edit = (parent: string, content: string) => ({
    taskId,
    parent,
    author,
    createdAt,
    message: 'Edit /a by hand',
    changes: [{ path: 'a.html', content }],
  });

  it("moves the task's hidden ref to a commit on top with its own trailer, and no other ref", async () => {
    const edited = await place.open().commitEdit(edit(commit, 'by hand'));
    expect(git(place.remote, 'rev-parse', `refs/agent-tasks/${taskId}`)).to.equal(edited);
    expect(git(place.remote, 'log', '-1', '--format=%P|%an|%ae|%at|%B', String(edited))).to.equal(
      `${commit}|Agent|agent@example.com|1772600767|Edit /a by hand\n\nAgent-Task-Edit: ${taskId}`,
    );
    expect(place.show('a.html', String(edited))).to.equal('by hand');
    expect(git(place.remote, 'for-each-ref', '--format=%(refname)').split('\n')).to.have.length(2);
  });

  it("names the person who edited only by an ID, and keeps that out of the task's trailer", async () => {
    const editor = '0f9a3f6e-8a0c-4d6e-b0a5-7c3c9c1f4e21';
    const repository = place.open();
    const id = `bg-${'a1'.repeat(11)}`;
    const base = await repository.fetchBase(id);
    const made = await repository.commitTask(
      task(id, base, { 'index.html': 'by the task', 'b.html': 'b' }),
    );
    const change = {
      ...edit(made, ''),
      taskId: id,
      changes: [{ path: 'index.html', content: 'by hand' }],
    };
    const edited = await repository.commitEdit({ ...change, editor });
    expect(git(place.remote, 'log', '-1', '--format=%an|%ae|%B', String(edited))).to.equal(
      `Agent|agent@example.com|Edit /a by hand\n\nAgent-Task-Editor: ${editor}\nAgent-Task-Edit: ${id}`,
    );
    git(place.remote, 'update-ref', 'refs/heads/main', String(edited));
    const changes = await repository.lastChanges(await repository.fetchHead());
    expect(changes.get('index.html')).to.include({
      by: author.name,
      taskId: id,
      isByHand: true,
      editor,
    });
    expect(changes.get('b.html')).to.deep.equal({
      ...changes.get('b.html'),
      by: author.name,
      taskId: id,
    });
    expect(changes.get('b.html')).not.to.have.any.keys('isByHand', 'editor');
    expect(
      await repository.isMadeByTask({ commit: String(edited), retainedBy: null }, 'index.html'),
    ).to.equal(false);
  });

  it('returns null if another edit was faster, and changes nothing', async () => {
    const first = await place.open().commitEdit(edit(commit, 'first'));
    expect(await place.open({ dataDir: 'other' }).commitEdit(edit(commit, 'second'))).to.equal(
      null,
    );
    expect(git(place.remote, 'rev-parse', `refs/agent-tasks/${taskId}`)).to.equal(first);
  });

  it("makes a page count as people's work, which no task replaces", async () => {
    const repository = place.open();
    const base = place.head();
    const created = await repository.commitTask(task('bg-2', base, { 'new.html': 'new' }));
    expect(
      await repository.isMadeByTask({ commit: created, retainedBy: 'bg-2' }, 'new.html'),
    ).to.equal(true);
    const changes = [{ path: 'new.html', content: 'by hand' }];
    const edited = await repository.commitEdit({ ...edit(created, ''), taskId: 'bg-2', changes });
    expect(
      await repository.isMadeByTask({ commit: String(edited), retainedBy: 'bg-2' }, 'new.html'),
    ).to.equal(false);
  });

  it('rejects a result that the ref does not contain', async () => {
    const failure = await failureOf(
      place
        .open()
        .fetchResult({ commit: place.head(), retainedBy: taskId })
        .then(() => place.open().fetchResult({ commit, retainedBy: 'bg-9' })),
    );
    expect(failure?.code).to.equal('GIT_FAILED');
  });
});
