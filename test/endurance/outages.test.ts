// Takes long: the Temporal server hangs, is killed, and ends again and again until the service
// gives up.
import { expect } from 'chai';
import { TASK_WORKFLOW } from '../../src/contract/task.ts';
import { unexpectedExit } from '../../src/temporal/server/devServer.ts';
import { restartWarning } from '../../src/temporal/server/supervisor.ts';
import { processesOf, signal } from '../helpers/processes.ts';
import { countsOf } from '../helpers/demoHistory.ts';
import { endServices, type Service, startService } from '../helpers/service.ts';
import { citiesBody } from '../helpers/team/site.ts';
import { connectTemporal } from '../helpers/temporalClient.ts';
import { until } from '../helpers/until.ts';

describe('if the Temporal server', function () {
  this.timeout(300_000);
  let service: Service;
  before(async () => (service = await startService()));
  afterEach(function () {
    if (this.currentTest?.isFailed()) console.error(service.launched.log());
  });
  after(() => endServices());

  const logOf = ({ dataDir }: Service) => `${dataDir}/temporal.log`;
  const isReady = async () => (await service.request('GET', '/readyz')).status === 200;
  const restarted = (pid: number) =>
    until(
      'another Temporal server',
      async () => service.temporalPid !== pid && (await isReady()),
      120_000,
    );

  it('hangs, a creation fails within 5 s, and no task of these requests works afterwards (wall time)', async () => {
    signal(service.temporalPid, 'SIGSTOP');
    const replies = await Promise.all(
      ['Rome', 'Milan', 'Pisa'].map(async (city) => {
        const began = performance.now();
        const { status, json } = await service.postTask(citiesBody([city]));
        return { status, json: json as unknown, late: performance.now() - began > 5_000 };
      }),
    ).finally(() => signal(service.temporalPid, 'SIGCONT'));
    const failure = { status: 500, json: { error: 'Failed to start task' }, late: false };
    expect(replies).to.deep.equal([failure, failure, failure]);

    await until('the server to go on', isReady);
    const taskId = await service.createTask(citiesBody(['Siena']));
    expect(await service.waitForTask(taskId)).to.include({ status: 'completed' });
    const client = await connectTemporal(service);
    const left: string[] = [];
    for await (const { workflowId, status } of client.workflow.list({
      query: `WorkflowType = '${TASK_WORKFLOW}'`,
    }))
      if (workflowId !== taskId && status.name !== 'TERMINATED')
        left.push(`${workflowId} ${status.name}`);
    await client.connection.close();
    expect(left).to.deep.equal([]);
    const workers = service.launched
      .lines()
      .filter((line) => line.activity !== undefined && line.taskId !== undefined);
    expect(workers.filter((line) => line.taskId !== taskId)).to.deep.equal([]);
  });

  it('is killed, it is started again, and the running task completes once', async () => {
    const pid = service.temporalPid;
    const taskId = await service.createTask(citiesBody(['Bari', 'Lecce'], { publish: true }));
    await until('the work to begin', () =>
      service.launched
        .lines()
        .some((line) => line.taskId === taskId && line.activity === 'readSite'),
    );
    signal(pid, 'SIGKILL');
    await restarted(pid);
    expect(await service.waitForTask(taskId)).to.include({ status: 'completed' });
    expect(await countsOf(service.dataDir, [taskId])).to.deep.equal({ commits: 1, publishes: 1 });
    const said = service.launched
      .lines()
      .filter(({ msg }) => String(msg).startsWith('The Temporal server'));
    expect(said.map(({ level, msg }) => `${level}: ${msg}`)).to.deep.equal([
      `error: ${restartWarning(unexpectedExit('SIGKILL', logOf(service)))}`,
    ]);
  });

  it('ends again and again, the service exits with code 1 and one line that says why, and leaves no process', async () => {
    const killed = new Set<number>();
    await until(
      'the end of the service',
      () => {
        const pid = service.temporalPid;
        if (pid !== undefined && !killed.has(pid)) signal(pid, 'SIGKILL');
        killed.add(pid);
        return service.launched.hasEnded();
      },
      120_000,
    );
    expect(await service.launched.ended).to.deep.equal({ code: 1, signal: null });
    await until('the end of every process', () => processesOf(service.dataDir).length === 0);
    const [, said] = service.launched.stderr.split(/^$/m).slice(-1)[0]!.split('\n');
    expect(said).to.match(/^The Temporal server exited /);
    expect(service.launched.stderr).to.not.match(/^\s+at /m);
  });
});
