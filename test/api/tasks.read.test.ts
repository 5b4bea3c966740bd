import { expect } from 'chai';
import type { Note, Page, TaskView } from '../../src/contract/task.ts';
import { failingTasks, bearer, keys, startApi, type TestApi, taskId } from '../helpers/api.ts';

describe('GET /agent/tasks/{taskId}', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  const read = (key = keys.member) => api.request('GET', `/api/v1/agent/tasks/${taskId}`, { headers: bearer(key) });
  const page: Page = { slug: '/a', previewUrl: 'http://p/a', editUrl: null, publishedUrl: null };
  const views: Record<string, TaskView> = {
    running: { taskId, status: 'running' },
    'running with progress': {
      taskId,
      status: 'running',
      progress: { phase: 'working', pages: { done: 1, total: 3 } },
    },
    completed: {
      taskId,
      status: 'completed',
      output: { pagesCreated: [page], pagesModified: [{ ...page, externalId: 'row 1' }], pagesDeleted: [] },
    },
    failed: { taskId, status: 'failed', errorMessage: 'Template page not found: /x' },
  };
  for (const [name, view] of Object.entries(views))
    it(`answers a ${name} task in the specification's shape`, async () => {
      api.views.set(taskId, view);
      const { status, json } = await read();
      expect([status, json]).to.deep.equal([200, view]);
    });

  const empty = { pagesCreated: [], pagesModified: [], pagesDeleted: [] };
  const answered = async (told: object) => {
    api.views.set(taskId, { taskId, status: 'completed', output: { ...empty, ...told } });
    return (await read()).json['output'];
  };

  it('answers notes as objects, and as sentences in the same order', async () => {
    const notes: Note[] = [
      { page: '/a', kind: 'price', slot: 's4', text: '/a: the price "$5" is the template\'s', value: '$5' },
      { kind: 'held', text: 'Held' },
    ];
    const warnings = notes.map(({ text }) => text);
    expect(await answered({ notes })).to.deep.equal({ ...empty, warnings, notes });
    expect(await answered({ notes: notes.map((note) => ({ ...note, internal: 1 })) })).to.deep.include({ notes });
    expect(await answered({ notes: [] })).to.deep.equal(empty);
  });

  it('answers the sentences of an earlier version as notes too', async () => {
    const notes = ['one', 'two'].map((text) => ({ kind: 'other', text }));
    const warnings = ['one', 'two'];
    expect(await answered({ warnings })).to.deep.equal({ ...empty, warnings, notes });
  });

  it('leaves out whatever the specification does not name', async () => {
    const inner = { internal: 1, organizationId: 'secret' };
    const output = {
      pagesCreated: [{ ...page, ...inner }],
      pagesModified: [],
      pagesDeleted: [],
      warnings: [],
      ...inner,
    };
    api.views.set(taskId, { taskId, status: 'completed', output, finishedAt: 'x', ...inner } as TaskView);
    expect((await read()).json).to.deep.equal({
      taskId,
      status: 'completed',
      output: { pagesCreated: [page], pagesModified: [], pagesDeleted: [] },
    });
  });

  it("answers another organization's task like an unknown one", async () => {
    const foreign = await read(keys.foreign);
    api.views.clear();
    const unknown = await read();
    expect([foreign.status, foreign.text]).to.deep.equal([404, '{"error":"Task not found"}']);
    expect([unknown.status, unknown.text]).to.deep.equal([foreign.status, foreign.text]);
  });

  it('answers 500 without detail when reading fails, and logs the reason', async () => {
    const other = await startApi({ tasks: failingTasks(new Error('temporal:7233 refused')) });
    const { status, json } = await other.request('GET', `/api/v1/agent/tasks/${taskId}`, {
      headers: bearer(keys.member),
    });
    await other.close();
    expect([status, json]).to.deep.equal([500, { error: 'Internal Server Error' }]);
    expect(JSON.stringify(other.logs)).to.include('temporal:7233 refused');
  });
});
