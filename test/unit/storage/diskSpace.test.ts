import { expect } from 'chai';
import { createDisk } from '../../../src/storage/diskSpace.ts';

const GiB = 1024 ** 3;
const bsize = 4096;

describe('createDisk', () => {
  const diskOf = (sizeGiB: number, freeGiB: number) =>
    createDisk('/data', async () => ({
      bsize,
      blocks: (sizeGiB * GiB) / bsize,
      bavail: Math.floor((freeGiB * GiB) / bsize),
    }));

  const cases: [size: number, free: number, reserve: string | null][] = [
    [100, 1, null],
    [100, 0.999, '1024 MiB'],
    [100, 0, '1024 MiB'],
    [10_000, 1.001, null],
    [10_000, 0.5, '1024 MiB'],
    [10, 0.51, null],
    [10, 0.49, '512 MiB'],
    [0.0625, 0.004, null],
    [0.0625, 0.003, '4 MiB'],
  ];
  for (const [size, free, reserve] of cases)
    it(`${free} of ${size} GiB free is ${reserve === null ? 'enough' : 'nearly full'}`, async () => {
      const disk = diskOf(size, free);
      const answer = await disk.check();
      if (reserve === null) expect(answer).to.equal(true);
      else expect(answer).to.match(new RegExp(`\\bDATA_DIR\\b.*\\b${reserve}\\b`));
      expect(await disk.hasRoom()).to.equal(reserve === null);
    });

  it('counts what is about to be written', async () => {
    const disk = diskOf(100, 1.5);
    expect([await disk.hasRoom(GiB / 2), await disk.hasRoom(GiB / 2 + 1)]).to.deep.equal([
      true,
      false,
    ]);
  });

  it('asks the system once for all simultaneous callers, and again later', async () => {
    let asked = 0;
    const disk = createDisk('/data', async () => ({ bsize, blocks: 1e9, bavail: ++asked }));
    await Promise.all(
      Array.from({ length: 100 }, (_, n) => (n % 2 ? disk.check() : disk.hasRoom())),
    );
    expect(asked).to.equal(1);
    await disk.check();
    expect(asked).to.equal(2);
  });

  it('reports that a disk can’t be asked, and rejects nothing because of that', async () => {
    const disk = createDisk('/nowhere/at/all');
    expect(await disk.check().catch((error: NodeJS.ErrnoException) => error.code)).to.equal(
      'ENOENT',
    );
    expect(await disk.hasRoom()).to.equal(true);
  });
});
