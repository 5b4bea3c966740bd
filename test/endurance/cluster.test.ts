// Takes long: 48 tasks on seven processes, which are killed in the middle, as PostgreSQL and
// Temporal are.
import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { TaskView } from '../../src/contract/task.ts';
import { type Backup, backUp, type Cluster, operateOn, startCluster } from '../helpers/cluster.ts';
import { tasksIn } from '../helpers/demoHistory.ts';
import { type HttpReceiver, startHttpReceiver } from '../helpers/httpReceiver.ts';
import type { LaunchedProcess } from '../helpers/launched.ts';
import { headlineOf } from '../helpers/markup.ts';
import { needProgram } from '../helpers/programs.ts';
import { endServices, Service } from '../helpers/service.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { until } from '../helpers/until.ts';

const [ORGANIZATIONS, SITES, TASKS] = [4, 10, 48];
/** Every fourth task publishes its page. */
const PUBLISHES = 4;
const WITHIN_MS = 300_000;

interface Task {
  number: number;
  organization: number;
  site: TeamSite;
  city: string;
  publish: boolean;
  taskId: string;
}

describe('48 tasks of four organizations on a cluster', function () {
  this.timeout(2 * WITHIN_MS);
  let cluster: Cluster;
  let receiver: HttpReceiver;
  let apis: [Service, Service];
  let workers: LaunchedProcess[];
  const owners: { organizationId: string; apiKey: string }[] = [];
  const sites: TeamSite[] = [];
  let tasks: Task[];
  let repeated = 0;
  let backup: Backup | undefined;
  let restored: Cluster | undefined;

  before(async function () {
    this.timeout(3_600_000); // the first run builds Temporal's server
    needProgram(this, 'PostgreSQL');
    cluster = await startCluster();
    receiver = await startHttpReceiver(() => 204);
    const { deployment } = cluster;
    await operateOn(deployment, async (command) => {
      for (let i = 0; i < ORGANIZATIONS; i++) {
        const { organizationId } = await command('organization create', {
          name: `Organization ${i}`,
        });
        const key = { organization: organizationId, role: 'member', name: 'test' };
        owners.push({
          organizationId: organizationId!,
          apiKey: (await command('key create', key)).apiKey!,
        });
      }
    });
    const env = { CALLBACK_ALLOW_PRIVATE: 'true' };
    const [api, other, ...started] = await Promise.all([
      deployment.startApi(owners[0]!, env),
      deployment.startApi(owners[0]!, env),
      ...[1, 2, 3].map(() => deployment.startWorker(env)),
    ]);
    [apis, workers] = [[api, other], started];
    for (let i = 0; i < SITES; i++) sites.push(new TeamSite(api, `cluster-${i}`));
    await operateOn(deployment, async (command) => {
      for (const [i, site] of sites.entries()) {
        const { organizationId } = owners[i % ORGANIZATIONS]!;
        const options = { organization: organizationId, name: site.name, repository: site.remote };
        site.siteId = (await command('site create', options)).siteId!;
      }
    });
    tasks = Array.from({ length: TASKS }, (_, number) => {
      const site = number % SITES;
      const [organization, publish] = [
        site % ORGANIZATIONS,
        Math.floor(number / SITES) % PUBLISHES === 0,
      ];
      return {
        number,
        organization,
        site: sites[site]!,
        city: `Town-${number}`,
        publish,
        taskId: '',
      };
    });
  });
  after(async function () {
    await receiver?.close();
    await endServices(this.currentTest);
    removeTeamSites();
    backup?.remove();
    await restored?.stop();
    await cluster?.stop();
  });

  /** An API process, asked in the name of an organization. */
  const as = (api: Service, organization: number) =>
    new Service(api.dataDir, { ...api.demo, ...owners[organization]! }, api.launched);

  /**
   * Creates a task as a careful client does: with the same key again at the other process, until it
   * is answered.
   */
  async function create(
    { number, organization, site, city, publish }: Task,
    first = number,
  ): Promise<string> {
    const request = {
      headers: { 'content-type': 'application/json', 'idempotency-key': `task-${number}` },
      body: JSON.stringify({
        siteId: site.siteId,
        ...citiesBody([city], { publish, callbackUrl: receiver.url(`/${organization}`) }),
      }),
    };
    let attempt = first;
    return until(
      `the creation of task ${number}`,
      async () => {
        const api = as(apis[attempt++ % 2]!, organization);
        const reply = await api.request('POST', '/api/v1/agent/tasks', request).catch(() => null);
        if (reply?.status === 200) return reply.json.taskId as string;
        if (reply && reply.status < 500) throw new Error(`${reply.status}: ${reply.text}`);
        repeated++;
        return null;
      },
      WITHIN_MS,
      500,
    );
  }

  const deliveries = () =>
    owners.flatMap((_, organization) => receiver.received(`/${organization}`));
  const idOf = ({ headers }: { headers: Record<string, unknown> }) => String(headers['webhook-id']);
  const finished = () => new Set(deliveries().map(idOf)).size;

  it('are each created once while two workers, PostgreSQL and Temporal are killed', async () => {
    const kills: Record<string, () => Promise<unknown>> = {
      'a worker': () => workers[0]!.kill(),
      PostgreSQL: () => cluster.postgres.restart(),
      'another worker': () => workers[1]!.kill(),
      Temporal: () => cluster.temporal.restart(),
    };
    const wave = TASKS / Object.keys(kills).length;
    let created = 0;
    for (const [i, [killed, kill]] of Object.entries(kills).entries()) {
      const creations = tasks.slice(i * wave, (i + 1) * wave).map(async (task) => {
        task.taskId = await create(task);
        created++;
      });
      await until('half of the creations', () => created >= (i + 0.5) * wave, WITHIN_MS);
      console.log(`      ${killed} killed: ${created} tasks created, ${finished()} finished`);
      expect(finished(), 'finished before the kill').to.be.below(created);
      await kill();
      await Promise.all(creations);
      await until('half of the tasks', () => finished() >= (i + 0.5) * wave, WITHIN_MS);
    }
    expect(new Set(tasks.map(({ taskId }) => taskId))).to.have.property('size', TASKS);
    await until('the callbacks of all tasks', () => finished() === TASKS, WITHIN_MS);
    const steps = workers
      .flatMap((worker) => worker.lines())
      .filter(({ attempt }) => Number(attempt) > 1);
    console.log(
      `      ${repeated} creations and ${steps.length} steps repeated, ${deliveries().length} callbacks for ${finished()} tasks`,
    );
  });

  it('complete with one commit at their site each, and are live once if they publish', async () => {
    const views = new Map<string, TaskView>();
    for (const { taskId, number, organization } of tasks)
      views.set(taskId, await as(apis[number % 2]!, organization).readTask(taskId));
    const failed = [...views.values()].filter(({ status }) => status !== 'completed');
    expect(failed).to.deep.equal([]);

    for (const site of sites) {
      const own = tasks.filter((task) => task.site === site);
      const commits = await tasksIn(site.remote, '--all', '--no-merges');
      expect(commits.sort()).to.deep.equal(own.map(({ taskId }) => taskId).sort());
      const published = await tasksIn(site.remote, '--first-parent', 'main');
      expect(published.sort()).to.deep.equal(
        own.flatMap(({ publish, taskId }) => (publish ? taskId : [])).sort(),
      );
    }
    for (const { city, site, publish, number } of tasks.filter((task) => task.number % 5 === 0)) {
      const api = apis[number % 2]!;
      const { status, text } = await api.request(
        'GET',
        `http://${site.name}.sites.localhost/locations/${city.toLowerCase()}`,
      );
      expect(status, city).to.equal(publish ? 200 : 404);
      if (publish) expect(headlineOf(text)).to.equal(`Web design in ${city} that works`);
    }
  });

  it('call back their own organization with the same bytes each time', () => {
    for (const [organization] of owners.entries()) {
      const received = receiver.received(`/${organization}`);
      const own = tasks
        .filter((task) => task.organization === organization)
        .map(({ taskId }) => taskId);
      expect([...new Set(received.map(idOf))].sort()).to.deep.equal(own.sort());
      const bodies = new Set(received.map((delivery) => `${idOf(delivery)} ${delivery.body}`));
      expect(bodies.size).to.equal(own.length);
    }
  });

  it('start nothing if the same requests are sent again at the other process', async () => {
    const again = [];
    for (const task of tasks) again.push(await create(task, task.number + 1));
    expect(again).to.deep.equal(tasks.map(({ taskId }) => taskId));
  });

  it('are listed for their own organization, and answer 404 to others', async () => {
    async function listed(api: Service): Promise<string[]> {
      const ids: string[] = [];
      for (let cursor = ''; ;) {
        const { json } = await api.request('GET', `/api/v1/agent/tasks?limit=20${cursor}`);
        ids.push(...(json.tasks as { taskId: string }[]).map(({ taskId }) => taskId));
        if (json.nextCursor === undefined || json.nextCursor === null) return ids.sort();
        cursor = `&cursor=${json.nextCursor as string}`;
      }
    }
    for (const [organization] of owners.entries()) {
      const own = tasks
        .filter((task) => task.organization === organization)
        .map(({ taskId }) => taskId);
      for (const api of apis) expect(await listed(as(api, organization))).to.deep.equal(own.sort());
    }
    for (const { taskId, organization, number } of tasks) {
      const stranger = as(apis[number % 2]!, (organization + 1 + (number % 3)) % ORGANIZATIONS);
      for (const part of ['', '/diff'])
        expect(
          (await stranger.request('GET', `/api/v1/agent/tasks/${taskId}${part}`)).status,
        ).to.equal(404);
    }
  });

  it('agree with this code, as `npm run replay` says of the latest ones', async () => {
    const words = ['run', '-s', 'replay', '--', 'ExecutionStatus = "Completed"', '--last', '20'];
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...cluster.deployment.env };
    const { stdout } = await promisify(execFile)('npm', words, { env });
    expect(stdout.trim().split('\n').at(-1)).to.equal('20 histories, 0 of them differ');
  });

  it('are still there after a restore of the databases, and the next task starts', async function () {
    const before = new Map<string, TaskView>();
    for (const { taskId, organization } of tasks)
      before.set(taskId, await as(apis[0], organization).readTask(taskId));
    if (!cluster.temporal.isOnPostgres) this.skip();
    backup = await backUp(cluster);
    await endServices();
    restored = await startCluster({ backup });
    const env = { CALLBACK_ALLOW_PRIVATE: 'true' };
    const api = await restored.deployment.startApi(owners[0]!, env);
    await restored.deployment.startWorker(env);
    const [first] = tasks;
    await until(
      'the restored Temporal server to answer',
      async () =>
        (await as(api, first!.organization).request('GET', `/api/v1/agent/tasks/${first!.taskId}`))
          .status !== 503,
    );
    for (const { taskId, organization } of tasks)
      expect(await as(api, organization).readTask(taskId)).to.deep.equal(before.get(taskId));

    const body = citiesBody(['Restored'], { publish: true });
    const taskId = await api.createTask({ siteId: sites[0]!.siteId, ...body });
    expect(await api.waitForTask(taskId, WITHIN_MS)).to.have.property('status', 'completed');
    const url = `http://${sites[0]!.name}.sites.localhost/locations`;
    const live = ['restored', tasks[0]!.city.toLowerCase()].map((city) =>
      api.request('GET', `${url}/${city}`),
    );
    expect((await Promise.all(live)).map(({ status }) => status)).to.deep.equal([200, 200]);
  });
});
