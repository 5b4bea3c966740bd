import { expect } from 'chai';
import { bearer, keys, parseRaw, raw, startApi, type TestApi } from '../helpers/api.ts';
import { OWN_TEMPLATE_PROBLEM, sameItemProblem } from '../../src/api/slugSchemas.ts';

describe('slugs in POST /agent/tasks, over a raw socket', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  beforeEach(() => {
    api.started.length = 0;
  });
  after(() => api.close());

  async function post(fields: object) {
    const task = {
      command: 'generate_pages',
      templatePageSlug: '/template',
      items: [{ targetPageSlug: '/new', context: 'x' }],
    };
    const body = Buffer.from(JSON.stringify({ siteId: api.site.siteId, ...task, ...fields }));
    const head = [
      'POST /api/v1/agent/tasks HTTP/1.1',
      'Host: localhost',
      `Authorization: ${bearer(keys.member).Authorization}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Connection: close',
    ];
    return parseRaw(
      await raw(api.port, Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body])),
    );
  }
  const targets = (...slugs: string[]) =>
    post({ items: slugs.map((targetPageSlug) => ({ targetPageSlug, context: 'x' })) });

  const hostile = [
    '',
    'http://evil.example.com/x',
    '../etc/passwd',
    'con',
    '/a//b',
    '/a...',
    '/%2e%2e/etc/passwd',
    '/..\\..\\x',
    '/a\0b',
    '/\u202egpj.exe',
    '/\u2024\u2024/x',
    '/\ud800',
    '/.git/config',
    '/a?b',
    '/a b',
    '/com1',
    '/node_modules/x',
    '/git~1',
    `/${'a'.repeat(200)}`,
    '/index.html',
    `/${'index/'.repeat(300_000)}`,
    '/<script>',
  ];
  for (const slug of hostile) {
    const shown = JSON.stringify(slug).slice(0, 50);
    it(`rejects ${shown} as a target, names the field, and starts nothing`, async () => {
      const { status, json } = await targets(slug);
      expect([status, Object.keys(json)]).to.deep.equal([400, ['error']]);
      expect(json['error']).to.match(/^Invalid request body: items\[0\].targetPageSlug (must|is) /);
      expect(api.started).to.be.empty;
    });
    if (!['/', '/index', '/index.html', '/a b'].includes(slug))
      it(`rejects ${shown} as a template`, async () => {
        const { status, json } = await post({ templatePageSlug: slug });
        expect([status, json['error']]).to.satisfy(
          ([s, e]: [number, string]) => s === 400 && e.includes('templatePageSlug'),
        );
      });
  }

  for (const [slug, meant] of [
    ['/a', '/a'],
    ['locations/porto', '/locations/porto'],
    ['a/index.html', '/a'],
    ['/a.html', '/a'],
    ['/a/index.html', '/a'],
    ['/über-uns/straße', '/über-uns/straße'],
    ['/cafe\u0301', '/caf\u00e9'],
    ['/日本/東京', '/日本/東京'],
    [`/${'a'.repeat(199)}`, `/${'a'.repeat(199)}`],
  ] as const)
    it(`accepts ${slug.slice(0, 30)} for the page ${meant.slice(0, 30)}`, async () => {
      expect((await targets(slug)).status).to.equal(200);
      const { work } = api.started[0]?.task ?? {};
      expect(work).to.have.nested.property('items[0].targetPageSlug', meant);
    });

  for (const twin of ['a', '/A', '/a.html', '/a/INDEX.HTML'])
    it(`rejects ${twin} beside /a in one task`, async () => {
      const { json } = await targets('/a', '/b', twin);
      expect(json).to.deep.equal({
        error: `Invalid request body: items[2].targetPageSlug ${sameItemProblem(0)}`,
      });
    });

  it('rejects the same word in two normalizations, and ß beside SS', async () => {
    expect((await targets('/cafe\u0301', '/caf\u00e9')).status).to.equal(400);
    expect((await targets('/straße', '/STRASSE')).status).to.equal(400);
  });

  for (const target of ['/template', '/Template', '/template.html'])
    it(`rejects ${target} as a target of the template /template`, async () =>
      expect((await targets('/other', target)).json).to.deep.equal({
        error: `Invalid request body: items[1].targetPageSlug ${OWN_TEMPLATE_PROBLEM}`,
      }));

  it('accepts a template without its first slash, and finds it among the targets', async () => {
    expect((await post({ templatePageSlug: 'locations/austin' })).status).to.equal(200);
    expect(api.started[0]?.task.work).to.have.property('templatePageSlug', '/locations/austin');
    expect((await post({ templatePageSlug: 'new' })).json).to.deep.equal({
      error: `Invalid request body: items[0].targetPageSlug ${OWN_TEMPLATE_PROBLEM}`,
    });
  });

  it('treats a request with and without first slashes as the same for an Idempotency-Key', async () => {
    await post({
      templatePageSlug: '/template',
      items: [{ targetPageSlug: '/new', context: 'x' }],
    });
    await post({ templatePageSlug: 'template', items: [{ targetPageSlug: 'new', context: 'x' }] });
    expect(api.started[1]?.bodyHash).to.equal(api.started[0]?.bodyHash);
  });

  for (const home of ['/', '/index.html', 'index.html'])
    it(`accepts ${home} as a template, the home page`, async () => {
      expect((await post({ templatePageSlug: home })).status).to.equal(200);
      expect(api.started[0]?.task.work).to.have.property('templatePageSlug', '/');
    });
});
