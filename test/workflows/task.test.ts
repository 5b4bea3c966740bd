import { ApplicationFailure } from '@temporalio/activity';
import { WorkflowFailedError } from '@temporalio/client';
import { expect } from 'chai';
import { packNotes } from '../../src/contract/notes/packNotes.ts';
import {
  type TaskOutcome,
  type Note,
  createPageNote,
  type TaskEvent,
  type TaskInput,
  type TaskView,
} from '../../src/contract/task.ts';
import { createRecordedTasks } from '../../src/temporal/tasks/recordedTasks.ts';
import {
  fakeActivities,
  generateTask,
  promptTask,
  startTask,
  startTimeSkipping,
  type TimeSkipping,
  untilCancelled,
} from '../helpers/temporal.ts';
import type { TaskActivities } from '../../activities/index.ts';
import { CANCELLED } from '../../workflows/failures.ts';
import { failedDeploymentNote, onHoldNote } from '../../workflows/deployAndPublish.ts';
import { tooManyTurns } from '../../workflows/usageCounter.ts';

const CALLBACK = 'https://receiver.example/done';
const refusal = (message: string, type = 'TEMPLATE_NOT_FOUND') =>
  ApplicationFailure.nonRetryable(message, type);

describe('taskWorkflow', function () {
  this.timeout(240_000);
  let server: TimeSkipping;
  before(async () => (server = await startTimeSkipping()));
  after(() => server?.close());

  /** The pages that a task's commit reads. */
  const writtenPages = (taskId: string) =>
    createRecordedTasks(server.env.nativeConnection, 'default').pages(
      taskId,
      new AbortController().signal,
    );

  /** Runs a task to its end and tells what the memo and Temporal know of it. */
  async function run(task: TaskInput, activities: TaskActivities) {
    return server.during(activities, async () => {
      const handle = await startTask(server, task);
      const error = await handle.result().then(
        () => undefined,
        (failure: unknown) => failure,
      );
      const { memo, status, searchAttributes } = await handle.describe();
      return {
        error,
        finished: memo?.['finished'] as TaskOutcome,
        status: status.name,
        searchAttributes,
        memo: memo ?? {},
      };
    });
  }

  it('writes pages side by side, each in its own activity, and commits what they wrote', async () => {
    const [calls, task]: [string[], TaskInput] = [[], generateTask()];
    const fakes = fakeActivities(calls);
    const noted = (slug: string) => createPageNote(slug, 'price', 'keeps the price');
    const { promise: all, resolve } = Promise.withResolvers<void>();
    let begun = 0;
    const generatePage: TaskActivities['generatePage'] = async (argument) => {
      if (++begun === 3) resolve();
      await all;
      const page = await fakes.generatePage(argument);
      return { ...page, notes: packNotes([noted(argument.item.targetPageSlug)]) };
    };
    const commitChanges: TaskActivities['commitChanges'] = async (argument) => {
      const texts = ['/a', '/b', '/c'].map((slug) => [slug, { texts: { s1: `for ${slug}` } }]);
      expect(await writtenPages(argument.task.taskId)).to.deep.equal(Object.fromEntries(texts));
      return fakes.commitChanges(argument);
    };
    const { finished, memo } = await run(task, { ...fakes, generatePage, commitChanges });
    expect(finished.status === 'completed' && finished.output.notes).to.deep.equal(
      ['/a', '/b', '/c'].map(noted),
    );
    const done = (memo['events'] as TaskEvent[]).flatMap((event) =>
      event.type === 'progress' && event.progress.phase === 'working'
        ? [event.progress.pages?.done]
        : [],
    );
    expect(done).to.deep.equal([0, 1, 2, 3]);
  });

  it('reads, writes every page, commits and deploys a preview, and does nothing more', async () => {
    const calls: string[] = [];
    const { finished, status, searchAttributes } = await run(generateTask(), fakeActivities(calls));
    expect(calls.slice(0, 1)).to.deep.equal(['readSite']);
    expect(calls.slice(1, 4)).to.have.members([
      'generatePage /a',
      'generatePage /b',
      'generatePage /c',
    ]);
    expect(calls.slice(4)).to.deep.equal(['commitChanges', 'deployPreview']);
    expect(status).to.equal('COMPLETED');
    expect(searchAttributes['TaskStatus']).to.deep.equal(['completed']);
    expect(finished).to.deep.include({ status: 'completed' });
    expect(finished.status === 'completed' && finished.output.pagesCreated[0]).to.deep.equal({
      slug: '/a',
      previewUrl: 'http://preview/a',
      editUrl: 'http://edit/a',
      publishedUrl: null,
    });
  });

  it('publishes on request, and gives every page its live URL and its externalId', async () => {
    const calls: string[] = [];
    const task = generateTask({ publish: true });
    if (task.work.type === 'generate_pages') task.work.items[1]!.externalId = 'row-2';
    const { finished } = await run(task, fakeActivities(calls));
    expect(calls.slice(-3)).to.deep.equal(['deployPreview', 'publish', 'deployProduction']);
    const pages = finished.status === 'completed' ? finished.output.pagesCreated : [];
    expect(pages.map(({ publishedUrl }) => publishedUrl)).to.deep.equal([
      'http://live/a',
      'http://live/b',
      'http://live/c',
    ]);
    expect(pages.map(({ externalId }) => externalId)).to.deep.equal([
      undefined,
      'row-2',
      undefined,
    ]);
  });

  it('completes without a commit and a deployment if nothing changed', async () => {
    const calls: string[] = [];
    const nothing = { commit: null, created: [], modified: [], deleted: [], notes: [] };
    const { finished } = await run(promptTask({ publish: true }), {
      ...fakeActivities(calls),
      commitChanges: async () => nothing,
    });
    expect(calls).to.deep.equal(['readSite', 'runAgentTurn 0']);
    expect(finished).to.deep.include({
      status: 'completed',
      output: { pagesCreated: [], pagesModified: [], pagesDeleted: [] },
    });
  });

  it('runs the agent turn by turn until it has finished', async () => {
    const calls: string[] = [];
    const fakes = fakeActivities(calls);
    const runAgentTurn: TaskActivities['runAgentTurn'] = async (argument) => ({
      ...(await fakes.runAgentTurn(argument)),
      done: argument.turns.count === 2,
    });
    await run(promptTask(), { ...fakes, runAgentTurn });
    expect(calls).to.deep.equal([
      'readSite',
      'runAgentTurn 0',
      'runAgentTurn 1',
      'runAgentTurn 2',
      'commitChanges',
      'deployPreview',
    ]);
  });

  it('gives up on an agent that never finishes', async () => {
    const fakes = fakeActivities();
    const runAgentTurn: TaskActivities['runAgentTurn'] = async (argument) => ({
      ...(await fakes.runAgentTurn(argument)),
      done: false,
    });
    const { finished } = await run(promptTask(), { ...fakes, runAgentTurn });
    const { message } = tooManyTurns();
    expect(message).to.match(/\b60 turns$/);
    expect(finished).to.deep.include({ status: 'failed', errorMessage: message });
  });

  it('fails at once on wrong input, sends the callback, and closes as failed', async () => {
    const sent: TaskOutcome[] = [];
    let reads = 0;
    const { finished, status, error, searchAttributes } = await run(
      generateTask({ callbackUrl: CALLBACK }),
      {
        ...fakeActivities(),
        readSite: async () => {
          reads += 1;
          throw refusal('Template page not found: /x');
        },
        sendCallback: async (argument) => {
          sent.push(argument.finished as TaskOutcome);
          return { status: 200, attempts: [] };
        },
      },
    );
    expect(reads).to.equal(1);
    expect(finished).to.deep.include({
      status: 'failed',
      errorMessage: 'Template page not found: /x',
    });
    expect(sent).to.deep.equal([finished]);
    expect(status).to.equal('FAILED');
    expect(searchAttributes['TaskStatus']).to.deep.equal(['failed']);
    expect(error).to.be.instanceOf(WorkflowFailedError);
    expect((error as WorkflowFailedError).cause).to.deep.include({
      message: 'Template page not found: /x',
      type: 'TaskFailed',
    });
  });

  it('retries for minutes while a remote is down, then fails with its reason', async () => {
    const times: number[] = [];
    const { finished } = await run(generateTask(), {
      ...fakeActivities(),
      readSite: async () => {
        times.push(await server.env.currentTimeMs());
        throw ApplicationFailure.retryable('The repository could not be reached', 'GIT_FAILED');
      },
    });
    expect(finished).to.deep.include({
      status: 'failed',
      errorMessage: 'The repository could not be reached',
    });
    expect(times.at(-1)! - times[0]!).to.be.within(4 * 60_000, 9 * 60_000);
  });

  it('waits for every item, commits nothing if one failed, and names each failed one', async () => {
    const calls: string[] = [];
    const fakes = fakeActivities(calls);
    const { finished } = await run(generateTask(), {
      ...fakes,
      generatePage: async (argument) => {
        if (argument.item.targetPageSlug !== '/b')
          throw refusal(`No data for ${argument.item.targetPageSlug}`, 'MODEL_FAILED');
        return fakes.generatePage(argument);
      },
    });
    expect(calls).to.deep.equal(['readSite', 'generatePage /b']);
    expect(finished)
      .to.have.property('errorMessage')
      .that.matches(/^2\b.* 3\b.*: \/a: No data for \/a; \/c: No data for \/c$/);
  });

  it('completes with publishedUrl null and a warning when the production deployment fails', async () => {
    const { finished } = await run(generateTask({ publish: true }), {
      ...fakeActivities(),
      deployProduction: async () => {
        throw refusal('The host is full', 'DEPLOYMENT_FAILED');
      },
    });
    expect(finished.status).to.equal('completed');
    if (finished.status !== 'completed') return;
    expect(finished.output.notes).to.deep.equal([failedDeploymentNote('The host is full')]);
    expect(finished.output.pagesCreated.map(({ publishedUrl }) => publishedUrl)).to.deep.equal([
      null,
      null,
      null,
    ]);
  });

  it('fails if a page has changed since, and names it', async () => {
    const { finished } = await run(generateTask({ publish: true }), {
      ...fakeActivities(),
      publish: async () => {
        throw refusal('Page changed since the task began: /a', 'PAGE_CHANGED');
      },
    });
    expect(finished).to.deep.include({
      status: 'failed',
      errorMessage: 'Page changed since the task began: /a',
    });
  });

  describe('that is asked to cancel', () => {
    const cancel = (task: TaskInput) =>
      server.env.client.workflow.getHandle(task.taskId).executeUpdate('cancel');

    it('stops the work, ends as cancelled, and still sends the callback', async () => {
      const sent: TaskOutcome[] = [];
      const task = generateTask({ callbackUrl: CALLBACK });
      const { finished, status } = await run(task, {
        ...fakeActivities(),
        generatePage: async () => {
          await cancel(task);
          return untilCancelled();
        },
        sendCallback: async (argument) => {
          sent.push(argument.finished as TaskOutcome);
          return { status: 200, attempts: [] };
        },
      });
      expect(finished).to.deep.include({ status: 'failed', errorMessage: CANCELLED });
      expect(sent).to.deep.equal([finished]);
      expect(status).to.equal('FAILED');
    });

    for (const step of ['commitChanges', 'deployPreview'] as const)
      it(`also ends as cancelled if ${step}, the last activity, still succeeds`, async () => {
        const fakes = fakeActivities();
        const nothing = { commit: null, created: [], modified: [], deleted: [], notes: [] };
        const task = generateTask();
        const { finished, status } = await run(task, {
          ...fakes,
          commitChanges: async (argument) =>
            step === 'commitChanges' ? nothing : fakes.commitChanges(argument),
          [step]: async (argument: never) => {
            await cancel(task);
            return step === 'commitChanges' ? nothing : fakes[step](argument);
          },
        });
        expect(finished).to.deep.include({ status: 'failed', errorMessage: CANCELLED });
        expect(status).to.equal('FAILED');
      });

    for (const step of ['publish', 'deployProduction', 'sendCallback'] as const)
      it(`rejects the cancel from publishing on: in ${step}`, async () => {
        const fakes = fakeActivities();
        const refusals: unknown[] = [];
        const task = generateTask({ publish: true, callbackUrl: CALLBACK });
        const { finished } = await run(task, {
          ...fakes,
          [step]: async (argument: never) => {
            await cancel(task).catch((error: unknown) => refusals.push((error as Error).cause));
            return fakes[step](argument);
          },
        });
        expect(finished.status).to.equal('completed');
        expect(refusals).to.have.length(1);
        expect(refusals[0]).to.deep.include({ type: 'CONFLICT' });
      });
  });

  describe('of type publish', () => {
    const result = {
      taskId: `bg-${'0'.repeat(22)}`,
      base: 'b'.repeat(40),
      commit: 'c'.repeat(40),
      root: 'a'.repeat(40),
    };
    const work = {
      type: 'publish' as const,
      name: 'Ten cities',
      result,
      externalIds: { '/x': 'row-1' },
      ownPages: ['/x'],
      notes: [],
    };

    it('reads the current result of the other task, and puts it live', async () => {
      const calls: string[] = [];
      const published: unknown[] = [];
      const fakes = fakeActivities(calls);
      const { finished } = await run(generateTask({ publish: true, work }), {
        ...fakes,
        readTaskResult: async () => ({
          ...(await fakes.readTaskResult({ result } as never)),
          commit: 'd'.repeat(40),
        }),
        publish: async ({ task: _, ...argument }) => {
          published.push(argument);
          return fakes.publish({ task: _, ...argument });
        },
      });
      expect(calls).to.deep.equal([
        'readTaskResult',
        'deployPreview',
        'publish',
        'deployProduction',
      ]);
      expect(published).to.deep.equal([
        {
          base: result.root,
          commit: 'd'.repeat(40),
          retainedBy: result.taskId,
        },
      ]);
      expect(finished).to.deep.include({ status: 'completed', published: true, result });
      expect(finished.status === 'completed' && finished.output.pagesCreated).to.deep.equal([
        {
          slug: '/x',
          previewUrl: 'http://preview/x',
          editUrl: 'http://edit/x',
          publishedUrl: 'http://live/x',
          externalId: 'row-1',
        },
      ]);
    });
  });

  describe('with publish and onWarnings "hold"', () => {
    const hold = { publish: true, onWarnings: 'hold' } as const;
    const warned = (notes: Note[]): TaskActivities => {
      const fakes = fakeActivities();
      return {
        ...fakes,
        commitChanges: async (argument) => ({ ...(await fakes.commitChanges(argument)), notes }),
      };
    };
    const price = createPageNote('/x', 'price', 'the price is still the one of the template');
    const removed = createPageNote('/x', 'requested', 'parts were removed');
    const asAsked = createPageNote('/x', 'undone', 'the headline is already "X"');

    for (const [what, task, activities, notes] of [
      ['a generated page', generateTask(hold), warned([price]), [price]],
      ['a prompt', promptTask(hold), warned([asAsked]), [asAsked]],
      [
        'what it is built on',
        promptTask({ ...hold, baseTaskNotes: [price] }),
        warned([asAsked]),
        [price, asAsked],
      ],
      [
        'nothing but what it is built on',
        promptTask({ ...hold, baseTaskNotes: [price] }),
        warned([]),
        [price],
      ],
    ] as [string, TaskInput, TaskActivities, Note[]][])
      it(`holds a result with warnings of ${what}, and says so`, async () => {
        const { finished } = await run(task, {
          ...activities,
          publish: never,
          deployProduction: never,
        });
        if (finished.status !== 'completed') throw new Error(finished.errorMessage);
        expect(finished.output.notes).to.deep.equal([...notes, onHoldNote(task.taskId)]);
        expect(finished.output.pagesCreated[0]).to.deep.include({ publishedUrl: null });
        expect(finished.output.pagesCreated[0]!.previewUrl).to.be.a('string');
        expect(finished.published).to.equal(undefined);
        expect(finished.result?.taskId).to.equal(task.taskId);
      });

    const never = () => Promise.reject(refusal('published'));

    // the other kinds are about pages that a template was used for, such as `price`
    for (const kind of ['part', 'invented', 'undone', 'changed', 'setup', 'host'] as const)
      it(`holds a result with one note of the kind "${kind}"`, async () => {
        const note: Note = { kind, text: 'Somebody should look at this' };
        const task = promptTask(hold);
        const { finished } = await run(task, { ...warned([note]), publish: never });
        if (finished.status !== 'completed') throw new Error(finished.errorMessage);
        expect(finished.output.notes).to.deep.equal([note, onHoldNote(task.taskId)]);
        expect(finished.published).to.equal(undefined);
      });

    it('publishes without warnings, and with warnings if nothing is to be held', async () => {
      for (const [task, added, notes] of [
        [promptTask(hold), [], []],
        [promptTask(hold), [removed], [removed]],
        [promptTask({ publish: true, baseTaskNotes: [price] }), [], [price]],
      ] as [TaskInput, Note[], Note[]][]) {
        const { finished } = await run(task, warned(added));
        expect(finished).to.deep.include({ published: true });
        expect(finished.status === 'completed' && (finished.output.notes ?? [])).to.deep.equal(
          notes,
        );
      }
    });
  });

  it('answers the status query with its progress while it runs', async () => {
    const views: (TaskView & { events: TaskEvent[] })[] = [];
    const fakes = fakeActivities();
    const task = generateTask();
    await run(task, {
      ...fakes,
      commitChanges: async (argument) => {
        views.push(await server.env.client.workflow.getHandle(task.taskId).query('status'));
        return fakes.commitChanges(argument);
      },
    });
    const [{ events, ...view }] = views as [(typeof views)[0]];
    const progress = { phase: 'committing', pages: { done: 3, total: 3 } };
    expect(view).to.deep.equal({ taskId: task.taskId, status: 'running', progress });
    expect(events.map(({ id }) => id)).to.deep.equal([1, 2, 3, 4, 5, 6, 7]);
    expect(events[0]).to.deep.include({ type: 'status', status: 'running' });
    expect(events.at(-1)).to.deep.include({ type: 'progress', progress });
  });

  it('keeps its whole story after its end, and each page as soon as it can be viewed', async () => {
    const { memo } = await run(generateTask({ publish: true }), fakeActivities());
    const events = memo['events'] as TaskEvent[];
    const told = events.map((event) =>
      event.type === 'progress' ? event.progress.phase : event.type,
    );
    const working = ['working', 'working', 'working', 'working'];
    expect(told).to.deep.equal([
      'status',
      'reading',
      ...working,
      'committing',
      'deploying',
      'page',
      'page',
      'page',
      'publishing',
      'status',
    ]);
    expect(events[8]).to.deep.include({
      id: 9,
      page: { slug: '/a', previewUrl: 'http://preview/a', editUrl: 'http://edit/a' },
    });
  });
});
