// Takes long: everything is killed twice while twenty tasks run, and each start takes seconds.
import { expect } from 'chai';
import { countsOf } from '../helpers/demoHistory.ts';
import { useInterrupted } from '../helpers/kills.ts';
import { citiesBody } from '../helpers/team/site.ts';
import { connectTemporal } from '../helpers/temporalClient.ts';
import { until } from '../helpers/until.ts';

const TASKS = 20;
/** So many tasks are live when everything is killed, and killed once more. */
const KILL_AT = [1, 15];

describe('twenty tasks that publish to one site', function () {
  this.timeout(590_000);
  const { start, service, receiver, dataDir } = useInterrupted();

  /** Commits and publishes: tasks that wait at one site have theirs together. */
  const done = new Set<string>();
  const countDone = () => {
    for (const { activity, taskId } of service().launched.lines())
      if (activity === 'commitChanges' || activity === 'publish')
        done.add(`${activity} ${String(taskId)}`);
    return done.size;
  };
  const citiesOf = (task: number) =>
    Array.from({ length: 1 + (task % 3) }, (_, item) => `Town-${task}-${item}`);
  const delivered = () =>
    receiver()
      .received('/done')
      .map(({ headers }) => headers['webhook-id']);

  it('all complete once each, although everything was killed twice in the middle', async () => {
    const creations = Array.from({ length: TASKS }, (_, task) =>
      service().createTask(
        citiesBody(citiesOf(task), { publish: true, callbackUrl: receiver().url('/done') }),
      ),
    );
    const taskIds = await Promise.all(creations);
    const killedAt: number[] = [];
    for (const count of KILL_AT) {
      await until(`${count} commits and publishes`, () => countDone() >= count, 200_000, 20);
      await service().killAll();
      killedAt.push(countDone());
      await start();
    }
    expect(killedAt.at(-1), 'done before the last kill').to.be.below(2 * TASKS);

    const views = await Promise.all(
      taskIds.map((taskId) => service().waitForTask(taskId, 300_000)),
    );
    expect(views.filter(({ status }) => status !== 'completed')).to.deep.equal([]);
    const client = await connectTemporal(service());
    await Promise.all(taskIds.map((taskId) => client.workflow.getHandle(taskId).result()));
    await client.connection.close();

    const pages = views.flatMap((view) =>
      view.status === 'completed' ? view.output.pagesCreated : [],
    );
    const answers = await Promise.all(
      pages.map(({ publishedUrl }) => service().request('GET', publishedUrl!)),
    );
    const livePages = answers.filter(({ status }) => status === 200).length;
    const { commits, publishes } = await countsOf(dataDir(), taskIds);
    const callbacks = delivered().length;
    console.log(
      `      killed at ${killedAt.join(' and ')} of ${2 * TASKS} commits and publishes; ${commits} commits, ${publishes} publishes, ` +
        `${callbacks} callbacks for ${new Set(delivered()).size} tasks, ${livePages} live pages of ${pages.length}`,
    );
    expect({ commits, publishes }).to.deep.equal({ commits: TASKS, publishes: TASKS });
    for (const taskId of taskIds) {
      expect(await countsOf(dataDir(), [taskId])).to.deep.equal({ commits: 1, publishes: 1 });
    }
    expect(new Set(delivered())).to.deep.equal(new Set(taskIds));
    expect(livePages).to.equal(taskIds.reduce((sum, _, task) => sum + citiesOf(task).length, 0));
  });
});
