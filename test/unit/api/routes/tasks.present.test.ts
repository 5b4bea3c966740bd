import { expect } from 'chai';
import { createViewBodies, unchanged } from '../../../../src/api/routes/tasks.present.ts';
import type { TaskOutput } from '../../../../src/contract/task.ts';
import { nothingLive } from '../../../../src/tasks/publications.ts';
import { told } from '../../../helpers/about.ts';

describe('createViewBodies()', () => {
  const createdBy = { userId: 'user-1', name: 'Ada' };
  const about = { ...told, createdBy, follows: null };
  const output: TaskOutput = { pagesCreated: [], pagesModified: [], pagesDeleted: [] };
  const view = {
    taskId: 'bg-1',
    status: 'completed' as const,
    output,
    finishedAt: '2026-01-02T03:04:06.000Z',
    about: told,
  };
  const bodyOf = createViewBodies();
  const read = { view, ...unchanged, live: nothingLive };

  it('caches the answer of a completed task in no more memory than its bytes', () => {
    const body = bodyOf(read, about);
    expect(JSON.parse(body.toString())).to.include({ taskId: 'bg-1', status: 'completed' });
    expect(bodyOf(read, about)).to.equal(body);
    expect(body.buffer.byteLength).to.equal(body.length);
  });

  it('makes it again when something has changed', () => {
    const before = bodyOf(read, about);
    const renamed = { ...about, createdBy: { ...createdBy, name: 'Grace' } };
    const body = bodyOf(read, renamed);
    expect(body).not.to.equal(before);
    expect(JSON.parse(body.toString())).to.deep.include({ createdBy: renamed.createdBy });
  });
});
