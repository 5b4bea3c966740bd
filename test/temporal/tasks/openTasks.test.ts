import { expect } from 'chai';
import { createOpenTasks } from '../../../src/temporal/tasks/openTasks.ts';
import type { WholeTask } from '../../../src/temporal/tasks/taskRecord.ts';
import { made } from '../../helpers/about.ts';

const taskOf = (taskId: string, changes: Partial<WholeTask> = {}): WholeTask => ({
  taskId,
  organizationId: 'org-1',
  siteId: 'site-1',
  type: 'prompt',
  status: 'running',
  publish: false,
  createdAt: '2026-01-02T03:04:05.678Z',
  hasCallback: false,
  events: [],
  isClosed: false,
  ...made,
  ...changes,
});

describe('createOpenTasks(waitForEnd)', () => {
  /** Each wait, with what ends it. */
  function watched() {
    const waits: {
      taskId: string;
      ms: number;
      ended: () => void;
      fails: (error: Error) => void;
    }[] = [];
    const open = createOpenTasks((taskId, ms) => {
      return new Promise<void>((ended, fails) => waits.push({ taskId, ms, ended, fails }));
    });
    const read = (task: WholeTask) => open.get(task.taskId) ?? (open.add(task), 'described');
    return { open, waits, read };
  }
  const settled = () => new Promise(setImmediate);

  it('keeps a task from its second read on, and waits once for its end', () => {
    const { waits, read } = watched();
    const task = taskOf('bg-1');
    expect([read(task), read(task)]).to.deep.equal(['described', 'described']);
    for (let n = 0; n < 10; n++) expect(read(task)).to.equal(task);
    expect(waits.map(({ taskId, ms }) => ({ taskId, ms }))).to.deep.equal([
      { taskId: 'bg-1', ms: 2_000 },
    ]);
  });

  for (const [name, end] of [
    ['has ended', ({ ended }: ReturnType<typeof watched>['waits'][0]) => ended()],
    [
      'may have ended: nobody tells',
      ({ fails }: ReturnType<typeof watched>['waits'][0]) => fails(new Error('late')),
    ],
  ] as const)
    it(`forgets a task that ${name}`, async () => {
      const { waits, read } = watched();
      for (const taskId of ['bg-1', 'bg-1', 'bg-2', 'bg-2']) read(taskOf(taskId));
      end(waits[0]!);
      await settled();
      expect(read(taskOf('bg-1'))).to.equal('described');
      expect(read(taskOf('bg-2'))).not.to.equal('described');
    });

  it('waits once for the end of a task that many describe at the same time', async () => {
    const { open, waits } = watched();
    const described = Array.from({ length: 9 }, () => taskOf('bg-1'));
    for (const task of described) open.add(task);
    expect(waits).to.have.lengthOf(1);
    expect(open.get('bg-1')).to.equal(described[1]);
    waits[0]!.ended();
    await settled();
    expect(open.get('bg-1')).to.equal(undefined);
  });

  it('never keeps a task with a callback, and none that is deleted', () => {
    const { open, waits, read } = watched();
    const told = taskOf('bg-1', { hasCallback: true });
    for (let n = 0; n < 4; n++) expect(read(told)).to.equal('described');
    expect(waits).to.deep.equal([]);
    for (let n = 0; n < 2; n++) read(taskOf('bg-2'));
    open.delete('bg-2');
    expect(read(taskOf('bg-2'))).to.equal('described');
  });
});
