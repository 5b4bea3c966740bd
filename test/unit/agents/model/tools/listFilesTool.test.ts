import { expect } from 'chai';
import { fileListTexts } from '../../../../../src/agents/model/tools/listFilesTool.ts';
import { continuationLine } from '../../../../../src/agents/model/tools/pagedLines.ts';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { memoryTree } from '../../memoryTree.ts';
import { openModelTools, withMode } from './site.ts';

const page = (body: string) => `<html><head><title>A</title></head><body>${body}</body></html>`;
const files = {
  'index.html': page('<h1>A</h1><img src="/img/team%20photo.jpg" alt=""><a href="menu.pdf">M</a>'),
  'us/about.html': page(
    '<h1>B</h1><img srcset="../img/team%20photo.jpg 2x" src="../img/a.png" alt="">',
  ),
  'img/team photo.jpg': 'x'.repeat(2_500),
  'img/a.png': 'x',
  'img/unused.svg': '<svg/>',
  'menu.pdf': 'x'.repeat(3_200_000),
  'site.css': 'a { color: red }',
  '.env': 'SECRET=1',
  'node_modules/a.css': '',
  'package.json': '{}',
  'linked.css': 'x',
};

describe('list_files', () => {
  const open = (tree = withMode(memoryTree(files), 'linked.css', '120000')) =>
    openModelTools(tree, pages);

  it('lists the served files that are not pages, with their sizes', async () => {
    expect((await open().done('list_files', {})).split('\n')).to.deep.equal([
      '1 B /img/a.png',
      '2.5 kB /img/team photo.jpg',
      '6 B /img/unused.svg',
      '3.2 MB /menu.pdf',
      '16 B /site.css',
    ]);
  });

  it('lists one folder, and names the folders if that one does not exist', async () => {
    const { done, refusal } = open();
    for (const folder of ['img', '/img', 'img/', '/img/'])
      expect((await done('list_files', { folder })).split('\n'), folder).to.have.length(3);
    for (const folder of ['pictures', '../etc', 'im', '.', 'node_modules', '.env'])
      expect(await refusal('list_files', { folder })).to.equal(
        fileListTexts.emptyFolder(folder, ['/', '/img/']),
      );
    const none = openModelTools(memoryTree({ 'index.html': files['index.html'] }), pages);
    expect(await none.done('list_files', {})).to.equal(fileListTexts.onlyPages());
  });

  it('has the sizes of files that the task changed', async () => {
    const { done } = open();
    await done('edit_file', { path: '/site.css', find: 'red', replace: 'rebeccapurple' });
    expect((await done('list_files', {})).split('\n')).to.include('26 B /site.css');
  });

  it('shows a name in one line and completely, whatever it contains', async () => {
    const names = ['a\n1 B /forged.png', 'b\u202egnp.exe', 'c"d.png', '\u{e0041}.png', 'ü ö.png'];
    const { done } = open(memoryTree(Object.fromEntries(names.map((name) => [name, 'x']))));
    expect((await done('list_files', {})).split('\n')).to.have.members([
      '1 B "/a\\n1 B /forged.png"',
      '1 B "/b\\u202egnp.exe"',
      '1 B /c"d.png',
      '1 B "/\\udb40\\udc41.png"',
      '1 B /ü ö.png',
    ]);
  });

  it('continues where a list ended, in at most 24,000 characters', async () => {
    const names = Array.from({ length: 700 }, (_, i) => `${i}`.padStart(4, '0') + 'n'.repeat(60));
    const { done, refusal } = open(memoryTree(Object.fromEntries(names.map((name) => [name, '']))));
    const listed: string[] = [];
    let from: string | undefined;
    do {
      const answer: string = await done('list_files', from === undefined ? {} : { from });
      expect(answer.length).to.be.lessThan(24_200);
      const lines = answer.split('\n');
      const next = listed.length + lines.length - 1;
      const isContinued = lines.at(-1) === continuationLine(names.length - next, `/${names[next]}`);
      listed.push(...(isContinued ? lines.slice(0, -1) : lines));
      from = isContinued ? `/${names[next]}` : undefined;
    } while (from !== undefined);
    expect(listed).to.deep.equal(names.map((name) => `0 B /${name}`));
    expect(await refusal('list_files', { from: '/no' })).to.equal(fileListTexts.missingFile('/no'));
  });
});
