import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { createModelAssignment } from '../../src/agents/modelAssignment.ts';
import { createCostCalculator, parsePrices } from '../../src/contract/prices.ts';
import type { Role } from '../../src/contract/roles.ts';
import type { TaskView } from '../../src/contract/task.ts';
import { createModelUsage } from '../../src/organizations/modelUsage.ts';
import { createOrganizations } from '../../src/organizations/organizations.ts';
import { createTokenLimits } from '../../src/organizations/tokenLimits.ts';
import { createUsageReport } from '../../src/organizations/usageReport.ts';
import { createSites } from '../../src/organizations/sites.ts';
import { type Builds, createBuilds } from '../../src/storage/builds.ts';
import type { StartRequest } from '../../src/temporal/tasks/taskService.ts';
import { told } from '../helpers/about.ts';
import { bearer, failingTasks } from '../helpers/api.ts';
import { testDatabase } from '../helpers/database.ts';
import { startPeople } from '../helpers/people.ts';

const MODEL = 'openai/gpt-5';
const MOST = 1_000;
const budget = { turns: 30, tokens: 1_000, minutes: 20, pagesChanged: 50, pagesDeleted: 5 };
const createdAt = '2030-01-01T00:00:00.000Z';

const idOf = (number: number) => `bg-${String(number).padStart(22, '0')}`;

describe('GET /usage, and the token limit', () => {
  let people: Awaited<ReturnType<typeof startPeople>>;
  let usage: ReturnType<typeof createModelUsage>;
  let builds: Builds;
  let organizationId: string;
  let siteId: string;
  const started: StartRequest[] = [];
  /** What reads of a task find. */
  let ended: TaskView;
  before(async () => {
    const db = await testDatabase();
    usage = createModelUsage(db);
    builds = createBuilds(db);
    const limits = createTokenLimits(db, { usage, tokensPerMonth: MOST });
    const prices = parsePrices(`${MODEL}=1/1/1`);
    people = await startPeople({
      app: {
        organizations: createOrganizations(db, { tokensPerMonth: MOST }),
        reportUsage: createUsageReport({ usage, builds, limits, prices }),
        builds,
        costOf: createCostCalculator({ prices }),
        tokenLimits: limits,
        sites: createSites(db),
        assign: createModelAssignment({ models: [MODEL], budget }),
        tasks: {
          ...failingTasks(new Error('not asked for')),
          read: () => Promise.resolve({ ...ended, about: told }),
          follow: () => Promise.resolve({ view: ended, events: [], about: told }),
          start(request) {
            started.push(request);
            return Promise.resolve({ taskId: idOf(started.length - 1), createdAt });
          },
          startedBefore: ({ idempotencyKey, bodyHash }) => {
            const at = started.findIndex(
              (one) => one.idempotencyKey === idempotencyKey && one.bodyHash === bodyHash,
            );
            return Promise.resolve(at === -1 ? null : { taskId: idOf(at), createdAt });
          },
        },
      },
    });
  });
  beforeEach(async () => {
    ({ organizationId } = await people.organizations.create({ name: 'Paying' }));
    const repository = { url: 'https://git.example.com/a.git', branch: 'main', root: '' };
    const sites = createSites(await testDatabase());
    ({ siteId } = await sites.create({ organizationId, name: 'Site', repository }));
  });
  after(() => people.api.close());

  async function spend(inputTokens: number) {
    const callId = randomUUID();
    const call = { callId, organizationId, taskId: 'bg-1', model: MODEL, estimatedTokens: 1 };
    await usage.begin(call);
    await usage.answer(callId, { inputTokens, cachedInputTokens: 0, outputTokens: 0 });
  }
  const keyOf = async (role: Role) => (await people.keys.create({ organizationId, role })).apiKey;
  async function call(
    role: Role,
    method: string,
    path: string,
    { body, headers = {} }: { body?: object; headers?: Record<string, string> } = {},
  ) {
    return people.api.request(method, `/api/v1${path}`, {
      headers: { ...bearer(await keyOf(role)), 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
  }
  const create = (fields: object = {}, headers = {}) =>
    call('member', 'POST', '/agent/tasks', {
      body: { siteId, prompt: 'Shorten it', ...fields },
      headers,
    });
  const setLimit = (tokensPerMonth: number | null, role: Role = 'owner') =>
    call(role, 'PATCH', '/organization', { body: { tokensPerMonth } });

  it("returns the usage of the key's organization, with its cost and its limit", async () => {
    await spend(850);
    const { json } = await call('admin', 'GET', '/usage');
    const month = new Date().toISOString().slice(0, 7);
    const counts = {
      tasks: 1,
      calls: 1,
      estimatedCalls: 0,
      inputTokens: 850,
      cachedInputTokens: 0,
      outputTokens: 0,
      cost: { amount: '0.00085', currency: 'USD' },
    };
    const limit = { tokensPerMonth: MOST, setBy: 'operator', isNear: true };
    expect(json).to.deep.equal({
      limit: { month, usedTokens: 850, ...limit },
      months: [{ month, ...counts, builds: 0, models: [{ model: MODEL, ...counts }] }],
    });
    const { json: earlier } = await call('admin', 'GET', '/usage?month=2020-02');
    expect(earlier).to.have.nested.include({ 'months[0].month': '2020-02', 'months[0].calls': 0 });
  });

  it('includes the usage and cost of a task, also of a failed one, and in its last event', async () => {
    const usage = {
      model: MODEL,
      turns: 2,
      inputTokens: 300,
      cachedInputTokens: 200,
      outputTokens: 50,
    };
    const priced = { ...usage, cost: { amount: '0.00035', currency: 'USD' } };
    const unpriced = { ...usage, model: 'google/g' };
    const pages = { pagesCreated: [], pagesModified: [], pagesDeleted: [] };
    const cases = [
      [
        { status: 'completed', output: { ...pages, usage } },
        { output: { ...pages, usage: priced } },
      ],
      [{ status: 'failed', errorMessage: 'No', usage }, { usage: priced }],
      [
        { status: 'failed', errorMessage: 'No', usage: unpriced },
        { usage: { ...unpriced, cost: null } },
      ],
    ] as const;
    for (const [i, [view, wanted]] of cases.entries()) {
      const path = `/agent/tasks/${idOf(i)}`;
      ended = { taskId: idOf(i), ...view } as TaskView;
      const { json } = await call('member', 'GET', path);
      expect(json).to.deep.include(wanted);
      const { text } = await call('member', 'GET', `${path}/events`);
      expect(text).to.contain(JSON.stringify(wanted).slice(1, -1));
    }
  });

  it('counts builds at the external host once each, by task and by month', async () => {
    const built = (taskId: string, commit: string, target: 'preview' | 'live') =>
      builds.add({ site: { siteId, organizationId }, taskId, commit, target });
    const [first, second, third] = [idOf(61), idOf(62), idOf(63)];
    await built(first, 'a', 'preview');
    await built(first, 'a', 'preview');
    await built(first, 'm', 'live');
    await built(second, 'b', 'preview');
    await built(second, 'm', 'live');
    const { json } = await call('admin', 'GET', '/usage');
    expect(json).to.have.nested.property('months[0].builds', 3);
    const { json: earlier } = await call('admin', 'GET', '/usage?month=2020-02');
    expect(earlier).to.have.nested.property('months[0].builds', 0);
    const pages = { pagesCreated: [], pagesModified: [], pagesDeleted: [] };
    const usage = {
      model: 'google/g',
      turns: 1,
      inputTokens: 3,
      cachedInputTokens: 0,
      outputTokens: 5,
    };
    const usageOf = async (view: TaskView) => {
      ended = view;
      const { json: task } = await call('member', 'GET', `/agent/tasks/${view.taskId}`);
      const { output, usage: ofFailed } = task as { output?: { usage?: object }; usage?: object };
      return output?.usage ?? ofFailed;
    };
    const completed = (taskId: string, used: object = {}): TaskView => ({
      taskId,
      status: 'completed',
      output: { ...pages, ...used },
    });
    expect(await usageOf(completed(first))).to.deep.equal({ builds: 2 });
    const failed = { taskId: second, status: 'failed', errorMessage: 'No', usage } as const;
    expect(await usageOf(failed)).to.deep.equal({ ...usage, cost: null, builds: 1 });
    expect(await usageOf(completed(third, { usage }))).to.deep.equal({ ...usage, cost: null });
    expect(await usageOf(completed(third))).to.equal(undefined);
  });

  for (const [query, problem] of [
    ['month=2026-13', 'month must be a month, such as 2026-11'],
    ['month=2026-1', 'month must be a month, such as 2026-11'],
    ['month=', 'month is not allowed to be empty'],
    ['month=2026-11&month=2026-10', 'month must be a string'],
    ['moth=2026-11', 'moth is not allowed'],
  ])
    it(`rejects ?${query}: ${problem}`, async () => {
      const { status, json } = await call('admin', 'GET', `/usage?${query}`);
      expect([status, json]).to.deep.equal([400, { error: `Invalid query: ${problem}` }]);
    });

  it('rejects a task of a model when the tokens are used up, but no task of the rules', async () => {
    await spend(MOST - 1);
    const headers = { 'idempotency-key': randomUUID() };
    const first = await create({}, headers);
    expect(first.status).to.equal(200);
    await spend(1);
    const { status, json, headers: fields } = await create();
    expect(status).to.equal(403);
    expect(json)
      .to.have.property('error')
      .that.matches(/\b1000\b/);
    expect(fields.get('agent-tasks-error')).to.equal('TOKENS_USED_UP');
    expect((await create({ model: 'rules' })).status).to.equal(200);
    const again = await create({}, headers);
    expect([again.status, again.json]).to.deep.equal([200, first.json]);
    const other = await create({}, { 'idempotency-key': randomUUID() });
    expect(other.status).to.equal(403);
  });

  it('has a limit that owners set and that the audit records', async () => {
    expect((await setLimit(500, 'admin')).status).to.equal(403);
    expect((await setLimit(500)).json).to.include({ tokensPerMonth: 500, name: 'Paying' });
    await spend(500);
    expect((await create()).json)
      .to.have.property('error')
      .that.matches(/\b500\b.* an owner\b/);
    expect((await setLimit(null)).json).to.include({ tokensPerMonth: null });
    expect((await create()).status).to.equal(200);
    const { entries } = await people.audit.list(organizationId, { limit: 10 });
    expect(entries.map(({ action, subject }) => [action, subject])).to.deep.equal([
      ['organization.limit', 'none'],
      ['organization.limit', '500 tokens per month'],
    ]);
  });

  for (const [tokensPerMonth, problem] of [
    [MOST + 1, "less than or equal to 1000, the operator's limit"],
    [-1, 'greater than or equal to 0'],
    [1.5, 'an integer'],
    ['500', 'a number'],
  ] as const)
    it(`rejects ${JSON.stringify(tokensPerMonth)} as a limit: it must be ${problem}`, async () => {
      const { status, json } = await setLimit(tokensPerMonth as number);
      expect([status, json]).to.deep.equal([
        400,
        { error: `Invalid request body: tokensPerMonth must be ${problem}` },
      ]);
    });
});
