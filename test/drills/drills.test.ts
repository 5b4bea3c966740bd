// Every drill of docs/operations.md, on a cluster that works meanwhile. Killed workers
// count as dead after 45 s.
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { readBuildId } from '../../src/temporal/worker/workerBuild.ts';
import { backUp, operateOn, startCluster } from '../helpers/cluster.ts';
import { temporaryFolder } from '../helpers/database.ts';
import { tasksIn } from '../helpers/demoHistory.ts';
import {
  DrillCluster,
  type ProcessName,
  processNames,
  secretsKey,
  stopInOrder,
} from '../helpers/drillCluster.ts';
import { DrillLoad } from '../helpers/drills.ts';
import { type HttpReceiver, startHttpReceiver } from '../helpers/httpReceiver.ts';
import { operateWith } from '../helpers/operator.ts';
import { addMigration, copyOtherCode } from '../helpers/otherCode.ts';
import { freePorts } from '../helpers/ports.ts';
import { needProgram } from '../helpers/programs.ts';
import { type Prometheus, startPrometheus } from '../helpers/prometheus.ts';
import { endServices, Service } from '../helpers/service.ts';
import {
  type PrivateRepository,
  startPrivateRepository,
} from '../helpers/team/privateRepository.ts';
import { removeTeamSites, smallPages, TeamSite } from '../helpers/team/site.ts';
import { until } from '../helpers/until.ts';

const WITHIN_MS = 300_000;
const [OLD_KEY, NEW_KEY] = [secretsKey('old'), secretsKey('new')];
const TOKEN = 'token-of-the-team';
const DISK_FULL = 'DISK_FULL';

describe('the drills of docs/operations.md, on two API processes and two workers', function () {
  this.timeout(2 * WITHIN_MS);
  const resources = new AsyncDisposableStack();
  const newCode = resources.adopt(temporaryFolder(), (folder) => folder.remove()).path;
  const table: string[] = [];
  const metricsPorts = {} as Record<ProcessName, number>;
  let drills: DrillCluster;
  let receiver: HttpReceiver;
  let prometheus: Prometheus;
  let privateRepository: PrivateRepository;
  let privateSiteId: string;
  let site: TeamSite;
  let load: DrillLoad;

  before(async function () {
    this.timeout(3_600_000); // the first run builds Temporal's server
    for (const name of ['PostgreSQL', 'Prometheus', 'bubblewrap'] as const) needProgram(this, name);
    const cluster = await startCluster();
    resources.defer(() => cluster.stop());
    if (!cluster.temporal.isOnPostgres) this.skip();
    receiver = await startHttpReceiver(() => 204);
    resources.defer(() => receiver.close());
    copyOtherCode(newCode);
    privateRepository = await startPrivateRepository(TOKEN);
    resources.defer(() => privateRepository.close());
    drills = new DrillCluster(cluster, { ...privateRepository.env, SECRETS_KEYS: OLD_KEY });
    resources.defer(() => drills.removeFolders());
    const ports = await freePorts(processNames.length);
    for (const [i, name] of processNames.entries()) metricsPorts[name] = ports[i]!;
    await createOwner();
    await Promise.all(processNames.map((name) => drills.start(name, { env: metricsOf(name) })));
    await registerSites();
    const folder = resources.adopt(temporaryFolder(), (made) => made.remove());
    const targets = ports.map((port) => `127.0.0.1:${port}`);
    prometheus = await startPrometheus(folder.path, ...targets);
    resources.defer(() => prometheus.stop());
    load = new DrillLoad({ apis: () => Object.values(drills.apis), site, receiver });
    load.start();
    await load.untilWorking();
  });
  after(async function () {
    console.log(table.map((row) => `      ${row}`).join('\n'));
    await load?.stop().catch(() => undefined);
    await endServices(this.currentTest);
    await resources.disposeAsync();
    removeTeamSites();
  });

  const metricsOf = (name: ProcessName) => ({
    METRICS_ADDRESS: `127.0.0.1:${metricsPorts[name]}`,
  });
  const createOwner = () =>
    operateOn(drills.cluster.deployment, async (command) => {
      Object.assign(drills.owner, await command('organization create', { name: 'Acme' }));
      const key = { organization: drills.owner.organizationId, role: 'admin', name: 'drills' };
      Object.assign(drills.owner, await command('key create', key));
    });
  async function registerSites(): Promise<void> {
    site = new TeamSite(drills.apis.api1, 'drills', smallPages);
    await operateOn(drills.cluster.deployment, async (command) => {
      const { name, remote: repository } = site;
      const organization = drills.owner.organizationId;
      site.siteId = (await command('site create', { organization, name, repository })).siteId!;
    });
    const credential = { type: 'token', token: TOKEN };
    const repository = { url: privateRepository.url, credential };
    const added = await post('/api/v1/sites', { name: 'Private', repository });
    privateSiteId = added.siteId as string;
  }

  /** Registers a drill, and measures the time from its call of `begin` until all works again. */
  function drill(name: string, run: (begin: () => void) => Promise<string>): void {
    it(name, async () => {
      load.takeReport();
      let began = performance.now();
      const seen = await run(() => (began = performance.now()));
      await drills.untilReady();
      await load.untilWorking();
      const seconds = Math.round((performance.now() - began) / 1_000);
      const { created, repeated, statuses, longestMs } = load.takeReport();
      const answers = repeated === 0 ? '' : ` (${[...statuses].sort().join(', ')})`;
      const longest = Math.round(longestMs / 1_000);
      const clients = `${created} tasks created, ${repeated} requests repeated${answers}, longest ${longest} s`;
      table.push(`${name} | ${seconds} s | ${seen} | ${clients}`);
      console.log(`      ${table.at(-1)}`);
    });
  }

  const post = async (path: string, body: object, api: Service = drills.apis.api1) => {
    const { status, text, json } = await api.request('POST', path, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(status, text).to.be.within(200, 201);
    return json as Record<string, unknown>;
  };
  const untilPending = (alert: string) =>
    until(
      `${alert} to be pending`,
      async () => (await prometheus.alertStates()).get(alert) === 'pending',
    );
  const valueOf = async (expr: string) => Number((await prometheus.query(expr))[0]?.value[1]);
  const workersOf = async (build: string) =>
    (await drills.listVersions()).versions.find((version) => version.build === build)?.workers;
  /** Publishes a page of the site whose repository needs the stored credential. */
  async function usePrivateSite(headline: string): Promise<void> {
    const prompt = `Change the headline of /pricing to "${headline}"`;
    const api = drills.apis.api1;
    const taskId = await api.createTask({ siteId: privateSiteId, prompt, publish: true });
    expect(await api.waitForTask(taskId, WITHIN_MS)).to.include({ status: 'completed' });
    expect(privateRepository.place.show('pricing.html')).to.contain(headline);
  }
  /** What an API process says while a store is lost, and what still works. */
  async function lookAtOutage(part: 'database' | 'temporal') {
    const refusals = () => valueOf('sum(agent_tasks_refused_requests_total)');
    const before = (await refusals()) || 0;
    const checks = await until(`${part} to be missing`, async () => {
      const { status, checks } = await drills.readinessOf('api1');
      return status === 'unavailable' && checks[part] !== true && checks;
    });
    expect(checks[part]).to.equal('did not answer');
    const { status } = await drills.apis.api2.request('GET', '/healthz');
    expect(status).to.equal(200);
    await until('refused requests', async () => (await refusals()) > before);
    const live = await drills.apis.api1.request('GET', site.live('/'));
    return { checks: JSON.stringify(checks), live: live.status };
  }

  drill('scale-out', async (begin) => {
    begin();
    const { deployment } = drills.cluster;
    const third = await deployment.startWorker(drills.settings);
    const current = await readBuildId();
    await until('the third worker', async () => (await workersOf(current)) === 3);
    await load.untilWorking();
    const completed = third.lines().filter(({ msg }) => msg === 'activity completed');
    expect(await stopInOrder(third)).to.deep.equal({ code: 0, signal: null });
    expect(await workersOf(current)).to.equal(2);
    return `worker list: 3 workers, ${completed.length} activities`;
  });

  drill('loss of a worker', async (begin) => {
    const gate = site.gate('refs/agent-tasks/');
    await gate.arrived();
    const { dataDir } = drills.workers.worker1;
    begin();
    await drills.workers.worker1.kill();
    gate.open();
    await untilPending('AgentTasksDown');
    expect(await drills.readinessOf('api1')).to.include({ status: 'ready' });
    await drills.start('worker1', { dataDir, env: metricsOf('worker1') });
    return 'AgentTasksDown';
  });

  drill('loss of Temporal', async (begin) => {
    let seen = { checks: '', live: 0 };
    await drills.cluster.temporal.restart(async () => {
      begin();
      seen = await lookAtOutage('temporal');
    });
    expect(seen.live).to.equal(200);
    return seen.checks;
  });

  drill('loss of PostgreSQL', async (begin) => {
    let seen = { checks: '', live: 0 };
    await drills.cluster.postgres.restart(async () => {
      begin();
      seen = await lookAtOutage('database');
    });
    return `${seen.checks}, live ${seen.live}`;
  });

  drill('loss of a disk', async (begin) => {
    begin();
    await Promise.all([drills.lose('api2'), drills.lose('worker2')]);
    await untilPending('AgentTasksDown');
    for (const name of ['api2', 'worker2'] as const)
      await drills.start(name, { isOnSmallDisk: true, env: metricsOf(name) });
    const live = await drills.apis.api2.request('GET', site.live('/'));
    expect(live.status).to.equal(200);
    return 'AgentTasksDown';
  });

  drill('a full disk', async (begin) => {
    begin();
    const removals = [drills.fillDisk('api2'), drills.fillDisk('worker2')];
    const { checks } = await until('the disk at /readyz', async () => {
      const readiness = await drills.readinessOf('api2');
      return readiness.status === 'unavailable' && readiness;
    });
    expect(checks.disk).to.match(
      /^The disk of DATA_DIR is nearly full: less than \d+ MiB are free$/,
    );
    await untilPending('AgentTasksDiskNearlyFull');
    await until(
      'a refused request',
      async () =>
        (await valueOf(`sum(agent_tasks_refused_requests_total{code="${DISK_FULL}"})`)) > 0,
    );
    for (const remove of removals) remove();
    const failed = drills.workers.worker2.lines().filter(({ msg }) => msg === 'activity failed');
    return `${String(checks.disk)}; ${failed.length} ${JSON.stringify(failed[0])}`;
  });

  drill('upgrade', async (begin) => {
    await prometheus.stop();
    const builds = [await readBuildId(), await readBuildId(newCode)] as const;
    drills.settings.SECRETS_KEYS = `${OLD_KEY},${NEW_KEY}`;
    begin();
    await replaceAll(builds, newCode);
    return `worker list: current ${builds[1]}`;
  });

  drill('rollback', async (begin) => {
    const builds = [await readBuildId(newCode), await readBuildId()] as const;
    drills.settings.SECRETS_KEYS = `${NEW_KEY},${OLD_KEY}`;
    begin();
    await replaceAll(builds);
    return `worker list: current ${builds[1]}`;
  });

  /** Starts processes of a build next to those of another one, which it then stops. */
  async function replaceAll([from, to]: readonly [string, string], code?: string): Promise<void> {
    const replaced = processNames.map((name) => drills.launched(name));
    expect(await operate('temporal', 'setup')).to.have.keys('namespace');
    await Promise.all(
      processNames.map((name) => drills.start(name, code === undefined ? {} : { code })),
    );
    expect(await drills.listVersions()).to.deep.include({ current: from });
    expect(await operate('worker', 'promote', '--build', to)).to.deep.equal({
      current: to,
      ramping: null,
    });
    for (const launched of replaced)
      expect(await stopInOrder(launched)).to.deep.equal({ code: 0, signal: null });
    expect(await workersOf(to)).to.equal(2);
  }
  const operate = (...words: string[]) => drills.cluster.deployment.answerOf(...words);

  drill('key rotation', async (begin) => {
    const { deployment } = drills.cluster;
    const secret = () =>
      operate('organization', 'callback-secret', '--organization', drills.owner.organizationId);
    const before = String((await secret()).callbackSecret);
    begin();
    const { path } = temporaryFolderFor();
    const rotated = await operateWith(
      { ...deployment.env, ...drills.settings },
      path,
      'secrets',
      'rotate',
    );
    expect(JSON.parse(rotated.stdout)).to.deep.equal({ rotated: 1 });
    const { callbackSecret } = await post('/api/v1/callback-secret/rotate', {});
    await rotateApiKey();
    const count = receiver.received('/drills').length;
    await load.untilWorking();
    const last = receiver.received('/drills').slice(count).at(-1)!;
    for (const one of [before, String(callbackSecret)])
      new Webhook(one).verify(last.body, last.headers as Record<string, string>);
    await usePrivateSite('Rotated');
    return rotated.stdout.trim();
  });
  const temporaryFolderFor = () => resources.adopt(temporaryFolder(), (folder) => folder.remove());

  /** Gives the clients a new API key, and ends the old one. */
  async function rotateApiKey(): Promise<void> {
    const { apis, owner } = drills;
    const { json } = await apis.api1.request('GET', '/api/v1/keys');
    const [{ keyId }] = json.keys as [{ keyId: string }];
    const old = apis.api1;
    owner.apiKey = String((await post(`/api/v1/keys/${keyId}/rotate`, {})).apiKey);
    for (const name of ['api1', 'api2'] as const)
      apis[name] = new Service(
        apis[name].dataDir,
        { ...apis[name].demo, apiKey: owner.apiKey },
        apis[name].launched,
      );
    const statusOf = async (api: Service) => (await api.request('GET', '/api/v1/sites')).status;
    expect([await statusOf(old), await statusOf(apis.api1)]).to.deep.equal([200, 200]);
    await apis.api1.request('DELETE', `/api/v1/keys/${keyId}`);
    expect([await statusOf(old), await statusOf(apis.api1)]).to.deep.equal([401, 200]);
  }

  it('lose no task, double no commit, and deliver every callback', async () => {
    await load.stop();
    await expectAllDoneOnce();
    const bodies = new Set(
      receiver
        .received('/drills')
        .map(({ headers, body }) => `${String(headers['webhook-id'])} ${body}`),
    );
    expect(bodies.size).to.equal(load.tasks.length);
    console.log(
      `      ${load.tasks.length} tasks, ${receiver.received('/drills').length} callbacks`,
    );
    load.start();
  });
  async function expectAllDoneOnce(): Promise<void> {
    const ids = load.tasks.map(({ taskId }) => taskId);
    expect(new Set(ids).size).to.equal(ids.length);
    expect(ids.filter((taskId) => !load.finished().has(taskId))).to.deep.equal([]);
    for (const taskId of ids)
      expect(await drills.apis.api1.readTask(taskId)).to.include({ status: 'completed' });
    const commits = await tasksIn(site.remote, '--all', '--no-merges');
    expect(commits.sort()).to.deep.equal(ids.toSorted());
    const published = await tasksIn(site.remote, '--first-parent', 'main');
    const wanted = load.tasks.flatMap(({ publish, taskId }) => (publish ? taskId : []));
    expect(published.sort()).to.deep.equal(wanted.sort());
  }

  drill('rollback after a migration, by a restore', async (begin) => {
    const backup = await backUp(drills.cluster);
    resources.defer(() => backup.remove());
    const saved = load.tasks.length;
    addMigration(newCode, '002_drill');
    const before = drills.launched('api1');
    await drills.start('api1', { code: newCode });
    await stopInOrder(before);
    await load.untilWorking();
    await load.stop();
    begin();
    for (const name of processNames) await drills.stop(name);
    const refused = drills.cluster.deployment.launch('api', drills.settings);
    await until('its end', () => refused.hasEnded());
    const said = refused.stderr.trim().split('\n').at(-1)!;
    expect(said).to.equal(
      'A later version of the service has migrated the database (002_drill). Start that version, or restore a backup from before the upgrade',
    );
    await endServices(); // Temporal too
    await drills.cluster.stop();
    // the other key is not needed any more
    drills.settings.SECRETS_KEYS = drills.settings.SECRETS_KEYS!.split(',')[0]!;
    drills.cluster = await startCluster({ backup });
    resources.defer(() => drills.cluster.stop());
    await Promise.all(processNames.map((name) => drills.start(name)));
    await drills.untilReady();
    const unknown = [];
    for (const task of load.tasks) {
      const status = await until(`an answer about task ${task.number}`, async () => {
        const reply = await drills.apis.api1.request('GET', `/api/v1/agent/tasks/${task.taskId}`);
        return reply.status < 500 && reply.status;
      });
      if (status === 404) unknown.push(task);
    }
    expect(
      unknown.every(({ number }) => number >= saved),
      'no task of the backup is lost',
    ).to.equal(true);
    for (const task of unknown) expect(await load.send(task)).to.equal(task.taskId);
    const failed = await untilCreatedAgain(unknown.map(({ taskId }) => taskId));
    const published = await tasksIn(site.remote, '--first-parent', 'main');
    expect(new Set(published).size, 'nothing is published twice').to.equal(published.length);
    await usePrivateSite('Restored');
    load.start();
    return `${load.tasks.length} tasks, ${unknown.length} unknown, ${failed} created anew`;
  });

  /**
   * Waits for tasks that were created again after a restore. A task whose commit from before the
   * restore has an outdated parent fails, and a retry creates it anew. @returns how many failed
   */
  async function untilCreatedAgain(taskIds: string[]): Promise<number> {
    const api = drills.apis.api1;
    let failed = 0;
    for (const taskId of taskIds) {
      const view = await api.waitForTask(taskId, WITHIN_MS);
      if (view.status === 'completed') continue;
      failed++;
      expect(view)
        .to.have.property('errorMessage')
        .that.includes('points to a commit with another parent');
      const again = await post(`/api/v1/agent/tasks/${taskId}/retry`, {}, api);
      const retried = await api.waitForTask(String(again.taskId), WITHIN_MS);
      expect(retried).to.include({ status: 'completed' });
    }
    return failed;
  }
});
