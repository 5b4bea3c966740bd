import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  findEntries,
  type FolderEntry,
  setEntries,
} from '../../../../../src/sites/git/trees/treeObject.ts';
import { writeObject } from '../../../../../src/sites/git/clones/looseObject.ts';
import { git } from '../../../../helpers/team/workplace.ts';
import { casesOf } from '../../../../helpers/cases.ts';

describe('setEntries(folder, entries)', () => {
  const dir = mkdtempSync(join(tmpdir(), 'folders-'));
  const ids = { file: '', folder: '' };
  before(async () => {
    git(dir, 'init', '-q', '--bare', '.');
    ids.file = await writeObject(dir, 'blob', 'x');
    ids.folder = await writeObject(
      dir,
      'tree',
      await setEntries(Buffer.alloc(0), new Map([['x', file()]])),
    );
  });
  after(() => rmSync(dir, { recursive: true, force: true }));

  const file = (): FolderEntry => ({ mode: '100644', id: ids.file });
  const folder = (): FolderEntry => ({ mode: '40000', id: ids.folder });
  const names = [
    'a',
    'a-b',
    'a.b',
    'a0',
    'ab',
    'b',
    'B',
    'ä',
    '\uffff',
    '\u{1f600}',
    'a b',
    '-',
    'a.html',
    'Z',
  ];

  /** What `git mktree` makes of entries. */
  const byGit = (entries: ReadonlyMap<string, FolderEntry>) => {
    const line = (name: string, { mode, id }: FolderEntry) =>
      `${mode.padStart(6, '0')} ${mode === '40000' ? 'tree' : 'blob'} ${id}\t${name}\0`;
    const input = Array.from(entries, ([name, entry]) => line(name, entry)).join('');
    return execFileSync('git', ['mktree', '-z'], { cwd: dir, input, encoding: 'utf8' }).trim();
  };

  it("writes git's own bytes, whatever is added, changed and removed", async () => {
    const kinds = fc.dictionary(
      fc.constantFrom(...names),
      fc.constantFrom('file', 'folder', null),
      { maxKeys: 8 },
    );
    const entriesOf = (all: Record<string, 'file' | 'folder' | null>) =>
      new Map(
        Object.entries(all).map(([name, kind]) => [
          name,
          kind && (kind === 'file' ? file() : folder()),
        ]),
      );
    await fc.assert(
      fc.asyncProperty(kinds, kinds, async (before, changes) => {
        const first = await setEntries(Buffer.alloc(0), entriesOf(before));
        const second = await setEntries(first, entriesOf(changes));
        const left = [...entriesOf({ ...before, ...changes })].filter(
          (pair): pair is [string, FolderEntry] => !!pair[1],
        );
        expect(await writeObject(dir, 'tree', second)).to.equal(byGit(new Map(left)));
        expect(await findEntries(second, names)).to.deep.equal(new Map(left));
      }),
      { numRuns: casesOf(25) },
    );
  });

  it('keeps the bytes of all other entries, also those that old clients wrote', async () => {
    const old = Buffer.concat([Buffer.from('040000 docs\0'), Buffer.from(ids.folder, 'hex')]);
    const changed = await setEntries(
      old,
      new Map([
        ['z', file()],
        ['a', null],
      ]),
    );
    expect(changed.subarray(0, old.length)).to.deep.equal(old);
    expect(changed.toString('latin1', old.length, old.length + 9)).to.equal('100644 z\0');
  });
});
