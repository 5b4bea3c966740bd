import { expect } from 'chai';
import { markdown } from '../../../../../src/sites/formats/markdown/markdown.ts';

const { calls } = markdown;
const path = 'content/places.md';
const template = { slug: '/content/a/austin', path: 'content/a/austin.md', names: ['Austin'] };
const file = (name: string) => ({ slug: `/content/a/${name}`, path: `content/a/${name}.md` });
const siblings: [] = [];

const list = `# Places

See [our prices](./prices.md).

* [Denver](a/denver.md) - Open since 2012
* [Austin](a/austin.md) - Open since 2015
* [Other work](./work.md)

Last words
`;
const table = `| Place | Page |
| --- | --- |
| Austin | [Austin](/content/a/austin/) |
| Boston | [Boston](/content/a/boston/) |
`;

const describeBlock = (source: string) =>
  calls.linkBlock({ page: { path, source }, siblings, template });
function addLink(source: string, name: string): string {
  const { block } = describeBlock(source);
  const texts = Object.fromEntries(
    block!.slots.map(({ id, text }) => [
      id,
      text.replaceAll('Austin', name).replace('2015', '2026'),
    ]),
  );
  const items = [{ file: file(name.toLowerCase()), texts }];
  return calls.addLinks({ page: { path, source }, siblings, template, items, sitePaths: [] });
}

describe('lists of pages in Markdown', () => {
  it('have a member for the template, with its texts', () => {
    const { block, linked, isListed } = describeBlock(list);
    expect(linked).to.include.members([template.slug, '/content/a/denver', '/content/work']);
    expect(isListed).to.equal(false);
    expect(block!.slots.map(({ text }) => text)).to.deep.equal(['<1>Austin</1> - Open since 2015']);
    expect(block!.naming).to.deep.equal(block!.slots.map(({ id }) => id));
    expect(describeBlock('Only [Austin](a/austin.md) in a paragraph').block).to.equal(null);
  });

  it('get a new member after the last one of the folder, and keep all other bytes', () => {
    expect(addLink(list, 'Lisbon')).to.equal(
      list.replace('* [Other', '* [Lisbon](a/lisbon.md) - Open since 2026\n* [Other'),
    );
    expect(addLink(list.replaceAll('\n', '\r\n'), 'Lisbon')).to.equal(
      list
        .replace('* [Other', '* [Lisbon](a/lisbon.md) - Open since 2026\n* [Other')
        .replaceAll('\n', '\r\n'),
    );
    expect(addLink(table, 'Lisbon')).to.equal(
      `${table}| Lisbon | [Lisbon](/content/a/lisbon/) |\n`,
    );
  });

  it('have links that leave out the folder of the files', () => {
    const source = list
      .replace('(a/austin.md)', '(/a/austin/)')
      .replace('(a/denver.md)', '(/a/denver/)');
    const { block, linked } = describeBlock(source);
    expect(linked).to.include.members([template.slug, '/content/a/denver']);
    expect(block!.naming).to.deep.equal(block!.slots.map(({ id }) => id));
    expect(addLink(source, 'Lisbon')).to.equal(
      source.replace('* [Other', '* [Lisbon](/a/lisbon/) - Open since 2026\n* [Other'),
    );
    const before = source;
    const task = addLink(source, 'Lisbon');
    const others = source.replace('2012', '2013');
    const slugs = ['/content/a/lisbon'];
    expect(calls.mergeLinks({ before, task, page: { path, source: others }, slugs })).to.deep.equal(
      {
        source: task.replace('2012', '2013'),
        skipped: [],
      },
    );
  });

  it('get the members of several pages in order', () => {
    const items = ['lisbon', 'porto'].map((name) => ({ file: file(name), texts: {} }));
    const page = { path, source: list };
    const source = calls.addLinks({ page, siblings, template, items, sitePaths: [] });
    expect(source).to.include('[Austin](a/lisbon.md) - Open since 2015\n* [Austin](a/porto.md)');
  });

  it('refuse a page whose blocks do not lead to the template', () => {
    const page = { path, source: 'Only [Austin](a/austin.md)' };
    expect(() => calls.addLinks({ page, siblings, template, items: [], sitePaths: [] })).to.throw(
      'No block of /content/places links to /content/a/austin',
    );
  });

  it('are named with the pages that link to a page, but no unreadable page is', () => {
    const pages = [
      { path, source: list },
      { path: 'content/b.md', source: '[Austin](a/austin.md)' },
      { path: 'content/c.md', source: '---\ntitle: [\n---\n[Austin](a/austin.md)' },
      { path: template.path, source: '[Austin](austin.md)' },
    ];
    const linking = calls.linkingPages(pages, template.slug);
    expect(linking.map(({ slug, hasBlock }) => [slug, hasBlock])).to.deep.equal([
      ['/content/places', true],
      ['/content/b', false],
    ]);
  });

  describe('that others changed meanwhile', () => {
    const merge = (task: string, source: string) =>
      calls.mergeLinks({
        before: list,
        task,
        page: { path, source },
        slugs: ['/content/a/lisbon', '/content/a/porto'],
      });
    const lisbon = '* [Lisbon](a/lisbon.md) - Open since 2026\n';

    it('get the members that a task added', () => {
      const others = list.replace('2012', '2013').replace('Last', 'Very last');
      const added = addLink(addLink(list, 'Lisbon'), 'Porto');
      expect(merge(added, others)).to.deep.equal({
        source: others.replace(
          '* [Other',
          `${lisbon}* [Porto](a/porto.md) - Open since 2026\n* [Other`,
        ),
        skipped: [],
      });
    });

    it('keep one that others added, and name one that has no place any more', () => {
      const added = addLink(list, 'Lisbon');
      const others = list.replace('* [Denver', `${lisbon}* [Denver`);
      expect(merge(added, others)).to.deep.equal({ source: others, skipped: [] });
      expect(merge(added, 'Nothing is here.\n')).to.deep.equal({
        source: 'Nothing is here.\n',
        skipped: ['/content/a/lisbon'],
      });
    });

    it('conflict with any other change of a task', () => {
      expect(merge(addLink(list, 'Lisbon').replace('Last', 'Very last'), list)).to.equal(null);
      expect(merge(list, list)).to.equal(null);
    });
  });
});
