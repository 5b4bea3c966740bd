import { expect } from 'chai';
import { createModelAssignment } from '../../src/agents/modelAssignment.ts';
import { DomainError } from '../../src/errors.ts';
import {
  budget,
  failingTasks,
  bearer,
  createdAt,
  keys,
  organizationId,
  startApi,
  type TestApi,
  taskId,
} from '../helpers/api.ts';
import { OWN_TEMPLATE_PROBLEM, sameItemProblem } from '../../src/api/slugSchemas.ts';
import { slugProblems } from '../../src/sites/pages/urls/slug.ts';
import { fieldProblems } from '../../src/api/routes/tasks/tasks.schema.ts';
import { IDEMPOTENCY_KEY_PROBLEM } from '../../src/api/context.ts';

describe('POST /agent/tasks', () => {
  let api: TestApi;
  const prompt = (fields: object = {}) => ({
    siteId: api.site.siteId,
    prompt: 'Change the headline',
    ...fields,
  });
  const generate = (fields: object = {}) => ({
    siteId: api.site.siteId,
    command: 'generate_pages',
    templatePageSlug: '/locations/austin',
    items: [{ targetPageSlug: '/locations/dallas', context: 'city: Dallas' }],
    ...fields,
  });
  before(async () => {
    api = await startApi();
  });
  beforeEach(() => {
    api.started.length = 0;
  });
  after(() => api.close());

  it('answers a prompt task with exactly taskId, status and createdAt', async () => {
    const { status, json } = await api.create(prompt());
    expect(status).to.equal(200);
    expect(json).to.deep.equal({ taskId, status: 'running', createdAt });
  });

  it('starts a prompt task with its defaults', async () => {
    const reply = await api.create(prompt());
    expect(api.started[0]?.task).to.deep.equal({
      organizationId,
      siteId: api.site.siteId,
      siteName: api.site.name,
      publish: false,
      requestId: reply.headers.get('x-request-id'),
      work: { type: 'prompt', prompt: 'Change the headline' },
    });
  });

  it('fixes the language model and the budget of a task', async () => {
    const editor = 'anthropic/editor';
    const assign = createModelAssignment({ models: [editor, 'google/other'], budget });
    const offering = await startApi({ assign });
    try {
      const asked = async (fields: object) => {
        const { status, json } = await offering.create({ ...fields, siteId: offering.site.siteId });
        const { model, budget } = offering.started.at(-1)?.task ?? {};
        return status === 200 ? { model, budget } : json;
      };
      expect(await asked(prompt())).to.deep.equal({ model: editor, budget });
      expect(await asked(generate())).to.deep.equal({ model: editor, budget });
      expect(
        await asked(prompt({ model: 'google/other', budget: { turns: 5, pagesDeleted: 0 } })),
      ).to.deep.equal({
        model: 'google/other',
        budget: { ...budget, turns: 5, pagesDeleted: 0 },
      });
      expect(await asked(generate({ model: 'rules', budget: null }))).to.deep.equal({
        model: undefined,
        budget: undefined,
      });
      expect(await asked(prompt({ model: 'openai/else' }))).to.deep.equal({
        error: `Invalid request body: model must be one of [${editor}, google/other, rules]`,
      });
    } finally {
      await offering.close();
    }
  });

  it('rejects an invalid budget', async () => {
    for (const [given, error] of [
      [{ turns: 0 }, 'budget.turns must be greater than or equal to 1'],
      [{ tokens: 1.5 }, 'budget.tokens must be an integer'],
      [{ euros: 3 }, 'budget.euros is not allowed'],
      [7, 'budget must be of type object'],
    ]) {
      const { status, json } = await api.create(prompt({ budget: given }));
      expect({ status, json }).to.deep.equal({
        status: 400,
        json: { error: `Invalid request body: ${error as string}` },
      });
    }
  });

  it('starts a generate_pages task with every field', async () => {
    const items = [
      { targetPageSlug: '/a', context: 'A', externalId: 'row 1' },
      { targetPageSlug: '/b', context: 'B', facts: 'drop' },
    ];
    const { status } = await api.create(
      generate({ items, publish: true, callbackUrl: 'https://client.example.com/done?k=1' }),
    );
    expect(status).to.equal(200);
    expect(api.started[0]?.task).to.deep.include({
      publish: true,
      callbackUrl: 'https://client.example.com/done?k=1',
      work: { type: 'generate_pages', templatePageSlug: '/locations/austin', items },
    });
  });

  it('starts a generate_pages task whose pages another page is to link to', async () => {
    for (const [linkFrom, slug] of [
      ['/locations', '/locations'],
      ['locations/index.html', '/locations'],
      ['/', '/'],
    ]) {
      api.started.length = 0;
      expect((await api.create(generate({ linkFrom }))).status).to.equal(200);
      expect(api.started[0]?.task.work).to.have.property('linkFrom', slug);
    }
    await api.create(generate({ linkFrom: null }));
    expect(api.started[1]?.task.work).to.not.have.property('linkFrom');
  });

  it('refuses to link from the template, from a new page, and from a file that is not a page', async () => {
    const items = ['/a', '/b'].map((targetPageSlug) => ({ targetPageSlug, context: 'x' }));
    for (const [linkFrom, problem] of [
      ['/locations/austin', OWN_TEMPLATE_PROBLEM],
      ['Locations/Austin.html', OWN_TEMPLATE_PROBLEM],
      ['/b/', sameItemProblem(1)],
      ['/a/../b', slugProblems.leadingDot],
      ['', 'is not allowed to be empty'],
      [7, 'must be a string'],
    ]) {
      const { status, json } = await api.create(generate({ items, linkFrom }));
      expect([status, json]).to.deep.equal([
        400,
        { error: `Invalid request body: linkFrom ${problem}` },
      ]);
    }
    expect((await api.create(prompt({ linkFrom: '/a' }))).json).to.deep.equal({
      error: 'Invalid request body: linkFrom is not allowed',
    });
  });

  describe('checks in a fixed order', () => {
    const badUrl = { callbackUrl: 'http://127.0.0.1/' };

    it('reports an invalid body before a bad callback URL', async () => {
      const { status, json } = await api.create({ ...badUrl, siteId: 'x' });
      expect([status, json['error']]).to.satisfy(
        ([s, e]: [number, string]) => s === 400 && e.includes(`siteId ${fieldProblems.uuid}`),
      );
    });

    for (const callbackUrl of [
      'http://127.0.0.1/',
      '',
      'not a url',
      `https://client.example.com/${'x'.repeat(2_022)}`,
    ])
      it(`reports a bad callback URL (${JSON.stringify(callbackUrl).slice(0, 40)}) before an unknown site`, async () => {
        const { status, json } = await api.create(
          prompt({ callbackUrl, siteId: api.foreignSite.siteId }),
        );
        expect(status).to.equal(400);
        expect(json).to.deep.equal({ error: 'Invalid callback URL' });
      });

    it('reports a callback URL that is not a string as an invalid body', async () => {
      const { json } = await api.create(prompt({ callbackUrl: 7 }));
      expect(json['error']).to.equal('Invalid request body: callbackUrl must be a string');
    });

    it('answers an unknown site with 404', async () => {
      const { status, json } = await api.create(
        prompt({ siteId: '00000000-0000-4000-8000-000000000000' }),
      );
      expect([status, json]).to.deep.equal([404, { error: 'Site not found' }]);
    });

    it("answers another organization's site with the same 404", async () => {
      const { status, json } = await api.create(prompt({ siteId: api.foreignSite.siteId }));
      expect([status, json]).to.deep.equal([404, { error: 'Site not found' }]);
    });

    it('answers a site without repository information with 400', async () => {
      const { status, json } = await api.create(
        prompt({ siteId: api.siteWithoutRepository.siteId }),
      );
      expect([status, json]).to.deep.equal([
        400,
        { error: 'Site is missing repository information' },
      ]);
    });

    it('starts nothing for any of them', () => expect(api.started).to.be.empty);
  });

  describe('Idempotency-Key', () => {
    it("is passed on with a hash of the request's meaning, not of its form", async () => {
      const key = { 'Idempotency-Key': 'order-1' };
      await api.create(prompt(), key);
      await api.create(
        {
          publish: false,
          command: 'prompt',
          callbackUrl: null,
          prompt: 'Change the headline',
          siteId: api.site.siteId,
        },
        key,
      );
      await api.create(prompt({ publish: true }), key);
      const [first, second, third] = api.started;
      expect([first?.idempotencyKey, second?.bodyHash]).to.deep.equal(['order-1', first?.bodyHash]);
      expect(third?.bodyHash).to.not.equal(first?.bodyHash);
    });

    for (const [name, key] of [
      ['empty', ''],
      ['with a space', 'a b'],
      ['of 256 characters', 'k'.repeat(256)],
      ['not ASCII', 'k\u00e9'],
    ] as const)
      it(`${name} is rejected`, async () => {
        const { status, json } = await api.create(prompt(), { 'Idempotency-Key': key });
        expect([status, json]).to.deep.equal([400, { error: IDEMPOTENCY_KEY_PROBLEM }]);
        expect(api.started).to.be.empty;
      });

    it('of another body is answered with 422', async () => {
      const tasks = failingTasks(
        new DomainError('IDEMPOTENCY_MISMATCH', 'Idempotency-Key was used for another body'),
      );
      const other = await startApi({ tasks });
      const { status, json } = await other.create({ siteId: other.site.siteId, prompt: 'x' });
      await other.close();
      expect([status, json]).to.deep.equal([
        422,
        { error: 'Idempotency-Key was used for another body' },
      ]);
    });
  });

  for (const failure of [
    new DomainError('START_FAILED', 'Temporal at 127.0.0.1:7233 is down'),
    new DomainError('LIMIT_EXCEEDED', 'too much'),
    new Error('boom'),
  ])
    it(`answers Failed to start task when starting fails with ${failure.message}`, async () => {
      const other = await startApi({ tasks: failingTasks(failure) });
      const { status, json } = await other.create({ siteId: other.site.siteId, prompt: 'x' });
      await other.close();
      expect([status, json]).to.deep.equal([500, { error: 'Failed to start task' }]);
      expect(JSON.stringify(other.logs)).to.include(failure.message);
    });

  describe('onWarnings', () => {
    it('is passed on for a task that is to be held, with and without publish, in both types', async () => {
      for (const body of [prompt, generate])
        for (const publish of [true, false])
          await api.create(body({ publish, onWarnings: 'hold' }));
      expect(api.started.map(({ task }) => task.onWarnings)).to.deep.equal([
        'hold',
        'hold',
        'hold',
        'hold',
      ]);
    });
  });

  it('accepts a lower-case scheme and every role from member upwards', async () => {
    for (const key of [keys.member, keys.admin, keys.owner])
      expect((await api.create(prompt(), { Authorization: `bearer ${key}` })).status).to.equal(200);
    expect((await api.create(prompt(), bearer(keys.viewer))).status).to.equal(403);
  });
});
