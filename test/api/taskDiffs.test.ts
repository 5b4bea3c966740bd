import { expect } from 'chai';
import type { TaskPreview } from '../../src/contract/site.ts';
import type { TaskOutcome, TaskResult } from '../../src/contract/task.ts';
import { DomainError } from '../../src/errors.ts';
import type { ComparedCommits, SiteDiff } from '../../src/sites/pages/siteDiff.ts';
import type { TaskRecord } from '../../src/temporal/tasks/taskService.ts';
import {
  bearer,
  createdAt,
  failingTasks,
  keys,
  organizationId,
  startApi,
  taskId,
  type TestApi,
} from '../helpers/api.ts';
import { made } from '../helpers/about.ts';
import { EXPIRED_RESULT } from '../../src/tasks/previews.ts';

const [root, base, commit] = ['a', 'b', 'c'].map((letter) => letter.repeat(40)) as [
  string,
  string,
  string,
];
const output = { pagesCreated: [], pagesModified: [], pagesDeleted: [] };
const completed = (result?: TaskResult): TaskOutcome => ({
  status: 'completed',
  output,
  finishedAt: createdAt,
  ...(result && { result }),
});
const own: TaskResult = { taskId, base, commit, root };

describe('GET /agent/tasks/{taskId}/diff', () => {
  let api: TestApi;
  let task: Partial<TaskRecord>;
  let preview: TaskPreview | null;
  const asked: (ComparedCommits & { siteId: string })[] = [];
  const diff: SiteDiff = {
    patch: 'diff --git a/a.html b/a.html\n',
    pages: [
      {
        slug: '/a',
        change: 'modified',
        texts: [{ role: 'title', section: null, before: 'A', after: 'B' }],
      },
    ],
    warnings: [],
  };
  beforeEach(async () => {
    [task, preview] = [{}, null];
    asked.splice(0);
    api = await startApi({
      tasks: {
        ...failingTasks(new Error('not asked for')),
        find: (organization, id) =>
          organization === organizationId && id === taskId
            ? Promise.resolve({
                taskId,
                organizationId,
                siteId: api.site.siteId,
                type: 'prompt',
                status: 'completed',
                publish: false,
                createdAt,
                hasCallback: false,
                finished: completed(own),
                ...made,
                ...task,
              } satisfies TaskRecord)
            : Promise.reject(new DomainError('NOT_FOUND', 'Task not found')),
      },
      deployments: {
        preview: (id) => Promise.resolve(id === taskId ? preview : null),
        knownPreview: () => Promise.reject(new Error('not asked for')),
      },
      diffs: {
        read: ({ siteId }, commits) => {
          asked.push({ siteId, ...commits });
          return Promise.resolve(diff);
        },
      },
    });
  });
  afterEach(() => api.close());

  const read = (key = keys.member, id = taskId) =>
    api.request('GET', `/api/v1/agent/tasks/${id}/diff`, { headers: bearer(key) });

  it('returns the difference between the commit that the task began from and its result', async () => {
    const { status, json } = await read();
    const { patch, pages } = diff;
    expect([status, json]).to.deep.equal([200, { taskId, base, commit, patch, pages }]);
    const [before, after] = [base, commit].map((id) => ({ commit: id, retainedBy: taskId }));
    expect(asked).to.deep.equal([{ siteId: api.site.siteId, before, after }]);
  });

  it('answers 409 if the result is no longer kept', async () => {
    preview = { commit, retainedBy: taskId, isShown: false, isGone: true };
    const { status, json } = await read();
    expect([status, json]).to.deep.equal([409, { error: EXPIRED_RESULT }]);
    expect(asked).to.deep.equal([]);
  });

  it('says what it leaves out', async () => {
    Object.assign(diff, { patch: null, warnings: ['The patch is left out'] });
    const { json } = await read();
    Object.assign(diff, { patch: '', warnings: [] });
    expect(json).to.deep.include({ patch: null, warnings: ['The patch is left out'] });
  });

  it('shows everything that a publish task put live', async () => {
    const other = `bg-${'b2'.repeat(11)}`;
    task = { type: 'publish', finished: completed({ ...own, taskId: other }) };
    expect((await read()).json).to.include({ base: root, commit });
    const [before, after] = [root, commit].map((id) => ({ commit: id, retainedBy: other }));
    expect(asked).to.deep.equal([{ siteId: api.site.siteId, before, after }]);
  });
});
