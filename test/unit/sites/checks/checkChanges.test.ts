import { expect } from 'chai';
import { checkChanges } from '../../../../src/sites/checks/checkChanges.ts';
import { changeSentences, setupWords } from '../../../../src/sites/checks/changeNotes.ts';
import { createCommitNotes } from '../../../../src/sites/checks/commitNotes.ts';
import {
  OWNERSHIP_PROOF,
  violationMessage,
} from '../../../../src/sites/checks/violationMessage.ts';
import { lostPartNames } from '../../../../src/sites/formats/lostPartNames.ts';
import type { ViolationCode } from '../../../../src/sites/formats/pageFindings.ts';
import { DomainError } from '../../../../src/errors.ts';
import { memoryTree } from '../../agents/memoryTree.ts';
import { testPages as pages } from '../../../helpers/threads.ts';

const home = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Acme</title>
<link rel="stylesheet" href="/site.css">
<script src="/site.js" defer></script>
</head>
<body>
<h1>Acme</h1>
<p class="lead">Bakers since 1998.</p>
<p><a href="/about">About us</a></p>
</body>
</html>
`;
const site = {
  'index.html': home,
  'about.html': home.replace('Bakers', 'We bake'),
  'contact.html': home,
  'site.css': '.lead { color: red }',
  'site.js': '',
  'google1234567890abcdef.html': 'google-site-verification: google1234567890abcdef.html',
};
const tree = memoryTree(site);
const sourceAt = (path: string) => {
  const source = site[path as keyof typeof site];
  return Promise.resolve(source === undefined ? null : { path, source });
};

const check = (changes: Record<string, string>) =>
  checkChanges(pages, tree, {
    files: Object.entries(changes).map(([path, content]) => ({ path, content })),
    before: sourceAt,
    mayAddLinks: true,
  });

/** What the error says of a thing that no page of the site has. */
const foreign = (element: string, feature: string, line: number) =>
  violationMessage({ line, element, code: 'foreign-feature', values: [feature] });

/** The notes of a commit, by kind and text. */
async function notesOf(changes: Record<string, string>) {
  const nothing = { created: [], modified: [], deleted: [] };
  const notes = await createCommitNotes(pages, {
    tree,
    additions: await check(changes),
    changed: nothing,
    moved: [],
    replaced: [],
    redirects: [],
    paths: Object.keys(changes),
    request: () => Promise.resolve('Tidy the site'),
  });
  return notes.map(({ kind, page, text }) => [kind, page, text]);
}

describe('checkChanges', () => {
  it('lets a page have a class that the same change writes into a style sheet', async () => {
    const page = home.replace('class="lead"', 'class="lead quiet"');
    const refused = await check({ 'index.html': page }).catch((error: Error) => error.message);
    expect(refused).to.contain(foreign('<p class>', 'the class "quiet"', 12));
    const css = '.lead { color: red } @media (max-width: 600px) { .quiet { display: none } }';
    expect(await check({ 'index.html': page, 'site.css': css })).to.have.property(
      'externalReferences',
    );
  });

  it('names every violation of one hostile edit, in pages and in other files', async () => {
    const hostile: [markup: string, element: string, code: ViolationCode, ...values: string[]][] = [
      ['<script>steal()</script>', '<script>', 'new-script'],
      [
        '<script src="//evil.example/x.js"></script>',
        '<script src>',
        'new-request-host',
        '//evil.example',
      ],
      ['<p onclick="steal()">Hi</p>', '<p onclick>', 'new-script'],
      ['<a href="javascript:steal()">Go</a>', '<a href>', 'new-script'],
      ['<a href="&#106;ava\tscript:more()">Go</a>', '<a href>', 'new-script'],
      ['<iframe src="/about" title="x"></iframe>', '<iframe>', 'foreign-feature', '<iframe>'],
      ['<iframe srcdoc="&lt;b&gt;x"></iframe>', '<iframe srcdoc>', 'new-script'],
      ['<object data="/about"></object>', '<object>', 'foreign-feature', '<object>'],
      [
        '<form action="https://catch.example/"><input name="q"></form>',
        '<form action>',
        'new-request-host',
        '//catch.example',
      ],
      ['<base href="/about/">', '<base>', 'foreign-feature', '<base>'],
      [
        '<meta http-equiv="refresh" content="0;url=/about">',
        '<meta>',
        'foreign-feature',
        'a refresh',
      ],
      [
        '<meta http-equiv="content-security-policy" content="script-src none">',
        '<meta http-equiv>',
        'new-attribute',
        'http-equiv="content-security-policy"',
      ],
      [
        '<p class="unknown-class">Hi</p>',
        '<p class>',
        'foreign-feature',
        'the class "unknown-class"',
      ],
      ['<p style="color:red">Hi</p>', '<p style>', 'foreign-feature', 'an inline style'],
      ['<p data-go="1">Hi</p>', '<p data-go>', 'new-attribute', 'data-go'],
      ['<a href="/nowhere">Go</a>', '<a href>', 'broken-link', '/nowhere'],
      ['<p>Dear {{name}}</p>', '<p>', 'new-placeholder', '{{name}}'],
      ['<p id="x">a</p><p id="x">b</p>', '<p id>', 'duplicate-id', 'x'],
      ['<!--#exec cmd="steal" -->', '<!--#', 'new-script'],
      [
        '<meta name="google-site-verification" content="x">',
        '<meta>',
        'foreign-feature',
        OWNERSHIP_PROOF,
      ],
      [
        '<button formaction="/about">Go</button>',
        '<button formaction>',
        'foreign-feature',
        'a formaction',
      ],
      [
        '<button formmethod="get">Go</button>',
        '<button formmethod>',
        'foreign-feature',
        'a formmethod',
      ],
      ['<a href="/about" rel="opener" target="_blank">Go</a>', '<a rel>', 'controlling-link'],
      ['<img name="getElementById" alt="x">', '<img name>', 'new-attribute', 'name'],
      ['<div>never closed', '<div>', 'parse-error', 'element-without-end-tag'],
    ];
    const markup = hostile.map(([text]) => text).join('\n');
    const error = await check({
      'index.html': home.replace('</body>', () => `${markup}\n</body>`),
      'site.css': '@import "x.css";',
      'site.js': 'steal()',
      'google1234567890abcdef.html': 'another owner',
    }).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(DomainError).with.property('code', 'CHECK_FAILED');
    const { message } = error as DomainError;
    for (const [i, [, element, code, ...values]] of hostile.entries()) {
      const counts = code === 'duplicate-id' ? ['2'] : [];
      const violation = { line: 14 + i, element, code, values: [...values, ...counts] };
      expect(message).to.contain(`/, ${violationMessage(violation)}`);
    }
    for (const path of ['site.css', 'site.js', 'google1234567890abcdef.html'])
      expect(message).to.contain(`${path}: `);
    expect(message).to.not.match(/ and \d+ more/);
  });

  it('rejects a form or frame with more rights than it had, and markup without an end', async () => {
    const [form, frame] = ['<form action="/about" method="post">', '<iframe src="/about" sandbox>'];
    const bodies = `${form}<input name="q"></form>${frame}</iframe>`;
    const before = home.replace('</body>', `${bodies}</body>`);
    const rejected = async (from: string, to: string) => {
      const content = before.replace(from, to);
      const refused = await checkChanges(pages, memoryTree({ ...site, 'index.html': before }), {
        files: [{ path: 'index.html', content }],
        before: () => Promise.resolve({ path: 'index.html', source: before }),
        mayAddLinks: true,
      }).catch((error: Error) => error.message);
      return refused;
    };
    expect(await rejected(' method="post"', '')).to.contain(foreign('<form>', '<form>', 14));
    expect(await rejected(' method="post"', ' method="get"')).to.contain(
      foreign('<form>', '<form>', 14),
    );
    expect(await rejected(' sandbox', '')).to.contain(foreign('<iframe>', '<iframe>', 14));
    expect(await rejected(' sandbox', ' sandbox="allow-scripts"')).to.contain(
      foreign('<iframe>', '<iframe>', 14),
    );
    expect(await rejected('</body>', '<plaintext></body>')).to.contain('element-without-end-tag');
    expect(await rejected('Bakers', 'Millers'))
      .to.have.property('setups')
      .that.deep.equals([]);
  });

  it('notes on each page what an edit removed, and that it is hidden from search engines', async () => {
    const gutted = home
      .replace(' lang="en"', '')
      .replace('<meta charset="utf-8">\n', '')
      .replace(/<meta name="viewport".*\n/, '<meta name="robots" content="noindex">\n')
      .replace(/<link .*\n/, '')
      .replace(/<script .*\n/, '');
    const script = lostPartNames.script('/site.js');
    const bare = (page: string) => page.replace(/<script .*\n/, '');
    expect(
      await notesOf({
        'index.html': gutted,
        'about.html': bare(site['about.html']),
        'contact.html': bare(site['contact.html']),
      }),
    ).to.deep.equal([
      [
        'setup',
        '/',
        `/: ${setupWords({
          removed: [
            script,
            lostPartNames.styleSheet('/site.css'),
            lostPartNames.viewport,
            lostPartNames.charset,
            lostPartNames.language,
          ],
          isUnlisted: true,
        })}`,
      ],
      [
        'setup',
        undefined,
        `/about, /contact: ${setupWords({ removed: [script], isUnlisted: false })}`,
      ],
    ]);
  });

  it('notes nothing about an edit that only changes texts and attributes', async () => {
    const edited = home
      .replace('Bakers', 'Millers')
      .replace('lang="en"', "lang='de'")
      .replace('"utf-8"', 'utf-8')
      .replace('initial-scale=1', 'initial-scale = 1.0')
      .replace('/site.css', 'site.css?v=2');
    expect(await notesOf({ 'index.html': edited })).to.deep.equal([]);
  });

  it('notes on each page what a style sheet of the same change hides, on all screens or on phones', async () => {
    const changed = ['changed', undefined, changeSentences.files(['site.css'])];
    const { headline, text } = lostPartNames;
    for (const [rule, ...removed] of [
      ['body { opacity: 0 }', headline, text],
      ['@media (max-width: 600px) { h1 { display: none } }', headline],
    ] as const)
      expect(await notesOf({ 'site.css': `${site['site.css']} ${rule}` })).to.deep.equal([
        changed,
        ['setup', undefined, `/about, /contact, /: ${setupWords({ removed, isUnlisted: false })}`],
      ]);
    const quiet = '@media (max-width: 600px) { p a { display: none } }';
    expect(await notesOf({ 'site.css': `${site['site.css']} ${quiet}` })).to.deep.equal([changed]);
  });

  it('notes that a page gets a class with which a style sheet of the site hides its text', async () => {
    const styled = memoryTree({ ...site, 'site.css': '.off .lead, .off h1 { display: none }' });
    const additions = await checkChanges(pages, styled, {
      files: [{ path: 'index.html', content: home.replace('<body>', '<body class="off">') }],
      before: sourceAt,
      mayAddLinks: true,
    });
    expect(additions.setups).to.deep.equal([
      {
        path: 'index.html',
        removed: [lostPartNames.headline, lostPartNames.text],
        isUnlisted: false,
      },
    ]);
  });

  it('compares a new page with the page that it was made from', async () => {
    const content = home.replace('<h1>', '<h1 hidden>').replace('"/site.css"', '"../site.css"');
    const additions = await checkChanges(pages, tree, {
      files: [{ path: 'news/first.html', content }],
      before: () => sourceAt('index.html'),
      mayAddLinks: true,
    });
    expect(additions.setups.map(({ removed }) => removed)).to.deep.equal([
      [lostPartNames.headline],
    ]);
  });

  it('notes that an id is gone to which another page links, or which a script of the site needs', async () => {
    const linked = memoryTree({
      ...site,
      'index.html': home.replace('<p class="lead">', '<p id="lead" class="lead">'),
      'about.html': home.replace('"/about"', '"/#lead"'),
      'contact.html': home.replace('<h1>', '<h1 id="top">'),
      'site.js': "show(document.querySelector('#top'))",
    });
    const check = async (...paths: string[]) => {
      const additions = await checkChanges(pages, linked, {
        files: paths.map((path) => ({ path, content: home })),
        before: async (path) => ({ path, source: await linked.read(path) }),
        mayAddLinks: true,
      });
      return additions.setups.map(({ path, removed }) => [path, ...removed]);
    };
    expect(await check('index.html')).to.deep.equal([
      ['index.html', lostPartNames.linkedId('lead', '/about')],
    ]);
    expect(await check('contact.html')).to.deep.equal([
      ['contact.html', lostPartNames.neededId('top', 'site.js')],
    ]);
    expect(await check('index.html', 'about.html'), 'the link changes, too').to.deep.equal([]);
  });
});
