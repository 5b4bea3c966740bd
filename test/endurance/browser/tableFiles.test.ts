// Takes long: a browser reads files of many kinds.
import { expect } from 'chai';
import { expectAccessible } from '../../helpers/consolePeople.ts';
import { encode } from '../../helpers/encode.ts';
import { needProgram } from '../../helpers/programs.ts';
import { textRows, workbook } from '../../helpers/workbooks.ts';
import { startTableScreen, type TableScreen } from '../../helpers/tableScreen.ts';

const norwegian =
  'By;Overskrift\r\nTromsø;Nettsider i Tromsø\r\nÅlesund;Raske løsninger på Sunnmøre\r\n';

describe('a table from a file, in the console', function () {
  this.timeout(300_000);
  let screen: TableScreen;
  before(async function () {
    needProgram(this, 'Chromium');
    screen = await startTableScreen();
  });
  beforeEach(async () => {
    await screen.open();
    const another = screen.page.getByRole('button', { name: 'Another table' });
    if ((await another.count()) > 0) await another.click();
  });
  after(() => screen?.close());
  afterEach(() => expect(screen.problems.splice(0)).to.deep.equal([]));

  const rows = () => screen.page.getByRole('region', { name: 'The table’s rows' });
  const showsAll = (...texts: string[]) =>
    Promise.all(texts.map((text) => rows().getByText(text).first().waitFor()));
  const readAs = () => screen.page.getByLabel('Read as');

  it('in Windows-1252 shows its letters and its encoding, which can be changed', async () => {
    await screen.choose('byer.csv', encode(norwegian, 'windows-1252'));
    await rows().getByText('Nettsider i Tromsø').waitFor();
    await screen.page.getByText('byer.csv').waitFor();
    expect(await readAs().inputValue()).to.equal('windows-1252');
    await expectAccessible(screen.page);

    await readAs().selectOption('windows-1251');
    await rows().getByText('Nettsider i Tromsш').waitFor();
    await readAs().selectOption('windows-1252');
    await rows().getByText('Raske løsninger på Sunnmøre').waitFor();
  });

  it('says in words what it can’t read, and takes the same file again', async () => {
    for (let time = 0; time < 2; time++) {
      await screen.choose(
        'old.xls',
        Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0]),
      );
      await screen.page.getByRole('alert').getByText('old Excel').waitFor();
    }
    await screen.choose('byer.csv', encode(norwegian, 'windows-1252'));
    await rows().getByText('Nettsider i Tromsø').waitFor();
    expect(await screen.page.getByText('old Excel').count()).to.equal(0);
  });

  it('that is a workbook shows its first sheet as the spreadsheet does', async () => {
    const more =
      '<row r="4"><c r="A4" t="str"><f>"Bod"&amp;"ø"</f><v>Bodø</v></c><c r="B4" s="1"><v>46085</v></c><c r="C4"><v>4790012345</v></c></row>';
    const rows =
      textRows([
        ['By', 'Dato', 'Telefon'],
        ['Tromsø', '', ''],
        ['Oslo', '', ''],
      ]) + more;
    const sheets: [string][] = [['Byer'], ['Andre']];
    await screen.choose('byer.xlsx', workbook({ rows, formats: ['yyyy-mm-dd'], sheets }));
    await showsAll('Bodø', '2026-03-04', '4790012345');
    await screen.page.getByText('the first sheet of 2, “Byer”').waitFor();
    expect(await readAs().count()).to.equal(0);
    await expectAccessible(screen.page);
  });

  it('without a header is told from one with names, which can be changed', async () => {
    const { page } = screen;
    await screen.choose('byer.csv', new TextEncoder().encode('Tromsø;12 €\nBodø;14 €\n'));
    await rows().getByText('Column B', { exact: true }).waitFor();
    expect(await page.getByLabel('First row').inputValue()).to.equal('values');
    await page.getByText('2 rows').waitFor();
    await page.getByLabel('First row').selectOption('names');
    await page.getByText('1 row', { exact: true }).waitFor();
  });

  it('keeps what was typed while its encoding and its header change, and asks for no file after a reload', async () => {
    const { page } = screen;
    const address = (row: number) => page.getByLabel(`Address of row ${row}`);
    await screen.choose('byer.csv', encode(norwegian, 'windows-1252'));
    await address(2).fill('/nord/mine');
    await readAs().selectOption('macintosh');
    await rows().getByText('Nettsider i Troms¯').waitFor();
    expect(await address(2).inputValue()).to.equal('/nord/mine');
    await readAs().selectOption('windows-1252');
    await page.getByLabel('First row').selectOption('values');
    await page.getByText('3 rows').waitFor();
    expect(await address(3).inputValue()).to.equal('/nord/mine');

    await page.reload();
    await showsAll('Overskrift', 'Nettsider i Tromsø');
    expect(await readAs().count()).to.equal(0);
    await page.getByLabel('First row').selectOption('names');
    await page.getByText('2 rows').waitFor();
    expect(await address(2).inputValue()).to.equal('/nord/mine');
  });
});
