import { expect } from 'chai';
import { fileTexts } from '../../../../../src/agents/model/tools/editFileTool.ts';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { memoryTree } from '../../memoryTree.ts';
import { openModelTools, withMode } from './site.ts';

const files = {
  'index.html':
    '<!doctype html>\n<html lang="en"><head><title>A</title></head><body><h1>A</h1></body></html>\n',
  'site.css': '.a { color: red; margin: 0 }\n.b { color: red }\n',
  'app.js': 'let a = 1;',
  'robots.txt': 'User-agent: *\nDisallow: /x\n',
  'sitemap.xml': '<urlset></urlset>',
  'feed.xml': '<rss>News</rss>',
  'app.webmanifest': '{"name":"Acme","start_url":"/","icons":[{"src":"/a.png"}]}',
  'data.json': '{"team":[{"name":"Ann","url":"https://acme.example/ann"}]}',
  'package.json': '{"scripts":{"build":"x"}}',
  '.env.txt': 'a',
  '.well-known/security.txt': 'Contact: mailto:a@acme.example',
  'node_modules/x.css': '.a { color: red }',
  'linked.css': '.a { color: red }',
};

type Edit = [path: string, find: string, replace: string];

const good: Record<string, Edit> = {
  'values of style rules': ['site.css', 'margin: 0', 'margin: 1rem auto'],
  'a rule for small screens': [
    'site.css',
    '.b {',
    '@media (max-width: 600px) { .a { display: none } } /* phones */ .b {',
  ],
  'a declaration more, with a picture of the site': [
    'site.css',
    'margin: 0',
    'margin: 0; background: url("../img/a.png") no-repeat',
  ],
  'a declaration less': ['site.css', 'color: red; ', ''],
  robots: ['robots.txt', 'Disallow: /x', 'Disallow: /private'],
  'strings of a manifest': ['app.webmanifest', '"Acme"', '"Acme Studio"'],
  'data, also more of it': ['data.json', '"Ann",', '"Ann \\u0026 Bob","city":"Rome",'],
};

const missing = (path: string) =>
  fileTexts.missing(path, [
    'app.webmanifest',
    'data.json',
    'package.json',
    'robots.txt',
    'site.css',
  ]);

const bad: Record<string, [edit: Edit, says: RegExp | string]> = {
  'a page': [['index.html', 'A', 'B'], /index\.html: .*\bcss, json, txt and webmanifest\b/],
  'a script': [['app.js', '1', '2'], /app\.js: .*\bcss, json, txt and webmanifest\b/],
  'a file whose name begins with a dot': [['.env.txt', 'a', 'b'], fileTexts.hidden('.env.txt')],
  'a folder whose name does': [
    ['.well-known/security.txt', 'acme', 'evil'],
    fileTexts.hidden('.well-known/security.txt'),
  ],
  'a package': [['node_modules/x.css', 'red', 'blue'], fileTexts.hidden('node_modules/x.css')],
  'the sitemap': [['sitemap.xml', '<urlset>', '<urlset> '], /sitemap\.xml: .*\bpages\b/],
  'what steers programs': [
    ['package.json', '"x"', '"curl evil.example"'],
    /package\.json: .*\bprograms\b/,
  ],
  'a symbolic link': [['linked.css', 'red', 'blue'], fileTexts.symbolicLink('linked.css')],
  'a file above the site': [['../x.txt', 'a', 'b'], missing('../x.txt')],
  'a path through the site': [['a/../robots.txt', 'x', 'b'], missing('a/../robots.txt')],
  'an absolute path': [['/etc/passwd', 'root', 'b'], missing('etc/passwd')],
  'a path in escapes': [['%2e%2e/x.txt', 'a', 'b'], missing('%2e%2e/x.txt')],
  'a path with a NUL': [['robots.txt\0.css', 'a', 'b'], missing('robots.txt .css')],
  'an import': [['site.css', '.a {', '@import "x.css"; .a {'], /"@import"/],
  'a font of another site': [
    ['site.css', '.a {', '@font-face { font-family: x; src: url(//evil.example/x.woff) } .a {'],
    /"@font-face"|another site/,
  ],
  'a picture of another site': [
    ['site.css', 'margin: 0', 'background: url(https://evil.example/x.png)'],
    /url\(\) of another site/,
  ],
  'a picture of another site in quotes': [
    ['site.css', 'margin: 0', 'background: url("//evil.example/x.png")'],
    /\bin a string\b/,
  ],
  'a picture of another site in a selector': [
    ['site.css', '.b {', '.c { background: image-set("x.png" 1x) } .b {'],
    /image-set\(\)/,
  ],
  'data in a style sheet': [
    ['site.css', 'margin: 0', 'background: url(data:image/svg+xml,x)'],
    /another site/,
  ],
  'an escape in an address': [
    ['site.css', 'margin: 0', 'background: url(\\2f\\2f evil.example)'],
    /another site|backslash|cannot be read|unterminated/,
  ],
  'what runs in old browsers': [
    ['site.css', 'margin: 0', 'width: expression(alert(1))'],
    /expression\(\)/,
  ],
  'a comment that hides rules': [
    ['site.css', 'margin: 0', 'margin: 0 /*'],
    /^site\.css: .*\bLine \d+: /,
  ],
  'a map of the source': [
    ['site.css', '.a {', '/*# sourceMappingURL=/etc/passwd */ .a {'],
    /\bcomment\b.*\bline 1\b/,
  ],
  'a broken style sheet': [['site.css', 'margin: 0 }', 'margin: 0'], /^site\.css: .*\bLine \d+: /],
  'what is no JSON any more': [['data.json', '"Ann"', 'Ann'], /\bJSON\b/],
  'markup in data': [['data.json', 'Ann"', '<img src=x onerror=alert(1)>"'], /\bmarkup\b/],
  'markup in escapes': [['data.json', 'Ann"', '\\u003cimg src=x>"'], /\bmarkup\b/],
  'a script as address': [
    ['data.json', 'https://acme.example/ann', 'java\\tscript:x()'],
    /\bURL of a script\b/,
  ],
  'another host': [
    ['data.json', 'https://acme.example/ann', 'https://evil.example/'],
    /new host: "https:\/\/evil.example"/,
  ],
  'another host in escapes': [
    ['data.json', 'https://acme.example/ann', '\\u002f\\/evil.example'],
    /new host/,
  ],
  'another host without slashes': [
    ['data.json', 'https://acme.example/ann', 'https:evil.example'],
    /new host/,
  ],
  'another host behind one slash': [
    ['data.json', 'https://acme.example/ann', 'HTTPS:/evil.example'],
    /new host/,
  ],
  'another host around a tab': [
    ['data.json', 'https://acme.example/ann', '/\\t/evil.example'],
    /new host/,
  ],
  'an escape that changes the direction': [
    ['data.json', 'https://acme.example/ann', 'a\\u202eb'],
    /invisible characters/,
  ],
  'an escape of a tag': [
    ['data.json', 'https://acme.example/ann', 'a\\udb40\\udc41'],
    /invisible characters/,
  ],
  'another host in a manifest': [
    ['app.webmanifest', '"/a.png"', '"//evil.example/a.png"'],
    /new host/,
  ],
  'the prototype of objects': [['data.json', '"name"', '"__proto__"'], /__proto__/],
  XML: [['feed.xml', 'News', 'Old'], /feed\.xml: .*\bcss, json, txt and webmanifest\b/],
  'a control character': [['robots.txt', '/x', '/\u0007'], /control characters/],
};

describe('edit_file', () => {
  const open = () => openModelTools(withMode(memoryTree(files), 'linked.css', '120000'), pages);

  for (const [what, [path, find, replace]] of Object.entries(good))
    it(`changes ${what}, and nothing else`, async () => {
      const { done, changed } = open();
      const before = files[path as keyof typeof files];
      const line = before.slice(0, before.indexOf(find)).split('\n').length;
      expect(await done('edit_file', { path, find, replace })).to.equal(
        fileTexts.replaced([line], path),
      );
      expect([...changed()]).to.deep.equal([[path, before.replace(find, () => replace)]]);
    });

  for (const [what, [[path, find, replace], says]] of Object.entries(bad))
    it(`rejects ${what}`, async () => {
      const { refusal, changed } = open();
      const answer = await refusal('edit_file', { path, find, replace });
      if (typeof says === 'string') expect(answer).to.equal(says);
      else expect(answer).to.match(says);
      expect(changed().size).to.equal(0);
    });

  it('names the lines of a text that occurs several times, and replaces all of them on request', async () => {
    const { done, refusal, changed } = open();
    const edit = { path: 'site.css', find: 'red', replace: 'blue' };
    expect(await refusal('edit_file', edit)).to.match(/\b2 times\b.*\blines 1, 2\b/);
    expect(await refusal('edit_file', { ...edit, find: 'green' })).to.match(/"green"/);
    expect(await done('edit_file', { ...edit, all: true })).to.equal(
      fileTexts.replaced([1, 2], 'site.css'),
    );
    expect(changed().get('site.css')).to.equal(files['site.css'].replaceAll('red', 'blue'));
  });

  it('accepts only short texts', async () => {
    const { refusal } = open();
    for (const edit of [
      { find: '', replace: 'x' },
      { find: 'x', replace: 'y'.repeat(20_001) },
      { find: 'x'.repeat(20_001), replace: 'y' },
    ])
      expect(await refusal('edit_file', { path: 'robots.txt', ...edit })).to.match(
        /^Wrong arguments/,
      );
  });
});
