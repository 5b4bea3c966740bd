import { expect } from 'chai';
import { createLineReader, rowNames } from '../../../src/console/browser/table/draftLines.ts';
import {
  messageInBatchRow,
  messageInRows,
} from '../../../src/console/browser/table/rowMessages.ts';
import { tableColumns, draftRows } from '../../../src/console/browser/table/tableColumns.ts';
import { templateName } from '../../../src/console/browser/words/templateName.ts';

describe("the console's messages about a table", () => {
  const rows = Array.from({ length: 10 }, (_, at) => ({ id: at + 11 }));

  it('name the row where the API names an item of a task', () => {
    const twin = 'items[1].targetPageSlug must not be the same page as items[0].targetPageSlug';
    expect(messageInRows(twin, rows, 1)).to.equal(
      'The address must not be the same page as row 11’s address',
    );
    expect(messageInRows(`Invalid request body: ${twin}`, rows)).to.equal(
      'Row 12’s address must not be the same page as row 11’s address',
    );
    expect(messageInRows('items[9].context is not allowed to be empty', rows)).to.equal(
      'Row 20’s text is not allowed to be empty',
    );
    const linking = 'linkFrom must not be the same page as items[3].targetPageSlug';
    expect(messageInRows(linking, rows, 3)).to.equal(
      'The page that links to the new ones must not be the same page as the address',
    );
    expect(messageInRows('Page already exists: /b', rows)).to.equal('Page already exists: /b');
    expect(messageInRows('items[99] is no item', rows)).to.equal('items[99] is no item');
  });

  it('name the row where a batch’s check names a field or another row', () => {
    const asked = rows.slice(0, 3);
    expect(
      messageInBatchRow('targetPageSlug must not be the same page as that of row 2', asked),
    ).to.equal('The address must not be the same page as that of row 12');
    expect(messageInBatchRow('context is required; targetPageSlug is required', asked)).to.equal(
      'The text is required; the address is required',
    );
    expect(
      messageInBatchRow('targetPageSlug must not contain "/context" of row 9', asked),
    ).to.equal('The address must not contain "/context" of row 9');
  });

  it('name a few rows, and count the others', () => {
    expect(rowNames([3])).to.equal('row 3');
    expect(rowNames([3, 12])).to.equal('rows 3 and 12');
    expect(rowNames([1, 2, 3, 4, 5, 6, 7])).to.equal('rows 1, 2, 3, 4 and 3 more');
  });

  it("explain why a row with only an address can't be started", () => {
    const cells = [
      ['/a', 'Hello'],
      ['/b', ''],
    ];
    const table = { names: ['Slug', 'Lead'], rows: cells };
    const place = { template: '/x/y', homes: [], existing: [] };
    const lines = createLineReader(tableColumns(table, [], {}), cells, place)(draftRows(cells));
    expect(lines.map(({ problems }) => problems.length)).to.deep.equal([0, 1]);
    expect(lines[1]!.problems[0]).to.match(/no text/);
  });

  const names: [slug: string, title: string, name: string][] = [
    ['/locations/austin', 'Web design in Austin', 'Austin'],
    ['/locations/san-jose', 'Web design in San José | Northwind', 'San José'],
    ['/pricing', 'Plans', 'Plans'],
    ['/pricing', 'What it costs to have a website made by Northwind', '/pricing'],
    ['/x', '', '/x'],
  ];
  for (const [slug, title, name] of names)
    it(`call the template ${slug}, "${title}", ${name}`, () =>
      expect(templateName({ slug, title })).to.equal(name));
});
