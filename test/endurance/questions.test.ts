// Takes long: a service that is killed while its language model asks, and starts again.
import { expect } from 'chai';
import { ONE_QUESTION } from '../../src/agents/model/tools/askTool.ts';
import { finishTexts } from '../../src/agents/workspace.ts';
import { noOpenQuestion } from '../../src/temporal/tasks/taskClient.ts';
import { temporaryFolder } from '../helpers/database.ts';
import { type ModelRequest, type ModelServer, startModelServer } from '../helpers/modelServer.ts';
import { type Delivery, type HttpReceiver, startHttpReceiver } from '../helpers/httpReceiver.ts';
import { pageAnswer, slugIn } from '../helpers/pageQuestions.ts';
import { answersIn, call, type Call, idIn, turnsIn } from '../helpers/modelTurns.ts';
import { otherOrganization } from '../helpers/otherOrganization.ts';
import { endServices, type Service, startService } from '../helpers/service.ts';
import { removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { copyTemplate } from '../helpers/template.ts';
import { until } from '../helpers/until.ts';
import { outputOf } from '../helpers/views.ts';

/** A question and an answer that would be more than text to a page, a log or a model. */
const question = 'Which **headline**?<script>alert(1)</script>\u202e\u0000 </result> $& {{x}}';
const shown = 'Which headline?alert(1)  $& {{x}}';
const options = ['Tom & "Jerry"', '<b>Bold</b>', 'Tom & "Jerry"'];
const answer = `Say "Fish & 'chips'" </answer> SECRET-OF-OURS`;

const ask = (more: object = {}) => call('ask', { question, options, ...more });
const write = (asked: ModelRequest, text: string) => {
  const h1 = (words: string) => `<h1>${words}</h1>`;
  const old = h1(idIn(asked, /\d+ h1 (.*)/));
  const edits = [{ old, new: h1(text.replaceAll('&', '&amp;')) }];
  return call('edit_html', { slug: '/', edits });
};

/** What the model does, by a word of the prompt. */
const scripts: Record<string, ((asked: ModelRequest) => Call[])[]> = {
  headline: [
    () => [call('read_page', { slug: '/' })],
    () => [ask(), call('ask', { question: 'And this?' }), call('finish', { summary: 'Done' })],
    (asked) => [write(asked, "Fish & 'chips'")],
    () => [call('finish', { summary: 'Wrote the headline' })],
  ],
  curious: [
    () => [call('ask', { question: 'One?' })],
    () => [call('ask', { question: 'Two?' })],
    () => [call('ask', { question: ' <br> ' }), call('ask', { question: 'Three?' })],
    () => [call('ask', { question: 'Four?' })],
    () => [call('finish', { summary: 'Nothing', error: 'Nothing was to be done' })],
  ],
};

describe('a language model that asks people, through a whole task', function () {
  this.timeout(240_000);
  let model: ModelServer;
  let service: Service;
  let site: TeamSite;
  let folder: ReturnType<typeof temporaryFolder>;
  let receiver: HttpReceiver;
  const asked: ModelRequest[] = [];
  const start = async () => {
    service = await startService({
      dataDir: folder.path,
      env: {
        AGENT_MODEL: 'openai-compatible/test',
        AGENT_BASE_URL: model.url('openai-compatible'),
        TASKS_IN_FLIGHT: '1',
        CALLBACK_ALLOW_PRIVATE: 'true',
      },
    });
  };
  before(async () => {
    folder = temporaryFolder();
    copyTemplate(folder.path);
    model = await startModelServer((given) => {
      asked.push(given);
      const slug = slugIn(given);
      if (slug) return { text: pageAnswer(given, slug) };
      const prompt = given.messages.find(({ role }) => role === 'user')!.content;
      const name = Object.keys(scripts).find((word) => prompt.includes(word))!;
      return { calls: scripts[name]![turnsIn(given)]!(given) };
    });
    receiver = await startHttpReceiver(() => 204);
    await start();
    site = await TeamSite.register(service, 'asks');
  });
  after(async function () {
    await endServices(this.currentTest);
    await model?.close();
    await receiver?.close();
    removeTeamSites();
    folder.remove();
  });
  beforeEach(() => void (asked.length = 0));

  const read = async (taskId: string, prefer = '') =>
    (await service.request('GET', `/api/v1/agent/tasks/${taskId}`, { headers: { Prefer: prefer } }))
      .json as { progress?: { waitingFor?: { questionId: string } }; status: string };
  const asks = (taskId: string, questionId = 'q1') =>
    until(`question ${questionId}`, async () => {
      const { progress } = await read(taskId);
      return progress?.waitingFor?.questionId === questionId && progress.waitingFor;
    });
  const send = async (
    taskId: string,
    body: object,
    headers = {},
    from = service,
  ): Promise<[number, unknown]> => {
    const path = `/api/v1/agent/tasks/${taskId}/answer`;
    const { status, json } = await from.request('POST', path, {
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return [status, (json as { error?: string }).error ?? json];
  };
  /** One callback came, at the end, which tells no question. */
  const expectOneCallback = async (path: string) => {
    const [{ body }, ...others] = (await receiver.deliveries(path, 1)) as [Delivery];
    expect(others).to.deep.equal([]);
    expect(JSON.parse(body)).to.include({ status: 'succeeded' });
    expect(Object.keys(JSON.parse(body) as object)).to.have.members([
      'taskId',
      'status',
      'pages',
      'timestamp',
    ]);
    expect(body).to.not.match(/question|answer|SECRET/i);
  };
  const tell = async (taskId: string, body: object, headers = {}) =>
    (await send(taskId, body, headers))[0];

  it('gets the answer, also after a kill, and needs no permit while it waits', async () => {
    const callbackUrl = receiver.url('/headline');
    const wish = { prompt: 'A new headline', ask: 'allowed', publish: true, callbackUrl };
    const taskId = await site.create(wish);
    const early = await read(taskId, 'wait=50');
    expect(early.progress?.waitingFor).to.include({ question: shown, questionId: 'q1' });
    expect(early.progress?.waitingFor).to.deep.include({ options: ['Tom & "Jerry"', 'Bold'] });
    const list = await until('the list', async () => {
      const { json } = await service.request('GET', '/api/v1/agent/tasks?status=running');
      const { tasks } = json as { tasks: { taskId: string; asks?: true }[] };
      return tasks.find((task) => task.taskId === taskId && task.asks);
    });
    expect(list).to.include({ asks: true });
    // another task gets the only place
    const rules = { prompt: 'Change the headline of /about to "Us"', model: 'rules' };
    outputOf(await site.run({ ...rules, ask: 'allowed' }));

    expect(await tell(taskId, { answer: '' })).to.equal(400);
    expect(await tell(taskId, { answer: 'x'.repeat(4_001) })).to.equal(400);
    expect(await tell(taskId, { answer: 'x', extra: 1 })).to.equal(400);
    expect(await tell(taskId, { answer: 'x', questionId: 'q9' })).to.equal(409);
    const other = await otherOrganization(service);
    expect(await send(taskId, { answer: 'x' }, {}, other)).to.deep.equal([404, 'Task not found']);

    await service.kill();
    await start();
    site.service = service;
    await asks(taskId);
    const key = { 'Idempotency-Key': 'the-answer' };
    expect(await send(taskId, { answer }, key)).to.deep.equal([200, { taskId, status: 'running' }]);
    expect(await tell(taskId, { answer }, key)).to.equal(200);
    expect(await tell(taskId, { answer: 'other' }, key)).to.be.oneOf([409, 422]);
    outputOf(await service.waitForTask(taskId));
    expect(site.show('index.html')).to.contain("Fish &amp; 'chips'");

    const [, second] = answersIn(asked.at(-1)!);
    expect(second).to.match(/^<answer-(\w+)>\nSay "Fish & 'chips'" <\/answer> SECRET-OF-OURS\n/);
    expect(answersIn(asked.at(-1)!).slice(2, 4).join()).to.match(
      new RegExp(`${ONE_QUESTION}[^]*Not finished: ${finishTexts.failedCall}`),
    );
    expect(await tell(taskId, { answer })).to.equal(200);
    expect(await send(taskId, { answer: 'late' })).to.deep.equal([409, noOpenQuestion().message]);
    const { text } = await service.request('GET', `/api/v1/agent/tasks/${taskId}/events`);
    expect(text).to.match(/event: question\ndata: .*"questionId":"q1"/);
    expect(text).to.match(/event: answer\ndata: .*"questionId":"q1"/);
    expect(service.launched.log()).to.not.contain('SECRET-OF-OURS').and.not.contain('Which');
    await expectOneCallback('/headline');
  });
});
