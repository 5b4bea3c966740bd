import { expect } from 'chai';
import { followWords } from '../../../../../src/sites/formats/markdown/followWords.ts';
import { parseMarkdown } from '../../../../../src/sites/formats/markdown/parseMarkdown.ts';
import { casesOf } from '../../../../helpers/cases.ts';
import { readMarkdownFiles } from './corpus.ts';
import { createRandom, followAtRandom, withOffsets } from './randomEdits.ts';

const canFollow = (before: string, after: string, path = 'page.md'): boolean =>
  followWords(parseMarkdown(path, before), parseMarkdown(path, after).masked) !== null;

describe('a page in Markdown that differs from a parsed one', () => {
  const template =
    '---\ntitle: Austin\n---\n\n# Austin #\n\n> Our studio in Austin\n\n1. Austin\n2. Boston\n\nAustin\n===\n';

  it('is read without the parser if it has other plain texts and other front matter', () => {
    const page = template
      .replaceAll('Austin', 'São Paulo & more')
      .replace('title', 'slug: x\ntitle');
    for (const lineEnd of ['\n', '\r\n'])
      for (const before of [template, template.replace(/^---.*---\n\n/s, '')]) {
        const [from, to] = [before, page].map((source) =>
          parseMarkdown('page.md', source.replaceAll('\n', lineEnd)),
        );
        expect(withOffsets(followWords(from!, to!.masked))).to.deep.equal(withOffsets(to!.tree));
      }
  });

  for (const [name, before, after] of [
    ['a mark of emphasis', 'Austin', '*Austin*'],
    ['an address', 'Austin', 'www.austin.example'],
    ['a list', 'Austin', '- Austin'],
    ['a heading', 'Austin', '# Austin'],
    ['no text', 'Austin', ''],
    ['a blank at its end', 'Austin', 'Austin '],
    ['a line more', 'Austin', 'Austin\nand'],
    ['another text before a table', '| Austin |\n| - |', '| Boston |\n| - |'],
    ['another line of a paragraph', 'Austin\nand more', 'Boston\nand more'],
    ['another text in code', '    Austin', '    Boston'],
    ['another text in a fence', '```\nAustin\n```', '```\nBoston\n```'],
    ['another text in HTML', '<p>\nAustin\n</p>', '<p>\nBoston\n</p>'],
    ['another text beside a link', 'Austin [a](b)', 'Boston [a](b)'],
    ['another label', '[Austin]\n\n[austin]: /x', '[Boston]\n\n[austin]: /x'],
  ] as const)
    it(`is parsed if it has ${name}`, () => {
      expect(canFollow(before, after)).to.equal(false);
    });

  it('is parsed if a text of MDX becomes an import', () => {
    expect(canFollow('Austin', "import 'a'", 'page.mdx')).to.equal(false);
  });

  it('reads as the parser says, with random texts in real pages', () => {
    const random = createRandom(44);
    let followed = 0;
    for (const page of readMarkdownFiles(casesOf(150)))
      for (const path of ['page.md', 'page.mdx', 'page.md'])
        for (const start of ['', '---\ntitle: a\n---\n'])
          if (followAtRandom({ path, source: start + page.source }, random)) followed++;
    expect(followed).to.be.greaterThan(casesOf(5));
  });
});
