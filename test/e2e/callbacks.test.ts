import { expect } from 'chai';
import type { CallbackAttempt, CallbackDelivery } from '../../src/contract/callback.ts';
import type { TaskView } from '../../src/contract/task.ts';
import { type Delivery, type HttpReceiver, startHttpReceiver } from '../helpers/httpReceiver.ts';
import { endServices, type Service, sharedService } from '../helpers/service.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { connectTemporal } from '../helpers/temporalClient.ts';
import { until } from '../helpers/until.ts';
import { BEING_DELIVERED } from '../../src/temporal/tasks/deliveries.ts';
import { callbackFailedError, unexpectedStatus } from '../../src/callbacks/callbackSender.ts';

const bodyOf = ({ body }: Delivery) => JSON.parse(body) as Record<string, unknown>;
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('callbacks of a running service', function () {
  this.timeout(180_000);
  let service: Service;
  let receiver: HttpReceiver;
  let site: TeamSite;
  before(async () => {
    receiver = await startHttpReceiver(() => 204);
    service = await sharedService();
    site = await TeamSite.register(service, 'callbacks');
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

  it('show each attempt, and are delivered again on request with the same bytes under the same ID', async () => {
    let up = false;
    const flaky = await receiverWith(() => (up ? 202 : 500));
    const body = {
      prompt: 'Change the headline of /about to "Again"',
      callbackUrl: flaky.url('/again'),
    };
    const { taskId } = await site.run(body);
    const redeliver = () =>
      service.request('POST', `/api/v1/agent/tasks/${taskId}/callback/redeliver`);
    expect((await redeliver()).json).to.deep.equal({ error: BEING_DELIVERED });
    const { message: error } = callbackFailedError(new URL(flaky.url('/')), unexpectedStatus(500));
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

  it('report a success with the pages of the status view, at the top level', async () => {
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
});
