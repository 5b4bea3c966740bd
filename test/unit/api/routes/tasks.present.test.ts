import { expect } from 'chai';
import {
  createViewBodies,
  unchangedSinceFinish,
} from '../../../../src/api/routes/tasks/tasks.present.ts';
import type { TaskOutput } from '../../../../src/contract/task.ts';
import { nothingLive } from '../../../../src/tasks/publications.ts';
import { told } from '../../../helpers/about.ts';

describe('createViewBodies()', () => {
  const createdBy = { userId: 'user-1', name: 'Ada' };
  const about = { ...told, createdBy, follows: null };
  let timesWritten = 0;
  const output: TaskOutput = {
    get pagesCreated() {
      timesWritten++;
      return [];
    },
    pagesModified: [],
    pagesDeleted: [],
  };
  const view = {
    taskId: 'bg-1',
    status: 'completed' as const,
    output,
    finishedAt: '2026-01-02T03:04:06.000Z',
    about: told,
  };
  const bodyOf = createViewBodies();
  const read = { view, ...unchangedSinceFinish, live: nothingLive };

  it('writes the body of a completed task once', () => {
    const body = bodyOf(read, about);
    expect(JSON.parse(body)).to.include({ taskId: 'bg-1', status: 'completed' });
    expect(bodyOf(read, about)).to.equal(body);
    expect(timesWritten).to.equal(1);
  });

  it('writes the body again after a change', () => {
    const before = bodyOf(read, about);
    const renamed = { ...about, createdBy: { ...createdBy, name: 'Grace' } };
    const body = bodyOf(read, renamed);
    expect(body).not.to.equal(before);
    expect(JSON.parse(body)).to.deep.include({ createdBy: renamed.createdBy });
  });
});
