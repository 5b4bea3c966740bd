// Takes long: four starts of the service, one of which waits until Temporal has not heard of the
// one before for 90 s.
import { expect } from 'chai';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NO_TASKS, waitReason } from '../../src/temporal/worker/currentVersion.ts';
import { readBuildId } from '../../src/temporal/worker/workerBuild.ts';
import { temporaryFolder } from '../helpers/database.ts';
import { currentQuestion as asked } from '../../src/contract/task.ts';
import {
  type Answer,
  type ModelRequest,
  type ModelServer,
  startModelServer,
} from '../helpers/modelServer.ts';
import { copyOtherCode } from '../helpers/otherCode.ts';
import { call, turnsIn } from '../helpers/modelTurns.ts';
import { operateWith } from '../helpers/operator.ts';
import { startOwnTemporal } from '../helpers/ownTemporal.ts';
import { endServices, launchService, type Service, untilReady } from '../helpers/service.ts';
import { citiesBody } from '../helpers/team/site.ts';
import { copyTemplate } from '../helpers/template.ts';
import { until } from '../helpers/until.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const WITHIN_MS = 180_000;

const MODEL = 'openai-compatible/scripted';
const turns = [
  [call('ask', { question: 'What is our new name?' })],
  [call('replace_text', { from: 'Northwind', to: 'Southwind', slug: '/about' })],
  [call('finish', { summary: 'Renamed us' })],
];

/** A model that asks before it makes anything, of a site or of a page. */
function asksFirst(given: ModelRequest): Answer {
  const turn = turnsIn(given);
  if (given.tools.length > 0) return { calls: turns[turn]! };
  const texts = turn === 0 ? [] : [{ id: 's56', text: 'Meet us' }];
  const question = turn === 0 ? 'Who is in the team?' : '';
  const answer = { texts, groups: [], links: [], ask: { question, options: [] } };
  return { text: JSON.stringify(answer) };
}

describe('an upgrade of the only worker, on its own Temporal server', function () {
  this.timeout(300_000);
  const shared = new AsyncDisposableStack();
  const [code, data] = [temporaryFolder(), temporaryFolder()];
  const builds = { here: '', other: '' };
  let settings: Record<string, string>;
  let model: ModelServer;
  let service: Service;

  before(async () => {
    copyTemplate(data.path);
    copyOtherCode(code.path);
    model = await startModelServer(asksFirst);
    const { address, namespace } = await startOwnTemporal(shared);
    settings = {
      TEMPORAL_ADDRESS: address,
      TEMPORAL_NAMESPACE: namespace,
      AGENT_MODEL: MODEL,
      AGENT_BASE_URL: model.url('openai-compatible'),
    };
    Object.assign(builds, { here: await readBuildId(), other: await readBuildId(code.path) });
    service = await start(root);
  });
  after(async function () {
    await endServices(this.currentTest);
    await model?.close();
    await shared.disposeAsync();
    for (const folder of [code, data]) folder.remove();
  });

  const start = (folder: string) =>
    untilReady(
      launchService({
        dataDir: data.path,
        env: settings,
        command: [process.execPath, join(folder, 'src/main.ts')],
      }),
    );
  const operate = async (...words: string[]) => {
    const { code: exit, stdout, stderr } = await operateWith(settings, data.path, ...words);
    expect(exit, stderr).to.equal(0);
    return JSON.parse(stdout) as { current: string; versions?: object[] };
  };
  const questionOf = (taskId: string) =>
    until('its question', async () => asked(await service.readTask(taskId)));
  const create = () => service.createTask(citiesBody(['Rome'], { publish: true, model: 'rules' }));
  const statusOf = async (taskId: string) => (await service.waitForTask(taskId, WITHIN_MS)).status;

  it('continues at once after an orderly stop, and then answers what was asked', async () => {
    const asking = [
      await service.createTask({ prompt: 'Rename us', ask: 'allowed' }),
      await service.createTask({
        command: 'generate_pages',
        model: MODEL,
        templatePageSlug: '/about',
        items: [{ targetPageSlug: '/team', context: 'Two people' }],
        ask: 'allowed',
      }),
    ];
    const questionsOf = () => Promise.all(asking.map(questionOf));
    const questions = await questionsOf();
    const taskId = await create();
    await service.stop();
    service = await start(code.path);
    expect(service.launched.stderr).to.not.include(NO_TASKS);
    expect(await statusOf(taskId)).to.equal('completed');
    expect(await questionsOf()).to.deep.equal(questions);
    for (const asks of asking) {
      await service.client.tasks.answer(asks, 'Southwind');
      expect(await statusOf(asks)).to.equal('completed');
    }
    expect((await operate('worker', 'list')).current).to.equal(builds.other);
  });

  it('waits after a kill, says for what, and continues at once after the command', async () => {
    await service.launched.kill();
    service = await start(root);
    const why = waitReason(builds.here, builds.other);
    expect(service.launched.stderr).to.include(`${NO_TASKS}: ${why}`);
    const taskId = await create();
    expect((await operate('worker', 'list')).current).to.equal(builds.other);
    expect(await operate('worker', 'promote')).to.deep.equal({
      current: builds.here,
      ramping: null,
    });
    expect(await statusOf(taskId)).to.equal('completed');
  });

  it('continues without the command after a kill when no worker has polled for 90 s', async () => {
    await service.launched.kill();
    service = await start(code.path);
    const taskId = await create();
    expect(service.launched.stderr).to.include(NO_TASKS);
    expect(await statusOf(taskId)).to.equal('completed');
    expect((await operate('worker', 'list')).current).to.equal(builds.other);
  });
});
