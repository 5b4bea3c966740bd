import { expect } from 'chai';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { TaskView } from '../../src/contract/task.ts';
import { commandTable } from '../../src/cli/commands.ts';
import { createProgram } from '../../src/cli/program.ts';
import { settingsSchema } from '../../src/config.ts';
import { welcomeText } from '../../src/welcome.ts';
import { keys, type Reply, startApi, type TestApi } from '../helpers/api.ts';
import { blocks, documents, read, readmeRequest, root } from '../helpers/documents.ts';
import { shown } from '../helpers/about.ts';

describe('README.md', () => {
  it('has fewer than 150 lines', () =>
    expect(read('README.md').split('\n')).to.have.lengthOf.below(150));

  it('shows the request that `npm start` prints', () => {
    const { url, headers, body } = readmeRequest();
    const demo = {
      apiKey: headers['Authorization']!.slice('Bearer '.length),
      siteId: body['siteId'] as string,
    };
    const printed = welcomeText({
      publicUrl: url,
      temporalRunsUrl: undefined,
      demo: { ...demo, file: '' },
    });
    expect(printed).to.include(blocks('README.md', 'sh', /^curl /)[0]);
  });

  it('shows what `npm start` prints later, with a placeholder for the key, and where the key is', () => {
    const { url, headers, body } = readmeRequest();
    const demo = { apiKey: undefined, siteId: body['siteId'] as string, file: '/data/demo.json' };
    const printed = welcomeText({ publicUrl: url, temporalRunsUrl: undefined, demo });
    const key = headers['Authorization']!.slice('Bearer '.length);
    expect(printed).to.include(blocks('README.md', 'sh', /^curl /)[0]!.replace(key, 'API_KEY'));
    expect(printed)
      .to.include('with the apiKey of /data/demo.json for API_KEY:\n')
      .and.not.match(/ak_/);
  });

  it('has pictures of less than 300 KB', () => {
    const pictures = readdirSync(join(root, 'docs/images')).filter((name) => name.endsWith('.png'));
    expect(pictures).to.include('template-and-page.png');
    for (const name of pictures)
      expect(statSync(join(root, 'docs/images', name)).size).to.be.below(300_000);
  });
});

describe('docs/settings.md', () => {
  it('has a table of exactly the settings, with their defaults and descriptions', () => {
    interface Described {
      flags?: { default?: unknown; description?: string };
    }
    const { keys: described } = settingsSchema.describe() as { keys: Record<string, Described> };
    const expected = Object.entries(described).map(([name, { flags }]) => ({
      name,
      default: flags?.default === undefined ? '' : `\`${String(flags.default as string)}\``,
      description: flags?.description,
    }));
    const rows = [...read('docs/settings.md').matchAll(/^\| `(\w+)` \| (.*?) ?\| (.+) \|$/gm)];
    expect(
      rows.map(([, name, value, description]) => ({ name, default: value, description })),
    ).to.deep.equal(expected);
  });
});

describe('README.md and docs/api.md: requests', () => {
  let api: TestApi;
  beforeEach(async () => (api = await startApi()));
  afterEach(() => api.close());

  const create = (body: object, headers = {}): Promise<Reply> =>
    api.create({ ...body, siteId: api.site.siteId }, headers);
  const parsed = (document: string, pattern: RegExp) =>
    blocks(document, 'json', pattern).map((text) => JSON.parse(text) as object);

  it('have a curl command that is accepted unchanged', async () => {
    const { url, headers, body } = readmeRequest();
    expect(url.pathname).to.equal('/api/v1/agent/tasks');
    expect(headers).to.have.keys('Authorization', 'Content-Type');
    expect(headers['Authorization']).to.match(/^Bearer ak_\w{46}$/);
    const reply = await create(body, { 'Content-Type': headers['Content-Type'] });
    expect(reply.status, reply.text).to.equal(200);
    const { items } = body as { items: { context: string }[] };
    expect(items[0]!.context).to.match(/^City: Lisbon\nHeadline: Web design in Lisbon\nLead: .+$/);
    expect(api.started[0]!.task.work).to.deep.equal({
      type: 'generate_pages',
      templatePageSlug: '/locations/austin',
      items: [{ targetPageSlug: '/locations/lisbon', context: items[0]!.context }],
    });
  });

  it('have an accepted prompt in the README', async () => {
    const [body] = parsed('README.md', /"prompt"/);
    expect((await create(body!)).text).to.include('"running"');
  });

  it('have two accepted bodies', async () => {
    const bodies = parsed('docs/api.md', /"(callbackUrl)"/);
    expect(bodies).to.have.lengthOf(2);
    for (const body of bodies) expect((await create(body)).text).to.include('"running"');
    expect(api.started.map(({ task }) => task.work.type)).to.deep.equal([
      'generate_pages',
      'prompt',
    ]);
  });

  for (const document of ['README.md', 'docs/api.md'])
    it(`have replies in ${document} with the fields of the real ones`, async () => {
      const { json } = await create(readmeRequest().body);
      const shown = parsed(document, /^\{"taskId".*"createdAt"/);
      expect(shown).to.have.lengthOf(1);
      for (const reply of shown) expect(Object.keys(reply)).to.deep.equal(Object.keys(json));
    });

  it('have an invalid body in the table of errors that is answered as described', async () => {
    const { json } = await api.create({ siteId: 'x', prompt: 3, colour: 'red' });
    expect(read('docs/api.md')).to.include(`\`${String(json['error'])}\``);
  });

  const views: [string, string, RegExp][] = [
    ['README.md', 'completed', /"output"/],
    ['docs/api.md', 'running', /"progress":/],
    ['docs/api.md', 'completed', /"output"/],
    ['docs/api.md', 'failed', /"errorMessage"/],
  ];
  for (const [document, status, pattern] of views)
    it(`have a ${status} view in ${document} that matches such a task`, async () => {
      const [view] = parsed(document, pattern) as TaskView[];
      expect(view!.status).to.equal(status);
      api.views.set('bg-' + 'a1'.repeat(11), view!);
      const reply = await api.request('GET', `/api/v1/agent/tasks/bg-${'a1'.repeat(11)}`, {
        headers: { Authorization: `Bearer ${keys.member}` },
      });
      expect(reply.json).to.deep.equal({ ...view, ...shown });
    });
});

describe('every document, and what `npm start` prints without a demo: commands', () => {
  it('contain only operator commands that the command line accepts', async () => {
    const printed = welcomeText({
      publicUrl: new URL('http://localhost'),
      temporalRunsUrl: undefined,
      demo: undefined,
    });
    const printedCommands = printed.match(/(?<=npm run -s cli -- )\S+ \S+/g);
    expect(printedCommands).to.deep.equal(['organization create', 'key create', 'site create']);
    const lines = [
      ...documents.flatMap((document) => blocks(document, 'sh', /npm run -s cli/)),
      printed,
    ].flatMap((text) => text.match(/(?<=npm run -s cli -- ).+/g) ?? []);
    const called: string[] = [];
    for (const line of lines) {
      const program = createProgram(commandTable, (name) =>
        Promise.resolve(void called.push(name)),
      );
      const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(
        ([, quoted, word]) => quoted ?? word!,
      );
      await program.parseAsync(words, { from: 'user' });
    }
    expect(called).to.include.members([
      'organization create',
      'organization callback-secret',
      'key create',
      'site create',
      'temporal setup',
    ]);
  });
});
