import type { EventEmitter } from 'node:events';
import { expect } from 'chai';
import { createFileContents } from '../../../../src/hosting/embedded/fileContents.ts';
import { DomainError } from '../../../../src/errors.ts';
import { failureOf } from '../../../helpers/team/workplace.ts';

const MiB = 1024 ** 2;
const busy = new DomainError('UNAVAILABLE', 'no room', { retryable: true });

describe('createFileContents', () => {
  const noCopies = { open: () => Promise.reject(busy) };
  let reads: string[];
  const repository = {
    blob: (id: string) => {
      reads.push(id);
      return Promise.resolve(Buffer.from(id));
    },
    writeBlob: () => Promise.reject(new Error('large')),
  };
  const reader = () => {
    const read = createFileContents(noCopies);
    return (siteId: string, id: string, size = MiB) => {
      const end = new AbortController();
      return {
        content: read({ siteId, file: { id, size }, repository }, null, end.signal),
        end: () => end.abort(),
      };
    };
  };
  beforeEach(() => (reads = []));

  it('reads no more for a site than its share, and continues for another site', async () => {
    const read = reader();
    const sent = Array.from({ length: 128 }, (_, n) => read('a', `${n}`));
    await Promise.all(sent.map(({ content }) => content));
    expect(await failureOf(read('a', 'more').content)).to.include({ code: 'UNAVAILABLE' });
    expect(reads).to.have.length(128);
    expect(await read('b', 'more').content).to.deep.equal(Buffer.from('more'));
    for (const { end } of sent) end();
    expect(await read('a', 'more').content).to.deep.equal(Buffer.from('more'));
  });

  it('holds a file in memory once for all requests, even if the cache has dropped it', async () => {
    const whole = { ...repository, blob: (id: string) => Promise.resolve(Buffer.alloc(MiB, id)) };
    const read = createFileContents(noCopies);
    const ends: AbortController[] = [];
    const readWhole = (id: string) => {
      const end = new AbortController();
      ends.push(end);
      return read(
        { siteId: 'a', file: { id, size: MiB }, repository: whole },
        null,
        end.signal,
      ) as Promise<Buffer>;
    };
    const ids = Array.from({ length: 100 }, (_, n) => `f${n}`); // more than the cache keeps
    const rounds: Buffer[][] = [];
    for (let round = 0; round < 3; round++) {
      const buffers: Buffer[] = [];
      for (const id of ids) buffers.push(await readWhole(id));
      rounds.push(buffers);
    }
    expect(new Set(rounds.flat().map(({ buffer }) => buffer)).size).to.equal(ids.length);
    for (const end of ends) end.abort();
    expect((await readWhole('f0')).buffer).not.to.equal(rounds[0]![0]!.buffer);
  });

  it('lets a thousand requests read large files of a site, and no more', async () => {
    const opened: string[] = [];
    const read = createFileContents({
      open: async ({ file }) => `/nowhere/${opened.push(file.id)}`,
    });
    const { signal } = new AbortController();
    const large = () =>
      read({ siteId: 'a', file: { id: 'x', size: 95 * MiB }, repository }, null, signal);
    for (let n = 0; n < 1_024; n++) ((await large()) as EventEmitter).on('error', () => undefined);
    expect(await failureOf(large())).to.include({ code: 'UNAVAILABLE' });
    expect(opened).to.have.length(1_024);
  });

  it('reads nothing for a client that has disconnected', async () => {
    const gone = AbortSignal.abort();
    const read = createFileContents(noCopies);
    for (const size of [1, 2 * MiB])
      expect(
        await failureOf(read({ siteId: 'a', file: { id: 'x', size }, repository }, null, gone)),
      ).to.have.property('name', 'AbortError');
    expect(reads).to.deep.equal([]);
  });
});
