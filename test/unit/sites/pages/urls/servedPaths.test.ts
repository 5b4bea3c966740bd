import { expect } from 'chai';
import fc from 'fast-check';
import { deployedPageUrl } from '../../../../../src/hosting/embedded/siteUrls.ts';
import { readTarget, resolvePath } from '../../../../../src/sites/pages/urls/servedPaths.ts';
import { createFileFinder } from '../../../../../src/sites/pages/urls/servedFiles.ts';
import { casesOf } from '../../../../helpers/cases.ts';

const treeOf = (paths: string[]) =>
  createFileFinder({
    entries: new Map(paths.map((path) => [path, { path, id: path, mode: '100644', size: 1 }])),
  });

const name = fc.constantFrom(
  'a',
  'b',
  'index',
  'index.html',
  'a.html',
  'x.html',
  'a.htm',
  'X.HTML',
  'b.HTM',
  'INDEX.HTM',
  '404.html',
  'ü.html',
  '%41.html',
  'a b.html',
  '..x',
  '.html',
  'content',
  'a.md',
  '_index.md',
  'README.md',
);
const files = fc.uniqueArray(
  fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/')),
);
const piece = fc.constantFrom(
  '/',
  '//',
  '..',
  '.',
  '%2e',
  '%2f',
  '%5c',
  '\\',
  '%00',
  'a',
  'b',
  '.html',
  'index.html',
  '%',
  '?',
  '#',
  'evil.com',
  'http://',
);

describe('readTarget and resolvePath', () => {
  it('find every page under its returned URL without a redirect', () => {
    fc.assert(
      fc.property(files, (paths) => {
        const find = treeOf(paths);
        for (const path of paths) {
          const url = deployedPageUrl('http://site.test', path, find);
          if (url === undefined) expect(find(path)).to.equal(undefined);
          else {
            const target = readTarget(new URL(url).pathname);
            expect(target && resolvePath(find, target)).to.deep.equal({ file: find(path) });
          }
        }
      }),
    );
  });

  it('never lead to another host, to a hidden file or out of the site', () => {
    fc.assert(
      fc.property(files, fc.array(piece, { maxLength: 8 }), (paths, pieces) => {
        const target = readTarget(`/${pieces.join('')}`);
        const found = target === null ? 'not found' : resolvePath(treeOf(paths), target);
        if (found === 'not found') return;
        if ('redirect' in found)
          expect(new URL(found.redirect, 'http://site.test').host).to.equal('site.test');
        else expect(found.file.path).not.to.match(/(^|\/)\./);
      }),
      { numRuns: casesOf(2_000) },
    );
  });

  it('answer for pages in Markdown as for those in HTML, and not for other Markdown', () => {
    const find = treeOf([
      'content/a.md',
      'content/b/_index.md',
      'docs/README.md',
      'about.markdown',
    ]);
    const answers = [
      '/content/a',
      '/content/a/',
      '/content/b',
      '/docs/README',
      '/docs/README.md',
      '/about',
    ];
    expect(answers.map((path) => resolvePath(find, readTarget(path)!))).to.deep.equal([
      { file: find('content/a.md') },
      { redirect: '/content/a' },
      { redirect: '/content/b/' },
      'not found',
      { file: find('docs/README.md') },
      { file: find('about.markdown') },
    ]);
  });

  it('redirect at most once', () => {
    fc.assert(
      fc.property(files, files, (paths, [asked = '']) => {
        const find = treeOf(paths);
        for (const path of [`/${encodeURI(asked)}`, `/${encodeURI(asked)}/`]) {
          const target = readTarget(path);
          const found = target === null ? 'not found' : resolvePath(find, target);
          if (found === 'not found' || 'file' in found) continue;
          const next = readTarget(found.redirect);
          expect(next && resolvePath(find, next)).to.have.property('file');
        }
      }),
    );
  });
});
