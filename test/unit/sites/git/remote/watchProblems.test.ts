import { chmod, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { createOrganizations } from '../../../../../src/organizations/organizations.ts';
import { createSites } from '../../../../../src/organizations/sites.ts';
import { createRepositories } from '../../../../../src/sites/git/repositories.ts';
import type { ResultCommit } from '../../../../../src/contract/site.ts';
import type { GitRepository } from '../../../../../src/sites/git/repository.ts';
import { testDatabase } from '../../../../helpers/database.ts';
import { testLauncher } from '../../../../helpers/launcher.ts';
import {
  failureOf,
  publication,
  publishTask,
  Workplace,
} from '../../../../helpers/team/workplace.ts';
import { missingBranchError } from '../../../../../src/sites/git/remote/productionBranch.ts';

interface TaskCommits {
  base: string;
  result: ResultCommit;
}

describe("a site's problem", () => {
  let place: Workplace;
  let siteId: string;
  let sites: ReturnType<typeof createSites>;
  let repositories: ReturnType<typeof createRepositories>;
  let told: unknown[];
  beforeEach(async () => {
    const db = await testDatabase();
    sites = createSites(db);
    place = new Workplace();
    place.push({ 'index.html': 'home' });
    const { organizationId } = await createOrganizations(db).create({ name: 'Team' });
    const repository = { url: place.url, branch: 'main', root: '' };
    ({ siteId } = await sites.create({ organizationId, name: 'Site', repository }));
    told = [];
    repositories = createRepositories({
      dataDir: join(place.folder, 'data'),
      launcher: testLauncher,
      onProblem(id, problem) {
        told.push(problem);
        return sites.setProblem(id, problem);
      },
    });
  });
  afterEach(async () => {
    await repositories.close();
    await place.remove();
  });

  /** One step of a task, which reads the register anew. */
  const step = async <T>(work: (repository: GitRepository) => Promise<T>) =>
    work(repositories.open((await sites.get(siteId)) as Parameters<typeof repositories.open>[0]));
  const problem = async () => (await sites.get(siteId)).repository?.problem;

  it('is recorded by the activity that failed, and removed by the next that succeeds, without needless writes', async () => {
    await step((repository) => repository.fetchHead());
    await step((repository) => repository.fetchHead());
    expect(told).to.deep.equal([]);
    await rename(place.remote, `${place.remote}-away`);
    for (let times = 0; times < 3; times++)
      await failureOf(step((repository) => repository.fetchHead()));
    expect(await problem()).to.deep.equal({
      text: 'Fetching from the local repository failed: repository not found',
      isOfPush: false,
    });
    expect(told).to.have.length(1);
    await rename(`${place.remote}-away`, place.remote);
    await step((repository) => repository.fetchHead());
    await step((repository) => repository.fetchHead());
    expect(await problem()).to.equal(undefined);
    expect(told).to.have.length(2);
  });

  it('with a push stays until a push succeeds', async () => {
    place.hook('pre-receive', 'echo no >&2; exit 1');
    await failureOf(step((repository) => publishTask(repository, 'bg-1', { 'a.html': 'a' })));
    expect(await problem()).to.deep.include({ isOfPush: true });
    expect((await problem())?.text).to.match(/ refs\/agent-tasks\/bg-1 /);
    await step((repository) => repository.fetchHead());
    expect(await problem()).to.deep.include({ isOfPush: true });
    await chmod(join(place.remote, 'hooks/pre-receive'), 0o600);
    await step((repository) => publishTask(repository, 'bg-2', { 'b.html': 'b' }));
    expect(await problem()).to.equal(undefined);
  });

  const calls: Record<
    string,
    { isOfPush: boolean; call: (repository: GitRepository, task: TaskCommits) => Promise<unknown> }
  > = {
    fetchResult: {
      isOfPush: false,
      call: (repository, { result }) => repository.fetchResult(result),
    },
    fetchMergeBase: {
      isOfPush: false,
      call: (repository, { base, result }) => repository.fetchMergeBase(base, result),
    },
    fetchBatch: {
      isOfPush: false,
      call: (repository, { base }) => repository.fetchBatch({ taskId: 'bg-1', tip: base }),
    },
    pushBatch: {
      isOfPush: true,
      call: (repository, { base, result }) =>
        repository.pushBatch({ taskId: 'bg-2', commit: result.commit, expected: base }),
    },
    pushBranch: {
      isOfPush: true,
      call: (repository, { result }) => repository.pushBranch(result),
    },
    bringUpToDate: {
      isOfPush: true,
      call: (repository, { base, result }) =>
        repository.bringUpToDate(
          publication(result.retainedBy, base, result.commit),
          new AbortController().signal,
        ),
    },
  };
  it('is recorded by each call that needs the remote', async () => {
    const { base, commit } = await step((repository) =>
      publishTask(repository, 'bg-1', { 'a.html': 'a' }),
    );
    await rename(place.remote, `${place.remote}-away`);
    const commits = { base, result: { retainedBy: 'bg-1', commit } };
    for (const [name, { isOfPush, call }] of Object.entries(calls)) {
      await sites.setProblem(siteId, null);
      const failure = await failureOf(step((repository) => call(repository, commits)));
      expect(failure, name).to.include({ code: 'GIT_FAILED' });
      expect(await problem(), name).to.deep.include({ isOfPush });
    }
  });

  it('names a missing branch, and is not recorded when the service stops', async () => {
    await step((repository) => repository.fetchHead());
    await sites.setRepository(siteId, { url: place.url, branch: 'gone', root: '' });
    await failureOf(step((repository) => repository.fetchHead()));
    expect(await problem()).to.deep.include({
      text: missingBranchError('gone', ['main']).message,
    });
    await sites.setRepository(siteId, { url: place.url, branch: 'main', root: '' });
    expect(await problem()).to.equal(undefined);
    await repositories.close();
    await failureOf(step((repository) => repository.fetchHead()));
    expect(await problem()).to.equal(undefined);
  });
});
