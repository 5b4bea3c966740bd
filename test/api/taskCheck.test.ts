import { expect } from 'chai';
import type { TaskCheckRequest, TaskCheck } from '../../src/contract/checks.ts';
import { DomainError } from '../../src/errors.ts';
import { bearer, keys, startApi, type TestApi } from '../helpers/api.ts';
import { pageExistsError } from '../../src/sites/pages/listing/pageExists.ts';

describe('POST /agent/tasks/check', () => {
  let api: TestApi;
  let checked: TaskCheck | Error;
  const asked: TaskCheckRequest[] = [];
  const signals: AbortSignal[] = [];
  before(async () => {
    api = await startApi({
      checkTask: (request, { signal }) => {
        asked.push(request);
        signals.push(signal!);
        return checked instanceof Error ? Promise.reject(checked) : Promise.resolve(checked);
      },
    });
  });
  after(() => api.close());
  beforeEach(() => {
    checked = { problems: [], items: [] };
    asked.length = 0;
  });

  const check = (body: object, key = keys.member) =>
    api.request('POST', '/api/v1/agent/tasks/check', {
      headers: { ...bearer(key), 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const item = (targetPageSlug: string) => ({ targetPageSlug, context: 'City: Rome' });
  const pages = (fields: object = {}) => ({
    siteId: api.site.siteId,
    command: 'generate_pages',
    templatePageSlug: 'a',
    items: [item('b')],
    ...fields,
  });

  it('accepts the body of a creation, normalized in the same way, and starts nothing', async () => {
    expect((await check(pages({ title: 'x', publish: true }))).json).to.include({
      ok: true,
      agent: 'rules',
    });
    expect((await check({ siteId: api.site.siteId, prompt: 'Hello' })).status).to.equal(200);
    expect(asked.map(({ work, isModel }) => [work, isModel])).to.deep.equal([
      [{ type: 'generate_pages', templatePageSlug: '/a', items: [item('/b')] }, false],
      [{ type: 'prompt', prompt: 'Hello' }, false],
    ]);
    expect(api.started).to.deep.equal([]);
  });

  it('reports problems, and which text of each page comes from the context or the template', async () => {
    const { code, message } = pageExistsError('/b');
    const problem = { code, message };
    const stays = [{ slot: 's1', label: 'headline', text: 'Austin' }];
    const notes = [
      { page: '/b', kind: 'price' as const, text: '/b: the price is old', value: '$5' },
    ];
    const remarks = [
      {
        label: 'phone',
        value: '#REF!',
        fills: 'telephone number',
        code: 'spreadsheet-error',
        message: '"#REF!" is an error value of a spreadsheet and is not used',
        severity: 'error' as const,
      },
    ];
    const one = {
      targetPageSlug: '/b',
      problems: [problem],
      unused: ['Parking'],
      stays,
      remarks,
      notes,
    };
    checked = { problems: [], items: [{ ...one, internal: 1 } as TaskCheck['items'][0]] };
    const { status, json } = await check(pages());
    expect(status).to.equal(200);
    expect(json).to.deep.equal({
      ok: false,
      agent: 'rules',
      problems: [],
      items: [one],
      template: null,
    });
    checked = { problems: [problem], items: [] };
    checked.template = { language: 'de', home: 'www.example.com' };
    expect((await check(pages())).json).to.deep.equal({
      ok: false,
      agent: 'rules',
      problems: [problem],
      items: [],
      template: { language: 'de', home: 'www.example.com' },
    });
  });

  describe('with some wrong items', () => {
    const answered = (slug: string) => ({
      targetPageSlug: slug,
      problems: [],
      unused: [],
      stays: [],
      remarks: [],
      notes: [],
    });
    const ask = async (items: unknown[], fields: object = {}) => {
      const { status, json } = await check(pages({ items, ...fields }));
      expect(status).to.equal(200);
      const told = json as unknown as { ok: boolean; items: TaskCheck['items'] };
      const problems = told.items.map((one) =>
        one.problems.map(({ code, message }) => `${code}: ${message}`).join(),
      );
      return {
        ok: told.ok,
        slugs: told.items.map(({ targetPageSlug }) => targetPageSlug),
        problems,
      };
    };

    it('checks the other items, and reports each wrong item with its index', async () => {
      checked = { problems: [], items: [answered('/b'), answered('/e')] };
      const long = { ...item('/c'), context: 'x'.repeat(100_001) };
      const all = [
        item('/b'),
        item('x y'),
        { ...item('c'), context: ' ' },
        item('/B'),
        item('/e'),
        7,
        null,
        long,
        item('/a'),
      ];
      const { ok, slugs, problems } = await ask(all);
      expect(ok).to.equal(false);
      expect(asked[0]!.work).to.deep.include({ items: [item('/b'), item('/e')] });
      expect(slugs).to.deep.equal(['/b', null, '/c', '/B', '/e', null, null, '/c', '/a']);
      const wanted = [
        /^$/,
        /^INVALID_INPUT: items\[1\]\.targetPageSlug must not contain spaces$/,
        /^INVALID_INPUT: items\[2\]\.context /,
        /^INVALID_INPUT: items\[3\]\.targetPageSlug must not be the same page as items\[0\]\.targetPageSlug$/,
        /^$/,
        /^INVALID_INPUT: items\[5\] must be of type object$/,
        /^INVALID_INPUT: items\[6\] must be of type object$/,
        /items\[7\]\.context/,
        /^INVALID_INPUT: items\[8\]\.targetPageSlug must not be the template itself$/,
      ];
      for (const [at, problem] of problems.entries()) expect(problem).to.match(wanted[at]!);
    });
  });

  it('reports what a prompt would change, and which similar wording would be understood', async () => {
    const prompt = { siteId: api.site.siteId, prompt: 'Hello' };
    const changes = { pagesCreated: ['/b'], pagesModified: ['/a'], pagesDeleted: [] };
    const notes = [
      {
        kind: 'part' as const,
        text: '/a, /b: the navigation has 2 entries that link to /b: "B", "C"',
      },
    ];
    checked = { problems: [], items: [], changes, notes };
    const common = { agent: 'rules', items: [], template: null };
    expect((await check(prompt)).json).to.deep.equal({
      ...common,
      ok: true,
      problems: [],
      changes,
      notes,
    });
    const problem = { code: 'NOT_UNDERSTOOD', message: 'Not understood' };
    checked = { problems: [problem], items: [] };
    expect((await check(prompt)).json).to.deep.equal({ ...common, ok: false, problems: [problem] });
  });

  it("answers 503 while the repository does not answer, and 409 if it can't be read", async () => {
    checked = new DomainError('UNAVAILABLE', 'git: secret', { retryable: true });
    expect(await check(pages())).to.include({
      status: 503,
      text: '{"error":"Service Unavailable"}',
    });
    checked = new DomainError('CONFLICT', "The site's repository has no branch main");
    expect((await check(pages())).status).to.equal(409);
  });

  it('passes on that the client has disconnected', () => {
    expect(signals.every(({ aborted }) => aborted)).to.equal(true);
  });
});
