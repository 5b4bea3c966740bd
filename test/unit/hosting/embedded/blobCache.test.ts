import { expect } from 'chai';
import { createBlobCache } from '../../../../src/hosting/embedded/fileContents.ts';

/** A repository of files that counts how often it is read. */
function countingRepository(content: (id: string) => Buffer) {
  const reads: string[] = [];
  const blob = (id: string) => {
    reads.push(id);
    return Promise.resolve(content(id));
  };
  return { reads, blob };
}

describe('createBlobCache', () => {
  it('reads a file once for all simultaneous and later requests', async () => {
    const repository = countingRepository((id) => Buffer.from(id));
    const cache = createBlobCache();
    const all = await Promise.all([1, 2, 3].map(() => cache.read('site', 'a', repository)));
    expect([...all, await cache.read('site', 'a', repository)].map(String)).to.deep.equal([
      'a',
      'a',
      'a',
      'a',
    ]);
    expect(repository.reads).to.deep.equal(['a']);
  });

  it('does not keep a failure', async () => {
    const cache = createBlobCache();
    let failed: unknown;
    await cache
      .read('site', 'a', { blob: () => Promise.reject(new Error('down')) })
      .catch((error: unknown) => (failed = error));
    expect(failed).to.be.an('error').with.property('message', 'down');
    expect(
      String(
        await cache.read(
          'site',
          'a',
          countingRepository((id) => Buffer.from(id)),
        ),
      ),
    ).to.equal('a');
  });

  it('answers with files that do not all fit, including empty ones', async () => {
    const cache = createBlobCache();
    const large = Buffer.alloc(100 * 1024 * 1024);
    const repository = countingRepository((id) => (id === 'empty' ? Buffer.alloc(0) : large));
    const sizes = await Promise.all(
      ['a', 'b', 'c', 'empty'].map((id) => cache.read('site', id, repository)),
    );
    expect(sizes.map(({ length }) => length)).to.deep.equal([
      large.length,
      large.length,
      large.length,
      0,
    ]);
  });
});
