import { expect } from 'chai';
import { limits } from '../../../../src/contract/task.ts';
import { DomainError } from '../../../../src/errors.ts';
import { checkFiles } from '../../../../src/sites/checks/checkChanges.ts';
import { checkPages } from '../../../../src/sites/checks/checkPages.ts';
import { checkFailedError } from '../../../../src/sites/checks/namedViolations.ts';
import { violationMessage } from '../../../../src/sites/checks/violationMessage.ts';
import type { PageViolation } from '../../../../src/sites/formats/pageFindings.ts';
import { memoryTree } from '../../agents/memoryTree.ts';
import { testPages as pages } from '../../../helpers/threads.ts';

describe('checkPages', () => {
  const page = (body: string) => `<!doctype html>\n<title>A page</title>\n<h1>A page</h1>\n${body}`;
  const change = (path: string, after: string, before = page('')) => ({
    path,
    before: { path, source: before },
    after,
    sitePaths: ['a.html', 'b/index.html'],
    mayAddLinks: false,
  });
  const failure = async (changes: ReturnType<typeof change>[]) => {
    const error: unknown = await checkPages(pages, changes, null).catch(
      (reason: unknown) => reason,
    );
    return error instanceof DomainError
      ? error
      : expect.fail(`expected a DomainError, got ${String(error)}`);
  };

  it('passes pages that are as good as before', async () => {
    await checkPages(pages, [], null);
    await checkPages(
      pages,
      [change('a.html', page('<a href="/b/">b</a>')), change('b/index.html', page('x'))],
      null,
    );
  });

  const link: PageViolation = { line: 4, element: '<a href>', code: 'broken-link', values: ['/c'] };
  const messageAt = (slug: string, violation: PageViolation) =>
    `${slug}, ${violationMessage(violation)}`;

  it('names page, line, element and expectation of every violation', async () => {
    const broken = [
      change('a.html', page('<a href="/c">c</a>')),
      change('b/index.html', page('').replace('A page<', '<')),
    ];
    const title: PageViolation = { line: 1, element: '<title>', code: 'lost-text', values: [] };
    const { message } = checkFailedError('pages', [messageAt('/a', link), messageAt('/b', title)]);
    expect(await failure(broken)).to.deep.include({
      code: 'CHECK_FAILED',
      retryable: false,
      message,
    });
  });

  it('names at most thirty violations, and says how many more there are', async () => {
    const links = page('<a href="/c">c</a>'.repeat(25));
    const { message } = await failure([change('a.html', links), change('b/index.html', links)]);
    expect(message.match(/"\/c"/g)).to.have.length(30);
    const messages = ['/a', '/b'].flatMap((slug) => Array<string>(25).fill(messageAt(slug, link)));
    expect(message).to.equal(checkFailedError('pages', messages).message);
  });

  const site = memoryTree({
    'site.css': '.card {} .md\\:wide {}',
    'c.html': page(
      '<p class="tint" style="background:url(x.png)">a</p><form action="/c"><input></form>',
    ),
    'x/d.html': page(
      '<iframe src="/a"></iframe><base href="/"><meta http-equiv="refresh" content="9;url=/a">',
    ),
  });
  const foreign: Record<string, [body: string, element: string, feature: string]> = {
    'a class': ['<p class="card team-grid">a</p>', '<p class>', 'the class "team-grid"'],
    'an inline style': ['<p style="color:red">a</p>', '<p style>', 'an inline style'],
    'a form': ['<form action="/b/"></form>', '<form>', '<form>'],
    'a frame': ['<iframe src="/b/"></iframe>', '<iframe>', '<iframe>'],
    'an object': ['<object data="/b/"></object>', '<object>', '<object>'],
    'a frame in a template': [
      '<template><iframe src="/b/"></iframe></template>',
      '<iframe>',
      '<iframe>',
    ],
    'a base, also one of another page': ['<base href="/">', '<base>', '<base>'],
    'a refresh, also one of another page': [
      '<meta http-equiv="refresh" content="9;url=/a">',
      '<meta>',
      'a refresh',
    ],
  };
  for (const [what, [body, element, feature]] of Object.entries(foreign))
    it(`rejects ${what} that the site does not have, if an agent added it`, async () => {
      const changes = [change('a.html', page(body))];
      const error: unknown = await checkPages(pages, changes, site).catch(
        (reason: unknown) => reason,
      );
      const values = [feature];
      expect(String(error)).to.contain(
        violationMessage({ line: 4, element, code: 'foreign-feature', values }),
      );
      await checkPages(pages, changes, null);
    });

  it('passes what an agent copied from another page of the site, also to another path', async () => {
    const copied =
      '<p class="card tint md:wide" style="background:url(x.png)">a</p><form action="/c"><input></form><iframe src="/a"></iframe>';
    const paths = { sitePaths: ['a.html', 'b/index.html', 'c.html', 'x.png'] };
    await checkPages(pages, [{ ...change('a.html', page(copied)), ...paths }], site);
    const moved = copied.replace('url(x.png)', 'url(../x.png)').replace('"/c"', '"../c"');
    await checkPages(pages, [{ ...change('b/index.html', page(moved)), ...paths }], site);
  });

  it('rejects files that are not pages, except for what agents may change', async () => {
    const css = '.card { color: red }';
    const check = (path: string, before: string | null, after: string | null) =>
      checkFiles(pages, [{ path, before, after }]).then(
        () => 'passed',
        (error: DomainError) => error.code,
      );
    expect(await check('site.css', css, css.replace('red', 'blue'))).to.equal('passed');
    expect(await check('site.css', css, '.card { color: red; margin: 0 }')).to.equal('passed');
    expect(await check('site.css', css, `${css} /* a */ .x { color: red }`)).to.equal('passed');
    expect(await check('robots.txt', 'a', 'b')).to.equal('passed');
    const refused: [path: string, before: string | null, after: string | null][] = [
      ...[
        css.replace('red', 'url(//x)'),
        `@import "x"; ${css}`,
        `${css} /*# sourceMappingURL=x */`,
      ].map((after): [string, string, string] => ['site.css', css, after]),
      ...([
        ['app.js', 'a', 'b'],
        ['new.txt', null, 'b'],
        ['old.txt', 'a', null],
        ['data.json', '{}', '{'],
      ] as [string, string | null, string | null][]),
      ['.env.txt', 'a', 'b'],
      ['sitemap.xml', '<a/>', '<a/> '],
    ];
    for (const [path, before, after] of refused)
      expect(await check(path, before, after), `${path} ${after}`).to.equal('CHECK_FAILED');
  });

  it('rejects a page over its limit with its path and its size', async () => {
    const { code, message } = await failure([
      change('b/index.html', page('')),
      change('a.html', 'é'.repeat(limits.pageBytes / 2 + 1)),
    ]);
    expect(code).to.equal('LIMIT_EXCEEDED');
    expect(message).to.match(/ \/a .*\b2000002 bytes\b.*\b2000000\b/);
  });

  it('rejects pages that are too large together with the path of the largest', async () => {
    const large = page('x'.repeat(limits.pageBytes - 100));
    const size = Buffer.byteLength(large);
    const changes = [
      ...Array.from({ length: 10 }, () => change('a.html', large)),
      change('b/index.html', `${large}x`),
    ];
    const { code, message } = await failure(changes);
    expect(code).to.equal('LIMIT_EXCEEDED');
    expect(message).to.match(/\b11 pages\b.*\b20000000\b.* \/b\b/);
    expect(message)
      .to.contain(` ${size * 11 + 1} bytes`)
      .and.to.contain(` ${size + 1})`);
  });

  const deep = '<b>'.repeat(600);
  const half = '<div>'.repeat(300);
  for (const [place, body] of [
    ['the page itself', deep],
    ['noscript elements', `<noscript>${deep}</noscript>`],
    ['conditional comments', `<!--[if IE]>${deep}<![endif]-->`],
    ['shadow roots', `<x-a><template shadowrootmode="open">${deep}</template></x-a>`],
    ['a page and its noscript elements together', `${half}<noscript>${half}</noscript>`],
  ] as const)
    it(`fails with the path of a page that nests too deeply in ${place}`, async () => {
      const { code, message } = await failure([change('a.html', page(body))]);
      expect(code).to.equal('LIMIT_EXCEEDED');
      expect(message).to.match(/^Page \/a: .*\b500\b/);
    });
});
