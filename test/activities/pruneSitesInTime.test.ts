import { expect } from 'chai';
import { join } from 'node:path';
import type { ActivityDependencies } from '../../activities/deps.ts';
import { createPruneSites } from '../../activities/pruneSites.ts';
import type { Site } from '../../src/contract/site.ts';
import { createLogger } from '../../src/log.ts';
import { createRepositories } from '../../src/sites/git/repositories.ts';
import type { GitRepositories } from '../../src/sites/git/repository.ts';
import { hangingServer } from '../helpers/hangingServer.ts';
import { testLauncher } from '../helpers/launcher.ts';
import { until } from '../helpers/until.ts';
import { createdAt, git, Workplace } from '../helpers/team/workplace.ts';

const HOUR = 3_600_000;
const unhurried = {
  sites: 100,
  atOnce: 2,
  slowAfterMs: HOUR,
  limitMs: HOUR,
  totalMs: HOUR,
  queryPauseMs: 0,
};

describe('pruneSites, within its time limit', function () {
  this.timeout(120_000);
  let place: Workplace;
  let repositories: GitRepositories;
  let host: Awaited<ReturnType<typeof hangingServer>>;
  before(async () => {
    host = await hangingServer();
  });
  after(() => host.close());
  beforeEach(async () => {
    place = new Workplace();
    place.push({});
    repositories = createRepositories({
      dataDir: join(place.folder, 'data'),
      launcher: testLauncher,
    });
  });
  afterEach(async () => {
    await repositories.close();
    await place.remove();
  });

  /** Every result at a remote has ended, and no task runs. */
  const allEnded: ActivityDependencies['retention'] = {
    endedResults: (_, taskIds) => Promise.resolve(taskIds),
    withdrawn: () => Promise.resolve([]),
    keptDeployments: () => Promise.resolve(new Set()),
    resultEnds: () => Infinity,
    runningTasks: () => Promise.resolve(new Map()),
  };
  const asSite = (url: string, n: number): Site => ({
    siteId: `site-${String(n).padStart(3, '0')}`,
    organizationId: 'org-1',
    name: 'Site',
    host: 'embedded',
    label: `site-${n}`,
    repository: { url, branch: 'main', root: '' },
    author: { name: 'Team', email: 'team@example.com' },
    createdAt,
  });

  /** A step of sites at these addresses. */
  function cleaning(urls: string[], { retention = allEnded, ...limits }: Partial<Changes> = {}) {
    const all = urls.map(asSite);
    const sites = {
      find: () => Promise.resolve(null),
      listAfter: (after = '', limit: number) =>
        Promise.resolve(all.filter(({ siteId }) => siteId > after).slice(0, limit)),
    };
    const audit = { prune: () => Promise.resolve() };
    const eventLog = audit;
    const log = createLogger('silent');
    const hosting = { endPreview: () => Promise.resolve() };
    const cleanUp = createPruneSites(
      {
        repositories,
        sites,
        eventLog,
        retention,
        hosting,
        log,
        audit,
        modelUsage: audit,
        batches: audit,
        accounts: { assistants: audit },
      },
      { ...unhurried, ...limits },
    );
    const cancel = new AbortController();
    return {
      cancel,
      step: (after?: string) => cleanUp(after === undefined ? {} : { after }, cancel.signal),
    };
  }
  type Changes = typeof unhurried & { retention: ActivityDependencies['retention'] };

  /** The remote of the team with so many results of tasks. */
  function results(count: number): void {
    for (let n = 0; n < count; n++)
      git(place.remote, 'update-ref', `refs/agent-tasks/bg-${`${n}`.padStart(22, '0')}`, 'main');
  }
  const isEmpty = () => git(place.remote, 'for-each-ref', 'refs/agent-tasks') === '';
  const times = <T>(count: number, value: T) => Array.from({ length: count }, () => value);

  it('reaches a site behind many hanging sites, and ends at once when it is cancelled', async () => {
    results(1);
    const { step, cancel } = cleaning([...times(6, host.url), place.url], { slowAfterMs: 10 });
    const done = step().catch((error: Error) => error.message);
    await until('the last site to be cleaned up', isEmpty, 25_000);
    await until('all others to hang', () => host.open() === 6, 25_000);
    cancel.abort(new Error('Cancelled'));
    expect(await done).to.equal('Cancelled');
    await until('the end of the commands', () => host.open() === 0, 25_000);
  });

  it('gives up on each hanging site when its time is over', async () => {
    const { step } = cleaning(times(6, host.url), { limitMs: 200 });
    expect(await step()).to.deep.equal({ last: null, sites: 6, removed: 0, failed: 6 });
    await until('the end of the commands', () => host.open() === 0, 25_000);
  });

  it('continues after the last site that it had time for', async () => {
    results(3);
    const { step } = cleaning(times(5, place.url), { totalMs: 0, atOnce: 1 });
    const steps = [await step()];
    while (steps.at(-1)!.last !== null && steps.length < 9)
      steps.push(await step(steps.at(-1)!.last!));
    expect(steps.map(({ last }) => last)).to.deep.equal([
      'site-000',
      'site-001',
      'site-002',
      'site-003',
      null,
    ]);
    expect(steps.map(({ sites, removed }) => [sites, removed])).to.deep.equal([
      [1, 3],
      ...times(4, [1, 0]),
    ]);
  });
});
