import { TypedSearchAttributes } from '@temporalio/common';
import { attributeKeys } from '../../../src/contract/searchAttributes.ts';
import type { Client } from '@temporalio/client';
import { expect } from 'chai';
import { TASK_WORKFLOW } from '../../../src/contract/task.ts';
import { createTaskClient } from '../../../src/temporal/tasks/taskClient.ts';
import { randomTaskId } from '../../../src/temporal/tasks/taskId.ts';
import { unlimited } from '../../helpers/leases.ts';
import { until } from '../../helpers/until.ts';

const finished = {
  status: 'failed',
  errorMessage: 'Nothing is understood',
  finishedAt: '2026-01-02T03:04:05.678Z',
};

/**
 * A server that never tells of an end.
 * @param endOf the end of each task that it describes, all of them closed; default: the test
 *   answers one by one
 */
function scripted(endOf?: () => object) {
  const asked: ((state: 'running' | 'decided' | 'closed') => void)[] = [];
  const described = (state: 'running' | 'decided' | 'closed', end: object = finished) => ({
    type: TASK_WORKFLOW,
    status: { name: state === 'closed' ? 'FAILED' : 'RUNNING' },
    memo: { createdAt: finished.finishedAt, ...(state !== 'running' && { finished: end }) },
    typedSearchAttributes: new TypedSearchAttributes([
      { key: attributeKeys.organizationId, value: 'org' },
    ]),
  });
  const describe = () =>
    endOf
      ? Promise.resolve(described('closed', endOf()))
      : new Promise((resolve) => asked.push((state) => resolve(described(state))));
  const never = () => new Promise(() => undefined);
  const call = <T>(_: unknown, work: () => T) => work();
  const client = {
    options: {},
    withDeadline: call,
    withAbortSignal: call,
    workflow: {
      getHandle: () => ({ describe, query: () => Promise.resolve({ status: 'running' }) }),
    },
    workflowService: { getWorkflowExecutionHistory: never },
  } as unknown as Client;
  return { client, asked };
}

describe('a task without callback that is read again and again', () => {
  const organizationId = 'org';
  function reading() {
    const { client, asked } = scripted();
    const tasks = createTaskClient({
      client,
      secret: Buffer.alloc(32),
      workflowTaskTimeout: 1,
      leases: unlimited,
    });
    const taskId = randomTaskId();
    const read = async () => (await tasks.read(organizationId, taskId)).status;
    return { asked, read, find: async () => (await tasks.find(organizationId, taskId)).status };
  }

  /** Reads twice: from then on the task counts as running until its end is told. */
  async function keptAsRunning() {
    const reads = reading();
    for (let n = 0; n < 2; n++) {
      const read = reads.read();
      reads.asked.at(-1)!('running');
      expect(await read).to.equal('running');
    }
    expect(await reads.read()).to.equal('running');
    expect(reads.asked).to.have.lengthOf(2);
    return reads;
  }

  it('is finished for all readers as soon as one of them sees it closed', async () => {
    const { asked, read, find } = await keptAsRunning();
    const found = find();
    asked.at(-1)!('closed');
    expect(await found).to.equal('failed');
    expect(await read()).to.equal('failed');
  });

  for (const state of ['decided', 'closed'] as const)
    it(`does not run again for a reader after one who saw it ${state}, whatever others saw before`, async () => {
      const { asked, read } = reading();
      const first = read();
      asked[0]!('running');
      await first;
      const both = [read(), read()];
      asked[1]!('running');
      expect(await both[0]).to.equal('running');
      asked[2]!(state);
      expect(await both[1]).to.equal('failed');
      const next = read();
      asked[3]?.(state);
      expect(await next).to.equal('failed');
    });
});

describe('a task whose worker no longer answers', () => {
  it('is shown with its known progress', async () => {
    const { client, asked } = scripted();
    const progress = { phase: 'deploying' };
    let queries = 0;
    const query = () =>
      queries++ === 0
        ? Promise.resolve({ status: 'running', progress, events: [] })
        : Promise.reject(new Error('none'));
    // each time with another history, so that the worker is asked
    const describeWorkflowExecution = () =>
      Promise.resolve({ workflowExecutionInfo: { historyLength: queries } });
    const handle = { ...client.workflow.getHandle(''), query };
    Object.assign(client.workflow, { getHandle: () => handle });
    Object.assign(client.workflowService, { describeWorkflowExecution });
    const tasks = createTaskClient({
      client,
      secret: Buffer.alloc(32),
      workflowTaskTimeout: 1,
      leases: unlimited,
    });
    const taskId = randomTaskId();
    const read = () => {
      const view = tasks.read('org', taskId);
      asked.splice(0).forEach((answer) => answer('running'));
      return view;
    };
    await until('a query that fails', async () => {
      expect(await read()).to.deep.include({ progress });
      return queries > 1;
    });
  });
});
