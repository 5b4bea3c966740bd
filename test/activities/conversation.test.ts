import { expect } from 'chai';
import type { TaskActivities } from '../../activities/index.ts';
import type { AgentConversation, ToolCall, ModelTurn } from '../../src/agents/shared/agentTypes.ts';
import type { Agent, LanguageModel } from '../../src/agents/agentPorts.ts';
import { DomainError } from '../../src/errors.ts';
import { repeatedFailureMessage } from '../../activities/modelLimits.ts';
import { pageNotFound } from '../../src/agents/shared/tools/pageNotFound.ts';
import { failed, recorded, TaskSite } from '../helpers/activities.ts';
import { finishTexts } from '../../src/agents/workspace.ts';
import { git } from '../helpers/team/workplace.ts';

type Step = Parameters<TaskActivities['runAgentTurn']>[0];
type Calls = Omit<ToolCall, 'id'>[];
const call = (name: string, args: Record<string, unknown> = {}) => ({ name, arguments: args });
const replace = (from: string, to: string) => call('replace_text', { from, to, slug: '/about' });
const finish = (summary = 'Done') => call('finish', { summary });
const model = 'openai/gpt-test';
const budget = { turns: 30, tokens: 1_000, minutes: 20, pagesChanged: 50, pagesDeleted: 5 };
const usage = { inputTokens: 7, cachedInputTokens: 5, outputTokens: 3 };

describe('the conversation of a prompt task', function () {
  this.timeout(180_000);
  let site: TaskSite;
  before(async () => void (site = await TaskSite.create()));
  after(() => site?.remove());

  /**
   * A task whose model says what is written down, and its worker. `turns` are what the workflow
   * has.
   */
  async function taskOf(script: (Calls | Error)[]) {
    const turns: ModelTurn[] = [];
    const [asked, heard]: [number[], AgentConversation[]] = [[], []];
    const told = (_: string, count: number) => (
      asked.push(count),
      Promise.resolve(turns.slice(0, count))
    );
    const step: LanguageModel['step'] = (conversation) => {
      heard.push(structuredClone(conversation));
      const said = script.shift()!;
      if (said instanceof Error) return Promise.reject(said);
      const id = (i: number) => `c${conversation.turns.length}-${i}`;
      return Promise.resolve({
        text: '',
        toolCalls: said.map((one, i) => ({ ...one, id: id(i) })),
        usage,
      });
    };
    let workers = 0;
    const worker = (more: Parameters<TaskSite['worker']>[1] = {}) =>
      site.worker(`w${++workers}`, {
        recorded: { ...recorded, turns: told, contexts: () => Promise.resolve([prompt]) },
        agents: { of: () => ({ step }) as Agent },
        ...more,
      });
    const task = site.task();
    const { base } = await worker().readSite({ task });
    const prompt = 'Do it';
    const argument = { task, base, model, budget };
    const so = () => (turns.length === 0 ? { prompt, turns: ref } : { turns: ref });
    let ref: Step['turns'] = { count: 0 };
    return {
      asked,
      heard,
      turns,
      worker,
      argument,
      ref: () => ref,
      step: (by: TaskActivities, more: Partial<Step> = {}) =>
        by.runAgentTurn({ ...argument, ...so(), ...more }),
      next: async (by: TaskActivities, more: Partial<Step> = {}) => {
        const answer = await by.runAgentTurn({ ...argument, ...so(), ...more });
        turns.push(JSON.parse(JSON.stringify(answer.turn)) as ModelTurn);
        ref = { count: turns.length, digest: answer.digest };
        return answer;
      },
      commit: (by: TaskActivities) => {
        return by.commitChanges({ task, base, edit: { type: 'prompt', turns: ref, model } });
      },
    };
  }
  const edits = () => [
    [replace('studio', 'workshop')],
    [replace('workshop', 'atelier')],
    [finish('<b>Renamed</b> it')],
  ];

  it('continues in the worker that has it, without a query and without running a turn again', async () => {
    const { asked, next, commit, worker, heard } = await taskOf(edits());
    const by = worker();
    await next(by);
    await next(by);
    const { done, summary, workedMs, turn } = await next(by);
    expect({ done, summary, usage: turn.usage }).to.deep.equal({
      done: true,
      summary: 'Renamed it',
      usage,
    });
    expect(workedMs).to.be.at.least(0);
    const { commit: made } = await commit(by);
    expect(asked).to.deep.equal([]);
    expect(heard.map(({ turns }) => turns.length)).to.deep.equal([0, 1, 2]);
    expect(git(site.workplace.remote, 'show', `${made}:about.html`))
      .to.contain('atelier')
      .and.not.contain('workshop');
  });

  it('is queried by another worker, which produces the same bytes and the same commit', async () => {
    const [here, elsewhere] = [await taskOf(edits()), await taskOf(edits())];
    const by = here.worker();
    for (let turn = 0; turn < 3; turn++) {
      await here.next(by);
      await elsewhere.next(elsewhere.worker());
    }
    expect(elsewhere.asked).to.deep.equal([1, 2]);
    expect(elsewhere.turns).to.deep.equal(here.turns);
    expect(elsewhere.ref()).to.deep.equal(here.ref());
    const said = ({ heard }: typeof here) =>
      JSON.stringify(heard.map(({ taskId: _, ...rest }) => rest));
    expect(said(elsewhere)).to.equal(said(here));
    const files = async (commit: Promise<{ commit: string | null }>) =>
      git(site.workplace.remote, 'rev-parse', `${(await commit).commit}^{tree}`);
    expect(await files(elsewhere.commit(elsewhere.worker()))).to.equal(
      await files(here.commit(by)),
    );
    expect((await elsewhere.commit(elsewhere.worker())).commit).to.be.a('string');
  });

  it('is kept after a failed call, and queried again after a lost answer', async () => {
    const down = new DomainError('MODEL_FAILED', 'Busy', { retryable: true });
    const [first, second] = edits();
    const { asked, next, step, worker } = await taskOf([first!, down, second!, second!]);
    const by = worker();
    await next(by);
    expect(await failed(step(by))).to.include({ message: 'Busy', retryable: true });
    const answered = await step(by);
    expect(asked).to.deep.equal([]);
    const again = await step(by);
    expect({ ...again, workedMs: 0 }).to.deep.equal({ ...answered, workedMs: 0 });
    expect(asked).to.deep.equal([1]);
  });

  describe('that a model finishes', () => {
    const fault = [replace('studio', '{{studio}}')];
    const isMended = [call('undo', { slug: '/about' }), replace('studio', 'workshop'), finish()];

    it('gets the findings of the checks and fixes them', async () => {
      const { next, worker, heard } = await taskOf([fault, [finish()], isMended]);
      const by = worker();
      await next(by);
      expect((await next(by)).done).to.equal(false);
      expect(await next(worker())).to.include({ done: true });
      const { content, isError } = heard[2]!.turns[1]!.results[0]!;
      expect(isError).to.equal(true);
      expect(content)
        .to.match(/\/about, line \d+, .*placeholder/i)
        .and.include(finishTexts.refused(''));
    });

    it('gets the findings of the checks three times, and fails with the reasons at the fourth', async () => {
      const finishes = ['1', '2', '3', '4'].map((summary) => [finish(summary)]);
      const { next, step, worker, heard } = await taskOf([fault, ...finishes]);
      const by = worker();
      for (let turn = 0; turn < 4; turn++) await next(by);
      const failure = await failed(step(by));
      expect(failure).to.include({ type: 'CHECK_FAILED', retryable: false });
      expect(failure.message).to.match(/4 times.*\/about, line \d+/);
      const told = heard
        .at(-1)!
        .turns.flatMap(({ results }) => results.map(({ content }) => content));
      expect(told.filter((content) => content.startsWith(finishTexts.refused('')))).to.have.length(
        3,
      );
    });
  });

  it('never deletes the home page, and lets the model continue', async () => {
    const { next, worker, heard } = await taskOf([
      [call('delete_page', { slug: '/' })],
      [replace('studio', 'workshop'), finish()],
    ]);
    await next(worker());
    expect((await next(worker())).done).to.equal(true);
    expect(heard[1]!.turns[0]!.results[0]).to.deep.include({
      content: 'The home page "/" can\'t be deleted',
      isError: true,
    });
  });

  const slugs = ['/about', '/pricing', '/contact'];
  const limited: [string, Calls, Partial<typeof budget>, RegExp][] = [
    [
      'more pages than it may',
      slugs.map((slug) => call('replace_text', { from: 'Northwind', to: 'Southwind', slug })),
      { pagesChanged: 2 },
      /changes 3 pages.*allows 2.*budget\.pagesChanged/,
    ],
    [
      'a page away where it may not',
      [call('delete_page', { slug: '/about' })],
      { pagesDeleted: 0 },
      /deletes 1 pages?.*allows 0.*budget\.pagesDeleted/,
    ],
  ];
  for (const [title, calls, changed, message] of limited)
    it(`ends when it reaches ${title}`, async () => {
      const { step, worker } = await taskOf([calls]);
      const failure = await failed(step(worker(), { budget: { ...budget, ...changed } }));
      expect(failure).to.include({ type: 'LIMIT_EXCEEDED', retryable: false });
      expect(failure.message).to.match(message);
    });

  it('ends at the third turn with the same failing call', async () => {
    const wrong = call('replace_text', { from: 'nowhere on the page', to: 'x', slug: '/nope' });
    const other = call('replace_text', { from: 'x', to: 'y', slug: '/nope' });
    const script = [
      [wrong, wrong],
      [other],
      [finish(), wrong],
      [other],
      [replace('studio', 'workshop'), wrong],
    ];
    const { next, step, worker } = await taskOf(script);
    const by = worker();
    for (let turn = 0; turn < 4; turn++) await next(by);
    const failure = await failed(step(worker()));
    expect(failure).to.include({ type: 'MODEL_FAILED', retryable: false });
    expect(failure.message).to.equal(repeatedFailureMessage('replace_text', pageNotFound('/nope')));
  });

  describe('on a site with pictures', () => {
    let plain: TaskSite;
    const gif = 'GIF89a-a-picture';
    before(async () => {
      plain = site;
      const img = (src: string) => `<p><img src="${src}" alt="Old"></p>`;
      site = await TaskSite.create({
        'about.html': `<!doctype html>\n<html lang="en"><head><title>A</title></head><body><h1>A</h1>${img('/a.gif')}${img('/fake.png')}</body></html>\n`,
        'a.gif': gif,
        'fake.png': 'no picture',
      });
    });
    after(async () => {
      await site.remove();
      site = plain;
    });
    const read = call('read_page', { slug: '/about' });
    const bytesIn = ({ heard }: Pick<Awaited<ReturnType<typeof taskOf>>, 'heard'>) =>
      heard.map(({ pictures }) =>
        [...pictures!.values()].map(({ mediaType, base64 }) => [
          mediaType,
          Buffer.from(base64, 'base64').toString(),
        ]),
      );

    it('gives the model the bytes of the pictures that it reads, also in another worker, and stores none of them', async () => {
      const task = await taskOf([[read], [], [finish()]]);
      for (let turn = 0; turn < 2; turn++) await task.next(task.worker());
      await task.step(task.worker());
      expect(bytesIn(task)).to.deep.equal([[], [['image/gif', gif]], [['image/gif', gif]]]);
      expect(JSON.stringify(task.turns)).to.not.match(/GIF89a|R0lGODlh|pictures/);
    });
  });
});
