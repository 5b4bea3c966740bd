import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createUsage } from '../../../../src/sites/git/diskUsage.ts';

describe('createUsage(options)', () => {
  const site = { siteId: 'one', organizationId: 'acme' };
  let folder: string;
  let measured: string[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'usage-'));
    measured = [];
    for (const siteId of ['one', 'two']) write(siteId, 'a', 100);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function write(siteId: string, name: string, bytes: number) {
    mkdirSync(join(folder, siteId, 'ab'), { recursive: true });
    writeFileSync(join(folder, siteId, 'ab', name), 'x'.repeat(bytes));
  }
  const start = (organizationBytes: number) =>
    createUsage({
      organizationBytes,
      sitesOf: () => Promise.resolve(['one', 'two']),
      objectsOf: (siteId) => {
        measured.push(siteId);
        return join(folder, siteId);
      },
    });

  it('measures a copy once for fetches that bring nothing', async () => {
    const usage = start(1_000);
    for (let fetch = 0; fetch < 3; fetch++) {
      const arrival = await usage.begin(site, 1_000);
      arrival.check(0);
      await arrival.done();
    }
    expect(measured).to.deep.equal(['one', 'two']);
  });

  it('measures it again after a fetch that brought something, and counts that', async () => {
    const usage = start(1_000);
    const arrival = await usage.begin(site, 1_000);
    arrival.check(50);
    write('one', 'b', 500);
    await arrival.done();
    expect(measured).to.deep.equal(['one', 'two', 'one']);
    const next = await usage.begin(site, 1_000);
    expect(() => next.check(300)).to.not.throw();
    expect(() => next.check(301)).to.throw("The organization's repositories together are larger");
    expect(measured).to.have.length(3);
  });

  it('measures it again before the next fetch of any site, where something else was written', async () => {
    const usage = start(1_000);
    const arrival = await usage.begin(site, 1_000);
    arrival.check(0);
    await arrival.done();
    write('one', 'b', 800);
    usage.changed('one');
    const other = await usage.begin({ ...site, siteId: 'two' }, 1_000);
    expect(() => other.check(1)).to.throw("The organization's repositories together are larger");
    expect(measured).to.deep.equal(['one', 'two', 'one']);
  });

  it('goes on counting a copy as it was while it changes', async () => {
    const usage = start(250);
    const arrival = await usage.begin(site, 1_000);
    usage.changed('two');
    expect(() => arrival.check(51)).to.throw("The organization's repositories together are larger");
  });
});
