import { expect } from 'chai';
import fc from 'fast-check';
import { browserHost, plainHostOf, readUrl } from '../../../../src/sites/pages/urls/urlHosts.ts';
import { testPages as pages } from '../../../helpers/threads.ts';
import { memoryTree } from '../../agents/memoryTree.ts';
import type { LinkListing } from '../../../../src/agents/shared/tools/linksAndImages.ts';
import { openModelTools } from '../../agents/model/tools/site.ts';
import { openCalls } from '../../agents/shared/tools/run.ts';
import { asHtml } from '../formats/html/asHtml.ts';
import { leadsAway, spellings } from '../files/spellings.ts';
import { casesOf } from '../../../helpers/cases.ts';

const path = 'index.html';
const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\r', '&#13;');
const pageWith = (markup: string) =>
  `<!doctype html>\n<html lang="en"><head><title>A</title><link rel="canonical" href="https://acme.test/"></head>\n<body><h1>A</h1><p>b <a href="https://acme.test/">c</a><img src="https://acme.test/i.png" alt=""></p>${markup}</body></html>\n`;

const problems = (before: string, after: string, mayAddLinks: boolean) =>
  asHtml.check({
    path,
    before: { path, source: before },
    after,
    sitePaths: [path, 'i.png'],
    mayAddLinks,
  }).violations;

const check = (property: (text: string) => void | Promise<void>, numRuns = 400) =>
  fc.assert(
    fc.asyncProperty(spellings(), async (text) => {
      fc.pre(leadsAway(text));
      await property(text);
    }),
    { numRuns: casesOf(numRuns) },
  );

describe('a URL on a page that leads a browser to a new host, however it is written', () => {
  const loads: Record<string, (url: string) => string> = {
    'an image': (url) => `<img src="${url}" alt="">`,
    'a source set': (url) => `<img srcset="${url.replace(/[\s&#;,]|10|13/g, '')} 2x" alt="">`,
    'words for a script': (url) => `<p data-socket="${url}">x</p>`,
    'data for a script': (url) => `<p data-src="${url}">x</p>`,
    'style rules': (url) =>
      `<p style="background: url('${url.replaceAll('\\', '\\\\').replace(/&#1[03];/g, '')}')">x</p>`,
  };
  for (const [what, markup] of Object.entries(loads))
    it(`is rejected as ${what}`, () =>
      check((text) => {
        const written = escaped(text);
        fc.pre(what !== 'a source set' || leadsAway(text.replace(/[\s,]/g, '')));
        fc.pre(what !== 'style rules' || leadsAway(text.replace(/[\n\r]/g, '')));
        const before = pageWith(markup('/i.png'));
        const found = problems(before, pageWith(markup(written)), true);
        expect(found, JSON.stringify(text)).to.not.deep.equal([]);
      }));

  it('is rejected as a link of a page that may get none', () =>
    check((text) => {
      const found = problems(
        pageWith('<a href="/">x</a>'),
        pageWith(`<a href="${escaped(text)}">x</a>`),
        false,
      );
      expect(found, JSON.stringify(text)).to.not.deep.equal([]);
    }));

  const tree = memoryTree({
    [path]: pageWith('<section><h2>d</h2></section>'),
    'b.html': '<title>B</title><h1>B</h1>',
  });
  const link = async () => {
    const [page] = await openCalls(tree, pages).answer<LinkListing>('list_links', { slug: '/' });
    return page!.links[0]!.id;
  };
  it('is accepted as a link from the calls of the rules only in the usual spelling', async () => {
    const id = await link();
    const probe = openCalls(tree, pages);
    expect(
      await probe.refusal('set_link', { slug: '/', id, target: 'https://evil.test/' }),
    ).to.equal('not refused');
    await check(async (text) => {
      const { refusal, changed } = openCalls(tree, pages);
      const answer = await refusal('set_link', { slug: '/', id, target: text });
      if (!answer.startsWith('not refused')) return;
      expect(plainHostOf(text), JSON.stringify(text))
        .to.equal(browserHost(text))
        .and.not.equal(undefined);
      expect(changed().get(path)).to.include(escaped(text));
    }, 200);
  });

  it('is reported as a new host if a page links to it, and never accepted as an image', () =>
    check(async (text) => {
      const { violations: faults, externalReferences: outsiders } = asHtml.check({
        path,
        before: { path, source: pageWith('') },
        after: pageWith(`<p><a href="${escaped(text)}">x</a></p>`),
        sitePaths: [path, 'i.png'],
        mayAddLinks: true,
      });
      expect([...faults, ...outsiders], JSON.stringify(text)).to.not.deep.equal([]);
      const image = `<div><img src="${escaped(text)}" alt="x"></div>`;
      const edits = [{ old: '</h2>', new: `</h2>${image}` }];
      const { done } = openModelTools(tree, pages);
      expect(await done('edit_html', { slug: '/', edits })).to.contain('finish would be refused');
    }, 100));
});

describe('readUrl(text)', () => {
  it('returns the URL that browsers read', () =>
    fc.assert(
      fc.property(spellings(), (text) => {
        for (const base of ['https://acme.test/a/b', 'http://acme.test/a/b'])
          expect(URL.parse(readUrl(text), base)?.href, JSON.stringify(text)).to.equal(
            URL.parse(text, base)?.href,
          );
      }),
      { numRuns: casesOf(1_000) },
    ));
});

describe('plainHostOf(text)', () => {
  it('returns the host of browsers, or nothing', () =>
    fc.assert(
      fc.property(spellings(), (text) => {
        const host = plainHostOf(text);
        if (host !== undefined) expect(host, JSON.stringify(text)).to.equal(browserHost(text));
      }),
      { numRuns: casesOf(1_000) },
    ));

  for (const [text, host] of Object.entries({
    'https://acme.test/x': '//acme.test',
    'https://acme.test:443/': '//acme.test',
    'https://münchen.test/': '//xn--mnchen-3ya.test',
    'https://user@acme.test/': undefined,
    'https://acme.test\\@evil.test/': undefined,
    '/x': undefined,
    'https://ａｃｍｅ.test/': undefined,
    'https://2130706433/': undefined,
  }))
    it(`returns ${host ?? 'none'} for ${text}`, () => expect(plainHostOf(text)).to.equal(host));
});
