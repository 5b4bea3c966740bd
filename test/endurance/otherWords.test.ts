// Takes long: tasks for instructions in many wordings.
import { expect } from 'chai';
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

  it('can be read again with the task that they were for', async () => {
    const baseTaskId = await service.createTask({
      prompt: 'Change the headline of /about to "Who we are"',
    });
    await service.waitForTask(baseTaskId);
    const prompt = 'Chnage the headline of /about to "Who we are today"';
    const { json: checked } = await check(prompt, { baseTaskId });
    expect(checked).to.have.property('ok', false);
    const taskId = await service.createTask({ prompt, baseTaskId });
    const failed = await service.waitForTask(taskId);
    expect(failed)
      .to.have.property('errorMessage')
      .that.matches(
        /follows fixed wordings\. The nearest are: Change the headline.* All instructions: http/,
      );
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
    const again = await service.createTask({
      prompt: prompt.replace('Chnage', 'Change'),
      baseTaskId,
    });
    expect(await service.waitForTask(again)).to.have.nested.property(
      'output.pagesModified[0].slug',
      '/about',
    );
  });

  it('fail and change nothing where they deny, restrict or ask something, and name the sentence', async () => {
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
        .that.matches(/^Nothing was changed: this was not understood: /)
        .and.includes(unread);
      expect(view).to.not.have.property('output');
    }
  });
});
