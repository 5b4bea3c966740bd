import { expect } from 'chai';
import { checkHtmlPage } from '../../../../../../src/sites/formats/html/checks/checkHtmlPage.ts';
import type { PageSource } from '../../../../../../src/sites/formats/format.ts';
import { corpus, npmSites, type CorpusSite } from '../../../corpus.ts';
import { casesIn } from '../../../../../helpers/cases.ts';

const sites = [corpus[0]!, ...npmSites];

const atEnd = (markup: string) => (source: string) => source.replace(/(?=<\/body>)/, () => markup);
const inHead = (markup: string) => (source: string) => source.replace(/(?=<\/head>)/, () => markup);

/**
 * What a person may do to a page of a site in an hour, by hand or with what an icon site or an
 * editor gives to paste.
 */
const edits: Record<string, (source: string, site: CorpusSite) => string> = {
  nothing: (source) => source,
  'another text': (source) =>
    source.replace(/(<(?:h\d|p)[^>]*>)[^<]*/, '$1See https://other.example/ &amp; "more" for 5 €'),
  'a paragraph': atEnd(
    '<p class="lead" id="new-text" lang="de" dir="ltr">Neu: <b>fett</b>, <i>schräg</i><br>url(x)</p>',
  ),
  'a class': (source) => source.replace(/<(h\d|p|div)( class="[^"]*")?/, '<$1 class="is-new"'),
  'styles with colours': atEnd(
    '<p style="color:#fff;background:linear-gradient(90deg, #123 0%, rgb(1 2 3 / 50%));width:calc(100% - 2px)">x</p>',
  ),
  'style rules':
    inHead(`<style media="screen">@charset "utf-8";@namespace svg url(http://www.w3.org/2000/svg);
    @media (min-width: 60em) { .x > a[href^="https://"]::after { content: "\\2197"; font: 1em/1.5 "A B", serif } }
    @font-face { font-family: "A B"; src: local("A B") } .y { background: url("data:image/png;base64,R0lGOD") }</style>`),
  'an image of the site': (source, { paths }) => {
    const image = paths.find((path) => /\.(png|jpe?g|svg|ico)$/.test(path)) ?? 'index.html';
    const url = `/${encodeURI(image)}`;
    return atEnd(
      `<figure><img src="${url}" srcset="${url} 1x, ${url} 2x" sizes="(min-width: 9em) 50vw, 100vw" alt="See //x" width="9"
      height="9" loading="lazy" decoding="async" title="A &quot;title&quot;"><figcaption>x</figcaption></figure>
      <p style="background:url('${url}') no-repeat">x</p><video controls poster="${url}" preload="none"></video>`,
    )(source);
  },
  'links to pages': (source, { pages }) =>
    atEnd(
      pages
        .map(({ path }) => `<a href="/${path}" rel="next" hreflang="en" title="x">x</a>`)
        .join('') +
        '<a href="https://other.example/?u=https://third.example/&amp;v=//x" target="_blank" rel="noopener">x</a>' +
        '<a href="tel:+4312345">x</a><a href="mailto:a@other.example?subject=https://x.example">x</a>',
    )(source),
  'an icon in SVG':
    atEnd(`<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" fill="currentColor" class="bi"
    viewBox="0 0 16 16" role="img" aria-label="Star" focusable="false"><title>Star</title><defs>
    <linearGradient id="new-fill" x1="0" y1="0" x2="1" y2="1" gradientUnits="objectBoundingBox"><stop offset="0"
    stop-color="#fff" stop-opacity=".5"/></linearGradient><clipPath id="new-clip"><rect width="9" height="9" rx="2"/></clipPath>
    </defs><g stroke="#000" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" clip-path="url(#new-clip)">
    <path fill-rule="evenodd" clip-rule="evenodd" fill="url(#new-fill)" transform="rotate(9) translate(1,2)" d="M0 0h9v9z"/>
    <circle cx="8" cy="8" r="3" opacity=".5"><animate attributeName="r" values="1;3;1" dur="2s" repeatCount="indefinite"/>
    </circle><polyline points="1,2 3,4"/></g></svg>`),
  'a table':
    atEnd(`<table class="table" border="1"><caption>x</caption><colgroup><col span="2"></colgroup><thead><tr>
    <th scope="col" abbr="x" id="new-a">a</th><th colspan="2" align="right">b</th></tr></thead><tbody><tr>
    <td headers="new-a" rowspan="2" valign="top">x</td></tr></tbody></table>`),
  'a list and details':
    atEnd(`<ol start="3" reversed type="a"><li value="4">x</li></ol><dl><dt>x</dt><dd>y</dd></dl>
    <details open name="x"><summary>x</summary><time datetime="2026-01-01">1.1.</time></details><meter min="0" max="9"
    value="3">3</meter><blockquote cite="https://other.example/">x</blockquote>`),
  'a form': (source, { pages }) =>
    atEnd(`<form action="/${pages[0]?.path}" method="get" novalidate autocomplete="on"><label for="new-field">x</label>
    <input id="new-field" name="q" type="url" value="https://" placeholder="https://other.example" required minlength="3"
    pattern="https?://.+" aria-describedby="new-field"><select name="s" multiple size="3"><optgroup label="x">
    <option value="//a" selected>a</option><option disabled>b</option></optgroup><hr></select><textarea rows="3" cols="9"
    maxlength="99"></textarea><button type="submit" disabled>x</button></form>`)(source),
  'what search engines read':
    inHead(`<meta name="description" content="JavaScript: what https://other.example/ is"><meta
    name="theme-color" content="#fff" media="(prefers-color-scheme: dark)"><script type="application/ld+json">
    {"@context":"https://schema.org","sameAs":["https://social.example/x"]}</script>`),
  'a copy of all that stands in the page': (source) => {
    const content = /<body[^>]*>([\s\S]*?)<(script|\/body)/.exec(source)?.[1] ?? '';
    return atEnd(content.replace(/ (id|for|name|href|aria-\w+|data-bs-target)="[^"]*"/g, ''))(
      source,
    );
  },
};

const faultsOf = (site: CorpusSite, page: PageSource, after: string) =>
  checkHtmlPage({ path: page.path, before: page, after, sitePaths: site.paths, mayAddLinks: true })
    .violations;

describe('a save of typical edits on third-party pages', () => {
  for (const [name, edit] of Object.entries(edits))
    it(`passes: ${name}`, () => {
      for (const site of sites) {
        const [page] = site.pages as [PageSource];
        const after = edit(page.source, site);
        if (name !== 'nothing') expect(after).to.not.equal(page.source);
        expect(faultsOf(site, page, after), `${site.name} ${page.path}`).to.deep.equal([]);
      }
    });

  it('passes on every page with all edits in one save', () => {
    for (const site of sites)
      for (const page of casesIn(site.pages)) {
        const after = Object.values(edits).reduce(
          (source, edit) => edit(source, site),
          page.source,
        );
        const faults = faultsOf(site, page, after).filter(({ code }) => code !== 'duplicate-id');
        expect(faults, `${site.name} ${page.path}`).to.deep.equal([]);
      }
  });
});
