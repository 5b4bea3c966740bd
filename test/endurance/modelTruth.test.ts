// Takes long: whole tasks of a language model.
import { expect } from 'chai';
import type { TaskView } from '../../src/contract/task.ts';
import type { Asked, Reply } from '../helpers/modelServer.ts';
import { answersIn, call, type Call } from '../helpers/modelTurns.ts';
import { sharedModelService } from '../helpers/modelService.ts';
import { endServices, type Service } from '../helpers/service.ts';
import { outputOf } from '../helpers/views.ts';

const MODEL = 'openai-compatible/scripted';
const usage = { prompt_tokens: 200, completion_tokens: 20, cached_tokens: 50 };
const used = (turns: number) => ({
  inputTokens: 200 * turns,
  cachedInputTokens: 50 * turns,
  outputTokens: 20 * turns,
  turns,
  model: MODEL,
  cost: null,
});
const finish = (args: object) => [call('finish', { summary: 'It is so.', ...args })];
const slug = '/pricing';
const stale = '/pricing: the structured data still states "4800"';
const undone = ['<b>The PDF</b> of the prices: no tool\nmakes files'];

/** What the model does in each turn, by a word of the prompt. */
const scripts: Record<string, () => Call[][]> = {
  mends: () => {
    const edits = [{ old: '"price": "4800"', new: '"price": "5200"' }];
    return [
      [call('read_page', { slug }), call('replace_text', { slug, from: '$4,800', to: '$5,200' })],
      [call('edit_html', { slug, edits }), ...finish({ undone })],
    ];
  },
  leaves: () => [[call('replace_text', { slug, from: '$4,800', to: '$5,200' }), ...finish({})]],
  claims: () => [finish({ summary: 'Renamed it' }), finish({})],
  refuses: () => [
    [call('read_page', { slug: '/nowhere' })],
    finish({ summary: '', error: 'There is no such page' }),
  ],
  spends: () => [[call('list_pages', {})], [call('list_pages', {})], [call('list_pages', {})]],
};

describe('what a language model and its caller are told', function () {
  this.timeout(240_000);
  let service: Service;
  /** All that was asked, by the word of the prompt. */
  const asked = new Map<string, Asked[]>();
  before(async () => {
    service = await sharedModelService((request): Reply => {
      if (request.tools.length === 0) return { text: 'No JSON', usage };
      const words = request.messages.find(({ role }) => role === 'user')!.content;
      const name = Object.keys(scripts).find((name) => words.includes(`The model ${name}`))!;
      const requests = [...(asked.get(name) ?? []), request];
      asked.set(name, requests);
      return { calls: scripts[name]!()[requests.length - 1] ?? [], usage };
    });
  });
  after(async function () {
    await endServices(this.currentTest);
  });

  const run = async (name: keyof typeof scripts, more: object = {}) =>
    service.waitForTask(await service.createTask({ prompt: `The model ${name}`, ...more }));
  const lastAnswers = (name: string) => answersIn(asked.get(name)!.at(-1)!);

  it('a note is in the answer that caused it, and is not told once it is mended', async () => {
    const output = outputOf(await run('mends'));
    const [, replaced] = lastAnswers('mends');
    expect(replaced).to.contain(`\nNote: ${stale}`);
    const words = 'The PDF of the prices: no tool makes files';
    expect(output.warnings).to.deep.equal([`Not done: ${words}`]);
    expect(output.notes!.map(({ kind, value }) => [kind, value])).to.deep.equal([
      ['undone', words],
    ]);
    expect(output.summary).to.equal('It is so.');
    expect(output.usage).to.deep.equal(used(2));
  });

  it('a note that holds in the end is told', async () => {
    expect(outputOf(await run('leaves')).warnings).to.deep.equal([stale]);
  });

  it('a task without any change is asked back once, and noted', async () => {
    const output = outputOf(await run('claims'));
    expect(lastAnswers('claims')[0]).to.match(/\nError: Not finished: nothing is changed\./);
    expect(output.warnings).to.deep.equal(['Nothing was changed']);
    expect(output).to.deep.include({ summary: 'It is so.', usage: used(2), pagesModified: [] });
  });

  it('a failed task says what it used, with the call that ended it', async () => {
    const view = (await run('refuses')) as TaskView & { status: 'failed' };
    expect(view).to.deep.include({ errorMessage: 'There is no such page', usage: used(2) });
    const spent = (await run('spends', { budget: { turns: 2 } })) as typeof view;
    expect(spent.errorMessage).to.match(/did not finish within 2 turns/);
    expect(spent.usage).to.deep.equal(used(2));
  });

  it('says what pages used that were rejected twice', async () => {
    const view = await service.waitForTask(
      await service.createTask({
        command: 'generate_pages',
        templatePageSlug: '/locations/austin',
        items: [{ targetPageSlug: '/locations/rome', context: 'City: Rome' }],
      }),
    );
    expect(view).to.deep.include({ status: 'failed', usage: used(2) });
  });

  it("every answer, errors too, stands in the task's own marks, and earlier ones stay as they are", () => {
    const marks = [...asked.values()].map((requests) => {
      const first = requests[0]!.messages.find(({ role }) => role === 'user')!.content;
      const [, mark] = /<request-(\w+)>/.exec(first)!;
      const answers = requests.map(answersIn);
      for (const answer of answers.flat())
        expect(
          answer.startsWith(`<result-${mark}>\n`) && answer.endsWith(`\n</result-${mark}>`),
        ).to.equal(true);
      for (const [i, before] of answers.slice(0, -1).entries())
        expect(answers[i + 1]!.slice(0, before.length)).to.deep.equal(before);
      return mark;
    });
    expect(new Set(marks).size).to.equal(Object.keys(scripts).length);
    expect(lastAnswers('refuses')[0]).to.match(/^<result-\w+>\nError: Page not found: \/nowhere/);
  });
});
