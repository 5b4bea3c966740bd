import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { writeObject } from '../../../../src/sites/git/looseObject.ts';
import { writeRef } from '../../../../src/sites/git/looseRefs.ts';
import { git } from './remotes.ts';

describe('writeRef', () => {
  const dir = mkdtempSync(join(tmpdir(), 'refs-'));
  const ids: string[] = [];
  before(async () => {
    git(dir, 'init', '-q', '--bare', '.');
    const tree = await writeObject(dir, 'tree', '');
    const commit = (at: number) => `tree ${tree}\nauthor A <a@b> ${at} +0000\ncommitter A <a@b> ${at} +0000\n\nx\n`;
    for (const at of [1, 2]) ids.push(await writeObject(dir, 'commit', commit(at)));
  });
  afterEach(() => {
    for (const ref of Object.keys(refs())) git(dir, 'update-ref', '-d', ref);
    expect(leftovers()).to.deep.equal([]);
  });
  after(() => rmSync(dir, { recursive: true, force: true }));

  const refs = () =>
    Object.fromEntries(
      git(dir, 'for-each-ref', '--format=%(refname) %(objectname)')
        .split('\n')
        .filter(Boolean)
        .map((line) => line.split(' ')),
    ) as Record<string, string>;
  const leftovers = () =>
    readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.lock'));

  it('makes, moves and removes refs as git reads them, in folders that are not there yet too', async () => {
    const [one, two] = ['refs/heads/main', 'refs/agent-tasks/base/bg-1'];
    for (const ref of [one, two]) expect(await writeRef(dir, ref, ids[0]!)).to.equal(true);
    expect(refs()).to.deep.equal({ [one]: ids[0], [two]: ids[0] });
    expect(await writeRef(dir, two, ids[1]!)).to.equal(true);
    expect(refs()).to.deep.equal({ [one]: ids[0], [two]: ids[1] });
    expect(await writeRef(dir, two, null)).to.equal(true);
    expect(await writeRef(dir, two, null), 'again').to.equal(true);
    expect(refs()).to.deep.equal({ [one]: ids[0] });
    expect(await writeRef(dir, 'refs/agent-tasks/bg-1', ids[1]!)).to.equal(true);
    expect(git(dir, 'fsck', '--strict', '--no-dangling')).to.equal('');
  });

  it('moves a packed ref, and leaves its removal to git', async () => {
    const ref = 'refs/heads/packed';
    await writeRef(dir, ref, ids[0]!);
    git(dir, 'pack-refs', '--all');
    expect(await writeRef(dir, ref, null)).to.equal(false);
    expect(refs()).to.deep.equal({ [ref]: ids[0] });
    expect(await writeRef(dir, ref, ids[1]!)).to.equal(true);
    expect(refs()).to.deep.equal({ [ref]: ids[1] });
    expect(await writeRef(dir, ref, null)).to.equal(false);
    expect(await writeRef(dir, 'refs/heads/pack', ids[0]!)).to.equal(true);
    expect(await writeRef(dir, 'refs/heads/pack', null), 'a name that another begins with').to.equal(true);
    expect(refs()).to.deep.equal({ [ref]: ids[1] });
  });

  it('leaves to git what somebody else has the lock of, and the lock', async () => {
    const ref = 'refs/heads/locked';
    await writeRef(dir, ref, ids[0]!);
    for (const [lock, commit] of [[`${ref}.lock`, ids[1]!] as const, ['packed-refs.lock', null] as const]) {
      writeFileSync(join(dir, lock), '');
      expect(await writeRef(dir, ref, commit)).to.equal(false);
      expect(leftovers()).to.deep.equal([lock]);
      rmSync(join(dir, lock));
      expect(refs()).to.deep.equal({ [ref]: ids[0] });
    }
  });

  it('leaves to git a ref whose name is a folder of others, or is below one', async () => {
    await writeRef(dir, 'refs/heads/a', ids[0]!);
    await writeRef(dir, 'refs/heads/b/c', ids[0]!);
    for (const ref of ['refs/heads/a/x', 'refs/heads/b']) expect(await writeRef(dir, ref, ids[1]!)).to.equal(false);
    expect(refs()).to.deep.equal({ 'refs/heads/a': ids[0], 'refs/heads/b/c': ids[0] });
  });
});
