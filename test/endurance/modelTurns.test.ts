// Takes long: a service of its own, whose language model is asked for more than it does at once.
import type { Client } from '@temporalio/client';
import { expect } from 'chai';
import {
  type Asked,
  type ModelServer,
  type Reply,
  startModelServer,
} from '../helpers/modelServer.ts';
import { citiesTask, cityAnswer } from '../helpers/modelStory.ts';
import { otherOrganization } from '../helpers/otherOrganization.ts';
import { endServices, type Service, startService } from '../helpers/service.ts';
import { removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { connectTemporal } from '../helpers/temporalClient.ts';
import { until } from '../helpers/until.ts';
import { outputOf } from '../helpers/views.ts';

const AT_ONCE = 4;
const HELD_TASKS = 24;
const PAGES = 4;
const HELD = 'Nothing answers this';
const WAITS = /^\{.*"waitsFor":"a turn to call a language model"\}$/;

describe(`language models whose ${AT_ONCE} calls at once another organization asks for`, function () {
  this.timeout(240_000);
  const release = Promise.withResolvers<void>();
  const asked = { held: 0, answered: 0, quick: 0 };
  let model: ModelServer;
  let service: Service;
  let temporal: Client;
  let [theirs, ours]: TeamSite[] = [];
  let taskIds: string[];

  before(async () => {
    model = await startModelServer(answer);
    const env = {
      AGENT_MODEL: 'openai-compatible/test',
      AGENT_BASE_URL: model.url('openai-compatible'),
      AGENT_CALLS_AT_ONCE: String(AT_ONCE),
    };
    service = await startService({ env });
    temporal = await connectTemporal(service);
    theirs = await TeamSite.register(service, 'theirs');
    ours = await TeamSite.register(await otherOrganization(service), 'ours');
  });
  after(async function () {
    release.resolve();
    await temporal?.connection.close();
    await endServices(this.currentTest);
    await model?.close();
    removeTeamSites();
  });

  async function answer(call: Asked): Promise<Reply> {
    if (!call.messages.some(({ content }) => content.includes(HELD))) {
      asked.quick++;
      return { text: cityAnswer(call) };
    }
    asked.held++;
    await release.promise;
    asked.answered++;
    return { text: cityAnswer(call) };
  }

  /** Pages of the story's cities. */
  const pages = (count: number) => ({ ...citiesTask(), items: citiesTask().items.slice(0, count) });
  const heldPage = () => {
    const [item] = citiesTask().items;
    return { ...pages(1), items: [{ ...item!, context: `${item!.context}\n${HELD}` }] };
  };
  const notesOf = async (taskId: string) => {
    const { raw } = await temporal.workflow.getHandle(taskId).describe();
    const data = raw.pendingActivities?.[0]?.heartbeatDetails?.payloads?.[0]?.data;
    return data ? Buffer.from(data).toString() : '';
  };

  it('do a task while all calls of the others are held: these leave a place free', async () => {
    const creations = Array.from({ length: HELD_TASKS }, () => theirs!.create(heldPage()));
    taskIds = await Promise.all(creations);
    await until('the calls that are held', () => asked.held >= AT_ONCE - 1, 60_000);
    const view = await ours!.run(pages(PAGES));
    expect(outputOf(view).pagesCreated).to.have.length(PAGES);
    expect(asked).to.include({ held: AT_ONCE - 1, answered: 0 });
    expect(asked.quick).to.equal(PAGES);
  });

  it('let one of these be cancelled while it waits, which makes no call', async () => {
    const notes = await Promise.all(taskIds.map(notesOf));
    const [taskId] = taskIds.splice(
      notes.findIndex((text) => WAITS.test(text)),
      1,
    );
    expect((await service.request('POST', `/api/v1/agent/tasks/${taskId}/cancel`)).status).to.equal(
      202,
    );
    expect(await service.waitForTask(taskId!)).to.include({ errorMessage: 'Task was cancelled' });
    const isTold = (line: Record<string, unknown>) =>
      line['taskId'] === taskId && line['code'] === 'CANCELLED';
    await until('the end of its step', () => service.launched.lines().some(isTold), 120_000);
  });

  it('do the tasks of the others when these are answered: the waiting used up no attempt', async () => {
    release.resolve();
    const views = await Promise.all(taskIds.map((taskId) => service.waitForTask(taskId)));
    expect(views.map(({ status }) => status)).to.deep.equal(taskIds.map(() => 'completed'));
    expect(asked).to.include({ held: taskIds.length, answered: taskIds.length });
    const wanted = new Set(taskIds);
    const lines = service.launched.lines().filter(({ taskId }) => wanted.has(taskId as string));
    const steps = lines.filter(({ activity }) => activity === 'generatePage');
    expect(steps.map(({ attempt }) => attempt)).to.deep.equal(taskIds.map(() => 1));
  });
});
