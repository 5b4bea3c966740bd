import { CancelledFailure } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect } from 'chai';
import type { Agent } from '../../src/agents/agentPorts.ts';
import {
  cityItem,
  commitPages,
  failed,
  silent,
  takeTurn,
  TaskSite,
  tellPages,
  tellTurns,
  TEMPLATE,
  writePage,
} from '../helpers/activities.ts';
import { threadRules as rules } from '../helpers/threads.ts';
import { git } from '../helpers/team/workplace.ts';

describe('generatePage, runAgentTurn and what every activity does', function () {
  this.timeout(180_000);
  let site: TaskSite;
  before(async () => {
    site = await TaskSite.create();
    site.inThreads = true;
  });
  after(() => site?.remove());

  async function toWrite(city: string) {
    const [task, item] = [site.task(), cityItem(city)];
    const targetPageSlugs = [item.targetPageSlug];
    const { base, template } = await site
      .worker()
      .readSite({ task, templatePageSlug: TEMPLATE, targetPageSlugs });
    return { task, base, item, template: template ?? expect.fail('No template') };
  }
  const withAgent = (agent: Partial<Agent>) => ({ agents: { of: () => ({ ...rules, ...agent }) } });

  it('generatePage writes the same texts when it is repeated here and elsewhere, and leaves no trace', async () => {
    const argument = await toWrite('Lisbon');
    const first = await writePage(site.worker(), argument);
    expect(Object.values(first.texts)).to.include('Web design in Lisbon that works');
    expect(await writePage(site.worker(), argument)).to.deep.equal(first);
    expect(await writePage(site.worker('elsewhere'), argument)).to.deep.equal(first);
    expect(site.taskRefs()).to.equal('');
  });

  it('generatePage refuses to write into a template that is now read differently', async () => {
    const argument = await toWrite('Lisbon');
    const template = { ...argument.template, digest: 'other' };
    const failure = await failed(site.worker().generatePage({ ...argument, template }));
    expect(failure).to.deep.include({ type: 'CHANGED_BY_DEPLOY', retryable: false });
    expect(failure.message).to.match(/\bcreate the task again$/i);
  });

  it('generatePage offers the agent no slot of the chrome, and accepts at most 128 KB of texts', async () => {
    const argument = await toWrite('Lisbon');
    const seen: boolean[] = [];
    const long = withAgent({
      generatePage: async ({ template: { slots } }) => {
        seen.push(...slots.map(({ locked }) => locked));
        return { texts: { [slots[0]!.id]: 'x'.repeat(131_072) }, notes: [] };
      },
    });
    const failure = await failed(site.worker('data', long).generatePage(argument));
    expect(failure).to.deep.include({ type: 'LIMIT_EXCEEDED', retryable: false });
    expect(failure.message).to.match(/\b1310\d\d bytes\b.*\b131072\b/);
    expect(seen).to.not.be.empty.and.not.include(true);
    const removed = Array.from({ length: 40_000 }, (_, n) => `g${n}`);
    const many = withAgent({ generatePage: async () => ({ texts: {}, removed, notes: [] }) });
    const other = await failed(site.worker('data', many).generatePage(argument));
    expect(other).to.deep.include({ type: 'LIMIT_EXCEEDED', retryable: false });
  });

  it('runAgentTurn repeated, here and elsewhere, makes the same turn and leaves no trace', async () => {
    const task = site.task();
    const { base } = await site.worker().readSite({ task });
    const prompt = 'Change the headline of /pricing to "Simple prices"';
    const turns = { count: 0 };
    const { step } = await takeTurn(site.worker(), { task, base, prompt }, turns);
    expect(
      await site.worker('elsewhere').runAgentTurn({ task, base, prompt, turns }),
    ).to.deep.equal(step);
    expect(step).to.include({ done: true });
    expect(site.taskRefs()).to.equal('');
  });

  it('runAgentTurn rejects a conversation whose turns come out differently, and prompts that it does not understand', async () => {
    const task = site.task();
    const worker = site.worker();
    const { base } = await worker.readSite({ task });
    const prompt = 'Delete /pricing';
    const { turn } = await worker.runAgentTurn({ task, base, prompt, turns: { count: 0 } });
    const turns = tellTurns(task.taskId, [{ ...turn, digest: 'other' }]);
    expect((await failed(worker.runAgentTurn({ task, base, prompt, turns }))).type).to.equal(
      'CHANGED_BY_DEPLOY',
    );
    const poem = await failed(
      worker.runAgentTurn({ task, base, prompt: 'Write a poem about it', turns: { count: 0 } }),
    );
    expect(poem).to.deep.include({ type: 'NOT_UNDERSTOOD', retryable: false });
  });

  it('a task on top of another task continues with any worker, even if its disk has neither of them', async () => {
    const below = await commitPages(site.worker(), site.task(), [cityItem('Ulm')]);
    const baseTask = {
      taskId: below.task.taskId,
      base: below.base,
      commit: below.commit,
      root: below.base,
    };
    const task = site.task({ baseTaskId: baseTask.taskId });
    const item = { targetPageSlug: '/locations/bonn', context: 'City: Bonn' };
    const read = {
      task,
      baseTask,
      templatePageSlug: '/locations/ulm',
      targetPageSlugs: [item.targetPageSlug],
    };
    const { base, template, targets } = await site.worker().readSite(read);
    const { texts } = await writePage(site.worker('second'), {
      task,
      base,
      template: template!,
      item,
    });
    const pages = tellPages(
      task.taskId,
      targets.map((target) => ({ ...target, texts })),
    );
    const edit = { type: 'generate_pages' as const, template: template!, pages };
    const { commit } = await site.worker('third').commitChanges({ task, base, edit });
    expect(git(site.workplace.remote, 'rev-parse', `${commit}^`)).to.equal(baseTask.commit);
    const prompt = 'Replace "Ulm" with "Ulm City" on /locations/ulm';
    const { turn } = await site.worker('fourth').runAgentTurn({
      task: site.task({ baseTaskId: baseTask.taskId }),
      base,
      prompt,
      turns: { count: 0 },
    });
    expect(turn.toolCalls).to.not.deep.equal([]);
  });

  it('an unexpected error keeps its text out of the failure, and logs it', async () => {
    const argument = await toWrite('Lisbon');
    const broken = withAgent({
      generatePage: () => Promise.reject(new Error('secret of the database')),
    });
    expect(await failed(site.worker('data', broken).generatePage(argument))).to.deep.equal({
      type: 'UNEXPECTED',
      message: 'Unexpected error in generatePage',
      retryable: true,
    });
    const line = site.logs.at(-1);
    expect(line).to.deep.include({
      activity: 'generatePage',
      taskId: argument.task.taskId,
      code: 'UNEXPECTED',
    });
    expect(JSON.stringify(line))
      .to.include('secret of the database')
      .and.not.include(argument.item.context);
  });

  it('a cancellation reaches the work, which sends heartbeats until it ends as cancelled', async () => {
    const argument = await toWrite('Lisbon');
    const environment = new MockActivityEnvironment({}, { logger: silent });
    const waiting = withAgent({
      generatePage: (_, { signal }) =>
        new Promise((_, reject) =>
          signal?.addEventListener('abort', () => reject(new Error('heard of it'))),
        ),
    });
    environment.once('heartbeat', () => environment.cancel());
    const { generatePage } = site.bare('data', waiting);
    const outcome = environment.run(
      generatePage as (argument: unknown) => Promise<unknown>,
      argument,
    );
    const error = await outcome.catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(CancelledFailure);
    expect(site.logs.at(-1)).to.deep.include({ activity: 'generatePage', code: 'CANCELLED' });
  });
});
