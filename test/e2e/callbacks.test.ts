import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import type { CallbackAttempt, CallbackDelivery } from '../../src/contract/callback.ts';
import type { TaskView } from '../../src/contract/task.ts';
import { type Delivery, type HttpReceiver, startHttpReceiver } from '../helpers/httpReceiver.ts';
import { answerOf } from '../helpers/operator.ts';
import { endServices, type Service, sharedService, startService } from '../helpers/service.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { connectTemporal } from '../helpers/temporalClient.ts';
import { until } from '../helpers/until.ts';

const bodyOf = ({ body }: Delivery) => JSON.parse(body) as Record<string, unknown>;
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

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
    service = await startService({ env: { CALLBACK_ALLOW_PRIVATE: 'true' } });
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
  const withoutTimes = ({ attempts }: CallbackDelivery) =>
    (attempts as (CallbackAttempt & { timestamp: number })[]).map(
      ({ at, timestamp, ...attempt }) => {
        expect(timestamp).to.equal(Math.floor(Date.parse(at) / 1_000));
        return attempt;
      },
    );
  const listedAs = async (taskId: string) => {
    const states = ['failed', 'pending', 'accepted'].map(async (callback) => {
      const { json } = await service.request(
        'GET',
        `/api/v1/agent/tasks?limit=100&callback=${callback}`,
      );
      return (json['tasks'] as { taskId: string }[]).some((task) => task.taskId === taskId)
        ? [callback]
        : [];
    });
    return (await Promise.all(states)).flat().join();
  };

  it('show each attempt, and are delivered again when asked: the same bytes under the same id', async () => {
    let up = false;
    const flaky = await receiverWith(() => (up ? 202 : 500));
    const body = {
      prompt: 'Change the headline of /about to "Again"',
      callbackUrl: flaky.url('/again'),
    };
    const { taskId } = await site.run(body);
    const redeliver = () =>
      service.request('POST', `/api/v1/agent/tasks/${taskId}/callback/redeliver`);
    expect((await redeliver()).json).to.deep.equal({ error: 'The callback is being delivered' });
    const error = `The callback to ${new URL(flaky.url('/')).origin} was answered with status 500, expected 2xx`;
    const answered = { status: 500, error };
    const isWaiting = async () => {
      const [delivery] = (await callbackOf(taskId)).deliveries;
      return delivery!.attempts.length === 2 && delivery!.nextAttemptAt !== undefined && delivery;
    };
    const waiting = await until('the wait for the third attempt', isWaiting, 120_000, 200);
    expect(waiting.state).to.equal('pending');
    expect(withoutTimes(waiting)).to.deep.equal([answered, answered]);
    expect(waiting.nextAttemptAt).to.match(isoTime);
    const untilNext = Date.parse(waiting.nextAttemptAt!) - Date.parse(waiting.attempts[1]!.at);
    expect(untilNext).to.be.within(10_000, 15_000);
    await closed(taskId);
    const { deliveries } = await callbackOf(taskId);
    expect(deliveries.map(({ state }) => state)).to.deep.equal(['failed']);
    expect(withoutTimes(deliveries[0]!)).to.deep.equal(Array(4).fill(answered));
    expect(deliveries[0]!.attempts[0]!.at).to.match(isoTime);
    expect(deliveries[0]).to.not.have.property('nextAttemptAt');

    await until('it to be listed as failed', async () => (await listedAs(taskId)) === 'failed');
    up = true;
    const { status, json } = await redeliver();
    expect([status, json]).to.deep.equal([202, { taskId }]);
    const delivered = await until('the redelivery', async () => {
      const [, second] = (await callbackOf(taskId)).deliveries;
      return second?.state === 'delivered' ? second : undefined;
    });
    expect(withoutTimes(delivered)).to.deep.equal([{ status: 202 }]);
    const arrived = await flaky.deliveries('/again', 5);
    expect(new Set(arrived.map(({ body }) => body)).size).to.equal(1);
    expect(new Set(arrived.map(({ headers }) => headers['webhook-id']))).to.deep.equal(
      new Set([taskId]),
    );

    await until('it to leave the failed ones', async () => (await listedAs(taskId)) === 'accepted');
    const { request, deliveries: all } = (
      await service.request('GET', `/api/v1/agent/tasks/${taskId}/callback`)
    ).json as {
      request: { origin: string; headers: Record<string, string>; body: string };
      deliveries: { requestedBy?: { name: string }; attempts: { timestamp: number }[] }[];
    };
    expect([request.body, request.origin]).to.deep.equal([
      arrived[0]!.body,
      new URL(flaky.url('/')).origin,
    ]);
    for (const { headers } of arrived) expect(headers).to.include(request.headers);
    const times = arrived.map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(times).to.deep.equal(
      all.flatMap(({ attempts }) => attempts.map(({ timestamp }) => timestamp)),
    );
    expect(
      all.map(({ attempts, requestedBy }) => [attempts.length, requestedBy?.name]),
    ).to.deep.equal([
      [4, undefined],
      [1, 'demo'],
    ]);
  });

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

  it('are not there for a task without one', async () => {
    const { taskId } = await site.run({ prompt: 'Change the headline of /about to "Quiet"' });
    const { status, json } = await service.request('GET', `/api/v1/agent/tasks/${taskId}/callback`);
    expect([status, json]).to.deep.equal([404, { error: 'Task has no callback' }]);
  });

  it('tell of a success with the pages of the status view, at the top level', async () => {
    await site.run(citiesBody(['Lisbon'], { publish: true }));
    const body = citiesBody(['Lisbon', 'Porto'], { publish: true });
    body.items[0]!.context = 'City: Lisbon\nHeadline: Again';
    const items = body.items.map((item) => ({ ...item, externalId: `row ${item.targetPageSlug}` }));
    const { view, delivery } = await runFor('/success?token=a%20b', { ...body, items });
    const { pagesCreated, pagesModified } = (view as Extract<TaskView, { status: 'completed' }>)
      .output;
    expect(
      [pagesCreated, pagesModified].map((pages) => pages.map(({ slug }) => slug)),
    ).to.deep.equal([['/locations/porto'], ['/locations/lisbon']]);
    const { timestamp, ...payload } = bodyOf(delivery);
    expect(payload).to.deep.equal({
      taskId: view.taskId,
      status: 'succeeded',
      pages: [...pagesCreated, ...pagesModified],
    });
    expect(timestamp).to.match(isoTime);
    expect(pagesCreated[0]).to.include({
      publishedUrl: site.live('/locations/porto'),
      externalId: 'row /locations/porto',
    });
    expect(delivery.method).to.equal('POST');
    expect(delivery.headers['content-type']).to.match(/^application\/json/);
  });

  it('tell of a failure with its message, and no pages', async () => {
    const { view, delivery } = await runFor('/failure', { prompt: 'Make it pop' });
    const { timestamp, ...payload } = bodyOf(delivery);
    const { errorMessage } = view as Extract<TaskView, { status: 'failed' }>;
    expect(payload).to.deep.equal({ taskId: view.taskId, status: 'failed', error: errorMessage });
    expect(timestamp).to.match(isoTime);
  });

  it('tell of a task that changed nothing with an empty list', async () => {
    const title = /<title>([^<]*)/.exec(site.source('pricing.html'))![1]!;
    const { delivery } = await runFor('/nothing', {
      prompt: `Change the title of /pricing to "${title}"`,
    });
    expect(bodyOf(delivery)).to.deep.include({ status: 'succeeded', pages: [] });
  });

  it("are signed with the organization's secret, so that any other body or secret is refused", async () => {
    const { view, delivery } = await runFor('/signed', { prompt: 'Make it pop' });
    const headers = Object.fromEntries(
      ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [
        name,
        String(delivery.headers[name]),
      ]),
    );
    expect(headers['webhook-id']).to.equal(view.taskId);
    expect(new Webhook(secret).verify(delivery.body, headers)).to.deep.equal(bodyOf(delivery));
    expect(() => new Webhook(secret).verify(`${delivery.body} `, headers)).to.throw(
      'No matching signature',
    );
    const other = `whsec_${Buffer.alloc(32).toString('base64')}`;
    expect(() => new Webhook(other).verify(delivery.body, headers)).to.throw(
      'No matching signature',
    );
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

  it('are not sent for a task whose callbackUrl is null', async () => {
    const view = await site.run({ prompt: 'Make it pop', callbackUrl: null });
    await closed(view.taskId);
    const client = await connectTemporal(service);
    const { events } = await client.workflow.getHandle(view.taskId).fetchHistory();
    const names = events!.map(
      (event) => event.activityTaskScheduledEventAttributes?.activityType?.name,
    );
    expect(names).to.include('agentStep').and.not.include('sendCallback');
    await client.connection.close();
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
    service = await sharedService();
    site = await TeamSite.register(service, 'guarded');
  });
  after(async function () {
    await endServices(this.currentTest);
    removeTeamSites();
  });

  for (const callbackUrl of [
    '',
    'done',
    'http://receiver.invalid/done',
    'ftp://receiver.invalid/done',
    'https://localhost/done',
    'https://sub.localhost./done',
    'https://127.0.0.1/done',
    'https://127.1:8443/done',
    'https://2130706433/',
    'https://0x7f.0.0.1/',
    'https://10.1.2.3/',
    'https://172.31.255.255/',
    'https://192.168.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://100.64.0.1/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[fd00::1]/',
    'https://[fe80::1]/',
    'https://printer.local/',
    'https://metadata.internal/',
    'https://intranet/',
    'https://user:password@receiver.invalid/',
    'https://receiver.invalid:0/',
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
