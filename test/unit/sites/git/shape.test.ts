import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { RawRepository, type RawEntry } from './rawRepository.ts';
import {
  failureOf,
  git,
  onBranch,
  publishTask,
  Workplace,
} from '../../../helpers/team/workplace.ts';

const numbered = (count: number, entry: (number: string) => RawEntry): RawEntry[] =>
  Array.from({ length: count }, (_, i) => entry(String(i).padStart(6, '0')));

describe('the shape of a tree', function () {
  this.timeout(120_000);
  let place: Workplace;
  let raw: RawRepository;
  beforeEach(() => {
    place = new Workplace();
    raw = new RawRepository();
  });
  afterEach(() => place.remove());

  async function readHead() {
    const repository = place.open();
    return repository.tree(onBranch(await repository.fetchHead()));
  }

  /** Each makes a root tree of a few megabytes at most, packed. */
  const bombs: Record<string, [build: () => Buffer, reason: RegExp]> = {
    '6,000 top folders that share one chain of 900': [
      () => {
        const shared = raw.chain(900);
        return raw.tree(...numbered(6_000, (i) => ['40000', i, shared]));
      },
      /"000000\/a\/a\/a.+…".*\b64\b|too many files and folders/,
    ],
    'one chain of 30,000 folders': [
      () => raw.chain(30_000),
      /^Fetching from the local repository failed: .*nested too deeply$/,
    ],
    'one chain of 65 folders': [() => raw.chain(65), /nested too deeply/],
    'a path of 4,001 bytes': [
      () => raw.tree(['40000', 'x'.repeat(3_994), raw.chain(0)]),
      /"x{199}…".*\b4001\b.*\b4000\b/,
    ],
    '50,000 files with paths of 3,800 bytes': [
      () => {
        const blob = raw.blob('x');
        return raw.chain(
          19,
          'x'.repeat(199),
          raw.tree(...numbered(50_000, (i) => ['100644', `${i}.html`, blob])),
        );
      },
      /too many files and folders.*\b150000\b/,
    ],
    '2^40 folders that share their contents': [
      () => doubled(40, raw.tree(['100644', 'f.html', raw.blob('x')])),
      /too many files and folders/,
    ],
    '50,001 files': [
      () => {
        const blob = raw.blob('x');
        return raw.tree(...numbered(50_001, (i) => ['100644', i, blob]));
      },
      /\b50001 files\b.*\b50000\b/,
    ],
  };
  function doubled(times: number, inner: Buffer): Buffer {
    let tree = inner;
    for (let i = 0; i < times; i++) tree = raw.tree(['40000', 'a', tree], ['40000', 'b', tree]);
    return tree;
  }

  for (const [name, [build, reason]] of Object.entries(bombs))
    it(`is rejected permanently, within 200 MB: ${name}`, async () => {
      raw.write(place.remote, raw.commit(build()));
      const before = process.resourceUsage().maxRSS;
      const error = await failureOf(readHead());
      expect(error?.message).to.match(reason);
      expect(error).to.have.property('retryable', false);
      expect((process.resourceUsage().maxRSS - before) / 1024).to.be.below(200);
    });

  for (const name of ['.git', 'git~1', '.g\u200cit', '..'])
    it(`is rejected permanently with the path that contains ${JSON.stringify(name)}`, async () => {
      const blob = raw.blob('x');
      const folder = raw.tree(['40000', name, raw.tree(['100644', 'config', blob])]);
      raw.write(
        place.remote,
        raw.commit(raw.tree(['40000', 'd', folder], ['100644', 'index.html', blob])),
      );
      const error = await failureOf(readHead());
      expect(error).to.include({ code: 'GIT_FAILED', retryable: false });
      expect(error?.message).to.contain(JSON.stringify(`d/${name}`));
    });

  const broken: Record<string, () => RawEntry[]> = {
    treeNotSorted: () => [
      ['100644', 'z', raw.blob('x')],
      ['100644', 'a', raw.blob('x')],
    ],
    fullPathname: () => [['100644', 'a/b', raw.blob('x')]],
  };
  for (const [finding, entries] of Object.entries(broken))
    it(`is rejected permanently, and leaves nothing, if git's own check finds ${finding}`, async () => {
      const tree = raw.tree(...entries());
      raw.write(place.remote, raw.commit(tree));
      const error = await failureOf(readHead());
      expect(error).to.include({ code: 'GIT_FAILED', retryable: false });
      expect(error?.message).to.contain(finding).and.to.contain(tree.toString('hex'));
      expect(packs()).to.deep.equal([]);
      expect(readdirSync(join(place.folder, 'data/repositories/tmp'))).to.deep.equal([]);
    });
  const packs = () => {
    const folder = join(place.copyOf(), 'objects/pack');
    return execFileSync('find', [folder, '-type', 'f'], { encoding: 'utf8' })
      .split('\n')
      .filter(Boolean);
  };

  it('is accepted if old clients wrote dates, names and modes in their own way', async () => {
    const blob = raw.blob('x');
    const folder = raw.tree(['100644', 'a.html', blob]);
    const tree = raw.tree(['100644', '.gitmodules', raw.blob('[[')], ['040000', 'docs', folder]);
    raw.write(place.remote, raw.commit(tree, 'T<t> 01700000000 +051800'));
    expect([...(await readHead()).entries.keys()]).to.deep.equal(['.gitmodules', 'docs/a.html']);
  });

  it('is ignored outside of the folder of the site, which alone is read and written', async () => {
    const blob = raw.blob('x');
    const site = raw.tree(['100644', 'index.html', blob]);
    const bomb = doubled(40, raw.tree());
    const [odd, above] = ['\u00fc\n', raw.tree(['40000', 'bomb', bomb], ['40000', 'site', site])];
    raw.write(
      place.remote,
      raw.commit(
        raw.tree(['40000', 'other', bomb], ['40000', 'web', above], ['100644', odd, blob]),
      ),
    );
    const repository = place.open({ root: 'web/site' });
    const base = await repository.fetchHead();
    const { commit } = await publishTask(repository, 'bg-1', {
      'new.html': 'new',
      'index.html': 'changed',
    });
    expect(
      git(place.remote, 'ls-tree', '-r', '--name-only', 'main:web/site').split('\n'),
    ).to.deep.equal(['index.html', 'new.html']);
    for (const path of ['other', 'web/bomb', odd])
      expect(git(place.remote, 'rev-parse', `main:${path}`)).to.equal(
        git(place.remote, 'rev-parse', `${base}:${path}`),
      );
    const patch = await repository.diff(
      onBranch(base),
      { commit, retainedBy: 'bg-1' },
      { maxBytes: 10_000 },
    );
    expect(patch).to.include('diff --git a/web/site/index.html b/web/site/index.html');
  });
});
