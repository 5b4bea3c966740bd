// Takes long: a service that is killed in a call of its language model, and starts again.
import { expect } from 'chai';
import type { UsageReport } from '../../src/contract/answers.ts';
import { temporaryFolder } from '../helpers/database.ts';
import { type ModelServer, type Reply, startModelServer } from '../helpers/modelServer.ts';
import { answerOf } from '../helpers/operator.ts';
import { endServices, type Service, startService } from '../helpers/service.ts';
import { copyTemplate } from '../helpers/template.ts';
import { until } from '../helpers/until.ts';
import { errorOf } from '../helpers/views.ts';

const MODEL = 'openai-compatible/scripted';
const usage = { prompt_tokens: 200, completion_tokens: 20, cached_tokens: 50 };
/** What the model does in two turns. */
const turns: Reply[] = [
  {
    calls: [
      { name: 'replace_text', arguments: { from: 'Northwind', to: 'Southwind', slug: '/about' } },
    ],
    usage,
  },
  { calls: [{ name: 'finish', arguments: { summary: 'Renamed it' } }], usage },
];

describe('what an organization uses of language models', function () {
  this.timeout(240_000);
  const folder = temporaryFolder();
  let model: ModelServer;
  let service: Service;
  let owner: string;
  /** Whether the next second turn hangs. */
  let isHeld = false;

  const start = async () =>
    (service = await startService({
      dataDir: folder.path,
      env: {
        AGENT_MODEL: MODEL,
        AGENT_BASE_URL: model.url('openai-compatible'),
        AGENT_TOKENS_PER_MONTH: '1000000',
        AGENT_PRICES: `${MODEL}=2/0.5/8`,
        METRICS_ADDRESS: '127.0.0.1:0',
      },
    }));
  before(async () => {
    copyTemplate(folder.path);
    model = await startModelServer(({ messages }) => {
      const taken = messages.filter(({ role }) => role === 'assistant').length;
      if (!isHeld || taken !== 1) return turns[taken]!;
      isHeld = false;
      return 'hang';
    });
    await start();
    const { organizations } = (await answerOf(folder.path, 'organization', 'list')) as {
      organizations: { organizationId: string }[];
    };
    const { organizationId } = organizations[0]!;
    const options = ['--organization', organizationId, '--role', 'owner', '--name', 'o'];
    const made = await answerOf(folder.path, 'key', 'create', ...options);
    owner = made['apiKey'] as string;
  });
  after(async function () {
    await endServices(this.currentTest);
    await model?.close();
    folder.remove();
  });

  const asOwner = async (method: string, path: string, body?: object) => {
    const { status, json, text } = await service.request(method, `/api/v1${path}`, {
      headers: { authorization: `Bearer ${owner}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(status, text).to.equal(200);
    return json as UsageReport;
  };
  const read = () => asOwner('GET', '/usage');
  const prompt = () => service.createTask({ prompt: 'Rename us, please' });
  const calls = () => model.requests().filter(({ method }) => method === 'POST').length;

  it('counts a call once whose worker was killed before its answer was recorded, and its repetition', async () => {
    const before = calls();
    isHeld = true;
    const taskId = await prompt();
    await until('the call that hangs', () => calls() === before + 2);
    await service.kill();
    await start();
    expect(await service.waitForTask(taskId)).to.include({ status: 'completed' });
    expect(calls()).to.equal(before + 3);
    const { months } = await read();
    const [{ inputTokens, ...month } = {}] = months;
    expect(month).to.include({ tasks: 1, calls: 3, estimatedCalls: 1, outputTokens: 40 });
    expect(inputTokens, 'the estimate of a request with all tools').to.be.within(2_000, 20_000);
  });

  it('ends a running task before the call that passes the limit, and refuses the next one', async () => {
    const { limit } = await read();
    await asOwner('PATCH', '/organization', { tokensPerMonth: limit!.usedTokens + 1 });
    const before = calls();
    const reason =
      /^The organization has used \d+ tokens of language models in \d{4}-\d\d \(UTC\); its limit is \d+\. Until an owner raises it/;
    expect(errorOf(await service.waitForTask(await prompt()))).to.match(reason);
    expect(calls()).to.equal(before + 1);
    const { status, json } = await service.postTask({ prompt: 'Rename us, please' });
    expect(status).to.equal(403);
    expect(json.error).to.match(reason);
    const rules = { model: 'rules', prompt: 'Change the headline of /about to "Hello"' };
    expect(await service.waitForTask(await service.createTask(rules))).to.include({
      status: 'completed',
    });
    await asOwner('PATCH', '/organization', { tokensPerMonth: null });
    expect(await service.waitForTask(await prompt())).to.include({ status: 'completed' });
  });
});
