import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { createDiskCopies } from '../../../../src/hosting/embedded/diskCopies.ts';
import { temporaryFolder } from '../../../helpers/database.ts';
import { until } from '../../../helpers/until.ts';
import { failureOf } from '../../../helpers/team/workplace.ts';

const SIZE = 10;

describe('createDiskCopies', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let disk: { hasRoom: boolean };
  beforeEach(() => {
    folder = temporaryFolder();
    disk = { hasRoom: true };
  });
  afterEach(() => folder.remove());

  const served = () => join(folder.path, 'served');
  const contents = () =>
    readdirSync(served()).map((name) => readFileSync(join(served(), name), 'utf8'));

  /** Copies of at most four files, and a repository that notes what it writes. */
  async function start({
    idleMs = 60_000,
    writes = (id: string, file: string) => writeFile(file, id),
  } = {}) {
    const copies = await createDiskCopies({
      folder: served(),
      total: 4 * SIZE,
      idleMs,
      hasRoom: () => Promise.resolve(disk.hasRoom),
    });
    const written: string[] = [];
    const stopped: string[] = [];
    const repository = {
      writeBlob(id: string, file: string, signal?: AbortSignal) {
        written.push(id);
        signal?.addEventListener('abort', () => stopped.push(id));
        return writes(id, file);
      },
    };
    const open = (id: string, siteId = 'a') => {
      const end = new AbortController();
      const path = copies.open({ siteId, file: { id, size: SIZE }, repository }, end.signal);
      path.catch(() => undefined);
      return { path, end: () => end.abort() };
    };
    return { ...copies, open, written, stopped };
  }

  it('write a file once for all requests, and keep it for later ones', async () => {
    const { open, written } = await start();
    const readers = Array.from({ length: 20 }, () => open('x'));
    const paths = new Set(await Promise.all(readers.map(({ path }) => path)));
    for (const { end } of readers) end();
    expect(paths).to.have.property('size', 1);
    expect(paths.has(await open('x').path)).to.equal(true);
    expect(written).to.deep.equal(['x']);
    expect(contents()).to.deep.equal(['x']);
  });

  it('drop the files that were not read for longest, and none that is being read', async () => {
    const { open } = await start();
    const first = open('1');
    await first.path;
    for (const id of ['2', '3', '4', '2', '5', '6']) {
      const reader = open(id);
      await reader.path;
      reader.end();
    }
    expect(contents().sort()).to.deep.equal(['1', '2', '5', '6']);
  });

  it('are rejected for a site over its share, but not for another site', async () => {
    const { open } = await start();
    const readers = [open('1'), open('2')];
    expect(await failureOf(open('3').path)).to.include({ code: 'UNAVAILABLE' });
    await open('3', 'b').path;
    readers[0]?.end();
    expect(await failureOf(open('3').path)).to.include({ code: 'UNAVAILABLE' });
    readers[1]?.end();
    await open('3').path;
  });

  it('stop being written when all requests have disconnected, and start again for the next', async () => {
    const { open, written, stopped } = await start({ writes: () => new Promise(() => undefined) });
    const readers = [open('x'), open('x')];
    await until('the writing to begin', () => written.length > 0);
    readers[0]?.end();
    expect(stopped).to.deep.equal([]);
    readers[1]?.end();
    expect(stopped).to.deep.equal(['x']);
    open('x');
    await until('the writing to begin again', () => written.length > 1);
  });

  it('are rejected while the disk is nearly full, when unused ones are dropped', async () => {
    const { open } = await start();
    const reader = open('1');
    const [read, unread] = await Promise.all([reader.path, open('2', 'b').path]);
    expect([read, unread]).to.have.length(2);
    reader.end();
    disk.hasRoom = false;
    expect(await failureOf(open('3').path)).to.include({ code: 'UNAVAILABLE' });
    expect(contents()).to.deep.equal(['2']);
  });

  it('do not outlive the service, nor a killed one', async () => {
    await mkdir(served());
    await writeFile(join(served(), '1'), 'of a killed one');
    const copies = await start();
    expect(contents()).to.deep.equal([]);
    await copies.open('x').path;
    await copies.close();
    expect(readdirSync(folder.path)).to.deep.equal([]);
  });
});
