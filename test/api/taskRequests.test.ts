import { expect } from 'chai';
import type { TaskInput, TaskWork } from '../../src/contract/task.ts';
import { DomainError } from '../../src/errors.ts';
import type { TaskRecord } from '../../src/temporal/tasks/taskService.ts';
import { made } from '../helpers/about.ts';
import {
  bearer,
  budget,
  createdAt,
  failingTasks,
  keys,
  organizationId,
  startApi,
  taskId,
  type TestApi,
} from '../helpers/api.ts';

const baseTaskId = `bg-${'b2'.repeat(11)}`;
const baseTask = {
  taskId: baseTaskId,
  base: 'b'.repeat(40),
  commit: 'c'.repeat(40),
  root: 'b'.repeat(40),
};

describe('GET /agent/tasks/{taskId}/request', () => {
  let api: TestApi;
  let record: TaskRecord;
  let input: TaskInput;
  const notFound = () => Promise.reject(new DomainError('NOT_FOUND', 'Task not found'));
  before(async () => {
    const own = <T>(organization: string, asked: string, found: () => T) =>
      organization === organizationId && asked === taskId ? Promise.resolve(found()) : notFound();
    api = await startApi({
      tasks: {
        ...failingTasks(new Error('not asked for')),
        find: (organization, asked) => own(organization, asked, () => record),
        request: (organization, asked) => own(organization, asked, () => ({ input })),
      },
    });
  });
  after(() => api.close());

  function asked(work: TaskWork, fields: Partial<TaskInput> = {}, about: Partial<TaskRecord> = {}) {
    const { siteId } = api.site;
    const common = { taskId, organizationId, siteId, createdAt, publish: false };
    input = {
      ...common,
      title: made.title,
      requestId: 'r-1',
      siteName: 'Northwind',
      preferredWorker: 'h',
      ...fields,
      work,
    };
    record = {
      ...common,
      type: work.type,
      status: 'failed',
      hasCallback: false,
      ...made,
      ...about,
    };
  }
  const read = (key = keys.member, id = taskId) =>
    api.request('GET', `/api/v1/agent/tasks/${id}/request`, { headers: bearer(key) });

  it('returns the prompt and the base task, and nothing about how the task ran', async () => {
    asked({ type: 'prompt', prompt: 'Make it "pop"' }, { baseTask }, { follows: baseTaskId });
    expect((await read()).json).to.deep.equal({
      taskId,
      siteId: api.site.siteId,
      command: 'prompt',
      baseTaskId,
      publish: false,
      onWarnings: 'publish',
      ask: 'never',
      prompt: 'Make it "pop"',
      model: 'rules',
    });
  });

  it('returns items, budget and model, and no page that was written', async () => {
    const items = [
      { targetPageSlug: '/b', context: 'City: Rome', externalId: 'row-1', facts: 'drop' as const },
    ];
    const written = { digest: 'd', pages: { '/b': { texts: {} } } };
    asked(
      { type: 'generate_pages', templatePageSlug: '/a', items, linkFrom: '/', written },
      { publish: true, onWarnings: 'hold', model: 'openai/gpt-5', budget },
      { follows: `bg-${'c3'.repeat(11)}` },
    );
    expect((await read()).json).to.deep.equal({
      taskId,
      siteId: api.site.siteId,
      command: 'generate_pages',
      baseTaskId: null,
      publish: true,
      onWarnings: 'hold',
      ask: 'never',
      templatePageSlug: '/a',
      items,
      linkFrom: '/',
      model: 'openai/gpt-5',
      budget,
    });
  });

  it('returns only the origin of a callback URL', async () => {
    const callbackUrl = 'https://user:pass@hooks.example.com:8443/T0/secret?key=hidden#part';
    asked({ type: 'prompt', prompt: 'x' }, { callbackUrl });
    const { json, text } = await read();
    expect(json).to.include({ callbackOrigin: 'https://hooks.example.com:8443' });
    for (const secret of ['user', 'pass', 'secret', 'hidden', 'part'])
      expect(text).to.not.include(secret);
  });
});
