import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { DomainError } from '../../src/errors.ts';
import type { TaskListRequest, ListedTask } from '../../src/temporal/tasks/taskService.ts';
import {
  bearer,
  createdAt,
  failingTasks,
  keys,
  organizationId,
  publicationsIn,
  startApi,
  taskId,
  type TestApi,
} from '../helpers/api.ts';
import { made } from '../helpers/about.ts';
import { publicationOf } from '../helpers/deployed.ts';

describe('GET /agent/tasks', () => {
  const siteId = randomUUID();
  const record: ListedTask = {
    taskId,
    organizationId,
    siteId,
    type: 'prompt',
    status: 'running',
    publish: false,
    createdAt,
    hasCallback: true,
    ...made,
  };
  const keyId = randomUUID();
  const named = {
    title: 'Ten cities',
    createdBy: { keyId },
    follows: taskId,
    callbackState: 'pending',
  } as const;
  const finishedAt = '2026-01-02T03:05:00.000Z';
  const secret = { finished: { status: 'failed', errorMessage: 'secret' } };
  const failed: ListedTask = {
    ...record,
    ...secret,
    type: 'publish',
    status: 'failed',
    publish: true,
    finishedAt,
  };
  const published = publicationOf({
    live: ['/a'],
    replaced: ['/b'],
    replacedAt: createdAt,
    replacedBy: taskId,
  });
  const facts = {
    publishedAt: createdAt,
    publishedBy: published.publishedBy,
    deploymentId: published.commit,
  };
  const asked: TaskListRequest[] = [];
  let completed: ListedTask[] = [];
  let api: TestApi;
  before(async () => {
    const tasks = {
      ...failingTasks(new DomainError('UNAVAILABLE', 'Temporal did not answer')),
      list: (request: TaskListRequest) => {
        asked.push(request);
        return Promise.resolve({
          tasks: [...completed, { ...record, ...named }, failed],
          nextCursor: 'next',
        });
      },
    };
    const publications = publicationsIn((ids) => new Map(ids.map((id) => [id, published])));
    api = await startApi({ tasks, publications });
  });
  beforeEach(() => void asked.splice(0));
  after(() => api.close());

  const list = (query = '', key = keys.member) =>
    api.request('GET', `/api/v1/agent/tasks${query}`, { headers: bearer(key) });

  it('returns the fields that a client needs to choose a task, and nothing else', async () => {
    const { status, json } = await list();
    const shown = { taskId, siteId, createdAt };
    const about = { title: 'Ten cities', createdBy: { keyId, name: null }, follows: taskId };
    const notLive = { live: false, publication: null };
    const alone = {
      title: made.title,
      createdBy: { ...made.createdBy, name: null },
      follows: null,
    };
    expect([status, json]).to.deep.equal([
      200,
      {
        tasks: [
          {
            ...shown,
            ...about,
            type: 'prompt',
            status: 'running',
            publish: false,
            callback: 'pending',
            ...notLive,
          },
          {
            ...shown,
            ...alone,
            type: 'publish',
            status: 'failed',
            publish: true,
            finishedAt,
            callback: null,
            ...notLive,
          },
        ],
        nextCursor: 'next',
      },
    ]);
  });

  for (const [slugs, live, state, replaced] of [
    [['/a'], true, 'live', { replacedAt: null, replacedBy: null }],
    [['/a', '/b'], false, 'partly-live', { replacedAt: createdAt, replacedBy: taskId }],
    [['/b'], false, 'replaced', { replacedAt: createdAt, replacedBy: taskId }],
    [undefined, false, 'partly-live', { replacedAt: createdAt, replacedBy: taskId }],
  ] as [string[] | undefined, boolean, string, object][])
    it(`reports a completed task with the pages ${slugs?.join() ?? 'that nobody knows'} as ${state}`, async () => {
      completed = [{ ...record, status: 'completed', ...(slugs && { slugs }) }];
      const [task] = (await list()).json['tasks'] as object[];
      completed = [];
      expect(task).to.deep.include({ live, publication: { state, ...facts, ...replaced } });
      if (slugs) expect(task).to.include({ pages: slugs.length });
      else expect(task).not.to.have.property('pages');
    });

  it("lists tasks of the key's organization, with the given filters", async () => {
    await list();
    await list(
      `?siteId=${siteId.toUpperCase()}&status=failed&type=generate_pages&limit=100&cursor=abc`,
    );
    expect(asked).to.deep.equal([
      { organizationId, limit: 20 },
      {
        organizationId,
        siteId,
        status: 'failed',
        type: 'generate_pages',
        limit: 100,
        cursor: 'abc',
      },
    ]);
  });

  it('filters by words of the title, by creator, and by the state of the callback', async () => {
    await list(
      `?title=${encodeURIComponent('Zehn Städte')}&createdBy=${keyId.toUpperCase()}&callback=accepted`,
    );
    expect(asked).to.deep.equal([
      { organizationId, title: 'Zehn Städte', createdBy: keyId, callback: 'accepted', limit: 20 },
    ]);
  });

  const problems = {
    'siteId=1': 'siteId must be a UUID',
    'siteId=': 'siteId is not allowed to be empty',
    'status=done': 'status must be one of [running, completed, failed]',
    'type=Prompt': 'type must be one of [prompt, generate_pages, publish, restore, edit]',
    'title=': 'title is not allowed to be empty',
    'title=%2D%20!': 'title must contain a word',
    'title=a%0Ab': 'title must be one line without control characters',
    'createdBy=me': 'createdBy must be a UUID',
    'callback=delivered': 'callback must be one of [pending, accepted, failed]',
    'limit=0': 'limit must be greater than or equal to 1',
    'limit=101': 'limit must be less than or equal to 100',
    'status=failed&status=running':
      'status must be one of [running, completed, failed]; status must be a string',
    'colour=red&limit=x': 'limit must be a number; colour is not allowed',
  };
  for (const [query, problem] of Object.entries(problems))
    it(`rejects ?${query} with a reason`, async () => {
      const { status, json } = await list(`?${query}`);
      expect([status, json]).to.deep.equal([400, { error: `Invalid query: ${problem}` }]);
      expect(asked).to.deep.equal([]);
    });
});
