import { type Client, type Connection, NamespaceNotFoundError } from '@temporalio/client';
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Writer } from 'protobufjs';
import { TASK_WORKFLOW } from '../../../src/contract/task.ts';
import { connectClient, createClient } from '../../../src/temporal/connection.ts';
import { startDevServer } from '../../../src/temporal/server/devServer.ts';
import { reconcile } from '../../../src/temporal/tasks/reconcile.ts';
import { createRunningTasks } from '../../../src/temporal/tasks/runningTasks.ts';
import { startOptions } from '../../../src/temporal/tasks/startOptions.ts';
import { createTaskClient } from '../../../src/temporal/tasks/taskClient.ts';
import { made } from '../../helpers/about.ts';
import { temporaryFolder } from '../../helpers/database.ts';
import { unlimited } from '../../helpers/leases.ts';
import { promptTask, quietRuntime } from '../../helpers/temporal.ts';
import {
  type GrpcStatus,
  INTERNAL,
  NOT_FOUND,
  PERMISSION_DENIED,
  startTemporalProxy,
} from '../../helpers/temporalProxy.ts';
import { until } from '../../helpers/until.ts';

const namespace = 'agent-tasks';
const [organizationId, siteId] = [randomUUID(), randomUUID()];

describe('a Temporal whose visibility was restored as of another time', function () {
  this.timeout(60_000);
  const resources = new AsyncDisposableStack();
  let address: string;
  let connection: Connection;
  let client: Client;
  /** By their ids: visibility lists `ghost` only, `stale` as running, and `unlisted` not at all. */
  const ids = { ghost: '', ghostEnded: '', stale: '', unlisted: '', runs: '' };
  type Name = keyof typeof ids;

  before(async () => {
    quietRuntime();
    const { path: dataDir } = resources.adopt(temporaryFolder(), (folder) => folder.remove());
    const start = () => startDevServer({ dataDir, port: 0, uiPort: 0, namespace });
    const server = await start();
    const first = connectClient({ embeddedAddress: server.address, environment: {} });
    const before = createClient(first, namespace);
    for (const name of Object.keys(ids) as Name[]) ids[name] = await begin(before);
    for (const name of ['ghostEnded', 'stale'] as const)
      await before.workflow.getHandle(ids[name]).terminate();
    await until(
      'the list of all',
      async () =>
        (await listed(before)).length === 5 &&
        (await listed(before, "ExecutionStatus = 'Running'")).length === 3,
    );
    await first.close();
    await server.close();
    inFile(join(dataDir, 'temporal.db'), [
      `DELETE FROM executions WHERE workflow_id IN ('${ids.ghost}', '${ids.ghostEnded}')`,
      `DELETE FROM current_executions WHERE workflow_id IN ('${ids.ghost}', '${ids.ghostEnded}')`,
      `UPDATE executions_visibility SET status = 1, close_time = NULL, _version = 1 WHERE workflow_id = '${ids.stale}'`,
      `DELETE FROM executions_visibility WHERE workflow_id = '${ids.unlisted}'`,
      "UPDATE executions_visibility SET start_time = datetime(start_time, '-1 hour') || '+00:00'",
      'DELETE FROM visibility_tasks', // else Temporal itself mends what is less than half a minute old
    ]);
    ({ address } = resources.adopt(await start(), (started) => started.close()));
    connection = resources.adopt(
      connectClient({ embeddedAddress: address, environment: {} }),
      (lazy) => lazy.close(),
    );
    client = createClient(connection, namespace);
  });
  after(() => resources.disposeAsync());

  async function begin(client: Client): Promise<string> {
    const task = promptTask({ organizationId, siteId });
    const options = startOptions(task, {
      about: made,
      bodyHash: 'h',
      taskQueue: 'nobody',
      workflowTaskTimeout: 2_000,
    });
    await client.workflow.start(TASK_WORKFLOW, options);
    return task.taskId;
  }

  /** What Temporal's visibility itself says. */
  async function listed(client: Client, query = `OrganizationId = '${organizationId}'`) {
    const found: [Name | undefined, string][] = [];
    for await (const { workflowId, status } of client.workflow.list({ query }))
      found.push([
        (Object.keys(ids) as Name[]).find((name) => ids[name] === workflowId),
        status.name,
      ]);
    return found;
  }

  const wrong: [Name, string][] = [
    ['runs', 'RUNNING'],
    ['stale', 'RUNNING'],
    ['ghost', 'RUNNING'],
    ['ghostEnded', 'TERMINATED'],
  ];

  it('lists what is not so', async () => {
    expect(await listed(client)).to.have.deep.members(wrong);
  });

  it('does not fool who asks what runs: not listed ones are known by their leases', async () => {
    const ofSites = () => Promise.resolve([...Object.values(ids), 'bg-never']);
    const of = createRunningTasks({ connection, namespace, leases: { ofSites } });
    expect((await of([siteId])).get(siteId)).to.deep.equal(new Set([ids.runs, ids.unlisted]));
  });

  it('does not fool lists', async () => {
    const tasks = createTaskClient({
      client,
      secret: Buffer.from('s'),
      workflowTaskTimeout: 1,
      leases: unlimited,
    });
    const list = async (status?: 'running' | 'failed') =>
      (await tasks.list({ organizationId, limit: 20, ...(status && { status }) })).tasks.map(
        (task) => [task.taskId, task.status],
      );
    expect(await list('running')).to.deep.equal([[ids.runs, 'running']]);
    expect(await list()).to.have.deep.members([
      [ids.runs, 'running'],
      [ids.stale, 'failed'],
      [ids.ghostEnded, 'failed'],
    ]);
    await tasks.close();
  });

  /** Reconciles with a server that refuses some calls. */
  async function refused(calls: string, refusal: GrpcStatus) {
    const proxy = await startTemporalProxy(address, (path) =>
      path.includes(calls) ? refusal : undefined,
    );
    const endpoint = { embeddedAddress: proxy.address, environment: {} };
    try {
      return await reconcile({ endpoint, namespace, visibleWithin: 0 });
    } finally {
      await proxy.close();
    }
  }

  for (const code of [PERMISSION_DENIED, INTERNAL])
    it(`is left as it is by a reconciliation whose calls the server refuses with ${code}`, async () => {
      const { left, ...others } = await refused('Admin', { code, message: 'Request refused.' });
      expect(left).to.have.members([ids.ghost, ids.stale]);
      expect(others).to.deep.equal({ described: 3, removed: [], ended: [] });
      expect(await listed(client)).to.have.deep.members(wrong);
    });

  it('is left as it is where no entry can be described', async () => {
    const { left, ...others } = await refused('DescribeWorkflowExecution', {
      code: INTERNAL,
      message: 'Broken.',
    });
    expect(left).to.have.members([ids.ghost, ids.stale, ids.runs]);
    expect(others).to.deep.equal({ described: 3, removed: [], ended: [] });
  });

  it('is left as it is where the namespace is not found, not the run', async () => {
    const message = `Namespace ${namespace} is not found.`;
    const failure = Writer.create().uint32(10).string(namespace).finish();
    const type = 'type.googleapis.com/temporal.api.errordetails.v1.NamespaceNotFoundFailure';
    const detail = Writer.create().uint32(10).string(type).uint32(18).bytes(failure).finish();
    const status = Writer.create()
      .uint32(8)
      .int32(NOT_FOUND)
      .uint32(18)
      .string(message)
      .uint32(26)
      .bytes(detail);
    const details = Buffer.from(status.finish()).toString('base64');
    const error: unknown = await refused('DescribeWorkflowExecution', {
      code: NOT_FOUND,
      message,
      details,
    }).catch((failure: unknown) => failure);
    expect(error).to.be.instanceOf(NamespaceNotFoundError);
    expect(await listed(client)).to.have.deep.members(wrong);
  });

  const mend = (since?: Date) =>
    reconcile({
      endpoint: { embeddedAddress: address, environment: {} },
      namespace,
      visibleWithin: 0,
      since,
    });

  it('is mended by a reconciliation, which finds nothing the next time', async () => {
    expect(await mend()).to.deep.equal({
      described: 3,
      removed: [ids.ghost],
      ended: [ids.stale],
      left: [],
    });
    await until('the new list', async () =>
      (await listed(client)).some(([name, status]) => name === 'stale' && status === 'TERMINATED'),
    );
    expect(await listed(client)).to.have.deep.members([
      ['runs', 'RUNNING'],
      ['stale', 'TERMINATED'],
      ['ghostEnded', 'TERMINATED'],
    ]);
    expect(await mend()).to.deep.equal({ described: 1, removed: [], ended: [], left: [] });
  });

  it('also loses what is listed as ended and was never there, where the time of the backup is given', async () => {
    const twoHoursAgo = new Date(Date.now() - 2 * 3_600_000);
    expect(await mend(twoHoursAgo)).to.deep.equal({
      described: 3,
      removed: [ids.ghostEnded],
      ended: [],
      left: [],
    });
    const wanted: [Name, string][] = [
      ['runs', 'RUNNING'],
      ['stale', 'TERMINATED'],
    ];
    expect(await listed(client)).to.have.deep.members(wanted);
  });

  it('lists a task that it did not list as soon as that ends', async () => {
    await client.workflow.getHandle(ids.unlisted).terminate();
    await until('it', async () => (await listed(client)).some(([name]) => name === 'unlisted'));
  });
});

function inFile(file: string, statements: string[]): void {
  const db = new DatabaseSync(file);
  for (const statement of statements) db.exec(statement);
  db.close();
}
