import { expect } from 'chai';
import { DomainError } from '../../../../../src/errors.ts';
import type { Tree } from '../../../../../src/sites/git/repository.ts';
import { testPages } from '../../../../helpers/threads.ts';
import { memoryTree } from '../../memoryTree.ts';
import { openModelTools, withMode } from './site.ts';

const page =
  '<!doctype html>\n<html lang="en"><head><title>A</title></head><body><h1>A</h1></body></html>\n';
const site = (more: Record<string, string>) =>
  memoryTree({ 'index.html': page, 'b.css': '.card { color: #1f4d43 }', ...more });
const unreadable = (tree: Tree, file: string): Tree => ({
  ...tree,
  read: (path) =>
    path === file
      ? Promise.reject(new DomainError('PAGE_UNREADABLE', `${path} is not UTF-8 text`))
      : tree.read(path),
});
const cases: [string, Tree, says: RegExp | undefined][] = [
  [
    'that is no style sheet',
    site({ 'a.css': '.a { color: #1f4d43 } }' }),
    /a\.css: .*Unexpected }/,
  ],
  [
    'of bytes that are no text',
    unreadable(site({ 'a.css': 'x' }), 'a.css'),
    /a\.css is not UTF-8 text/,
  ],
  [
    'that is a link to another one',
    withMode(site({ 'a.css': 'b.css' }), 'a.css', '120000'),
    undefined,
  ],
  ['that is never served', site({ '.private/a.css': '.a { color: #1f4d43 }' }), undefined],
];

describe('one style sheet of a site', () => {
  for (const [title, tree, says] of cases)
    it(`${title} does not keep a model from the others`, async () => {
      const { done, changed } = openModelTools(tree, testPages);
      const found = await done('search', { text: 'color', in: 'styles' });
      expect(found).to.contain('b.css line 1: .card').and.to.not.contain('private');
      for (const args of [{}, { search: 'card' }]) {
        const read = await done('read_styles', args);
        expect(read)
          .to.contain('card')
          .and.to.match(says ?? /./);
      }
      expect(await done('replace_colour', { from: '#1f4d43', to: '#000' }))
        .to.match(/^1 declaration/)
        .and.to.match(says ?? /./);
      expect([...changed()]).to.deep.equal([['b.css', '.card { color: #000 }']]);
    });

  it('that is the only one is named where it can not be read', async () => {
    const tree = unreadable(memoryTree({ 'index.html': page, 'a.css': 'x' }), 'a.css');
    const { refusal } = openModelTools(tree, testPages);
    expect(await refusal('read_styles', {})).to.equal('a.css is not UTF-8 text');
    expect(await refusal('replace_colour', { from: '#1f4d43', to: '#000' })).to.equal(
      'a.css is not UTF-8 text',
    );
  });
});
