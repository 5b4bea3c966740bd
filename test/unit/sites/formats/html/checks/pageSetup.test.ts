import { expect } from 'chai';
import { lostPartNames } from '../../../../../../src/sites/formats/lostPartNames.ts';
import { pageCalls } from '../../../../../../src/sites/pages/pageCalls.ts';

const pageOf = (head: string, { lang = ' lang="en"', body = '' } = {}) =>
  `<!doctype html>\n<html${lang}><head>${head}<title>A</title></head>\n<body><h1>A</h1>${body}</body></html>`;

/** What changed between two heads, as the check before a commit reports it. */
function changeOf(before: string, after: string) {
  const { setup } = pageCalls.sideEffects({ path: 'a/b.html', source: after }, before);
  const { removed, isUnlisted } = setup;
  return [...removed, ...(isUnlisted ? ['noindex'] : [])];
}
const headChange = (before: string, after: string) => changeOf(pageOf(before), pageOf(after));

const sheet = '<link rel="stylesheet" href="/site.css">';
const script = '<script src="/site.js"></script>';
const viewport = '<meta name="viewport" content="width=device-width, initial-scale=1">';
const { viewport: phones, charset, robots, styleElement: rules, canonical } = lostPartNames;
const named = {
  sheet: lostPartNames.styleSheet('/site.css'),
  script: lostPartNames.script('/site.js'),
};

const gone: [what: string, before: string, after: string, removed: string][] = [
  ['a script', script, '', named.script],
  [
    'the canonical URL',
    '<link rel="canonical" href="https://acme.example/b">',
    '<link rel="icon" href="/b.ico">',
    canonical,
  ],
  [
    'the description',
    '<meta name="description" content="Bakers since 1998">',
    '<meta name="description" content=" ">',
    lostPartNames.description,
  ],
  [
    'a link to the page in another language',
    '<link rel="alternate" hreflang="de" href="/de/"><link rel="alternate" hreflang="en" href="/">',
    '<link rel="alternate" hreflang="en" href="/">',
    lostPartNames.translation('de'),
  ],
  ['a script in a comment', script, `<!-- ${script} -->`, named.script],
  ['a script in a template', script, `<template>${script}</template>`, named.script],
  ['a script of another type', script, script.replace(' ', ' type="text/plain" '), named.script],
  [
    'an inline script',
    '<script>let  a = 1;</script>',
    '',
    lostPartNames.inlineScript('let a = 1;'),
  ],
  ['a style sheet', sheet, '', named.sheet],
  ['a style sheet for print only', sheet, sheet.replace('>', ' media="print">'), named.sheet],
  ['a style sheet without address', sheet, '<link rel="stylesheet" href="">', named.sheet],
  [
    'a style sheet that a script applies',
    '<link rel="preload" as="style" href="/site.css" onload="go(this)">',
    '<link rel="preload" as="style" href="/site.css">',
    named.sheet,
  ],
  ['a style element', '<style>p{color:red}</style>', '', rules],
  ['rules in a comment', '<style>p{color:red}</style>', '<style>/*p{color:red}*/</style>', rules],
  ['a viewport', viewport, '', phones],
  ['a viewport of a fixed width', viewport, '<meta name="viewport" content="width=1200">', phones],
  [
    'a viewport that another one replaces',
    viewport,
    `${viewport}<meta name="VIEWPORT" content="width=1200">`,
    phones,
  ],
  [
    'zoom',
    viewport,
    viewport.replace('=1"', '=1, maximum-scale=1, user-scalable=no"'),
    lostPartNames.zoom,
  ],
  [
    'a script with a digest',
    script.replace('>', ' integrity="sha384-a" crossorigin>'),
    script,
    named.script,
  ],
  ['a script without a wrong digest', script, script.replace(' ', ' integrity="x" '), named.script],
  ['a deferred script', script.replace('>', ' defer>'), script, named.script],
  [
    'scripts in their order',
    `${script}<script src="/b.js"></script>`,
    `<script src="/b.js"></script>${script}`,
    lostPartNames.order('script'),
  ],
  [
    'style sheets in their order',
    `${sheet}<link rel="stylesheet" href="/b.css">`,
    `<link rel="stylesheet" href="/b.css">${sheet}`,
    lostPartNames.order('sheet'),
  ],
  [
    'a canonical URL of its own',
    '<link rel="canonical" href="https://acme.example/a/b">',
    '<link rel="canonical" href="https://acme.example/">',
    canonical,
  ],
  ['a canonical URL of its own', '', '<link rel="canonical" href="/">', canonical],
  ['the usual rules for search engines', '', '<meta name="robots" content="nofollow">', robots],
  [
    'a rule for search engines',
    '<meta name="robots" content="max-snippet:20">',
    '<meta name="robots" content="max-snippet:0">',
    robots,
  ],
  [
    'a security policy',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'self'">`,
    '',
    lostPartNames.browserRule('content-security-policy'),
  ],
  [
    'the usual referrer policy',
    '',
    '<meta name="referrer" content="unsafe-url">',
    lostPartNames.referrerPolicy,
  ],
  [
    'a proof of who owns the site',
    '<meta name="google-site-verification" content="a">',
    '',
    lostPartNames.ownershipProof,
  ],
  [
    'a link to a feed',
    '<link rel="alternate" type="application/rss+xml" href="/feed.xml">',
    '',
    lostPartNames.link('application/rss+xml alternate'),
  ],
  ['a manifest', '<link rel="manifest" href="/app.json">', '', lostPartNames.link('manifest')],
  ['a template', '<template id="row"><b>x</b></template>', '', lostPartNames.scriptTemplate],
  [
    'a picture for social networks',
    '<meta property="og:image" content="/a.png">',
    '',
    lostPartNames.socialMeta('og:image'),
  ],
  [
    'a URL of its own for social networks',
    '<meta property="og:url" content="/a/b">',
    '<meta property="og:url" content="/a/c">',
    lostPartNames.socialUrl,
  ],
  ['a charset', '<meta charset="utf-8">', '', charset],
  [
    'a charset as a header',
    '<meta http-equiv="Content-Type" content="text/html; charset=utf-8">',
    '<meta http-equiv="Content-Type" content="text/html">',
    charset,
  ],
];

const kept: [what: string, before: string, after: string][] = [
  [
    'an import map, whose addresses follow a move',
    '<script type="importmap">{"imports":{"app":"../js/app.js"}}</script>',
    '<script type="importmap">{"imports":{"app":"../../js/app.js"}}</script>',
  ],
  ['a script with another query', script, script.replace('.js', '.js?v=2')],
  ['a script by another way', script, script.replace('"/site', '"../site')],
  ['a style sheet for all', sheet, sheet.replace('>', ' media="all" type="text/css">')],
  ['a style element of other rules', '<style>p{color:red}</style>', '<style>p{top:0}</style>'],
  ['a viewport with other words', viewport, '<meta name=viewport content="initial-scale=1">'],
  [
    'a charset in other words',
    '<meta charset="utf-8">',
    '<meta http-equiv="content-type" content="text/html; charset=utf-8">',
  ],
  [
    'the usual rules for search engines',
    '',
    '<meta name="robots" content="index, follow"><link rel="canonical" href="/a/b">',
  ],
  [
    'a viewport that allows to zoom',
    viewport,
    viewport.replace('=1"', '=1, maximum-scale=1.5, user-scalable=yes"'),
  ],
  ['structured data', '<script type="application/ld+json">{"@type":"FAQPage"}</script>', ''],
];

const unlisting = [
  '<meta name="robots" content="noindex">',
  '<meta name="googlebot" content="none">',
  '<meta name="robots" content="unavailable_after: 2020-01-01">',
  '<meta http-equiv="X-Robots-Tag" content="googlebot: noindex">',
  '<meta property="robots" content="noindex">',
];
const listed = [
  '<meta name="robots" content="index, follow">',
  '<meta name="description" content="none of our bread has noindex">',
  '<template><meta name="robots" content="noindex"></template>',
];

describe('the setup of a page', () => {
  for (const [what, before, after, removed] of gone)
    it(`lacks ${what}`, () => expect(headChange(before, after)).to.deep.equal([removed]));

  for (const [what, before, after] of kept)
    it(`still has ${what}`, () => expect(headChange(before, after)).to.deep.equal([]));

  for (const lang of ['', ' lang=" "'])
    it(`lacks a language: <html${lang}>`, () =>
      expect(changeOf(pageOf(''), pageOf('', { lang }))).to.deep.equal([lostPartNames.language]));

  it('has a charset by its byte order mark', () =>
    expect(changeOf(pageOf('<meta charset="utf-8">'), `\uFEFF${pageOf('')}`)).to.deep.equal([]));

  it('includes what is in the body', () => {
    const body = script + sheet;
    expect(changeOf(pageOf('', { body }), pageOf(''))).to.deep.equal([named.script, named.sheet]);
  });

  it('lacks the canonical URL of a home page that names another page as its own', () => {
    const home = (href: string) =>
      pageOf(`<link rel="canonical" href="https://acme.example${href}">`);
    const changed = (before: string, after: string) =>
      pageCalls.sideEffects({ path: 'index.html', source: after }, before).setup.removed;
    expect(changed(home('/'), home('/about'))).to.deep.equal([canonical]);
    expect(changed(home('/'), home('/index.html'))).to.deep.equal([]);
    expect(changed(pageOf(''), home('/'))).to.deep.equal([]);
  });

  it('lacks a hidden field of a form', () => {
    const body = '<form><input type="hidden" name="token" value="a"></form>';
    expect(changeOf(pageOf('', { body }), pageOf('', { body: '<form></form>' }))).to.deep.equal([
      lostPartNames.hiddenField('token'),
    ]);
  });

  for (const meta of unlisting)
    it(`asks search engines not to list the page: ${meta}`, () => {
      expect(headChange('', meta)).to.deep.equal(['noindex']);
      expect(headChange(meta, meta)).to.deep.equal([]);
      expect(headChange(meta, '')).to.deep.equal([]);
    });

  for (const meta of listed)
    it(`does not ask search engines to leave the page out: ${meta}`, () =>
      expect(headChange('', meta)).to.deep.equal([]));

  it('keeps possible secrets out of its sentences', () =>
    expect(
      headChange('<script src="https://cdn.example/x.js?key=secret"></script>', ''),
    ).to.deep.equal([lostPartNames.script('https://cdn.example/x.js')]));
});
