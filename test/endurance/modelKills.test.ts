// Takes long: a start after each kill, and a real Temporal server that limits how many calls of a
// model begin.
import { expect } from 'chai';
import { temporaryFolder } from '../helpers/database.ts';
import { countsOf } from '../helpers/demoHistory.ts';
import { ways, type Way } from '../helpers/kills.ts';
import {
  type ModelRequest,
  type ModelServer,
  type Reply,
  startModelServer,
} from '../helpers/modelServer.ts';
import { processesOf } from '../helpers/processes.ts';
import { endServices, type Service, startService } from '../helpers/service.ts';
import { connectTemporal } from '../helpers/temporalClient.ts';
import { copyTemplate } from '../helpers/template.ts';
import { until } from '../helpers/until.ts';

const KEY = 'sk-KEY-OF-THE-MODEL-71c0';
const MODEL = 'openai-compatible/scripted';
const replace = (from: string, to: string, slug: string) => ({
  name: 'replace_text',
  arguments: { from, to, slug },
});
const usage = { prompt_tokens: 100, completion_tokens: 10 };

/**
 * What the model says after so many turns of its own. The second finish is the first one that
 * passes the checks.
 */
const turns = [
  [replace('Northwind', 'Southwind', '/about')],
  [replace('Northwind', '[Your name]', '/pricing')],
  [{ name: 'finish', arguments: { summary: 'Renamed it' } }],
  [replace('[Your name]', 'Southwind', '/pricing')],
  [{ name: 'finish', arguments: { summary: '**Renamed** it' } }],
];
const turnOf = ({ messages }: Pick<ModelRequest, 'messages'>) =>
  messages.filter(({ role }) => role === 'assistant').length;
/** The call of the model that a request is: the turn that it asks for. */
const callOf = (body: string) => turnOf(JSON.parse(body) as Pick<ModelRequest, 'messages'>);

describe('a task of a language model', function () {
  this.timeout(300_000);
  let folder: ReturnType<typeof temporaryFolder>;
  let model: ModelServer;
  let service: Service;
  /** How the script answers now; the turns above where it gives nothing. */
  let instead: (asked: ModelRequest) => Reply | undefined = () => undefined;

  const start = async () =>
    (service = await startService({
      dataDir: folder.path,
      env: {
        AGENT_MODEL: MODEL,
        AGENT_BASE_URL: model.url('openai-compatible'),
        AGENT_API_KEY: KEY,
      },
    }));
  before(async () => {
    folder = temporaryFolder();
    copyTemplate(folder.path);
    model = await startModelServer(
      (asked) => instead(asked) ?? { calls: turns[turnOf(asked)]!, usage },
    );
    await start();
  });
  afterEach(function () {
    instead = () => undefined;
    if (this.currentTest?.isFailed()) console.error(service.launched.log());
  });
  after(async () => {
    await endServices();
    await model?.close();
    folder.remove();
  });

  it("has a key that is only in the service's process, and in no log", async () => {
    await service.waitForTask(await prompt('with a key'));
    // of its command line and environment: those of git and all other programs that were started
    // are among them
    expect(processesOf(KEY).map(({ pid }) => pid)).to.deep.equal([service.launched.pid]);
    expect(processesOf(folder.path).length).to.be.above(1);
    expect(calls().at(-1)!.headers.authorization).to.equal(`Bearer ${KEY}`);
    expect(service.launched.log()).to.not.include(KEY);
  });

  /** Requests to the model. At each start the service also looks whether the address answers. */
  const calls = () => model.requests().filter(({ method }) => method === 'POST');
  const called = (count: number) =>
    until(`${count} calls of the model`, () => calls().length >= count);
  const prompt = (n: string) => service.createTask({ prompt: `Rename us, please (${n})` });
  const stepsDone = (taskId: string, activity: string, count: number) =>
    until(`${count} of ${activity}`, () => {
      const lines = service.launched
        .lines()
        .filter((line) => line.taskId === taskId && line.activity === activity);
      return lines.length >= count;
    });

  /**
   * Its history tells that all turns are kept; the log tells of a step before Temporal knows its
   * end.
   */
  async function commitGiven(taskId: string) {
    const { workflow, connection } = await connectTemporal(service);
    await until('the commit in the history', async () => {
      const { events } = await workflow.getHandle(taskId).fetchHistory();
      const names = events?.map(
        ({ activityTaskScheduledEventAttributes: step }) => step?.activityType?.name,
      );
      return names?.includes('commitChanges');
    });
    await connection.close();
  }

  /** What a task came to, and what the model was asked for it. */
  async function expectDoneOnce(taskId: string, since: number) {
    const view = await service.waitForTask(taskId);
    expect(view).to.include({ status: 'completed' });
    expect(await countsOf(folder.path, [taskId])).to.deep.equal({ commits: 1, publishes: 0 });
    const bodies = calls()
      .slice(since)
      .map(({ body }) => body);
    const byCall = Map.groupBy(bodies, callOf);
    const repeated = bodies.length - byCall.size;
    expect(repeated, 'calls that were repeated').to.be.at.most(1);
    for (const [call, same] of byCall)
      expect(new Set(same).size, `bytes of call ${call}`).to.equal(1);
    expect([...byCall.keys()].sort()).to.deep.equal(turns.map((_, i) => i));
    return { view, repeated };
  }
  const moments: [
    title: string,
    way: Way,
    (taskId: string, since: number) => Promise<unknown>,
    repeated: number,
  ][] = [
    ['in a call of the model', 'killAll', (_, since) => called(since + 2), 1],
    ['between turns', 'kill', (taskId) => stepsDone(taskId, 'runAgentTurn', 2), 1],
    ['at the commit', 'kill', commitGiven, 0],
    ['behind the commit', 'killAll', (taskId) => stepsDone(taskId, 'commitChanges', 1), 0],
  ];
  for (const [i, [title, way, moment, most]] of moments.entries())
    it(`continues after ${ways[way]} ${title}: one commit, the same bytes, and at most one repeated call`, async () => {
      const since = calls().length;
      let isHeld = title.includes('in a call');
      instead = (asked) => {
        if (!isHeld || turnOf(asked) !== 1) return undefined;
        isHeld = false;
        return 'hang';
      };
      const taskId = await prompt(`${i}`);
      await moment(taskId, since);
      await service[way]();
      await start();
      const { view, repeated } = await expectDoneOnce(taskId, since);
      expect(repeated).to.be.at.most(most);
      const { summary, usage: used } = view.status === 'completed' ? view.output : {};
      console.log(`      ${repeated} calls repeated; ${summary}; ${JSON.stringify(used)}`);
    });
});
