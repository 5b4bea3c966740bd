import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { createRepositories } from '../../../../../src/sites/git/repositories.ts';
import { failureOf, git, publishTask, Workplace } from '../../../../helpers/team/workplace.ts';
import { testLauncher } from '../../../../helpers/launcher.ts';

describe('checkPushable', () => {
  let place: Workplace;
  beforeEach(async () => {
    place = new Workplace();
    place.push({ 'index.html': 'home' });
  });
  afterEach(() => place.remove());

  const addressOf = (...names: string[]) => pathToFileURL(join(place.folder, ...names)).href;

  async function check(url: string, branch = 'main') {
    const repositories = createRepositories({
      dataDir: join(place.folder, 'data'),
      launcher: testLauncher,
    });
    try {
      return await failureOf(repositories.checkPushable({ url, branch, root: '' }));
    } finally {
      await repositories.close();
    }
  }

  const configure = (value: string) =>
    git(place.clone, 'config', 'receive.denyCurrentBranch', value);
  const refused: Record<string, () => string> = {
    'a normal clone': () => addressOf('clone'),
    'a clone whose branch is checked out in another work tree': () => {
      git(place.clone, 'checkout', '-q', '-b', 'other');
      git(place.clone, 'worktree', 'add', '-q', '../beside', 'main');
      return addressOf('clone');
    },
    'a bare repository with a work tree beside it': () => {
      git(place.remote, 'worktree', 'add', '-q', '../beside', 'main');
      return place.url;
    },
  };
  const accepted: Record<string, () => string> = {
    'a bare repository': () => place.url,
    'a clone with another branch checked out': () => (
      git(place.clone, 'checkout', '-q', '-b', 'other'),
      addressOf('clone')
    ),
    'a clone that says `updateInstead`': () => (configure('updateInstead'), addressOf('clone')),
  };

  for (const [name, prepare] of Object.entries(refused))
    it(`rejects ${name}, to which no publish is pushed`, async () => {
      const url = prepare();
      const failure = await check(url);
      expect(failure).to.include({ code: 'PUSH_REFUSED', retryable: false });
      expect(failure?.message)
        .to.match(/\bmain\b.*`git clone --bare`/)
        .and.contain('`git config receive.denyCurrentBranch updateInstead`');
      expect(
        await failureOf(publishTask(place.open({ url }), 'bg-1', { 'a.html': 'a' })),
      ).to.include({
        code: 'PUSH_REFUSED',
      });
    });

  for (const [name, prepare] of Object.entries(accepted))
    it(`accepts ${name}, to which a publish is pushed`, async () => {
      const url = prepare();
      expect(await check(url)).to.equal(undefined);
      const { live } = await publishTask(place.open({ url }), 'bg-1', { 'a.html': 'a' });
      expect(live).to.match(/^[0-9a-f]{40}$/);
    });

  it('works as advised: with updateInstead the work tree has what is published', async () => {
    configure('updateInstead');
    await publishTask(place.open({ url: addressOf('clone') }), 'bg-1', { 'a.html': 'published' });
    expect(await readFile(join(place.clone, 'a.html'), 'utf8')).to.equal('published');
  });

  for (const url of ['https://127.0.0.1:1/acme/site.git', 'git@127.0.0.1:acme/site.git'])
    it(`says nothing about what it can't see: ${url}`, async () => {
      expect(await check(url)).to.equal(undefined);
    });
});

describe('remove(siteId)', () => {
  let place: Workplace;
  beforeEach(async () => {
    place = new Workplace();
    place.push({ 'index.html': 'home' });
  });
  afterEach(() => place.remove());

  it("removes a site's clone from this machine, and a later use clones it again", async () => {
    const repositories = createRepositories({
      dataDir: join(place.folder, 'data'),
      launcher: testLauncher,
    });
    try {
      const site = {
        siteId: 'site-1',
        organizationId: 'team',
        repository: { url: place.url, branch: 'main', root: '' },
      };
      const commit = await repositories.open(site).fetchHead();
      const { entries } = await repositories.open(site).tree({ commit, retainedBy: null });
      await repositories.open(site).blob(entries.get('index.html')?.id ?? '');
      await repositories.remove('site-1');
      expect(existsSync(place.copyOf())).to.equal(false);
      expect(await repositories.open(site).fetchHead()).to.equal(commit);
    } finally {
      await repositories.close();
    }
  });
});
