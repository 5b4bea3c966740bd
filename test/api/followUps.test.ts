import { expect } from 'chai';
import { ALREADY_PUBLISHED } from '../../src/tasks/publishTask.ts';
import type { TaskPreview } from '../../src/contract/site.ts';
import {
  type Note,
  type QuestionAnswer,
  TASK_RUNNING,
  type TaskInput,
  type TaskOutput,
} from '../../src/contract/task.ts';
import { DomainError } from '../../src/errors.ts';
import type {
  StartRequest,
  TaskDelivery,
  TaskRecord,
  RecordedTaskRequest,
} from '../../src/temporal/tasks/taskService.ts';
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
import { connectAssistant, type Person } from '../helpers/mcp.ts';
import type { Publication } from '../../src/contract/publication.ts';

const none = { count: 0, slugs: [] };
const newTaskId = `bg-${'b2'.repeat(11)}`;
const page = {
  slug: '/a',
  previewUrl: null,
  editUrl: null,
  publishedUrl: null,
  externalId: 'row-1',
};
const output: TaskOutput = { pagesCreated: [page], pagesModified: [], pagesDeleted: [] };
const result = { taskId, base: 'b'.repeat(40), commit: 'c'.repeat(40), root: 'b'.repeat(40) };
const completed = { status: 'completed', output, finishedAt: createdAt, result } as const;
const userId = '5b0c9d1e-0c55-4f0e-9d38-0c5f5a0e6b11';
const deliveries: TaskDelivery[] = [
  {
    state: 'failed',
    attempts: [{ at: createdAt, status: 500, error: 'was answered with status 500' }],
  },
  {
    state: 'pending',
    requestedAt: createdAt,
    requestedBy: { userId },
    attempts: [{ at: createdAt, error: 'did not answer in time' }],
    nextAttemptAt: createdAt,
  },
  { state: 'pending', requestedAt: createdAt, attempts: [{ at: createdAt }] },
];
const failed = { status: 'failed', errorMessage: 'No', finishedAt: createdAt } as const;

describe('follow-ups of a task', () => {
  let api: TestApi;
  let record: TaskRecord;
  let input: TaskInput;
  let written: RecordedTaskRequest['written'];
  let preview: TaskPreview | null;
  const started: StartRequest[] = [];
  const askers: object[] = [];
  const answers: QuestionAnswer[] = [];

  let below: TaskRecord[] = [];

  const own = (organization: string, asked: string) => {
    const found = [record, ...below].find((task) => task.taskId === asked);
    return organization === organizationId && found ? Promise.resolve(found) : notThere();
  };
  const published = new Map<string, Publication>();
  const notThere = () => Promise.reject(new DomainError('NOT_FOUND', 'Task not found'));

  before(async () => {
    api = await startApi({
      publications: publicationsIn(() => published),
      deployments: {
        preview: () => Promise.resolve(preview),
        knownPreview: () => Promise.resolve(preview),
      },
      siteComparison: {
        pushedChanges: () => Promise.resolve({ created: [], modified: ['/pushed'], deleted: [] }),
        restoredChanges: () => Promise.reject(new Error('not asked for')),
        livePages: () => Promise.reject(new Error('not asked for')),
      },
      tasks: {
        ...failingTasks(new Error('not asked for')),
        find: own,
        start(request) {
          started.push(request);
          return Promise.resolve({ taskId: newTaskId, createdAt });
        },
        request: () => Promise.resolve({ input, ...(written && { written }) }),
        cancel: async (organization, asked) => void (await own(organization, asked)),
        answer: async (organization, asked, given) => {
          await own(organization, asked);
          if (given.questionId === 'q2')
            throw new DomainError('CONFLICT', 'The open question of the task is q1');
          answers.push(given);
        },
        deliveries: async (organization, asked) => {
          await own(organization, asked);
          return {
            callbackUrl: 'https://hooks.example/secret?token=x',
            deliveries,
            finished: failed,
          };
        },
        redeliver: async (organization, asked, by) => {
          await own(organization, asked);
          askers.push(by);
        },
      },
    });
  });
  after(() => api.close());

  beforeEach(() => {
    started.length = 0;
    published.clear();
    below = [];
    written = { digest: 'd', pages: { '/a': { texts: {}, notes: [] } } };
    preview = { commit: result.commit, retainedBy: taskId, isShown: true };
    const { siteId } = api.site;
    record = {
      taskId,
      organizationId,
      siteId,
      type: 'generate_pages',
      status: 'completed',
      publish: false,
      createdAt,
      hasCallback: false,
      finished: completed,
      ...made,
    };
    const items = [
      { targetPageSlug: '/a', context: 'x' },
      { targetPageSlug: '/b', context: 'y' },
    ];
    const callbackUrl = 'https://first.example.com/';
    input = {
      title: made.title,
      taskId,
      organizationId,
      siteId,
      createdAt,
      publish: true,
      callbackUrl,
      work: { type: 'generate_pages', templatePageSlug: '/t', items },
    };
  });

  const post = (
    action: string,
    {
      body,
      headers = {},
      key = keys.member,
      id = taskId,
    }: { body?: string; headers?: Record<string, string>; key?: string; id?: string } = {},
  ) =>
    api.request('POST', `/api/v1/agent/tasks/${id}/${action}`, {
      headers: {
        ...bearer(key),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
  const answerOf = async (...asked: Parameters<typeof post>) => {
    const { status, json } = await post(...asked);
    return [status, json];
  };

  for (const action of ['publish', 'retry'] as const) {
    describe(`POST …/${action}`, () => {
      beforeEach(
        () =>
          void (action === 'retry' && (record = { ...record, status: 'failed', finished: failed })),
      );

      it('responds like a creation, with and without a body', async () => {
        for (const body of [
          undefined,
          '{}',
          '{"callbackUrl":null}',
          '{"callbackUrl":"https://second.example.com/"}',
        ])
          expect(await answerOf(action, body === undefined ? {} : { body }), body).to.deep.equal([
            200,
            { taskId: newTaskId, status: 'running', createdAt },
          ]);
        const first = action === 'retry' ? 'https://first.example.com/' : undefined;
        expect(started.map(({ task }) => task.callbackUrl)).to.deep.equal([
          first,
          first,
          first,
          'https://second.example.com/',
        ]);
        expect(new Set(started.slice(0, 3).map(({ bodyHash }) => bodyHash)).size).to.equal(1);
      });

      it('rejects a wrong body, names the problem, and starts nothing', async () => {
        expect(await answerOf(action, { body: '{"publish":true}' })).to.deep.equal([
          400,
          { error: 'Invalid request body: publish is not allowed' },
        ]);
        expect(await answerOf(action, { body: '{"callbackUrl":"http://x"}' })).to.deep.equal([
          400,
          { error: 'Invalid callback URL' },
        ]);
        expect((await post(action, { body: '[]' })).status).to.equal(400);
        expect((await post(action, { body: '{' })).status).to.equal(400);
        expect(
          (await post(action, { body: '{}', headers: { 'Content-Type': 'text/plain' } })).status,
        ).to.equal(415);
        expect(started).to.be.empty;
      });
    });
  }

  const gone = { status: 409, code: 'CONFLICT' };

  it('refuses to publish, build on or retry a result that is no longer kept', async () => {
    preview = { commit: result.commit, retainedBy: taskId, isShown: false, isGone: true };
    expect(await post('publish')).to.include(gone);
    const body = JSON.stringify({ siteId: api.site.siteId, prompt: 'x', baseTaskId: taskId });
    const headers = { ...bearer(keys.member), 'Content-Type': 'application/json' };
    expect(await api.request('POST', '/api/v1/agent/tasks', { headers, body })).to.include(gone);
    record = { ...record, status: 'failed', finished: failed };
    input = { ...input, baseTask: result };
    expect(await post('retry')).to.include(gone);
    expect(started).to.be.empty;
    preview = { commit: result.commit, retainedBy: taskId, isShown: false };
    expect((await post('retry')).status, 'whose preview alone was deleted').to.equal(200);
  });

  describe('POST …/publish', () => {
    for (const [title, given, expected] of [
      ['Ten cities', undefined, 'Publish: Ten cities'],
      ['x'.repeat(200), undefined, `Publish: ${'x'.repeat(190)}…`],
      ['Ten cities', 'Go live', 'Go live'],
    ] as const)
      it(`has the title ${expected.slice(0, 30)}, its creator, and the task that it follows`, async () => {
        record = { ...record, finished: completed, title };
        await post(
          'publish',
          given === undefined ? undefined : { body: JSON.stringify({ title: given }) },
        );
        const createdBy = { keyId: keys.member };
        expect(started[0]!.about).to.deep.equal({ title: expected, follows: taskId, createdBy });
      });

    it('starts a task that publishes the result, with the names of its pages', async () => {
      await post('publish');
      expect(started[0]?.task).to.deep.include({
        organizationId,
        publish: true,
        work: {
          type: 'publish',
          name: made.title,
          result,
          externalIds: { '/a': 'row-1' },
          ownPages: ['/a'],
          notes: [],
        },
      });
    });

    describe('the notes on what it publishes', () => {
      const note = (text: string): Note => ({ page: '/a', kind: 'price', text });
      const held: Note = { kind: 'unpublished', text: 'Held' };
      const told = (taskId: string, notes: Note[], more: Partial<TaskRecord> = {}): TaskRecord => ({
        ...record,
        taskId,
        ...more,
        finished: { ...completed, output: { ...output, notes } },
      });
      const of = (task: string, text: string) => ({ ...note(text), task });
      const ids = ['b', 'c'].map((letter) => `bg-${`${letter}3`.repeat(11)}`) as [string, string];
      const notesOf = async () => {
        await post('publish');
        const { work } = started.at(-1)!.task;
        return work.type === 'publish' && work.notes;
      };

      it('are the notes of the task, with their current states', async () => {
        record = told(taskId, [note('one'), note('two'), held]);
        expect(await notesOf()).to.deep.equal([of(taskId, 'one'), of(taskId, 'two')]);
      });

      it('include the notes of its base tasks once each, down to one that is live or does not exist any more', async () => {
        const gone = {
          kind: 'changed',
          task: 'bg-gone',
          text: 'It builds on tasks whose notes have expired. Check all pages before you publish them',
        };
        record = told(taskId, [note('own'), note('lowest')], { baseTaskId: ids[0] });
        below = [
          told(ids[0], [note('middle')], { baseTaskId: ids[1] }),
          told(ids[1], [note('lowest')], { baseTaskId: 'bg-gone' }),
        ];
        expect(await notesOf()).to.deep.equal([
          gone,
          of(taskId, 'lowest'),
          of(ids[0], 'middle'),
          of(taskId, 'own'),
        ]);
        below[1]!.finished = { ...completed, output: { ...output, notes: [note('live')] } };
        published.set(ids[1], publicationOf());
        expect(await notesOf()).to.deep.equal([
          of(ids[0], 'middle'),
          of(taskId, 'own'),
          of(taskId, 'lowest'),
        ]);
      });

      it('include the notes of a live task that was edited by hand', async () => {
        record = told(taskId, [note('own')]);
        published.set(taskId, publicationOf({ result: result.commit }));
        preview = { commit: 'e'.repeat(40), retainedBy: taskId, isShown: true };
        expect(await notesOf()).to.deep.equal([of(taskId, 'own')]);
      });
    });

    for (const [what, change, error] of [
      ['is running', { status: 'running', finished: undefined }, TASK_RUNNING],
      ['failed', { finished: failed }, 'The task failed, so there is nothing to publish'],
      [
        'changed nothing',
        { finished: { ...completed, output: { ...output, pagesCreated: [] } } },
        'The task changed nothing, so there is nothing to publish',
      ],
    ] as [string, Partial<TaskRecord>, string][])
      it(`is refused if the task ${what}`, async () => {
        Object.assign(record, change);
        if (change.status === 'running') delete record.finished;
        expect(await answerOf('publish')).to.deep.equal([409, { error }]);
        expect(started).to.be.empty;
      });

    for (const [state, live, replaced, error] of [
      ['live', ['/a'], [], ALREADY_PUBLISHED],
      ['live in part', ['/a'], ['/b'], ALREADY_PUBLISHED],
      [
        'replaced',
        [],
        ['/a'],
        'The task was published and replaced later. Restore its deployment instead',
      ],
    ] as [string, string[], string[], string][])
      it(`is refused if the task is ${state}, whichever task published it, and so is its check`, async () => {
        published.set(
          taskId,
          publicationOf({ publishedBy: newTaskId, result: result.commit, live, replaced }),
        );
        expect(await answerOf('publish')).to.deep.equal([409, { error }]);
        const check = await api.request('GET', `/api/v1/agent/tasks/${taskId}/publish`, {
          headers: bearer(keys.member),
        });
        expect([check.status, check.json]).to.deep.equal([409, { error }]);
        expect(started).to.be.empty;
      });

    const base = (id: string, slug: string, baseTaskId?: string): TaskRecord => ({
      ...record,
      taskId: id,
      title: `Task of ${slug}`,
      finished: {
        ...completed,
        output: { ...output, pagesCreated: [], pagesDeleted: [{ ...page, slug }] },
      },
      ...(baseTaskId !== undefined && { baseTaskId }),
    });
    const [one, two, three] = ['c', 'd', 'e'].map((letter) => `bg-${letter.repeat(22)}`) as [
      string,
      string,
      string,
    ];

    it('reports before the publish what goes live: its pages, pages of base tasks, and pushes of other people', async () => {
      record.baseTaskId = one;
      below = [base(one, '/one', two), base(two, '/two', three), base(three, '/three')];
      published.set(three, publicationOf({ result: result.commit }));
      const check = await api.request('GET', `/api/v1/agent/tasks/${taskId}/publish`, {
        headers: bearer(keys.member),
      });
      delete record.baseTaskId;
      expect(check.json).to.deep.equal({
        taskId,
        pages: { count: 1, slugs: ['/a'] },
        leftOut: { count: 0, slugs: [] },
        tasks: [
          { taskId: one, title: 'Task of /one', pages: { count: 1, slugs: ['/one'] } },
          { taskId: two, title: 'Task of /two', pages: { count: 1, slugs: ['/two'] } },
        ],
        pushed: { created: none, modified: { count: 1, slugs: ['/pushed'] }, deleted: none },
        conflicts: [],
      });
      expect(started).to.be.empty;
    });

    it('asks the person of an assistant about each page once, even if base tasks have changed it too', async () => {
      record.baseTaskId = one;
      below = [base(one, '/one', two), base(two, '/a')];
      const person: Person = { asked: [], answers: 'decline' };
      const assistant = await connectAssistant(api.port, keys.member, person);
      await assistant.call('publish_task', { taskId });
      await assistant.close();
      delete record.baseTaskId;
      expect(person.asked).to.deep.equal([
        'Make 1 page live: /a? Other pages of base tasks that also go live: 1. Pages that others have pushed and that also go live: 1.',
      ]);
    });
  });

  describe('POST …/retry', () => {
    it('sends the same request again with the pages that were already written', async () => {
      record = { ...record, status: 'failed', finished: failed };
      const built = {
        onWarnings: 'hold',
        baseTask: result,
        baseTaskNotes: [{ kind: 'price', text: 'x' }],
      } as const;
      Object.assign(input, built);
      await post('retry');
      const { publish, onWarnings, baseTask, baseTaskNotes, work } = started[0]!.task;
      expect({ publish, onWarnings, baseTask, baseTaskNotes, work }).to.deep.equal({
        publish: true,
        ...built,
        work: {
          ...input.work,
          written: { digest: 'd', pages: { '/a': { texts: {}, notes: [] } } },
        },
      });
    });

    it('accepts only failed generate_pages tasks', async () => {
      const completed = await post('retry');
      expect(completed).to.include({ status: 409, code: 'CONFLICT' });
      expect(completed.json['error']).to.match(/completed.*failed/);
      record.type = 'prompt';
      const prompted = await post('retry');
      expect(prompted).to.include({ status: 409, code: 'CONFLICT' });
      expect(prompted.json['error']).to.match(/\bprompt\b.*\bgenerate_pages\b/);
    });
  });

  describe('POST …/answer', () => {
    const say = (body: object, more: object = {}) =>
      answerOf('answer', { body: JSON.stringify(body), ...more });
    beforeEach(() => void (answers.length = 0));

    it('passes the answer on unchanged, with a digest of the Idempotency-Key', async () => {
      const text = ' <b>Both</b>\n& "more" ';
      const [first, second] = [
        await say({ answer: text, questionId: 'q1' }),
        await say({ answer: 'Austin', questionId: null }, { headers: { 'Idempotency-Key': 'k' } }),
      ];
      expect([first, second]).to.deep.equal([0, 1].map(() => [200, { taskId, status: 'running' }]));
      expect(answers[0]).to.deep.equal({ answer: text, questionId: 'q1' });
      expect(answers[1]).to.have.keys('answer', 'key');
      expect(answers[1]!.key).to.match(/^[0-9a-f]{32}$/);
    });

    for (const [body, problem] of [
      ['{}', 'answer is required'],
      ['{"answer":null}', 'answer must be a string'],
      ['{"answer":" \\n"}', 'answer must not be blank'],
      ['{"answer":["x"]}', 'answer must be a string'],
      [
        '{"answer":"\\u0000"}',
        'answer must not contain control characters other than tabs and line breaks',
      ],
      [
        JSON.stringify({ answer: 'x'.repeat(4_001) }),
        'answer must be at most 4000 characters long',
      ],
      ['{"answer":"x","question":"q1"}', 'question is not allowed'],
    ] as [string, string][])
      it(`rejects ${body.slice(0, 40)}`, async () => {
        const [status, json] = await answerOf('answer', { body });
        expect(status).to.equal(400);
        expect((json as { error: string }).error).to.contain(problem);
        expect(answers).to.be.empty;
      });

    it('accepts only members of the organization, and only answers to the open question', async () => {
      expect(await say({ answer: 'x' }, { key: keys.viewer })).to.deep.include(403);
      expect(await say({ answer: 'x' }, { key: keys.foreign })).to.deep.equal([
        404,
        { error: 'Task not found' },
      ]);
      expect(await say({ answer: 'x', questionId: 'q2' })).to.deep.equal([
        409,
        { error: 'The open question of the task is q1' },
      ]);
      expect(answers).to.be.empty;
    });
  });

  it('GET …/callback shows the attempts, POST …/callback/redeliver answers 202', async () => {
    const { status, json } = await api.request('GET', `/api/v1/agent/tasks/${taskId}/callback`, {
      headers: bearer(keys.member),
    });
    const told = deliveries.map(({ attempts, requestedBy, ...delivery }) => ({
      ...delivery,
      ...(requestedBy && { requestedBy: { ...requestedBy, name: null } }),
      attempts: attempts.map((attempt) => ({
        ...attempt,
        timestamp: Math.floor(Date.parse(createdAt) / 1_000),
      })),
    }));
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'agent-tasks-service',
      'webhook-id': taskId,
    };
    const body = JSON.stringify({ taskId, status: 'failed', error: 'No', timestamp: createdAt });
    const request = { method: 'POST', origin: 'https://hooks.example', headers, body };
    expect([status, json]).to.deep.equal([200, { taskId, request, deliveries: told }]);
    expect(JSON.stringify(json)).to.not.match(/secret|token|signature/);
    expect(await answerOf('callback/redeliver')).to.deep.equal([202, { taskId }]);
    expect(askers.map((by) => Object.keys(by))).to.deep.equal([['keyId']]);
  });
});
