import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Creator } from '../../src/contract/creator.ts';
import type { SiteRepository } from '../../src/contract/site.ts';
import { DomainError } from '../../src/errors.ts';
import type { ListedSite } from '../../src/organizations/siteList.ts';
import type { SitePage } from '../../src/sites/pages/listing/sitePages.ts';
import type { TaskRecord } from '../../src/temporal/tasks/taskService.ts';
import {
  bearer,
  failingTasks,
  keys,
  organizationId,
  siteCommit,
  startApi,
  type TestApi,
} from '../helpers/api.ts';
import { named } from '../helpers/about.ts';

describe('GET /sites', () => {
  let api: TestApi;
  const asked: unknown[] = [];
  const commit = 'c1'.repeat(20);
  const at = '2026-11-21T07:00:24.120Z';
  const author = { name: 'Ann', email: 'ann@acme.example' };
  const repositories: SiteRepository[] = [
    { url: 'file:///srv/secret/place.git', branch: 'main', root: '' },
    {
      url: 'git@git.example:a.git',
      branch: 'main',
      root: '',
      isGuarded: true,
      knownHosts: 'git.example ssh-ed25519 x',
      credential: {
        credentialId: randomUUID(),
        kind: 'deploy-key',
        publicKey: 'ssh-ed25519 AAAA x',
      },
      problem: { text: 'Fetching failed: access denied', isOfPush: false },
    },
  ];
  const shown = [
    { url: 'local', branch: 'main', root: '', access: 'open' },
    {
      url: 'git@git.example:a.git',
      branch: 'main',
      root: '',
      access: 'deploy-key',
      publicKey: 'ssh-ed25519 AAAA x',
    },
    ...[2, 3].map((i) => ({
      url: `https://git.example/${i}.git`,
      branch: 'main',
      root: 'public',
      access: 'open',
    })),
  ];
  const sites = ['Atelier', 'Bäckerei', 'Same', 'Same'].map((name, i): ListedSite => {
    const deployment = {
      state: i === 1 ? ('failed' as const) : ('live' as const),
      commit,
      taskId: null,
      at,
    };
    const repository = { url: `https://git.example/${i}.git`, branch: 'main', root: 'public' };
    return {
      siteId: randomUUID(),
      organizationId,
      name,
      label: `site-${i}`,
      host: 'embedded',
      author,
      createdAt: at,
      isLive: i < 3,
      deployment: i < 3 ? deployment : null,
      repository: repositories[i] ?? repository,
    };
  });
  before(async () => {
    api = await startApi({
      siteList: {
        list(organization, { after, limit }) {
          asked.push(organization);
          const rest = sites.slice(
            after === undefined ? 0 : sites.findIndex(({ siteId }) => siteId === after[1]) + 1,
          );
          return Promise.resolve({ sites: rest.slice(0, limit), more: rest.length > limit });
        },
        find: () => Promise.resolve(null),
      },
    });
  });
  after(() => api.close());
  const list = (query = '', key = keys.member) =>
    api.request('GET', `/api/v1/sites${query}`, { headers: bearer(key) });

  it('returns IDs, names, live URLs and the last deployments to the organization of the key', async () => {
    const { status, json } = await list();
    expect(status).to.equal(200);
    expect(json).to.deep.equal({
      sites: sites.map(({ siteId, name, label, isLive, deployment, repository }, i) => ({
        siteId,
        name,
        deployment,
        liveUrl: isLive ? `https://${label}.sites.example/` : null,
        repository: shown[i],
        problem: repository?.problem?.text ?? null,
        publishApproval: 'none',
      })),
      nextCursor: null,
    });
    await list('', keys.foreign);
    expect(asked)
      .to.deep.equal([organizationId, asked[1]])
      .and.not.deep.equal([organizationId, organizationId]);
  });
});

describe('GET /sites/{siteId}/pages', () => {
  let api: TestApi;
  const change = { changedAt: '2026-11-21T07:00:24.000Z', changedBy: 'Ann', taskId: null };
  beforeEach(async () => {
    api = await startApi();
    api.pages.push(
      ...['/', '/a', '/über'].map((slug) => ({
        slug,
        title: `Page ${slug}`,
        template: slug !== '/a',
        ...change,
      })),
    );
  });
  afterEach(() => api.close());

  const list = (siteId: string, query = '', key = keys.member) =>
    api.request('GET', `/api/v1/sites/${siteId}/pages${query}`, { headers: bearer(key) });

  it('names who edited a page by hand or created its task, and nobody of another organization', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e'].map((letter) => `bg-${letter.repeat(22)}`);
    const [byAda, byKey, nameless, foreign, byLeft] = ids as [
      string,
      string,
      string,
      string,
      string,
    ];
    const [ada, stranger, left] = [randomUUID(), randomUUID(), randomUUID()];
    const made: Record<string, Creator> = {
      [byAda]: { userId: ada },
      [byKey]: { keyId: 'import' },
      [nameless]: { keyId: 'nameless' },
      [byLeft]: { userId: left },
    };
    const find = (owner: string, taskId: string) => {
      if (owner !== organizationId || !made[taskId])
        throw new DomainError('NOT_FOUND', 'Task not found');
      return Promise.resolve({ taskId, createdBy: made[taskId] } as TaskRecord);
    };
    const names: Record<string, string> = {
      [ada]: 'Ada',
      import: 'Nightly import',
      [stranger]: 'Stranger',
      [left]: 'Left',
    };
    const asked: string[] = [];
    const own = await startApi({
      tasks: {
        ...failingTasks(new Error('not asked for')),
        find: (...task) => (asked.push(task[1]), find(...task)),
      },
      creators: {
        named: (creators) => Promise.resolve(named(creators, (id) => names[id] ?? null)),
        members: (owner, userIds) =>
          Promise.resolve(
            new Map(
              userIds.flatMap((id) =>
                owner === organizationId && id === ada ? [[id, 'Ada']] : [],
              ),
            ),
          ),
      },
    });
    const pages: [Partial<SitePage>, string | null][] = [
      [{ taskId: byAda }, 'Ada'],
      [{ taskId: byAda }, 'Ada'],
      [{ taskId: byKey }, 'Nightly import'],
      [{ taskId: nameless }, 'Ann'],
      [{ taskId: foreign }, 'Ann'],
      [{ taskId: byLeft }, 'Ann'],
      [{ taskId: null }, 'Ann'],
      [{ taskId: byKey, isByHand: true, editor: ada }, 'Ada'],
      [{ taskId: byAda, isByHand: true, editor: stranger }, 'Ann'],
      [{ taskId: byAda, isByHand: true, editor: left }, 'Ann'],
      [{ taskId: byAda, isByHand: true }, 'Ann'],
      [{ changedAt: null, changedBy: null, taskId: null }, null],
    ];
    const listed = pages.map(([fields], at) => ({
      slug: `/${at + 10}`,
      title: 'T',
      template: true,
      ...change,
      ...fields,
    }));
    own.pages.push(...listed);
    const ask = () =>
      own.request('GET', `/api/v1/sites/${own.site.siteId}/pages`, {
        headers: bearer(keys.member),
      });
    const { json } = await ask();
    const shown = (json['pages'] as { changedBy: string | null }[]).map(
      ({ changedBy }) => changedBy,
    );
    expect(shown).to.deep.equal(pages.map(([, name]) => name));
    expect(asked.sort()).to.deep.equal(ids);
    await ask();
    expect(asked.filter((id) => id === foreign)).to.have.length(1);
    await own.close();
  });

  it('returns slugs, titles and possible templates, and the commit that they were read from', async () => {
    const { status, json } = await list(api.site.siteId);
    expect([status, json]).to.deep.equal([
      200,
      { siteId: api.site.siteId, commit: siteCommit, pages: api.pages, nextCursor: null },
    ]);
  });

  const problems = {
    'limit=0': 'limit must be greater than or equal to 1',
    'limit=501': 'limit must be less than or equal to 500',
    'limit=ten': 'limit must be a number',
    'limit=1&limit=2': 'limit must be a number',
    'cursor=x': 'cursor must be the nextCursor of a response',
    'cursor=': 'cursor is not allowed to be empty',
    'colour=red&limit=1.5': 'limit must be an integer; colour is not allowed',
  };
  for (const [query, problem] of Object.entries(problems))
    it(`rejects ?${query} with a reason`, async () => {
      const { status, json } = await list(api.site.siteId, `?${query}`);
      expect([status, json]).to.deep.equal([400, { error: `Invalid query: ${problem}` }]);
    });

  it('answers 400 for a site without a repository', async () => {
    const { status, json } = await list(api.siteWithoutRepository.siteId);
    expect([status, json]).to.deep.equal([
      400,
      { error: 'Site is missing repository information' },
    ]);
  });

  it('answers 409 with the problem of the site, and 503 while its repository does not answer', async () => {
    const failures = [new DomainError('CONFLICT', 'Folder public not found in the repository')];
    failures.push(new DomainError('UNAVAILABLE', 'The repository does not respond'));
    const other = await startApi({ sitePages: { list: () => Promise.reject(failures.shift()!) } });
    const path = `/api/v1/sites/${other.site.siteId}/pages`;
    const replies = [];
    for (let i = 0; i < 2; i++)
      replies.push(await other.request('GET', path, { headers: bearer(keys.member) }));
    await other.close();
    expect(replies.map(({ status, json }) => [status, json['error']])).to.deep.equal([
      [409, 'Folder public not found in the repository'],
      [503, 'Service Unavailable'],
    ]);
  });
});
