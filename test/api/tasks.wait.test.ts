import { expect } from 'chai';
import { createTaskWatchers, type TaskWatchers } from '../../src/tasks/taskWatchers.ts';
import { told } from '../helpers/about.ts';
import {
  bearer,
  failingTasks,
  keys,
  organizationId,
  startApi,
  taskId,
  type TestApi,
} from '../helpers/api.ts';
import { Story, storyQuestion } from '../helpers/story.ts';
import { until } from '../helpers/until.ts';

const path = `/api/v1/agent/tasks/${taskId}`;
const MOST = 20;

describe('GET /agent/tasks/{taskId} with Prefer: wait', () => {
  let story: Story;
  let watchers: TaskWatchers;
  let api: TestApi;
  let reads: number;
  async function start(every: number): Promise<void> {
    const over = Promise.withResolvers<void>();
    const { follow } = story;
    watchers = createTaskWatchers(story, { every });
    const read = (organization: string, task: string) => {
      reads++;
      return follow(organization, task).then(({ view }) => ({ ...view, about: told }));
    };
    const own = { follow, read, closed: () => over.promise };
    api = await startApi({
      tasks: { ...failingTasks(new Error('not asked for')), ...own },
      watchers,
    });
  }
  beforeEach(() => {
    story = new Story(organizationId, taskId);
    reads = 0;
    return start(20);
  });
  afterEach(async () => {
    watchers.close();
    await api.close();
  });

  const read = (prefer?: string, key = keys.member) =>
    api.request('GET', path, {
      headers: { ...bearer(key), ...(prefer !== undefined && { Prefer: prefer }) },
    });
  const isWatched = () => until('a watched task', () => watchers.size() === 1, 10_000, 5);

  it('answers when the task ends, as it would without waiting', async () => {
    const waiting = read('wait=50');
    await isWatched();
    expect(reads).to.equal(0);
    story.finish();
    const { status, headers, json } = await waiting;
    expect([status, headers.get('preference-applied')]).to.deep.equal([200, 'wait=50']);
    const { json: again } = await read();
    expect(json).to.deep.equal(again).and.include({ status: 'failed' });
  });

  it('answers when the task asks a question, and at once while it asks one', async () => {
    const waiting = read('wait=50');
    await isWatched();
    story.ask();
    const { json } = await waiting;
    expect(json).to.have.nested.property('progress.waitingFor.question', storyQuestion.question);
    expect((await read('wait=50')).json).to.deep.equal(json);
  });

  it('answers with the running task after the wait', async () => {
    const { status, headers, json } = await read('wait=1');
    expect([status, headers.get('preference-applied')]).to.deep.equal([200, 'wait=1']);
    expect(json).to.include({ taskId, status: 'running' });
    await until('nobody to watch', () => watchers.size() === 0, 10_000, 5);
  });

  it('waits 50 seconds at most', async () => {
    story.finish();
    expect((await read('wait=86400')).headers.get('preference-applied')).to.equal('wait=50');
  });

  for (const prefer of [
    'return=minimal',
    'wait=0',
    'wait=-5',
    'wait=soon',
    'wait',
    'wait=',
    '=',
    '"',
    `wait=50${', a'.repeat(170)}`,
  ])
    it(`answers at once if the client prefers ${prefer.slice(0, 20)}`, async () => {
      const { status, headers, json } = await read(prefer);
      expect([status, headers.get('preference-applied')]).to.deep.equal([200, null]);
      expect(json).to.include({ status: 'running' });
    });

  it(`lets ${MOST} requests of a key wait, and answers further ones at once`, async () => {
    const waiting = Array.from({ length: MOST }, () => read('wait=50'));
    await isWatched();
    await until(
      'a request that does not wait',
      async () => (await read('wait=1')).headers.get('preference-applied') === null,
      20_000,
      10,
    );
    story.finish();
    for (const { headers, json } of await Promise.all(waiting)) {
      expect(headers.get('preference-applied')).to.equal('wait=50');
      expect(json).to.include({ status: 'failed' });
    }
    expect((await read('wait=1')).headers.get('preference-applied')).to.equal('wait=1');
  });

  it('ends the wait when the service stops', async () => {
    const waiting = read('wait=50');
    await isWatched();
    watchers.close();
    expect((await waiting).json).to.include({ status: 'running' });
  });
});
