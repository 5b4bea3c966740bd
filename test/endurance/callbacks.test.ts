// Takes long: the 35 s of four attempts, and a service with the default settings for callbacks.
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import type { CallbackDelivery } from '../../src/contract/callback.ts';
import type { TaskView } from '../../src/contract/task.ts';
import { type Delivery, type HttpReceiver, startHttpReceiver } from '../helpers/httpReceiver.ts';
import { answerOf } from '../helpers/operator.ts';
import { endServices, type Service, sharedService, startService } from '../helpers/service.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { connectTemporal } from '../helpers/temporalClient.ts';
import { until } from '../helpers/until.ts';

const bodyOf = ({ body }: Delivery) => JSON.parse(body) as Record<string, unknown>;

describe('callbacks of a running service', function () {
  this.timeout(180_000);
  let service: Service;
  let receiver: HttpReceiver;
  let site: TeamSite;
  let secret: string;
  /** A task whose callback is refused. Its four attempts take 35 s, beside the other tests. */
  let broken: TaskView;
  before(async () => {
    receiver = await startHttpReceiver((path, n) =>
      path === '/broken' || (path === '/flaky' && n < 2) ? 500 : 204,
    );
    service = await sharedService();
    site = await TeamSite.register(service, 'callbacks');
    const owner = ['--organization', service.demo.organizationId];
    const shown = await answerOf(service.dataDir, 'organization', 'callback-secret', ...owner);
    secret = shown.callbackSecret as string;
    const change = {
      prompt: 'Change the headline of /about to "We"',
      callbackUrl: receiver.url('/broken'),
    };
    broken = await site.run(change);
  });
  const others: HttpReceiver[] = [];
  after(async function () {
    await Promise.all([receiver, ...others].map((opened) => opened?.close()));
    await endServices(this.currentTest);
    removeTeamSites();
  });

  /** A receiver of one test's own. */
  async function receiverWith(
    ...answer: Parameters<typeof startHttpReceiver>
  ): Promise<HttpReceiver> {
    const opened = await startHttpReceiver(...answer);
    others.push(opened);
    return opened;
  }

  /** Runs a task with a callback to the path. @returns its view and its first delivery */
  async function runFor(
    path: string,
    body: object,
  ): Promise<{ view: TaskView; delivery: Delivery }> {
    const view = await site.run({ ...body, callbackUrl: receiver.url(path) });
    return { view, delivery: (await receiver.deliveries(path, 1))[0]! };
  }

  /** Waits until the workflow has closed: then no attempt is left to come. */
  async function closed(taskId: string): Promise<void> {
    const client = await connectTemporal(service);
    await client.workflow
      .getHandle(taskId)
      .result()
      .catch(() => undefined);
    await client.connection.close();
  }

  const callbackOf = async (taskId: string) =>
    (await service.request('GET', `/api/v1/agent/tasks/${taskId}/callback`)).json as {
      deliveries: CallbackDelivery[];
    };

  it('are delivered again after a redelivery that an operator terminated: that one reads as failed', async () => {
    let answer = (_status: number) => {};
    const held = await receiverWith((_, n) =>
      n === 2 ? new Promise((resolve) => (answer = resolve)) : 204,
    );
    const body = {
      prompt: 'Change the headline of /about to "Ended"',
      callbackUrl: held.url('/held'),
    };
    const { taskId } = await site.run(body);
    await closed(taskId);
    const redeliver = async () =>
      (await service.request('POST', `/api/v1/agent/tasks/${taskId}/callback/redeliver`)).status;
    expect(await redeliver()).to.equal(202);
    await held.deliveries('/held', 2);
    const client = await connectTemporal(service);
    await client.workflow.getHandle(`${taskId}-callback-1`).terminate();
    await client.connection.close();
    answer(204);

    const states = async () => (await callbackOf(taskId)).deliveries.map(({ state }) => state);
    expect(await states()).to.deep.equal(['delivered', 'failed']);
    expect(await redeliver()).to.equal(202);
    await until('the redelivery', async () => (await states())[2] === 'delivered', 60_000, 200);
  });

  it('are tried four times, 5, 10 and 20 s after each other, with the same bytes, and leave the result as it is', async () => {
    const view = broken;
    expect(view.status).to.equal('completed');
    const attempts = await receiver.deliveries('/broken', 4, 120_000);
    const gaps = attempts.slice(1).map(({ at }, i) => at - attempts[i]!.at);
    for (const [i, least] of [5_000, 10_000, 20_000].entries())
      expect(gaps[i]).to.be.at.least(least - 50);
    for (const attempt of attempts) {
      expect(attempt.body).to.equal(attempts[0]!.body);
      expect(attempt.headers['webhook-id']).to.equal(view.taskId);
      new Webhook(secret).verify(attempt.body, attempt.headers as Record<string, string>);
    }
    await closed(view.taskId);
    expect(receiver.received('/broken')).to.have.length(4);
    const [kept] = (await callbackOf(view.taskId)).deliveries;
    const began = kept!.attempts.map(({ at }) => Date.parse(at));
    const keptGaps = began.slice(1).map((at, i) => at - began[i]!);
    for (const [i, least] of [5_000, 10_000, 20_000].entries())
      expect(keptGaps[i]).to.be.at.least(least - 50);
    expect(await service.readTask(view.taskId)).to.deep.equal(view);
  });

  it('end with the first 2xx', async () => {
    const { view } = await runFor('/flaky', { prompt: 'Make it pop' });
    await receiver.deliveries('/flaky', 2);
    await closed(view.taskId);
    expect(receiver.received('/flaky')).to.have.length(2);
  });

  it('tell of a cancel, and that none comes from publishing on', async () => {
    const client = await connectTemporal(service);
    const handle = (id: string) => client.workflow.getHandle(id);
    try {
      const gate = site.gate('refs/agent-tasks/');
      const cancelled = await site.create({
        ...citiesBody(['Ghent'], { publish: true }),
        callbackUrl: receiver.url('/cancelled'),
      });
      await gate.arrived();
      await handle(cancelled).cancel();
      const view = await service.waitForTask(cancelled);
      expect(view).to.include({ status: 'failed', errorMessage: 'Task was cancelled' });
      const [delivery] = await receiver.deliveries('/cancelled', 1);
      expect(bodyOf(delivery!)).to.include({ status: 'failed', error: 'Task was cancelled' });
      gate.open();
      await closed(cancelled);
      expect(site.files()).to.not.include('locations/ghent.html');

      const late = site.gate('refs/heads/main');
      const published = await site.create({
        ...citiesBody(['Bruges'], { publish: true }),
        callbackUrl: receiver.url('/late'),
      });
      await late.arrived();
      await handle(published).cancel();
      late.open();
      expect((await service.waitForTask(published)).status).to.equal('completed');
      expect(bodyOf((await receiver.deliveries('/late', 1))[0]!)).to.include({
        status: 'succeeded',
      });
    } finally {
      await client.connection.close();
    }
  });
});

describe('a callbackUrl on a service with default settings', function () {
  this.timeout(120_000);
  let service: Service;
  let site: TeamSite;
  before(async () => {
    service = await startService();
    site = await TeamSite.register(service, 'guarded');
  });
  after(async function () {
    await endServices(this.currentTest);
    removeTeamSites();
  });

  for (const callbackUrl of [
    '',
    'http://receiver.invalid/done',
    'https://localhost/done',
    'https://127.0.0.1/done',
    'https://10.1.2.3/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://intranet/',
    'https://northwind.sites.localhost/',
  ])
    it(`is refused as ${JSON.stringify(callbackUrl)}, and starts nothing`, async () => {
      const { status, json } = await service.postTask({
        siteId: site.siteId,
        prompt: 'Make it pop',
        callbackUrl,
      });
      expect({ status, json }).to.deep.equal({
        status: 400,
        json: { error: 'Invalid callback URL' },
      });
    });

  it('has left no task behind', async () => {
    await site.run({ prompt: 'Make it pop' });
    const client = await connectTemporal(service);
    const count = async () => (await client.workflow.count(`SiteId = "${site.siteId}"`)).count;
    await until('the one task that was accepted', async () => (await count()) > 0);
    expect(await count()).to.equal(1);
    await client.connection.close();
  });
});
