import { expect } from 'chai';
import { formats } from '../../../../src/sites/formats/formats.ts';
import { combineRules } from '../../../../src/sites/formats/paths.ts';
import { calledPath } from '../../../../src/sites/pages/calledFile.ts';
import { createPageCalls } from '../../../../src/sites/pages/pageCalls.ts';
import { plainText } from './plainText.ts';

const [html] = formats;
const calls = createPageCalls([html, plainText]);
const note = { path: 'notes/a.txt', source: 'Title\nsee /b\nEnd' };
const page = {
  path: 'b.html',
  source: '<!doctype html><title>B</title><h1>B</h1><h2 class="x">One</h2><p>Text',
};

describe('calls on pages of two formats', () => {
  it('are answered by the format of the page', () => {
    expect(calls.read(note)).to.include({ slug: '/notes/a', title: 'Title' });
    expect(calls.read(page)).to.include({ slug: '/b', title: 'B' });
    expect(calls.setTexts(note, { s2: 'Last' })).to.equal('Title\nsee /b\nLast');
    expect(() => calls.setTexts(note, { s9: '' })).to.throw('no slot "s9"');
    const target = { path: 'notes/c.txt', slug: '/notes/c' };
    expect(
      calls.create({
        template: note,
        target,
        texts: { s0: 'C' },
        sitePaths: [],
        digest: '',
        siblings: [],
      }),
    ).to.equal('C\nsee /b\nEnd');
    expect(calls.rebuild(note, { kind: 'remove-links', slug: '/b' })).to.equal(null);
  });

  it('compare versions, and find notes and keys, in every format', () => {
    const changed = { ...note, source: note.source.replace('End', 'Last') };
    expect(calls.compare(changed, note)).to.deep.equal([
      { role: 'paragraph', section: null, before: 'End', after: 'Last' },
    ]);
    expect(calls.compare(null, note)).to.have.length(3);
    const notes = [{ kind: 'unused' as const, value: 'Last' }];
    expect(calls.standing({ written: note, page: changed }, notes)).to.deep.equal([false]);
    expect(calls.knownKeys(note, ['class Title', 'class x'])).to.deep.equal(['class Title']);
    expect(calls.knownKeys(page, ['class Title', 'class x'])).to.deep.equal(['class x']);
    expect(
      calls.knownKeys({ path: 'a.css', source: '.x{}' }, ['class Title', 'class x']),
    ).to.deep.equal(['class x']);
    expect(calls.linkingPages([page, note], '/b')).to.deep.equal([
      { slug: '/notes/a', to: ['/b'], hasBlock: false },
    ]);
  });

  it('distinguish pages, slugs and new files by the rules of each format', () => {
    const rules = combineRules([html.paths, plainText.paths]);
    expect(['a.html', 'a.txt', 'a.css'].map((path) => rules.handles(path))).to.deep.equal([
      true,
      true,
      false,
    ]);
    expect(rules.slugOf('a/index.html')).to.equal('/a');
    expect(rules.slugOf('a.txt')).to.equal('/a');
    expect(rules.pathOf('/x', 'a.txt')).to.equal('x.txt');
    expect(rules.pathOf('/x', 'a/index.html')).to.equal('x/index.html');
  });
});

describe('calledPath', () => {
  it('returns the file that a call is about', () => {
    expect(calledPath([note, 's1'])).to.equal('notes/a.txt');
    expect(calledPath([{ page: note, siblings: [page] }])).to.equal('notes/a.txt');
    expect(calledPath([{ template: note, target: { path: 'x.txt' } }])).to.equal('x.txt');
    expect(calledPath([null, note])).to.equal('notes/a.txt');
    expect(calledPath([[page, note], '/b'])).to.equal(null);
    expect(calledPath(['a\0b', { templatePath: 'a.html', slugs: ['/b'] }])).to.equal(null);
  });
});
