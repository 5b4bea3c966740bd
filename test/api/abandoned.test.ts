import { expect } from 'chai';
import { once } from 'node:events';
import { request } from 'node:http';
import type { JobOwner } from '../../src/threads/threadPool.ts';
import {
  bearer,
  createdAt,
  failingTasks,
  keys,
  organizationId,
  type Overrides,
  startApi,
  taskId,
  type TestApi,
} from '../helpers/api.ts';
import { noEditing } from '../helpers/editing.ts';
import { until } from '../helpers/until.ts';

describe('A request whose client has disconnected', () => {
  /** What the API asked for, which ends by its signal alone. */
  let asked: JobOwner[];
  let api: TestApi;
  const work = <T>(work: JobOwner) => {
    asked.push(work);
    return new Promise<T>((_, reject) =>
      work.signal?.addEventListener('abort', () => reject(work.signal?.reason as Error)),
    );
  };
  const pages = [
    { slug: '/a', previewUrl: 'https://a.example/a', editUrl: null, publishedUrl: null },
  ];
  const result = { taskId, base: 'b'.repeat(40), commit: 'c'.repeat(40), root: 'b'.repeat(40) };
  const output = { pagesCreated: pages, pagesModified: [], pagesDeleted: [] };
  const task = () => ({
    taskId,
    organizationId,
    siteId: api.site.siteId,
    type: 'prompt' as const,
    status: 'completed' as const,
    finished: { status: 'completed' as const, output, result, finishedAt: createdAt },
  });
  const editing = {
    ...noEditing(),
    findTask: () => Promise.resolve(task()),
    editor: {
      ...noEditing().editor,
      open: (_: unknown, __: unknown, signal?: AbortSignal) =>
        work<never>({ organizationId, signal }),
      frame: (_: unknown, __: unknown, ___: unknown, signal?: AbortSignal) =>
        work<never>({ organizationId, signal }),
    },
  };

  beforeEach(async () => {
    asked = [];
    api = await startApi({
      tasks: {
        ...failingTasks(new Error('not asked for')),
        find: () => Promise.resolve(task() as never),
      },
      sitePages: { list: (_site, _part, asked) => work(asked) },
      diffs: { read: (_site, _commits, asked) => work(asked) },
      editing,
    } satisfies Overrides);
  });
  afterEach(() => api.close());

  const cookie = () =>
    `__Secure-agent_editor=${editing.grants.issue('session', { organizationId, taskId, keyId: keys.member }).token}`;
  const requests: Record<string, () => [path: string, headers: Record<string, string>]> = {
    'GET /sites/{siteId}/pages': () => [
      `/api/v1/sites/${api.site.siteId}/pages?limit=500`,
      bearer(keys.member),
    ],
    'GET /agent/tasks/{taskId}/diff': () => [
      `/api/v1/agent/tasks/${taskId}/diff`,
      bearer(keys.member),
    ],
    'GET /edit/{taskId}/.page': () => [`/edit/${taskId}/.page?slug=/a`, { Cookie: cookie() }],
    'GET /edit/{taskId}/.frame': () => [`/edit/${taskId}/.frame?slug=/a`, { Cookie: cookie() }],
  };
  for (const [name, of] of Object.entries(requests))
    it(`stops its work, and is not counted as a failure of the service: ${name}`, async () => {
      const [path, headers] = of();
      const sent = request({ port: api.port, host: '127.0.0.1', path, headers }).end();
      const ended = once(sent, 'error');
      await until('the request', () => asked.length === 1);
      expect(asked[0]).to.have.property('organizationId', organizationId);
      sent.destroy(new Error('gone'));
      await ended;
      await until('the end of the work', () => asked[0]?.signal?.aborted === true);
      await until('the log', () => api.logs.some(({ msg }) => msg === 'request completed'));
      expect(api.logs.find(({ msg }) => msg === 'request completed')).to.include({ status: 499 });
      expect(api.logs.filter(({ msg }) => msg === 'request failed')).to.deep.equal([]);
    });
});
