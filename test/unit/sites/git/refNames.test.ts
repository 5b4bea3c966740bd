import { expect } from 'chai';
import {
  checkBranch,
  checkId,
  checkObjectId,
  checkRoot,
} from '../../../../src/sites/git/refNames.ts';

const refuses = (check: (name: string) => string, name: string) =>
  expect(() => check(name), JSON.stringify(name))
    .to.throw()
    .with.property('code', 'INVALID_INPUT');

describe('names for git', () => {
  it('allow the branches that git allows, except names that read as an option', () => {
    for (const name of ['main', 'release/2026-01', 'käse', 'a.b', 'x@y'])
      expect(checkBranch(name)).to.equal(name);
    for (const name of [
      '',
      '-x',
      '--upload-pack=x',
      'a..b',
      'a b',
      'a~1',
      'a^',
      'a:b',
      'a?',
      'a*',
      'a[',
      'a\\b',
      '/a',
      'a/',
      'a//b',
      '.a',
      'a/.b',
      'a.lock',
      'a.lock/b',
      'a.',
      '@',
      'a@{1}',
      'a\n',
      'x'.repeat(201),
    ])
      refuses(checkBranch, name);
  });

  it('allow only relative folders as a root', () => {
    for (const root of ['', 'docs', 'a/b c/ü']) expect(checkRoot(root)).to.equal(root);
    for (const root of ['/', '/docs', 'docs/', '../x', 'a/./b', '.git', 'a\n'])
      refuses(checkRoot, root);
  });

  it('allow IDs that are safe in refs, folders and arguments', () => {
    expect(checkId('bg-0123456789abcdefghijkl')).to.equal('bg-0123456789abcdefghijkl');
    for (const id of ['', '-x', '..', 'a/b', 'a.lock', 'a b', 'ü']) refuses(checkId, id);
    for (const id of ['HEAD', '-x', 'abc', `${'0'.repeat(40)}\n`]) refuses(checkObjectId, id);
  });
});
