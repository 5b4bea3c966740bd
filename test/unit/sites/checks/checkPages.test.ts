import { expect } from 'chai';
import { limits } from '../../../../src/contract/task.ts';
import { DomainError } from '../../../../src/errors.ts';
import { checkPages } from '../../../../src/sites/checks/checkPages.ts';
import { testPages as pages } from '../../../helpers/threads.ts';

describe('checkPages', () => {
  const page = (body: string) => `<!doctype html>\n<title>A page</title>\n<h1>A page</h1>\n${body}`;
  const change = (path: string, after: string, before = page('')) => ({
    path,
    before: { path, source: before },
    after,
    sitePaths: ['a.html', 'b/index.html'],
    newLinks: false,
  });
  const failure = async (changes: ReturnType<typeof change>[]) => {
    const error: unknown = await checkPages(pages, changes).catch((reason: unknown) => reason);
    return error instanceof DomainError ? error : expect.fail(`expected a DomainError, got ${String(error)}`);
  };

  it('passes pages that are as good as before', async () => {
    await checkPages(pages, []);
    await checkPages(pages, [change('a.html', page('<a href="/b/">b</a>')), change('b/index.html', page('x'))]);
  });

  it('names page, line, element and expectation of every fault', async () => {
    const broken = [
      change('a.html', page('<a href="/c">c</a>')),
      change('b/index.html', page('').replace('A page<', '<')),
    ];
    expect(await failure(broken)).to.deep.include({
      code: 'CHECK_FAILED',
      retryable: false,
      message:
        'The changed pages did not pass the checks, so nothing was committed: ' +
        '/a, line 4, <a href>: "/c" leads to nothing (expected: a page or file of the site); ' +
        '/b, line 1, <title>: missing or empty (expected: a text, as the page before had one)',
    });
  });

  it('names ten faults at most, and says how many more there are', async () => {
    const links = page('<a href="/c">c</a>'.repeat(15));
    const { message } = await failure([change('a.html', links), change('b/index.html', links)]);
    expect(message.match(/leads to nothing/g)).to.have.length(10);
    expect(message).to.match(/; and 20 more$/);
  });

  it('refuses a page over its limit, naming it and its size', async () => {
    const { code, message } = await failure([
      change('b/index.html', page('')),
      change('a.html', 'é'.repeat(limits.pageBytes / 2 + 1)),
    ]);
    expect({ code, message }).to.deep.equal({
      code: 'LIMIT_EXCEEDED',
      message: 'Page /a would have 2000002 bytes; at most 2000000 are allowed',
    });
  });

  it('refuses pages that are too large together, naming the largest', async () => {
    const large = page('x'.repeat(limits.pageBytes - 100));
    const size = Buffer.byteLength(large);
    const changes = [...Array.from({ length: 10 }, () => change('a.html', large)), change('b/index.html', `${large}x`)];
    const { code, message } = await failure(changes);
    expect({ code, message }).to.deep.equal({
      code: 'LIMIT_EXCEEDED',
      message: `The task's 11 pages would have ${size * 11 + 1} bytes together; at most 20000000 are allowed (the largest, /b, has ${size + 1})`,
    });
  });

  it('fails where a page cannot be read, naming it', async () => {
    const { code, message } = await failure([change('a.html', page('<b>'.repeat(600)))]);
    expect({ code, message }).to.deep.equal({
      code: 'LIMIT_EXCEEDED',
      message: 'Page /a: The page nests elements deeper than 500 levels',
    });
  });
});
