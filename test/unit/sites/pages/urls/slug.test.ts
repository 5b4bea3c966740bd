import { expect } from 'chai';
import {
  checkSlug,
  foldSlug,
  normalizeSlug,
  slugProblems,
} from '../../../../../src/sites/pages/urls/slug.ts';

describe('checkSlug', () => {
  const accepted: [string, string][] = [
    ['/x', '/x'],
    ['/x.html', '/x'],
    ['/x/index.html', '/x'],
    ['/a/b-c/d_e.f', '/a/b-c/d_e.f'],
    ['/cafe\u0301', '/café'],
    ['/hindi-हिन्दी', '/hindi-हिन्दी'],
  ];
  for (const [given, slug] of accepted)
    it(`reads ${JSON.stringify(given)} as ${slug}`, () =>
      expect(checkSlug(given)).to.deep.equal({ slug }));

  const refused: [slug: string, problem: keyof typeof slugProblems][] = [
    ['', 'noSlash'],
    ['x', 'noSlash'],
    ['/', 'homePage'],
    ['/index.html', 'homePage'],
    ['/x//y', 'emptySegment'],
    ['https://x.example/a', 'noSlash'],
    ['/..', 'leadingDot'],
    ['/x/../y', 'leadingDot'],
    ['/.git/config', 'leadingDot'],
    ['/x.', 'trailingDot'],
    ['/%2e%2e/x', 'percent'],
    ['/a%2fb', 'percent'],
    ['/a%00b', 'percent'],
    ['/a\\b', 'urlSyntax'],
    ['/a\0b', 'invisible'],
    ['/a\u202eb', 'invisible'],
    ['/a\ud800b', 'invisible'],
    ['/a b', 'space'],
    ['/a?b', 'urlSyntax'],
    ['/a#b', 'urlSyntax'],
    ['/．．/x', 'equivalent'],
    ['/a\u2024b', 'equivalent'],
    ['/con', 'reserved'],
    ['/x/nul.txt', 'reserved'],
    ['/git~1', 'reserved'],
    ['/node_modules/x', 'reserved'],
    ['/a<b', 'characters'],
    ['/a:b', 'characters'],
    [`/${'a'.repeat(200)}`, 'tooLong'],
    [`/${'案'.repeat(81)}`, 'longSegment'],
  ];
  for (const [slug, problem] of refused)
    it(`rejects ${JSON.stringify(slug.slice(0, 30))}`, () =>
      expect(checkSlug(slug)).to.deep.equal({ problem: slugProblems[problem] }));

  it('takes spaces inside the name of a page that exists', () => {
    const spaced = { slug: '/a/our shop' };
    expect(checkSlug('/a/our shop.html', { exists: true })).to.deep.equal(spaced);
    for (const slug of ['/a ', '/ a', '/a  b', '/a /b', '/a\tb'])
      expect(checkSlug(slug, { exists: true })).to.have.property('problem');
  });

  it('accepts the home page on request', () => {
    expect(checkSlug('/', { exists: true })).to.deep.equal({ slug: '/' });
    expect(checkSlug('/index.html', { exists: true })).to.deep.equal({ slug: '/' });
    expect(checkSlug('//', { exists: true })).to.have.property('problem');
  });

  it('accepts 200 characters and no more', () => {
    expect(checkSlug(`/${'a/'.repeat(99)}b`)).to.have.property('slug');
    expect(checkSlug(`/${'a/'.repeat(99)}bc`)).to.have.property('problem');
  });

  it('rejects megabytes of removable segments at once', () => {
    expect(checkSlug('/index'.repeat(350_000))).to.have.property('problem');
  });
});

describe('normalizeSlug', () => {
  it('returns its own results unchanged', () => {
    for (const slug of [
      '/',
      '/x',
      '/x.html',
      '/x/index.html/',
      '/x.html.html',
      '/index/index.html',
      '/a.htm',
    ])
      expect(normalizeSlug(normalizeSlug(slug))).to.equal(normalizeSlug(slug));
    expect(normalizeSlug('/index/index.html')).to.equal('/');
  });
});

describe('foldSlug', () => {
  it('folds only slugs that differ in case to the same one', () => {
    expect(foldSlug('/Straße')).to.equal(foldSlug('/STRASSE')).and.not.equal(foldSlug('/a'));
    expect(foldSlug('/x')).not.to.equal(foldSlug('/y'));
  });
});
