import { expect } from 'chai';
import fc from 'fast-check';
import { checkChanges } from '../../../../src/sites/checks/checkChanges.ts';
import { testPages as pages } from '../../../helpers/threads.ts';
import { openModelTools } from '../../agents/model/tools/site.ts';
import { memoryTree } from '../../agents/memoryTree.ts';
import { leadsAway, plain, spellings } from './spellings.ts';
import { casesOf } from '../../../helpers/cases.ts';

/** For each kind of file: the file, and what of it a text becomes that stands in `PLACE`. */
const kinds: Record<
  string,
  { path: string; file: string; written: (text: string) => string; breaks?: string[] }
> = {
  json: {
    path: 'data.json',
    file: '{"home":"https://acme.test/","link":"PLACE"}',
    written: (text) => JSON.stringify(text).slice(1, -1),
  },
  'json, of two names the first': {
    path: 'data.json',
    file: '{"home":"https://acme.test/","link":"PLACE","link":"/x"}',
    written: (text) => JSON.stringify(text).slice(1, -1),
  },
  'json, in style rules': {
    path: 'data/look.json',
    file: '{"home":"https://acme.test/","image":"PLACE"}',
    written: (text) => JSON.stringify(`no-repeat url('${text}')`).slice(1, -1),
    breaks: ['\t'],
  },
  webmanifest: {
    path: 'app.webmanifest',
    file: '{"id":"https://acme.test/","start_url":"PLACE"}',
    written: (text) => JSON.stringify(text).slice(1, -1),
  },
  'txt, a sitemap in robots': {
    path: 'robots.txt',
    file: 'User-agent: *\nSitemap: https://acme.test/sitemap.xml\nSitemap: PLACE\n',
    written: (text) => text,
    breaks: ['\t'],
  },
  txt: {
    path: 'llms.txt',
    file: 'See https://acme.test/ or PLACE',
    written: (text) => text,
    breaks: ['\t'],
  },
  css: {
    path: 'site.css',
    file: '.a { background: url(https://acme.test/x.png); color: PLACE }\n',
    written: (text) =>
      `url("${text.replace(/[\\"\n\r]/g, (mark) => `\\${mark.charCodeAt(0).toString(16)} `)}")`,
  },
};

/**
 * Whether each of the two gates takes a file that was changed so: the tool, and the check before
 * the commit.
 */
async function taken(path: string, file: string, written: string) {
  const tree = memoryTree({ 'index.html': '<title>A</title><h1>A</h1>', [path]: file });
  const { refusal, changed } = openModelTools(tree, pages);
  const answer = await refusal('edit_file', { path, find: 'PLACE', replace: written });
  const after = file.replace('PLACE', () => written);
  const files = [{ path, content: after }];
  const before = () => Promise.resolve({ path, source: file });
  const checked = await checkChanges(pages, tree, { files, before, mayAddLinks: true }).then(
    () => true,
    () => false,
  );
  return { tool: answer.startsWith('not refused') && changed().size > 0, commit: checked, answer };
}

describe('a URL in a changed file that is not a page', () => {
  for (const [kind, { path, file, written, breaks }] of Object.entries(kinds)) {
    it(`never leads a browser to a new host, however it is written: ${kind}`, () =>
      fc.assert(
        fc.asyncProperty(spellings(breaks ? { breaks } : {}), async (text) => {
          fc.pre(leadsAway(text));
          const { tool, commit } = await taken(path, file, written(text));
          expect({ tool, commit }, JSON.stringify(text)).to.deep.equal({
            tool: false,
            commit: false,
          });
        }),
        { numRuns: casesOf(400) },
      ));

    if (kind !== 'css' && kind !== 'json, in style rules')
      it(`may lead to the site's own host: ${kind}`, () =>
        fc.assert(
          fc.asyncProperty(plain, async (text) => {
            const { tool, commit, answer } = await taken(path, file, written(text));
            expect({ tool, commit }, `${text}: ${answer}`).to.deep.equal({
              tool: true,
              commit: true,
            });
          }),
          { numRuns: casesOf(40) },
        ));
  }

  it('is rejected if it can be read in two ways, one of which is another host', async () => {
    for (const text of [
      'https://acme.test\\@evil.test/',
      'https://acme.test\\.evil.test/',
      'https://evil.test@acme.test/',
      'https:acme.test',
      'https:/acme.test/',
      'https:\\\\acme.test/',
      'https://acme%2etest/',
      'https://ａｃｍｅ.test/',
      '\\\\acme.test/x',
      'see https://acme.test\\@evil.test/ for more',
    ])
      for (const kind of ['json', 'txt', 'txt, a sitemap in robots', 'webmanifest']) {
        const { path, file, written } = kinds[kind]!;
        const { tool, commit } = await taken(path, file, written(text));
        expect({ tool, commit }, `${kind}: ${text}`).to.deep.equal({ tool: false, commit: false });
      }
  });

  it('may be one that the file had, and a host may occur in words', async () => {
    const text = 'https://partner.test/x and https://user@old.test';
    const file = JSON.stringify({ text, more: 'PLACE' });
    expect(
      await taken(
        'llms.txt',
        'See PLACE',
        'nobody. Open 9:00 - 17:00, and/or by mail: a@acme.test',
      ),
    ).to.include({ tool: true });
    const said =
      'Read https://partner.test, or https://partner.test. (https://partner.test)\\nhttps://partner.test\\nEnd';
    for (const words of [said, 'https://partner.test/y', 'Call us at 9:00, and/or (a: b) c:/d.'])
      expect(await taken('data.json', file, words), words).to.include({ tool: true, commit: true });
  });

  it('is not the host of robots.txt, which has no scheme', async () => {
    const robots = 'User-agent: *\nHost: acme.test\nAllow: PLACE\n';
    expect(await taken('robots.txt', robots, '/x')).to.include({ tool: true, commit: true });
    for (const line of ['/\nHost: evil.test', '/\nhost : https://evil.test', '/\n HOST:evil.test'])
      expect(await taken('robots.txt', robots, line), line).to.include({
        tool: false,
        commit: false,
      });
  });
});
