import { expect } from 'chai';
import { createFileEdits } from '../../../../../src/agents/shared/site/fileEdits.ts';
import { limits } from '../../../../../src/contract/task.ts';
import type { DomainError } from '../../../../../src/errors.ts';
import { memoryTree } from '../../memoryTree.ts';

/** The error for a page that is one byte above the limit. */
const createLimitPattern = (path: string) =>
  new RegExp(
    `^LIMIT_EXCEEDED: ${path} .*\\b${limits.pageBytes + 1} bytes\\b.*\\b${limits.pageBytes}\\b`,
  );

const refusal = async (work: Promise<unknown>) => {
  const error = (await work.catch((thrown: unknown) => thrown)) as DomainError;
  return `${error.code}: ${error.message}`;
};

describe('createFileEdits(tree)', () => {
  const edits = () => createFileEdits(memoryTree({ 'a.html': 'A', 'b.html': 'B' }));

  it('holds the differences from the commit, and forgets files that are as they were', async () => {
    const files = edits();
    await files.write('a.html', 'A2');
    await files.write('b.html', null);
    await files.write('c.html', 'C');
    expect(files.paths()).to.deep.equal(['a.html', 'c.html']);
    await files.write('a.html', 'A');
    expect(files.changes()).to.deep.equal([
      { path: 'b.html', content: null },
      { path: 'c.html', content: 'C' },
    ]);
  });

  it('rejects a page over its limit in bytes', async () => {
    const files = edits();
    const page = '\u00e9'.repeat(limits.pageBytes / 2);
    await files.write('a.html', page);
    expect(await refusal(files.write('a.html', `${page}x`))).to.match(createLimitPattern('a.html'));
  });

  it('reads no page over its limit, but can still delete one', async () => {
    const tree = memoryTree({ 'large.html': 'x'.repeat(limits.pageBytes + 1) });
    const read: string[] = [];
    const files = createFileEdits({
      ...tree,
      read: (path) => tree.read(path).finally(() => read.push(path)),
    });
    expect(await refusal(files.source('large.html'))).to.match(createLimitPattern('large.html'));
    await files.write('large.html', null);
    expect(files.changes()).to.deep.equal([{ path: 'large.html', content: null }]);
    expect(read).to.deep.equal([]);
  });

  it('rejects pages that are too large together, and counts each at its current size', async () => {
    const files = edits();
    const page = 'x'.repeat(limits.pageBytes);
    const most = limits.taskBytes / limits.pageBytes;
    for (let n = 0; n < most; n++) {
      await files.write(`${n}.html`, page);
      await files.write(`${n}.html`, page);
    }
    expect(await refusal(files.write('a.html', 'x'))).to.match(
      /^LIMIT_EXCEEDED: .*\bmore than \d+ bytes\b/,
    );
    await files.write('0.html', null);
    await files.write('a.html', 'x');
    expect(files.changes()).to.have.length(most);
  });
});
