import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  createCloneSizes,
  organizationTooLarge,
  repositoryTooLarge,
} from '../../../../../src/sites/git/clones/cloneSizes.ts';

describe('createCloneSizes(options)', () => {
  const digest = '-0123456789abcdef';
  const copy = { name: `one${digest}`, organizationId: 'acme' };
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sizes-'));
    for (const siteId of ['one', 'two', 'of-others']) write(siteId, 'a', 100);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function write(siteId: string, name: string, bytes: number) {
    const objects = join(folder, `${siteId}${digest}.git`, 'objects/ab');
    mkdirSync(objects, { recursive: true });
    writeFileSync(join(objects, name), 'x'.repeat(bytes));
  }
  const start = (organizationBytes: number) =>
    createCloneSizes({ folder, organizationBytes, sitesOf: () => Promise.resolve(['one', 'two']) });

  it("sums up the organization's clones, and measures a clone again after it has changed", async () => {
    const sizes = start(1_000);
    const room = async () => {
      const check = await sizes.beforeFetch(copy, 5_000);
      return (arrived: number) => () => check(arrived);
    };
    const first = await room();
    expect(first(800)).to.not.throw();
    expect(first(801)).to.throw(organizationTooLarge(1_000).message);
    write('two', 'b', 300);
    expect((await room())(800), 'not measured again').to.not.throw();
    sizes.changed(`two${digest}`);
    expect((await room())(501)).to.throw(organizationTooLarge(1_000).message);
  });

  it('lets a fetch that brings nothing continue if the organization has too much', async () => {
    const check = await start(150).beforeFetch(copy, 5_000);
    expect(() => check(0)).to.not.throw();
  });

  it('limits the clone itself', async () => {
    const check = await start(1_000).beforeFetch(copy, 200);
    expect(() => check(100)).to.not.throw();
    expect(() => check(101)).to.throw(repositoryTooLarge(200).message);
  });
});
