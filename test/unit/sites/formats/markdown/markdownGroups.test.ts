import { expect } from 'chai';
import type { PageChange } from '../../../../../src/sites/formats/format.ts';
import { markdown } from '../../../../../src/sites/formats/markdown/markdown.ts';
import { readMarkdownFiles } from './corpus.ts';

const { calls } = markdown;
const source = `---
title: Some words
faqs:
  - question: One thing
    answer: Yes it is
  - question: Two things # note
    answer: |
      No it
      is not
---

# Headline

9. One item
10. Two items

    more words
11. Three items

## Prices

| Package | Price |
| ------- | ----: |
| Start   | $900  |
| Shop    | $990  |

## Places

> * Oslo
> * Bergen

Last words
`;
const page = { path: 'content/a.md', source };
const groupIds = () => calls.groups(page).map(({ id }) => id);

function rebuild(change: PageChange): string {
  return calls.rebuild(page, change)?.source ?? source;
}

describe('repeated blocks in Markdown', () => {
  it('are items, rows, and objects of front matter', () => {
    const groups = calls.groups(page).map(({ role, section, members, pattern }) => {
      const slots = calls.read(page).slots;
      const texts = members.map((ids) =>
        ids.map((id) => slots.find((slot) => slot.id === id)!.text),
      );
      return [role, section, pattern, texts];
    });
    expect(groups).to.deep.equal([
      [
        'question',
        null,
        1,
        [
          ['One thing', 'Yes it is'],
          ['Two things', 'No it\nis not'],
        ],
      ],
      ['list-item', 'Headline', 2, [['One item'], ['Two items', 'more words'], ['Three items']]],
      [
        'table-row',
        'Prices',
        1,
        [
          ['Start', '$900'],
          ['Shop', '$990'],
        ],
      ],
      ['list-item', 'Places', 1, [['Oslo'], ['Bergen']]],
    ]);
  });

  it('are cloned, removed and swapped without any other change', () => {
    const [faqs, list, table, quoted] = groupIds() as [string, string, string, string];
    const changes: [change: PageChange, before: string, after: string][] = [
      [
        { kind: 'members', group: faqs, order: [1, 'clone'] },
        source.slice(source.indexOf('  - question: One'), source.indexOf('---\n\n#')),
        `  - question: Two things # note
    answer: |
      No it
      is not
  - question: Two things # note
    answer: |
      No it
      is not
`,
      ],
      [
        { kind: 'members', group: list, order: [0, 'clone'] },
        '10. Two items\n\n    more words\n11.',
        '10.',
      ],
      [
        { kind: 'members', group: table, order: [0, 1, 'clone'] },
        '| Shop    | $990  |\n',
        '| Shop    | $990  |\n'.repeat(2),
      ],
      [
        { kind: 'exchange', group: quoted, memberIndexes: [0, 1] },
        '* Oslo\n> * Bergen',
        '* Bergen\n> * Oslo',
      ],
    ];
    for (const [change, before, after] of changes) {
      expect(source).to.include(before);
      expect(rebuild(change)).to.equal(source.replace(before, () => after));
    }
    expect(() => rebuild({ kind: 'members', group: 'g99', order: [0] })).to.throw('no group "g99"');
    expect(() => rebuild({ kind: 'members', group: list, order: [3] })).to.throw('members 0 to 2');
  });

  it('are arranged in a new page, whose texts name them', () => {
    const { digest, groups } = calls.readTemplate(page, []);
    const sizes = Object.fromEntries(groups.map(({ id, members }) => [id, members.length + 1]));
    const texts = groups.map(({ members, pattern }): [string, string] => {
      return [members[pattern]![0]!.replace(/^s\d+/, '$&+1'), 'New text'];
    });
    const newPage = calls.create({
      template: page,
      target: { slug: '/content/b', path: 'content/b.md' },
      texts: Object.fromEntries(texts),
      groups: sizes,
      sitePaths: [],
      digest,
      siblings: [],
    });
    expect(newPage).to.equal(
      source
        .replace(
          '---\n\n#',
          '  - question: New text # note\n    answer: |\n      No it\n      is not\n$&',
        )
        .replace('Three items', '$&\n12. New text')
        .replace('| Shop    | $990  |', '$&\n| New text    | $990  |')
        .replace('> * Bergen', '$&\n> * New text'),
    );
  });

  it('are found in TOML and JSON', () => {
    for (const frontMatter of [
      '+++\n[[cards]]\ntitle = "One card"\n[[cards]]\ntitle = "Two cards"\n[cards.more]\ntext = "More words"\n+++\n',
      '+++\ncards = [{ title = "One card" }, { title = "Two cards" }]\n+++\n',
      '{ "cards": [{ "title": "One card" }, { "title": "Two cards" }] }\n',
      '---\ncards: [{ title: One card }, { title: Two cards }]\n---\n',
    ]) {
      const cards = { path: 'a.md', source: `${frontMatter}\nWords\n` };
      const [group] = calls.groups(cards);
      const changed = calls.rebuild(cards, { kind: 'members', group: group!.id, order: [0] });
      expect(
        calls.read({ ...cards, source: changed!.source }).slots.map(({ text }) => text),
      ).to.deep.equal(['One card', 'Words']);
      const grown = calls.rebuild(cards, {
        kind: 'members',
        group: group!.id,
        order: [0, 1, 'clone'],
      });
      expect(grown!.source.split('Two cards')).to.have.length(3);
    }
  });

  it('can be sections and tables, which are moved and removed', () => {
    const [prices, table, places] = calls.sections(page);
    expect([prices, table, places].map((one) => [one!.kind, one!.name])).to.deep.equal([
      ['section', 'Prices'],
      ['table', 'Prices'],
      ['section', 'Places'],
    ]);
    const [first, second] = source.split(/(?=## P)/).slice(1) as [string, string];
    const head = source.slice(0, source.indexOf('## Prices'));
    expect(rebuild({ kind: 'remove-section', id: prices!.id })).to.equal(head + second);
    expect(rebuild({ kind: 'remove-section', id: places!.id })).to.equal(
      `${head}${first.trim()}\n`,
    );
    const moved = `${head}${second.trim()}\n\n${first.trim()}\n`;
    expect(
      rebuild({ kind: 'move-section', id: prices!.id, where: 'after', other: places!.id }),
    ).to.equal(moved);
    expect(
      rebuild({ kind: 'move-section', id: places!.id, where: 'before', other: prices!.id }),
    ).to.equal(moved);
    expect(() => rebuild({ kind: 'remove-section', id: 's1' })).to.throw(
      'no section or table "s1"',
    );
  });

  it('can be added and removed on real pages, with every other byte as it was', function () {
    this.timeout(60_000);
    let count = 0;
    for (const file of readMarkdownFiles(12))
      for (const { id, members } of calls.groups(file).slice(0, 2)) {
        count++;
        const all = [...members.keys()];
        const change = { kind: 'members' as const, group: id };
        const grown = calls.rebuild(file, { ...change, order: [...all, 'clone'] })!;
        const restored = calls.rebuild({ ...file, ...grown }, { ...change, order: all });
        expect(restored?.source, `${file.path} ${id}`).to.equal(file.source);
      }
    expect(count).to.be.above(8);
  });
});
