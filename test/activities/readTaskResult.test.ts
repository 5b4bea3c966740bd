import { expect } from 'chai';
import type { TaskResult } from '../../src/contract/task.ts';
import { failed, TaskSite } from '../helpers/activities.ts';
import { task as taskCommit } from '../helpers/team/workplace.ts';

describe('readTaskResult', function () {
  this.timeout(180_000);
  let site: TaskSite;
  before(async () => void (site = await TaskSite.createSmall()));
  after(() => site?.remove());

  /** The result of a task that creates pages on top of a commit. */
  async function resultOf(
    name: string,
    count: number,
    base: string,
    root: string,
  ): Promise<TaskResult> {
    const { taskId } = site.task();
    const files = Array.from(
      { length: count },
      (_, i) => [`${name}/${i}.html`, `<title>${name} ${i}</title>`] as const,
    );
    const commit = await site.workplace
      .open()
      .commitTask(taskCommit(taskId, base, Object.fromEntries(files)));
    return { taskId, base, commit, root };
  }

  it('names the pages of all base tasks, or says that they are too many until one of them is live', async () => {
    const worker = site.worker();
    const root = site.workplace.head();
    const one = await resultOf('one', 300, root, root);
    const two = await resultOf('two', 300, one.commit, root);
    const tooMany = await failed(worker.readTaskResult({ task: site.task(), result: two }));
    expect(tooMany).to.deep.include({ type: 'LIMIT_EXCEEDED', retryable: false });
    expect(tooMany.message).to.match(/\b600\b.*\b500\b/);
    await worker.publish({
      task: site.task(),
      base: root,
      commit: one.commit,
      retainedBy: one.taskId,
    });
    const { base, commit, created } = await worker.readTaskResult({
      task: site.task(),
      result: two,
    });
    expect({ base, commit }).to.deep.equal({ base: one.commit, commit: two.commit });
    expect(created.map(({ slug }) => slug.split('/')[1])).to.deep.equal(Array(300).fill('two'));
  });
});
