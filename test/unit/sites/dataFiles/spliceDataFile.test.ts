import { expect } from 'chai';
import { splitDataFile } from '../../../../src/sites/dataFiles/entrySources.ts';
import { spliceDataFile } from '../../../../src/sites/dataFiles/spliceDataFile.ts';
import { cpuTime } from '../../../helpers/growth.ts';

const berlin = { slug: 'berlin', title: 'Berlin', cards: [{ text: 'One card' }] };
const paris = { slug: 'paris', title: 'Paris', cards: [] };
const withoutSlug = ({ slug: _, ...rest }: typeof berlin | typeof paris) => rest;

/** Data files with the entries `berlin` and `paris`, by what is special about them. */
const files: Record<string, [path: string, source: string]> = {
  'a list in JSON': ['cities.json', `${JSON.stringify([berlin, paris], null, 2)}\n`],
  'a list in JSON with four spaces': ['cities.json', JSON.stringify([berlin, paris], null, 4)],
  'an object in JSON with tabs and CRLF': [
    'cities.json',
    JSON.stringify(
      { berlin: withoutSlug(berlin), paris: withoutSlug(paris) },
      null,
      '\t',
    ).replaceAll('\n', '\r\n'),
  ],
  'JSON in one line, with a byte-order mark': [
    'cities.json',
    `\uFEFF${JSON.stringify({ cities: [berlin, paris] })}`,
  ],
  'an entry in each line': [
    'cities.json',
    `[\n  ${JSON.stringify(berlin)},\n  ${JSON.stringify(paris)}\n]\n`,
  ],
  'JSON with comments': [
    'cities.json',
    `// cities\n[\n  ${JSON.stringify(berlin)}, // the first, always\n  /* the second */\n  ${JSON.stringify(paris)}\n]\n`,
  ],
  'a list in YAML': [
    'cities.yml',
    '# Cities\n- slug: berlin\n  title: Berlin # the first\n\n# The second\n- slug: paris\n  text: |\n    One\n\n    Two\n',
  ],
  'a list below a key in YAML, with CRLF': [
    'cities.yaml',
    '---\r\ncities:\r\n  - slug: "berlin"\r\n    title: Berlin\r\n\r\n  - slug: paris\r\n    title: Paris\r\n',
  ],
  'a list in YAML with four spaces': [
    'cities.yaml',
    '-   slug: berlin\n    cards:\n    -   text: One card\n-   slug: paris\n    title: "Paris"',
  ],
  'an object in YAML': [
    'cities.yml',
    "berlin:\n    title: 'Berlin'\n    cards:\n        - text: One card\nparis:\n    title: Paris # end",
  ],
  'an object in YAML with a line for each entry': [
    'cities.yml',
    'berlin: { title: Berlin }\nparis: { title: "Paris" }\n',
  ],
};

describe('spliceDataFile', () => {
  for (const [name, [path, source]] of Object.entries(files))
    describe(`with ${name}`, () => {
      const { entries, problems } = splitDataFile({ path, source });
      const sourceOf = (key: string) => entries.find((entry) => entry.key === key)!.source;
      const renamed = (from: string, to: string) =>
        sourceOf(from)
          .replaceAll(from, to)
          .replaceAll(
            from.replace(/^./, (letter) => letter.toUpperCase()),
            to.toUpperCase(),
          );
      const keysOf = (newSource: string) =>
        splitDataFile({ path, source: newSource }).entries.map(({ key }) => key);

      it('finds the entries', () => {
        expect(entries.map(({ key }) => key)).to.deep.equal(['berlin', 'paris']);
        expect(problems).to.deep.equal([]);
      });

      it('keeps every byte if nothing changes', () => {
        expect(spliceDataFile({ path, source }, entries)).to.equal(source);
      });

      it('changes only the bytes of a changed text', () => {
        const changed = sourceOf('berlin').replace('Berlin', 'Berlin, Germany').replace('One', 'A');
        const newSource = spliceDataFile({ path, source }, [{ key: 'berlin', source: changed }]);
        const expected = source.replace('Berlin', 'Berlin, Germany').replace('One card', 'A card');
        expect(newSource).to.equal(expected);
      });

      it('adds entries after others, and removes them again', () => {
        const added = spliceDataFile({ path, source }, [
          { key: 'lisbon', source: renamed('berlin', 'lisbon'), after: 'berlin' },
          { key: 'rome', source: renamed('paris', 'rome'), after: 'berlin' },
          { key: 'oslo', source: renamed('paris', 'oslo') },
        ]);
        expect(keysOf(added)).to.deep.equal(['berlin', 'lisbon', 'rome', 'paris', 'oslo']);
        for (const line of source.split('\n').filter((one) => !/\}?\]?\s*$/.test(one)))
          expect(added).to.include(line);
        const removals = ['rome', 'oslo', 'lisbon'].map((key) => ({ key, source: null }));
        const removed = spliceDataFile({ path, source: added }, removals);
        expect(removed.replace(/\s/g, '')).to.equal(source.replace(/\s/g, ''));
        if (!name.includes('comments')) expect(removed).to.equal(source);
      });

      it('replaces an entry by another one', () => {
        const newSource = spliceDataFile({ path, source }, [
          { key: 'paris', source: null },
          { key: 'lyon', source: renamed('paris', 'lyon'), after: 'paris' },
        ]);
        expect(keysOf(newSource)).to.deep.equal(['berlin', 'lyon']);
      });

      it('refuses an entry that would not be read as it was written', () => {
        const refuse = (key: string, page: string) =>
          expect(() => spliceDataFile({ path, source }, [{ key, source: page }])).to.throw(
            /entry|column/,
          );
        refuse('oslo', `${sourceOf('berlin')}\nA text below.\n`);
        refuse('oslo', `${sourceOf('berlin')}{`);
        if (source.includes('slug')) refuse('oslo', sourceOf('berlin'));
      });
    });

  it('keeps at least one entry', () => {
    const [path, source] = files['a list in JSON']!;
    const removals = ['berlin', 'paris'].map((key) => ({ key, source: null }));
    expect(() => spliceDataFile({ path, source }, removals)).to.throw('at least one entry');
  });
});

describe('splitDataFile', () => {
  const split = (path: string, source: string) => {
    const { entries, problems } = splitDataFile({ path, source });
    return { keys: entries.map(({ key }) => key), problems };
  };

  it('reads keys from the values that most entries have', () => {
    const entries = [
      { id: 'a', url: '/x/one/' },
      { id: 'b', slug: 'b2' },
    ];
    expect(split('x.json', JSON.stringify(entries)).keys).to.deep.equal(['a', 'b']);
    expect(
      split('x.json', '[{"permalink":"/x/one.html"},{"permalink":"/x/two/"}]').keys,
    ).to.deep.equal(['one', 'two']);
  });

  it('leaves out entries without a key of their own, and says so', () => {
    const entries = [{ slug: 'a' }, { slug: 'b' }, { slug: 'a' }, { title: 'c' }, { slug: 'x y' }];
    expect(split('x.json', JSON.stringify(entries))).to.deep.equal({
      keys: ['b'],
      problems: [
        '2 of its entries have no slug that can be a part of a URL, so they are not pages.',
        'Several of its entries have the same key, so they are not pages: a.',
      ],
    });
  });

  it('leaves out entries that depend on others', () => {
    const source = 'a: &base\n  title: A\nb:\n  <<: *base\nc:\n  title: C\n';
    expect(split('x.yml', source)).to.deep.equal({
      keys: ['c'],
      problems: ['An entry with an anchor or an alias is not a page.'],
    });
  });

  it('names the line and column of what does not parse', () => {
    expect(() => split('x.json', '[\n  {"slug": "a",}\n]')).to.throw('Line 2, column');
    expect(() => split('x.yml', '- slug: a\n  title: "b\n')).to.throw('Line ');
  });

  for (const source of ['[]', '["a"]', '{"a": 1}', '"a"', '', '[{"slug":"a"}, 2]'])
    it(`refuses ${source || 'an empty file'}`, () => {
      expect(() => split('x.json', source)).to.throw(/list of objects|JSON/);
    });

  it('takes little time for hostile files', () => {
    const hostile = [
      ['x.json', '['.repeat(500_000)],
      ['x.yml', '- '.repeat(100_000)],
      ['x.yml', `a: &a [x]\n${'b: *a\n'.repeat(20_000)}`],
      ['x.json', `[${'{"slug":"a"},'.repeat(4_000)}{"slug":"b"}]`],
      ['x.yml', `${'-\n'.repeat(20_000)}`],
    ] as const;
    for (const [path, source] of hostile) {
      const taken = cpuTime(() => {
        try {
          split(path, source);
        } catch (error) {
          expect(error)
            .to.have.property('code')
            .that.is.oneOf(['LIMIT_EXCEEDED', 'PAGE_UNREADABLE']);
        }
      });
      expect(taken, source.slice(0, 9)).to.be.lessThan(4_000);
    }
  });
});
