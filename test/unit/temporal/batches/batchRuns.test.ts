import { expect } from 'chai';
import { isTaskId } from '../../../../src/contract/task.ts';
import { createBatchRuns } from '../../../../src/temporal/batches/batchRuns.ts';
import { derivedTaskId } from '../../../../src/temporal/tasks/taskId.ts';

const secret = Buffer.alloc(32, 7);

describe('createBatchRuns(options).newId(organizationId, idempotencyKey)', () => {
  const runs = createBatchRuns({
    calls: { client: { workflow: {} } } as never,
    leases: {} as never,
    homes: undefined,
    workflowTaskTimeout: 1,
    secret,
  });

  it("is the same for the same key of an organization, and differs from a task's ID with that key", () => {
    const id = runs.newId('one', 'k');
    expect(isTaskId(id)).to.equal(true);
    expect(runs.newId('one', 'k')).to.equal(id);
    expect([runs.newId('two', 'k'), runs.newId('one', 'l'), runs.newId('one')]).to.not.include(id);
    expect(derivedTaskId(secret, 'one', 'k')).to.not.equal(id);
  });
});
