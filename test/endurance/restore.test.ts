// Takes long: two clusters, one after the other, and tasks that are listed for over a minute.
import { Client, Connection } from '@temporalio/client';
import { expect } from 'chai';
import pg from 'pg';
import { type Backup, backUp, type Cluster, operateOn, startCluster } from '../helpers/cluster.ts';
import { createPatiently } from '../helpers/createPatiently.ts';
import { needProgram } from '../helpers/programs.ts';
import { endServices, type Service } from '../helpers/service.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { until } from '../helpers/until.ts';

const WITHIN_MS = 300_000;
/**
 * Temporal forgets sooner which entries of visibility it has just made: as if minutes lay between
 * two dumps.
 */
const dynamic = 'history.visibilityProcessorUpdateAckInterval:\n  - value: 1s\n';

describe('a cluster that is dumped while tasks are created, and then restored', function () {
  this.timeout(5 * WITHIN_MS);
  const resources = new AsyncDisposableStack();
  const owner = { organizationId: '', apiKey: '' };
  /**
   * `busy` gets one task after the other. On each other site a task of that name waits in its push.
   */
  const sites = {} as Record<'busy' | 'held' | 'stale' | 'unlisted' | 'lost', TeamSite>;
  const gates = {} as Record<keyof typeof sites, ReturnType<TeamSite['gate']>>;
  const tasks = {} as Record<keyof typeof sites, string>;
  const created: string[] = [];
  let backup: Backup;

  before(async function () {
    this.timeout(3_600_000); // the first run builds Temporal's server
    needProgram(this, 'PostgreSQL');
    const cluster = await startCluster({ dynamic });
    resources.defer(() => cluster.stop());
    if (!cluster.temporal.isOnPostgres) this.skip();
    const api = await registerAll(cluster);
    await cluster.deployment.startWorker();
    await Promise.all([begin(api, 'held'), begin(api, 'stale')]);
    const stop = keepCreating(api);
    backup = await backUp(cluster, async (command) => {
      await aFewMore();
      if (command.endsWith(' agent_tasks')) await begin(api, 'lost');
      if (!command.endsWith(' temporal')) return;
      gates.stale.open();
      await api.waitForTask(tasks.stale, WITHIN_MS);
      await begin(api, 'unlisted');
      await untilForgotten(cluster);
    });
    await stop();
    resources.defer(() => backup.remove());
    await endServices();
  });
  afterEach(async function () {
    await endServices(this.currentTest);
  });
  after(async () => {
    Object.values(gates).forEach((gate) => gate.open());
    await resources.disposeAsync();
    removeTeamSites();
  });

  async function registerAll({ deployment }: Cluster): Promise<Service> {
    await operateOn(deployment, async (command) => {
      Object.assign(owner, await command('organization create', { name: 'Restored' }));
      const key = { organization: owner.organizationId, role: 'admin', name: 'test' };
      Object.assign(owner, await command('key create', key));
    });
    const api = await deployment.startApi(owner);
    for (const name of ['busy', 'held', 'stale', 'unlisted', 'lost'] as const) {
      sites[name] = new TeamSite(api, `restored-${name}`);
      if (name !== 'busy') gates[name] = sites[name].gate('refs/agent-tasks/');
    }
    await operateOn(deployment, async (command) => {
      for (const site of Object.values(sites)) {
        const options = {
          organization: owner.organizationId,
          name: site.name,
          repository: site.remote,
        };
        site.siteId = (await command('site create', options)).siteId!;
      }
    });
    return api;
  }
  async function create(api: Service, site: TeamSite, city: string): Promise<string> {
    const body = { siteId: site.siteId, ...citiesBody([city]) };
    const { status, text, json } = await createPatiently((key) => api.postTask(body, key));
    expect(status, text).to.equal(200);
    return json.taskId as string;
  }

  /** Creates the task of this name, and waits until it is in its push. */
  async function begin(api: Service, name: Exclude<keyof typeof sites, 'busy'>): Promise<void> {
    tasks[name] = await create(api, sites[name], name);
    await gates[name].arrived();
  }

  /** @returns stops, when all have ended */
  function keepCreating(api: Service): () => Promise<void> {
    let isStopped = false;
    const work = async (line: number) => {
      for (let n = 0; !isStopped; n++) {
        const taskId = await create(api, sites.busy, `town-${line}-${n}`);
        created.push(taskId);
        await api.waitForTask(taskId, WITHIN_MS);
      }
    };
    const working = Promise.all([1, 2].map(work));
    working.catch(() => undefined); // who stops it is told
    return async () => {
      isStopped = true;
      await working;
    };
  }
  async function aFewMore(): Promise<void> {
    const before = created.length;
    await until('more tasks', () => created.length >= before + 3, WITHIN_MS);
  }

  /** Until Temporal would not make the entries anew that it has made so far. */
  async function untilForgotten({ postgres }: Cluster): Promise<void> {
    const client = new pg.Client({
      connectionString: postgres.url.replace(/postgres$/, 'temporal'),
    });
    await client.connect();
    try {
      const { rows } = await client.query(
        'SELECT coalesce(max(task_id), 0) AS last FROM visibility_tasks',
      );
      const query = 'SELECT FROM visibility_tasks WHERE task_id <= $1 LIMIT 1';
      await until(
        'it',
        async () => (await client.query(query, [rows[0].last])).rowCount === 0,
        WITHIN_MS,
      );
    } finally {
      await client.end();
    }
  }

  async function restored(env: Record<string, string>) {
    const cluster = await startCluster({ backup, dynamic });
    resources.defer(() => cluster.stop());
    const { deployment, temporal } = cluster;
    const connection = await Connection.connect({ address: temporal.address });
    resources.defer(() => connection.close());
    const { namespace } = deployment;
    const client = new Client({ connection, namespace });
    /** What visibility itself says of a task. */
    const listed = async (taskId: string) => {
      for await (const { status } of client.workflow.list({ query: `WorkflowId = '${taskId}'` }))
        return status.name;
      return undefined;
    };
    const [api] = await Promise.all([deployment.startApi(owner, env), deployment.startWorker(env)]);
    return { listed, api };
  }

  const list = async (api: Service, filter = '') => {
    const { json } = await api.request('GET', `/api/v1/agent/tasks?limit=100${filter}`);
    return new Map(
      (json.tasks as { taskId: string; status: string }[]).map(({ taskId, status }) => [
        taskId,
        status,
      ]),
    );
  };
  /** A cluster that has just started answers some reads with 503, after which clients ask again. */
  const statusOf = (api: Service, taskId: string) =>
    until(`a response about ${taskId}`, async () => {
      const { status, json } = await api.request('GET', `/api/v1/agent/tasks/${taskId}`);
      if (status === 503) return undefined;
      return status === 200 ? (json.status as string) : status;
    });
  const remove = async (api: Service, site: TeamSite) =>
    (await api.request('DELETE', `/api/v1/sites/${site.siteId}`)).status;

  /**
   * Each task that was created is there and completes, or is unknown. @returns how many are unknown
   */
  async function untilAllEnded(api: Service): Promise<number> {
    const ended = () => Promise.all(created.map((taskId) => statusOf(api, taskId)));
    const all = await until(
      'the end of all',
      async () => {
        const statuses = await ended();
        return statuses.includes('running') ? undefined : statuses;
      },
      WITHIN_MS,
    );
    expect([...new Set(all)]).to.have.members(['completed', 404]);
    return all.filter((status) => status === 404).length;
  }

  it('lists the running and ended tasks of the dump, as documented', async () => {
    const { api, listed } = await restored({ TASKS_IN_FLIGHT: '3' });
    expect([await listed(tasks.stale), await statusOf(api, tasks.stale)]).to.deep.equal([
      'RUNNING',
      'completed',
    ]);
    expect([await listed(tasks.unlisted), await statusOf(api, tasks.unlisted)]).to.deep.equal([
      undefined,
      'running',
    ]);
    expect(await remove(api, sites.unlisted), 'a task runs').to.equal(409);
    await until(
      'the end of it in lists',
      async () => (await list(api)).get(tasks.stale) === 'completed',
      WITHIN_MS,
    );
    expect([...(await list(api, '&status=running')).keys()]).to.not.include(tasks.stale);

    expect(await statusOf(api, tasks.lost)).to.equal(404);
    gates.lost.open();
    const again = { siteId: sites.lost.siteId, ...citiesBody(['again']) };
    const taskId = await until(
      'its place',
      async () => {
        const { status, json } = await api.postTask(again);
        return status === 200 ? (json.taskId as string) : undefined;
      },
      WITHIN_MS,
    );
    expect(await api.waitForTask(taskId, WITHIN_MS)).to.have.property('status', 'completed');

    gates.unlisted.open();
    expect(await api.waitForTask(tasks.unlisted, WITHIN_MS)).to.have.property(
      'status',
      'completed',
    );
    await until(
      'it in lists',
      async () => (await list(api)).get(tasks.unlisted) === 'completed',
      WITHIN_MS,
    );
    gates.held.open();
    expect(await api.waitForTask(tasks.held, WITHIN_MS)).to.have.property('status', 'completed');
    console.log(`      ${created.length} tasks, ${await untilAllEnded(api)} unknown`);
  });
});
