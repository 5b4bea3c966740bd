import { expect } from 'chai';
import { createPatiently } from './createPatiently.ts';
import { temporaryFolder } from './database.ts';
import { countsOf } from './demoHistory.ts';
import { type HttpReceiver, startHttpReceiver } from './httpReceiver.ts';
import { endServices, type Service, startService } from './service.ts';
import { citiesBody } from './team/site.ts';
import { connectTemporal } from './temporalClient.ts';
import { copyTemplate } from './template.ts';
import { until } from './until.ts';

export type Way = 'stop' | 'kill' | 'killAll';

export const ways: Record<Way, string> = {
  stop: 'SIGTERM',
  kill: 'kill -9 of the service alone',
  killAll: 'kill -9 of the service, the Temporal server and every git',
};

const WITHIN_MS = 240_000;
/** A kill comes so soon behind a step. */
export const SOON_MS = 50;

/**
 * For a suite: a service that `start` restarts on the same data folder, and checks of its tasks'
 * results.
 */
export function useInterrupted() {
  let folder: ReturnType<typeof temporaryFolder>;
  let receiver: HttpReceiver;
  let service: Service;
  /** @param settings environment variables, over those of all starts */
  const start = async (settings: Record<string, string> = {}) =>
    (service = await startService({
      dataDir: folder.path,
      env: { CALLBACK_ALLOW_PRIVATE: 'true', ...settings },
    }));

  before(async () => {
    folder = temporaryFolder();
    copyTemplate(folder.path);
    receiver = await startHttpReceiver((path, n) =>
      path.startsWith('/held') && n === 1 ? new Promise(() => {}) : 204,
    );
    await start();
  });
  afterEach(function () {
    if (this.currentTest?.isFailed()) console.error(service.launched.log());
  });
  after(async () => {
    await receiver?.close();
    await endServices();
    folder.remove();
  });

  async function create(city: string, path = `/${city}`): Promise<string> {
    const more = { publish: true, callbackUrl: receiver.url(path) };
    const body = citiesBody([city, `${city}-East`], more);
    const { status, text, json } = await createPatiently((key) => service.postTask(body, key));
    expect(status, text).to.equal(200);
    return json.taskId as string;
  }
  /** How often an activity of a task or a batch has ended in the running process. */
  const countPhases = (taskId: string, activity: string) =>
    service.launched
      .lines()
      .filter((line) => line['taskId'] === taskId && line['activity'] === activity).length;
  /** @param count how often the activity had ended before */
  const phaseDone = (taskId: string, activity: string, count = 0) => {
    const isDone = () => countPhases(taskId, activity) > count;
    return until(`the end of ${activity}`, isDone, WITHIN_MS, SOON_MS);
  };

  /** Waits until the task is over, its callback too, and looks at what it did to the site. */
  async function expectDoneOnce(taskId: string, city: string) {
    expect(await service.waitForTask(taskId)).to.include({ status: 'completed' });
    const client = await connectTemporal(service);
    await client.workflow.getHandle(taskId).result();
    await client.connection.close();
    expect(await countsOf(folder.path, [taskId])).to.deep.equal({ commits: 1, publishes: 1 });
    const live = `http://northwind.sites.localhost:${service.port}/locations/${city.toLowerCase()}`;
    expect((await service.request('GET', live)).text).to.contain(
      `Web design in ${city} that works`,
    );
  }

  /** Interrupts a new task behind one of its steps, goes on, and looks at what it did. */
  async function interrupt(way: Way, behind: string, city: string) {
    const taskId = await create(city);
    await phaseDone(taskId, behind);
    await service[way]();
    const cutInDelivery = way !== 'stop' && receiver.received(`/${city}`).length > 0;
    await start();
    await expectDoneOnce(taskId, city);
    const ids = receiver.received(`/${city}`).map(({ headers }) => headers['webhook-id']);
    expect([...new Set(ids)]).to.deep.equal([taskId]);
    if (!cutInDelivery) expect(ids).to.have.length(1);
  }

  return {
    start,
    create,
    countPhases,
    phaseDone,
    expectDoneOnce,
    interrupt,
    service: () => service,
    receiver: () => receiver,
    dataDir: () => folder.path,
  };
}
