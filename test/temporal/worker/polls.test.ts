import { expect } from 'chai';
import { TASK_QUEUE, TASK_WORKFLOW } from '../../../src/contract/task.ts';
import { connectWorker } from '../../../src/temporal/connection.ts';
import { preferredWorkerName } from '../../../src/temporal/workerNames.ts';
import { taskStartOptions } from '../../../src/temporal/tasks/startOptions.ts';
import { createWorker } from '../../../src/temporal/worker/worker.ts';
import { made } from '../../helpers/about.ts';
import { sizesOf } from '../../helpers/documents.ts';
import { startOwnTemporal } from '../../helpers/ownTemporal.ts';
import { bundles, fakeActivities, generateTask } from '../../helpers/temporal.ts';
import { startTemporalProxy } from '../../helpers/temporalProxy.ts';
import { until } from '../../helpers/until.ts';

const WITHIN_MS = 60_000;
/** What a frontend takes of each kind at once from a namespace (`frontend.namespaceCount`). */
const OF_A_FRONTEND = 1_200;
const WORKERS = 50;

describe('the polls of a worker in a cluster', function () {
  this.timeout(90_000);
  const shared = new AsyncDisposableStack();
  let proxy: Awaited<ReturnType<typeof startTemporalProxy>>;

  before(async () => {
    const { address, namespace, client } = await startOwnTemporal(shared);
    proxy = shared.adopt(await startTemporalProxy(address, () => undefined), (started) =>
      started.close(),
    );
    const connection = shared.adopt(
      await connectWorker({ embeddedAddress: proxy.address, environment: {} }),
      (opened) => opened.close(),
    );
    const options = {
      connection,
      namespace,
      activities: fakeActivities(),
      cacheDir: bundles,
      shutdownGrace: 1,
    };
    shared.adopt(await createWorker({ ...options, home: preferredWorkerName('/one') }), (running) =>
      running.close(),
    );
    // at its end, all polls have begun
    const about = {
      about: made,
      bodyHash: 'hash',
      taskQueue: TASK_QUEUE,
      workflowTaskTimeout: 10_000,
    };
    await client.workflow.execute(
      TASK_WORKFLOW,
      taskStartOptions(generateTask({ publish: true }), about),
    );
  });
  after(() => shared.disposeAsync());

  for (const [method, name] of [
    ['PollActivityTaskQueue', 'polls for activities'],
    ['PollWorkflowTaskQueue', 'polls for workflows'],
  ] as const)
    it(`have the ${name} number from docs/deployment.md, so that 50 workers need one frontend`, async () => {
      const [one, , fifty] = sizesOf(name);
      const open = await until(
        `${one} ${name}`,
        () => proxy.underWay(method) >= one! && proxy.underWay(method),
        WITHIN_MS,
      );
      expect(open).to.equal(one);
      expect(fifty)
        .to.equal(WORKERS * one!)
        .and.below(0.75 * OF_A_FRONTEND);
    });
});
