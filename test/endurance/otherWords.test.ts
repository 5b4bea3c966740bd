// Takes long: tasks for instructions in many wordings.
import { expect } from 'chai';
import type { SiteExamples } from '../../src/contract/check.ts';
import { endServices, type Service, sharedService } from '../helpers/service.ts';

describe('instructions on a running service', function () {
  this.timeout(180_000);
  let service: Service;
  before(async () => void (service = await sharedService()));
  after(async function () {
    await endServices(this.currentTest);
  });

  const get = (path: string) => service.request('GET', `/api/v1${path}`);
  const check = (prompt: string, more: object = {}) =>
    service.request('POST', '/api/v1/agent/tasks/check', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ siteId: service.demo.siteId, prompt, ...more }),
    });

  it('can be read again with the task that they were for, and said in the words that were proposed', async () => {
    const baseTaskId = await service.createTask({
      prompt: 'Change the headline of /about to "Who we are"',
    });
    await service.waitForTask(baseTaskId);
    const prompt = 'Chnage the headline of /about to "Who we are today"';
    const { json: problem } = await check(prompt, { baseTaskId });
    const taskId = await service.createTask({ prompt, baseTaskId });
    const failed = await service.waitForTask(taskId);
    expect(failed)
      .to.have.property('errorMessage')
      .that.matches(/follows fixed wordings\. Did you mean: Change the headline/);
    const { json } = await get(`/agent/tasks/${taskId}/request`);
    expect(json).to.deep.equal({
      taskId,
      siteId: service.demo.siteId,
      command: 'prompt',
      baseTaskId,
      publish: false,
      onWarnings: 'publish',
      ask: 'never',
      prompt,
      model: 'rules',
    });
    const [{ suggestions }] = (problem as { problems: [{ suggestions: string[] }] }).problems;
    const again = await service.createTask({ prompt: suggestions[0], baseTaskId });
    expect(await service.waitForTask(again)).to.have.nested.property(
      'output.pagesModified[0].slug',
      '/about',
    );
  });

  it('lead on from the message of a failed task, which holds what the prompt named', async () => {
    const prompt = 'Could the Starter package be $5,200 instead';
    const failed = await service.waitForTask(await service.createTask({ prompt }));
    const suggestion = 'Change the price of "Starter" to $5,200';
    expect(failed)
      .to.have.property('errorMessage')
      .that.contains(`Did you mean: ${suggestion}? All instructions: http`);
    const { json } = await check(prompt);
    expect(json).to.have.nested.property('problems[0].suggestions').that.deep.equals([suggestion]);
    const again = await service.waitForTask(await service.createTask({ prompt: suggestion }));
    expect(again).to.have.property('status', 'completed');
    const several = 'Remove the section "Good questions"';
    const asked = await service.waitForTask(await service.createTask({ prompt: several }));
    expect(asked)
      .to.have.property('errorMessage')
      .that.matches(
        /say on which page\. Did you mean: Remove the section "Good questions" from \/\S+\? Or: /,
      );
  });

  it('have examples that do what is said of them', async () => {
    const { status, json } = await get(`/sites/${service.demo.siteId}/examples`);
    expect(status).to.equal(200);
    const { examples } = json as unknown as SiteExamples;
    expect(examples).to.not.be.empty;
    const [{ prompt, changes }] = examples as [SiteExamples['examples'][0]];
    const view = await service.waitForTask(await service.createTask({ prompt }));
    const slugs = (pages: { slug: string }[]) => pages.map(({ slug }) => slug);
    if (view.status !== 'completed') throw new Error(`It failed: ${view.errorMessage}`);
    const { pagesCreated, pagesModified, pagesDeleted } = view.output;
    expect(slugs(pagesCreated)).to.have.members(changes.pagesCreated);
    expect(slugs(pagesModified)).to.have.members(changes.pagesModified);
    expect(slugs(pagesDeleted)).to.have.members(changes.pagesDeleted);
  });

  it('fail and change nothing where they deny, restrict or ask something, and say what has no place', async () => {
    const rows: [prompt: string, unread: string][] = [
      ['Starter costs $5,200, not Studio', 'not Studio'],
      ['Copyright: 2027 instead of 2026', '2027'],
      ['Remove everything after the FAQ on /pricing', 'everything after the FAQ'],
      ['Delete /about if nobody objects', 'if nobody objects'],
      ['Should we delete /about?', 'Should we'],
      ['Raise all prices by 10 % except Starter', 'except Starter'],
      ['Rename the company to Southwind Works until Friday', 'until Friday'],
    ];
    const tasks = await Promise.all(
      rows.map(async ([prompt, unread]) => ({ unread, id: await service.createTask({ prompt }) })),
    );
    for (const { id, unread } of tasks) {
      const view = await service.waitForTask(id);
      expect(view).to.have.property('status', 'failed');
      expect(view)
        .to.have.property('errorMessage')
        .that.matches(/^Nothing was changed: the prompt was not understood: /)
        .and.includes(unread);
      expect(view).to.not.have.property('output');
    }
  });
});
