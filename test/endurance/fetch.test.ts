// Takes long: repositories of many megabytes of noise, which git packs, sends and unpacks.
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createRepositories } from '../../src/sites/git/repositories.ts';
import type { GitRepositories } from '../../src/sites/git/repository.ts';
import { testLauncher } from '../helpers/launcher.ts';
import { RawRepository } from '../unit/sites/git/rawRepository.ts';
import { failureOf, onBranch, Workplace } from '../helpers/team/workplace.ts';
import { organizationTooLarge, repositoryTooLarge } from '../../src/sites/git/clones/cloneSizes.ts';

const MIB = 1024 ** 2;

describe('a git fetch', function () {
  this.timeout(300_000);
  let place: Workplace;
  let repositories: GitRepositories;
  beforeEach(() => {
    place = new Workplace();
  });
  afterEach(async () => {
    await repositories.close();
    await place.remove();
  });

  /** @param sites the ids of the registered sites of each organization */
  function start(
    limits: Partial<Parameters<typeof createRepositories>[0]>,
    sites: Record<string, string[]> = {},
  ) {
    const sitesOf = (organizationId: string) => Promise.resolve(sites[organizationId] ?? []);
    const dataDir = join(place.folder, 'data');
    repositories = createRepositories({ dataDir, launcher: testLauncher, sitesOf, ...limits });
    return (siteId: string, organizationId = 'acme', url = place.url) =>
      repositories.open({ siteId, organizationId, repository: { url, branch: 'main', root: '' } });
  }

  const folderOf = (siteId: string) => place.copyOf(siteId);
  const filesBelow = (folder: string) =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const objects = (siteId: string) =>
    filesBelow(join(folderOf(siteId), 'objects')).map(({ name }) => name);
  const left = () => readdirSync(join(place.folder, 'data/repositories/tmp'));
  const noise = (count: number, bytes = MIB) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [
        `${i}.bin`,
        randomBytes(Math.round(bytes)).toString('base64'),
      ]),
    );

  for (const [what, count] of [
    ['few large files', 3],
    ['many small ones', 300],
  ] as const)
    it(`of ${what} is rejected completely if the repository is over its limit, and the existing files stay`, async () => {
      const open = start({ siteLimits: { siteBytes: 2 * MIB } });
      const head = place.push({ 'index.html': 'home' });
      expect(await open('one').fetchHead()).to.equal(head);
      const before = objects('one');
      place.push(noise(count, (6 * MIB) / count));
      for (let attempt = 0; attempt < 2; attempt++)
        expect(await failureOf(open('one').fetchHead())).to.include({
          code: 'LIMIT_EXCEEDED',
          message: repositoryTooLarge(2 * MIB).message,
          retryable: false,
        });
      expect(objects('one')).to.deep.equal(before);
      expect(left()).to.deep.equal([]);
      expect(await open('one').lastHead()).to.equal(head);
      expect(await (await open('one').tree(onBranch(head))).read('index.html')).to.equal('home');
    });

  it("is rejected if an organization's clones are too large together, but not for other organizations", async () => {
    const sites = { acme: ['one', 'two'] };
    const open = start({ organizationBytes: 5 * MIB }, sites);
    place.push(noise(1, 4 * MIB));
    await open('one').fetchHead();
    expect(await failureOf(open('two').fetchHead())).to.include({
      code: 'LIMIT_EXCEEDED',
      message: organizationTooLarge(5 * MIB).message,
      retryable: false,
    });
    expect(objects('two')).to.deep.equal([]);
    expect(await failureOf(open('not-registered-yet').fetchHead())).to.include({
      code: 'LIMIT_EXCEEDED',
    });
    await open('three', 'other').fetchHead();
    expect(await open('one').fetchHead()).to.equal(place.head());
  });

  it('rejects an object that expands to too much memory, but no large file', async () => {
    const open = start({});
    const raw = new RawRepository();
    const tree = raw.tree(['100644', 'film.mp4', raw.blob('\0'.repeat(140 * MIB))]);
    raw.write(place.remote, raw.commit(tree));
    expect(
      (await open('one').tree(onBranch(await open('one').fetchHead()))).entries.get('film.mp4')
        ?.size,
    ).to.equal(140 * MIB);
    raw.write(
      place.remote,
      raw.commit(tree, 'T <t@test> 1700000000 +0000', '\n'.repeat(140 * MIB)),
    );
    const error = await failureOf(open('one').fetchHead());
    expect(error).to.include({ code: 'GIT_FAILED', retryable: false });
    expect(error?.message).to.match(
      /^Fetching from the local repository failed: the repository needs too much memory/,
    );
    expect(left()).to.deep.equal([]);
  });
});
