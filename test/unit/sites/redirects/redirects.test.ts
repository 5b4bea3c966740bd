import { expect } from 'chai';
import { readTarget } from '../../../../src/sites/pages/urls/servedPaths.ts';
import { readRedirects } from '../../../../src/sites/redirects/readRedirects.ts';
import { createSiteRedirects } from '../../../../src/sites/redirects/redirects.ts';

function byLines(source: string, target: string) {
  const found = createSiteRedirects(readRedirects(source)).all(readTarget(target)!);
  return found && `${found.status} ${found.location}`;
}

describe('createSiteRedirects(rules)', () => {
  const lines: [string, string, string | undefined][] = [
    ['/a /b', '/a', '301 /b'],
    ['/a /b', '/a/', '301 /b'],
    ['/a/ /b/', '/a', '301 /b/'],
    ['/a.html /b 302', '/a.html', '302 /b'],
    ['\uFEFF/a\t/b  307  # moved', '/a', '307 /b'],
    ['# /a /b\r\n/a /c 308\r\n', '/a', '308 /c'],
    ['/a /b 301!', '/a', '301 /b'],
    ['/a /b#part', '/a?x=1', '301 /b?x=1#part'],
    ['/a /b?own=1', '/a?x=1', '301 /b?own=1'],
    ['/caf%C3%A9 /b', '/cafe%CC%81', '301 /b'],
    ['/a /café', '/a', '301 /caf%C3%A9'],
    ['/a /b\n/a /c', '/a', '301 /b'],
    ['/x/* /y/:splat', '/x/1/2%203', '301 /y/1/2%203'],
    ['/x/* /y/:splat', '/x', '301 /y/'],
    ['/x/* /y\n/x/1 /z', '/x/1', '301 /y'],
    ['/x/1 /z\n/x/* /y', '/x/1', '301 /z'],
    ['/:year/:month/:slug /:slug-of-:year', '/2024/05/hi', '301 /hi-of-2024'],
    ['/a https://other.example/x 302', '/a', '302 https://other.example/x'],
    ['/a/* http://other.example:81/:splat', '/a/b?c=d', '301 http://other.example:81/b?c=d'],
    ['/A /b', '/a', undefined],
    ['/a /b', '/a/c', undefined],
    ['/a /b', '//a', undefined],
    ['/a /a/', '/a', undefined],
    ['/a/* /a/:splat', '/a/b', undefined],
    ['/a /b 200', '/a', undefined],
    ['/a /b 404', '/a', undefined],
    ['/a /b 302 Country=de', '/a', undefined],
    ['/a id=:id /b/:id', '/a?id=1', undefined],
    ['https://old.example/a /b', '/a', undefined],
    ['/a', '/a', undefined],
    ['/x/*/z /y', '/x/1/z', undefined],
  ];
  for (const [source, target, expected] of lines)
    it(`redirects ${target} to ${expected} with ${JSON.stringify(source)}`, () => {
      expect(byLines(source, target)).to.equal(expected);
    });

  const hostile: [string, string, string | undefined][] = [
    ['/go/* /:splat', '/go//evil.example', '301 /evil.example'],
    ['/go/* /:splat', '/go/https://evil.example', '301 /https%3A//evil.example'],
    ['/a /.//evil.example', '/a', '301 /evil.example'],
    ['/a //evil.example', '/a', '301 /evil.example'],
    ['/a /\\evil.example', '/a', '301 /evil.example'],
    ['/a /x/..//evil.example', '/a', '301 /evil.example'],
    ['/go/:host https://:host/', '/go/evil.example', undefined],
    ['/go/:host https://good.example.:host/x', '/go/evil', undefined],
    ['/go/* https://good.example:splat', '/go/.evil.example', undefined],
    ['/go/:x https://:x@good.example/', '/go/evil.example', undefined],
    ['/a https://good.example\\@evil.example/', '/a', '301 https://good.example/@evil.example/'],
    ['/a javascript:alert(1)', '/a', undefined],
    ['/a data:text/html,x', '/a', undefined],
    ['/a https://', '/a', undefined],
    ['/a /b\u0000\u0001\u007f', '/a', '301 /b%00%01%7F'],
    ['/a /b\u2028Set-Cookie:x', '/a', undefined],
    ['/go/:x /b?to=:x', '/go/%26admin=1%23', '301 /b?to=%26admin%3D1%23'],
    [`/go/:x /${':x/'.repeat(400)}`, `/go/${'a'.repeat(5000)}`, undefined],
    [`/a /${'b'.repeat(3000)}`, '/a', undefined],
  ];
  for (const [source, target, expected] of hostile)
    it(`redirects ${target.slice(0, 40)} to ${expected} with ${JSON.stringify(source.slice(0, 60))}`, () => {
      expect(byLines(source, target)).to.equal(expected);
    });

  it('applies the first 10,000 rules, 1,000 of them with placeholders', () => {
    const many = (count: number, line: (i: number) => string) =>
      Array.from({ length: count }, (_, i) => line(i)).join('\n');
    const exact = many(10_001, (i) => `/a${i} /b${i}`);
    expect(byLines(exact, '/a9999')).to.equal('301 /b9999');
    expect(byLines(exact, '/a10000')).to.equal(undefined);
    const patterns = many(1_001, (i) => `/a${i}/* /b${i}`);
    expect(byLines(patterns, '/a999/x')).to.equal('301 /b999');
    expect(byLines(patterns, '/a1000/x')).to.equal(undefined);
  });

  it('applies up to 32 segments with placeholders', () => {
    const deep = (count: number) => `/:x${'/a'.repeat(count - 1)}`;
    expect(byLines(`${deep(32)} /b`, `/x${'/a'.repeat(31)}`)).to.equal('301 /b');
    expect(byLines(`${deep(33)} /b`, `/x${'/a'.repeat(32)}`)).to.equal(undefined);
  });
});
