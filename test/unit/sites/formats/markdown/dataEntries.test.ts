import { expect } from 'chai';
import { markdown } from '../../../../../src/sites/formats/markdown/markdown.ts';

const { calls, paths } = markdown;
const path = '_data/cities.yml#berlin';

describe('pages that are entries of data files', () => {
  it('have paths of their own, also in folders of generators', () => {
    for (const entry of [path, 'cities.json#a', 'src/content/x.yaml#b-2', 'a.json#Ä.b'])
      expect(paths.handles(entry), entry).to.equal(true);
    const files = [
      '_data/cities.yml',
      'a.md#b',
      'a.json#',
      'a.json#b c',
      'a.json#b/c',
      'a.json#.b',
    ];
    for (const file of files) expect(paths.handles(file), file).to.equal(false);
  });

  it('have slugs below their file, and new ones are in the file of their template', () => {
    expect(paths.slugOf(path)).to.equal('/_data/cities/berlin');
    expect(paths.pathOf('/_data/cities/lisbon', path)).to.equal('_data/cities.yml#lisbon');
    for (const slug of ['/lisbon', '/_data/cities', '/_data/cities/a/b', '/_data/cities-2/lisbon'])
      expect(() => paths.pathOf(slug, path), slug).to.throw(
        `${slug}: new entries of _data/cities.yml have slugs such as /_data/cities/name`,
      );
  });

  it('have the name as their title if they have no other', () => {
    const titleOf = (values: object) =>
      calls.read({ path: 'cities.json#berlin', source: JSON.stringify(values) }).title;
    expect(titleOf({ heading: 'Our city', name: 'Berlin' })).to.equal('Berlin');
    expect(titleOf({ name: 'Berlin', title: 'Web design in Berlin' })).to.equal(
      'Web design in Berlin',
    );
    expect(titleOf({ size: 3 })).to.equal('/cities/berlin');
  });

  it('have no text besides their values', () => {
    const read = (source: string) => () => calls.read({ path: 'cities.json#berlin', source });
    expect(read('{"title": "Berlin"}\n')).to.not.throw();
    expect(read('{"title": "Berlin"}\n\n# More\n')).to.throw('Line 3, column 1');
    expect(read('# Berlin')).to.throw('Line 1, column 1');
  });

  it('have a note on a number that is the id of their template too', () => {
    const check = (before: object, after: object) =>
      calls
        .check({
          path: 'cities.json#lisbon',
          before: { path: 'cities.json#berlin', source: JSON.stringify(before) },
          after: JSON.stringify(after),
          sitePaths: [],
          mayAddLinks: false,
        })
        .staleDetails.map(({ values }) => values);
    const [berlin, lisbon] = ['berlin', 'lisbon'].map((slug) => ({ id: 12, slug }));
    expect(check(berlin!, lisbon!)).to.deep.equal([['id: 12']]);
    expect(check({ id: 'berlin' }, { id: 'lisbon' })).to.deep.equal([]);
  });

  it('keep the value that names them in their file', () => {
    const check = (before: object, after: object, path = 'cities.json#berlin') =>
      calls
        .check({
          path,
          before: { path: 'cities.json#berlin', source: JSON.stringify(before) },
          after: JSON.stringify(after),
          sitePaths: [],
          mayAddLinks: false,
        })
        .violations.map(({ element, code, values }) => [element, code, ...values].join(' '));
    const slug = (name: string) => ({ slug: name, title: 'A' });
    const url = (name: string) => ({ url: `/cities/${name}/`, title: 'A' });
    expect(check(slug('berlin'), { ...slug('berlin'), title: 'B' })).to.deep.equal([]);
    expect(check(slug('berlin'), { title: 'A' })).to.deep.equal(['slug lost-name berlin']);
    expect(check(url('berlin'), url('bonn'))).to.deep.equal(['url lost-name berlin']);
    expect(check(slug('berlin'), slug('bonn'), 'cities.json#bonn')).to.deep.equal([]);
    expect(check(slug('berlin'), slug('berlin'), 'cities.json#bonn')).to.deep.equal([
      'slug lost-name bonn',
    ]);
    expect(check({ title: 'A' }, { title: 'B' })).to.deep.equal([]);
  });

  it('are rendered plainly, with their texts as fields', () => {
    const source = '{"title": "Berlin", "intro": "Shops for all of <b>Berlin</b>"}';
    const frame = calls.frame(
      { path: 'cities.json#berlin', source },
      { url: '', head: '', attribute: 'data-text' },
    );
    expect(frame).to.include('Plain rendering').and.include('Shops for all of &lt;b&gt;Berlin');
  });
});
