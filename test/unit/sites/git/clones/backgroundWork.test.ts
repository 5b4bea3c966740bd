import { join } from 'node:path';
import { expect } from 'chai';
import type { CommandLauncher } from '../../../../../src/sites/git/launcher/launcher.ts';
import { createRepositories } from '../../../../../src/sites/git/repositories.ts';
import type { GitRepositories } from '../../../../../src/sites/git/repository.ts';
import { testLauncher } from '../../../../helpers/launcher.ts';
import { RawRepository, type RawEntry } from '../rawRepository.ts';
import {
  failureOf,
  git,
  publication,
  task,
  Workplace,
} from '../../../../helpers/team/workplace.ts';
import { longNameError } from '../../../../../src/sites/git/trees/treeObject.ts';

const numbered = (count: number, entry: (number: string) => RawEntry): RawEntry[] =>
  Array.from({ length: count }, (_, i) => entry(String(i).padStart(6, '0')));

/** Counts the bytes that go to git's commands and come from them. */
function countingLauncher() {
  const bytes = { count: 0 };
  const launcher: CommandLauncher = {
    async run(command, signal) {
      const outcome = await testLauncher.run(command, signal);
      bytes.count +=
        (command.input?.length ?? 0) + ('stdout' in outcome ? outcome.stdout.length : 0);
      return outcome;
    },
    close: () => Promise.resolve(),
  };
  return { launcher, bytes };
}

describe("a site's folder beside much other data in its repository", function () {
  this.timeout(120_000);
  let place: Workplace;
  let raw: RawRepository;
  let repositories: GitRepositories | undefined;
  beforeEach(() => {
    place = new Workplace();
    raw = new RawRepository();
  });
  afterEach(async () => {
    await repositories?.close();
    await place.remove();
  });

  function start(root: string) {
    const { launcher, bytes } = countingLauncher();
    repositories = createRepositories({ dataDir: join(place.folder, 'data'), launcher });
    const site = {
      siteId: 'site-1',
      organizationId: 'acme',
      repository: { url: place.url, branch: 'main', root },
    };
    return { repository: repositories.open(site), bytes };
  }

  /**
   * A commit whose site, in `web/site`, has these files, and 100,000 entries beside it and beside
   * its folder.
   */
  function write(files: RawEntry[], beside: RawEntry[], above: RawEntry[]) {
    const site = raw.tree(['40000', 'site', raw.tree(...files)], ...beside);
    const commit = raw.commit(raw.tree(...above, ['40000', 'web', site]));
    raw.write(place.remote, commit);
    return commit.toString('hex');
  }

  it('is written without reading the other data, which stays to the last byte', async () => {
    const [x, y] = [raw.blob('x'), raw.blob('y')];
    const [above, beside] = ['a', 'z'].map((name) =>
      numbered(100_000, (i) => ['100644', name + i, x]),
    );
    const files = (blob: Buffer) => numbered(20_000, (i) => ['100644', `${i}.html`, blob]);
    write(files(x), beside!, above!);
    const { repository, bytes } = start('web/site');
    const base = await repository.fetchBase('bg-1');
    bytes.count = 0;
    const commit = await repository.commitTask(task('bg-1', base, { 'new.html': 'new' }));
    const listed = 20_000 * 80;
    expect(bytes.count, 'bytes of git for a commit').to.be.below(listed);
    write([...files(y).slice(0, -1), ['100644', '019999.html', x]], beside!, above!);
    git(place.remote, 'update-ref', 'refs/heads/main', ontoBase(base));
    bytes.count = 0;
    const live = await repository.publish(publication('bg-1', base, commit));
    expect(bytes.count, 'bytes of git for a merge').to.be.below(listed * 6);
    expect(git(place.remote, 'diff-tree', '-r', '--name-status', `${live}^1`, live)).to.equal(
      'A\tweb/site/new.html',
    );
  });

  /** The commit that is at the head by now, on top of `base`. */
  const ontoBase = (base: string) =>
    git(place.remote, 'commit-tree', 'main^{tree}', '-p', base, '-m', 'others');

  it('is found only by its whole name, whatever others are called', async () => {
    const blob = raw.blob('x');
    const site = raw.tree(['100644', 'index.html', blob]);
    const others: RawEntry[] = [
      '40000 site',
      'a site',
      'site ',
      'sitea',
      'x40000 site',
      '\tsite',
      '\nsite',
      '\xfc site',
    ].map((name) => ['40000', name, site]);
    const ids = numbered(300, (i) => ['100644', `web-${i}`, raw.blob(`${i}\0 site\0`)]);
    const entries = [...others, ...ids, ['40000', 'site', site] as RawEntry].sort(byName);
    raw.write(place.remote, raw.commit(raw.tree(...entries)));
    const { repository } = start('site');
    const base = await repository.fetchBase('bg-1');
    const commit = await repository.commitTask(task('bg-1', base, { 'new.html': 'new' }));
    expect(git(place.remote, 'diff-tree', '-r', '-z', '--name-status', base, commit)).to.equal(
      'A\0site/new.html\0',
    );
  });

  const byName = ([aMode, a]: RawEntry, [bMode, b]: RawEntry) =>
    Buffer.compare(
      Buffer.from(a + (aMode === '40000' ? '/' : '')),
      Buffer.from(b + (bMode === '40000' ? '/' : '')),
    );

  it('is rejected beside a name of megabytes, which is not read into memory', async () => {
    const site = raw.tree(['100644', 'index.html', raw.blob('x')]);
    raw.write(
      place.remote,
      raw.commit(raw.tree(['40000', 'long'.repeat(2_000_000), site], ['40000', 'site', site])),
    );
    const { repository } = start('site');
    const error = await failureOf(
      (async () =>
        repository.commitTask(
          task('bg-1', await repository.fetchBase('bg-1'), { 'new.html': 'new' }),
        ))(),
    );
    expect(error).to.have.property('retryable', false);
    const { message } = longNameError();
    expect(error?.details?.['reason'] ?? error?.message).to.be.oneOf(['damaged', message]);
  });
});
