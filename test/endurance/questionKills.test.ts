// Takes long: a start after each of two kills.
import { expect } from 'chai';
import { questionOf } from '../../src/contract/task.ts';
import { temporaryFolder } from '../helpers/database.ts';
import { countsOf } from '../helpers/demoHistory.ts';
import { type HttpReceiver, startHttpReceiver } from '../helpers/httpReceiver.ts';
import { ways } from '../helpers/kills.ts';
import { type Asked, type ModelServer, startModelServer } from '../helpers/modelServer.ts';
import { call, turnsIn } from '../helpers/modelTurns.ts';
import { endServices, type Service, startService } from '../helpers/service.ts';
import { connectTemporal } from '../helpers/temporalClient.ts';
import { copyTemplate } from '../helpers/template.ts';
import { until } from '../helpers/until.ts';
import { outputOf } from '../helpers/views.ts';

/** A prompt task asks in its first turn, and finishes after an edit. */
const turns = [
  [call('ask', { question: 'What is our new name?' })],
  [call('replace_text', { from: 'Northwind', to: 'Southwind', slug: '/about' })],
  [call('finish', { summary: 'Renamed us' })],
];
/** One of two pages asks before it is written. */
const none = { texts: [], groups: [], links: [], ask: { question: '', options: [] } };
const pageAnswer = ({ messages }: Asked) =>
  messages[1]!.content.includes('"/team-') && messages.length === 2
    ? { ...none, ask: { question: 'Who is in the team?', options: ['Ana', 'Rui'] } }
    : { ...none, texts: [{ id: 's56', text: 'Meet us' }] };

/** A killed service's activities begin again a minute later, and take long on a busy machine. */
const WITHIN_MS = 300_000;

describe('a task that asks people', function () {
  this.timeout(2 * WITHIN_MS);
  let folder: ReturnType<typeof temporaryFolder>;
  let model: ModelServer;
  let receiver: HttpReceiver;
  let service: Service;
  const start = async () =>
    (service = await startService({
      dataDir: folder.path,
      env: {
        AGENT_MODEL: 'openai-compatible/scripted',
        AGENT_BASE_URL: model.url('openai-compatible'),
        CALLBACK_ALLOW_PRIVATE: 'true',
      },
    }));
  before(async () => {
    folder = temporaryFolder();
    copyTemplate(folder.path);
    receiver = await startHttpReceiver(() => 204);
    model = await startModelServer((asked) =>
      asked.tools.length > 0
        ? { calls: turns[turnsIn(asked)]! }
        : { text: JSON.stringify(pageAnswer(asked)) },
    );
    await start();
  });
  afterEach(function () {
    if (this.currentTest?.isFailed()) console.error(service.launched.log());
  });
  after(async () => {
    await endServices();
    await model?.close();
    await receiver?.close();
    folder.remove();
  });

  const calls = () => model.requests().filter(({ method }) => method === 'POST').length;
  const asks = (taskId: string) =>
    until('its question', async () => questionOf(await service.readTask(taskId)), WITHIN_MS);
  const answer = (taskId: string, text: string) =>
    service.client.tasks.answer(taskId, text, { questionId: 'q1' });

  /** A task of each kind that asks, with its question. */
  async function askingTasks(name: string) {
    const wish = (path: string) => ({
      ask: 'allowed' as const,
      callbackUrl: receiver.url(`/${path}-${name}`),
    });
    const prompt = await service.createTask({ prompt: 'Rename us', ...wish('prompt') });
    const pages = await service.createTask({
      command: 'generate_pages',
      templatePageSlug: '/about',
      items: ['team', 'crew'].map((slug) => ({
        targetPageSlug: `/${slug}-${name.toLowerCase()}`,
        context: 'Two people',
      })),
      ...wish('pages'),
    });
    await until(
      'the other page is written',
      async () => {
        const view = await service.readTask(pages);
        return view.status === 'running' && view.progress?.pages?.done === 1;
      },
      WITHIN_MS,
    );
    return { prompt, pages, questions: [await asks(prompt), await asks(pages)] };
  }

  /** Each came to one commit and one callback, and no call of the model was repeated. */
  async function expectDoneOnce(tasks: { prompt: string; pages: string }, name: string) {
    const client = await connectTemporal(service);
    for (const kind of ['prompt', 'pages'] as const) {
      outputOf(await service.waitForTask(tasks[kind], WITHIN_MS));
      await client.workflow.getHandle(tasks[kind]).result();
      expect(await countsOf(folder.path, [tasks[kind]])).to.deep.equal({
        commits: 1,
        publishes: 0,
      });
      const received = receiver.received(`/${kind}-${name}`);
      // the receiver's answer may come too late on a busy machine: then the same one is sent again
      expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).to.equal(1);
      expect(received[0]!.body).to.include('"succeeded"').and.not.include('question');
    }
    await client.connection.close();
  }

  it(`still asks after ${ways.killAll}, and loses no answer that was taken just before another`, async () => {
    const since = calls();
    const tasks = await askingTasks('killed');
    await service.killAll();
    await start();
    expect([await asks(tasks.prompt), await asks(tasks.pages)]).to.deep.equal(tasks.questions);
    expect(tasks.questions[1]!.pages).to.deep.equal(['/team-killed']);
    const count = calls() - since;
    expect(count, 'calls of the model, with the look at its address').to.be.within(3, 4);
    await answer(tasks.prompt, 'Southwind');
    await answer(tasks.pages, 'Ana');
    await service.killAll();
    await start();
    await expectDoneOnce(tasks, 'killed');
  });
});
