// Takes long: Temporal notices after 45 seconds that a worker is dead, and its steps wait up to 15
// more for it.
import { Client, Connection } from '@temporalio/client';
import { expect } from 'chai';
import type { TaskView } from '../../src/contract/task.ts';
import { type Cluster, operateOn, startCluster } from '../helpers/cluster.ts';
import { tasksIn } from '../helpers/demoHistory.ts';
import { Launched } from '../helpers/launched.ts';
import { needProgram } from '../helpers/programs.ts';
import { endServices, type Service } from '../helpers/service.ts';
import { git } from '../helpers/team/git.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { until } from '../helpers/until.ts';
import { outputOf } from '../helpers/views.ts';

const WITHIN_MS = 240_000;
const FROM = '/locations';
const file = 'locations/index.html';
const bare =
  '<!doctype html><html lang="en"><head><title>All</title></head><body><h1>All</h1></body></html>';

describe("kill -9 of a site's home behind a push, of which it has told nobody", function () {
  this.timeout(3 * WITHIN_MS);
  let cluster: Cluster;
  let api: Service;
  let site: TeamSite;
  let workers: Launched[];
  const gates: ReturnType<TeamSite['gate']>[] = [];

  before(async function () {
    this.timeout(3_600_000); // the first run builds Temporal's server
    needProgram(this, 'PostgreSQL');
    cluster = await startCluster();
    const { deployment } = cluster;
    const owner = { organizationId: '', apiKey: '' };
    await operateOn(deployment, async (command) => {
      owner.organizationId = (
        await command('organization create', { name: 'Team' })
      ).organizationId!;
      const key = { organization: owner.organizationId, role: 'member', name: 'test' };
      owner.apiKey = (await command('key create', key)).apiKey!;
    });
    const started = await Promise.all([
      deployment.startApi(owner),
      deployment.startWorker(),
      deployment.startWorker(),
    ]);
    [api, ...workers] = started;
    site = new TeamSite(api, 'dead-home');
    await operateOn(deployment, async (command) => {
      const of = { organization: owner.organizationId, name: site.name, repository: site.remote };
      site.siteId = (await command('site create', of)).siteId!;
    });
    await until('a task at home', async () => {
      const { taskId } = await site.run(citiesBody([`Warm-${Date.now()}`]));
      return (await queuesOf(taskId, 'commitChanges'))[0]!.includes('home');
    });
  });
  after(async function () {
    for (const gate of gates) gate.open();
    await endServices(this.currentTest);
    removeTeamSites();
    await cluster?.stop();
  });

  /** The queues in which a step of a task was scheduled, one after the other. */
  async function queuesOf(taskId: string, activity: string): Promise<string[]> {
    const { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace } = cluster.deployment.env;
    const connection = await Connection.connect({ address: address! });
    const { events } = await new Client({ connection, namespace: namespace! }).workflow
      .getHandle(taskId)
      .fetchHistory();
    await connection.close();
    return (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: step }) =>
      step?.activityType?.name === activity ? [step.taskQueue!.name!] : [],
    );
  }

  const held = (...of: Parameters<TeamSite['gate']>) => {
    const gate = site.gate(...of);
    gates.push(gate);
    return gate;
  };

  /**
   * Kills the worker that the site has as its home, and starts it again when the task has ended
   * elsewhere.
   */
  async function overTheDeathOf(activity: string, taskId: string): Promise<TaskView> {
    const home = workers.findIndex((worker) =>
      worker.lines().some((line) => line.taskId === taskId),
    );
    const { dataDir } = workers[home]!;
    await workers[home]!.kill();
    const view = await api.waitForTask(taskId, WITHIN_MS);
    const [first, ...others] = await queuesOf(taskId, activity);
    expect(first).to.include('home');
    expect(others, 'in the queue of all workers').to.deep.equal(['agent-tasks-sites']);
    const again = new Launched({ dataDir, env: { ...cluster.deployment.env, ROLE: 'worker' } });
    await again.ready(WITHIN_MS);
    workers[home] = again;
    return view;
  }

  /** One commit and one merge, under its address, and live if it is published. */
  async function expectDoneOnce(taskId: string, city: string, merges: number) {
    const count = async (...revisions: string[]) =>
      (await tasksIn(site.remote, ...revisions)).filter((id) => id === taskId).length;
    expect(await count('--all', '--no-merges'), 'commits').to.equal(1);
    expect(await count('--merges', 'main'), 'merges').to.equal(merges);
    const { status } = await api.request('GET', site.live(`/locations/${city.toLowerCase()}`));
    expect(status, 'live').to.equal(merges > 0 ? 200 : 404);
  }

  it('of commitChanges: another worker finds the commit', async () => {
    const gate = held('refs/agent-tasks/bg-', 'post-receive');
    const taskId = await site.create(citiesBody(['Aveiro']));
    await gate.arrived();
    const commit = git(site.remote, 'rev-parse', `refs/agent-tasks/${taskId}`);
    const view = await overTheDeathOf('commitChanges', taskId);
    gate.open();
    expect(outputOf(view).pagesCreated.map(({ slug }) => slug)).to.deep.equal([
      '/locations/aveiro',
    ]);
    expect(git(site.remote, 'rev-parse', `refs/agent-tasks/${taskId}`)).to.equal(commit);
    await expectDoneOnce(taskId, 'Aveiro', 0);
  });

  it('of publish: another worker finds the merge, tells its warnings, and puts it live', async () => {
    const gate = held('refs/agent-tasks/bg-');
    const taskId = await site.create(citiesBody(['Evora'], { publish: true, linkFrom: FROM }));
    await gate.arrived();
    site.push({ [file]: bare });
    const answer = held('refs/heads/main', 'post-receive');
    gate.open();
    await answer.arrived();
    const head = site.head();
    const { notes, pagesCreated } = outputOf(await overTheDeathOf('publish', taskId));
    answer.open();
    expect(pagesCreated[0]!.publishedUrl).to.include('/locations/evora');
    expect(notes?.map(({ text }) => text)).to.include(
      `/locations/evora: ${FROM} does not link to it: the blocks beside which the link was to stand are gone from there`,
    );
    expect(site.head()).to.equal(head);
    await expectDoneOnce(taskId, 'Evora', 1);
  });
});
