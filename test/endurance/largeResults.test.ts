// Takes long: tasks that change 400 pages, twice, on a Temporal server with the limits of Temporal
// Cloud.
import { expect } from 'chai';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TaskView } from '../../src/contract/task.ts';
import { findCli } from '../../src/temporal/server/cliBinary.ts';
import { temporaryFolder } from '../helpers/database.ts';
import { type HttpReceiver, startHttpReceiver } from '../helpers/httpReceiver.ts';
import { endServices, type Reply, type Service, startService } from '../helpers/service.ts';
import { eventsIn } from '../helpers/streams.ts';
import { removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { connectTemporal } from '../helpers/temporalClient.ts';
import { until } from '../helpers/until.ts';
import { outputOf, specified } from '../helpers/views.ts';

const PAGES = 400;
const slugs = Array.from({ length: PAGES }, (_, n) => `/guides/a-page-about-${n}`).sort();
const pageOf = (slug: string) =>
  `<!doctype html><html lang="en"><head><title>${slug}</title></head><body><h1>${slug}</h1><p>Made by Acme.</p></body></html>`;
/** What the memo of a workflow may have in Temporal Cloud, and what ours has at most. */
const [CLOUD_BYTES, MEMO_BYTES] = [40_960, 24 * 1024];

/** The Temporal CLI, whose server ends a workflow with a larger memo. */
async function strictTemporal(folder: string): Promise<string> {
  const path = join(folder, 'temporal');
  const limits = ['warn', 'error'].map(
    (kind) => `--dynamic-config-value limit.memoSize.${kind}=${CLOUD_BYTES}`,
  );
  const cli = await findCli();
  writeFileSync(
    path,
    `#!/bin/sh\n[ "$1" = server ] && set -- "$@" ${limits.join(' ')}\nexec '${cli}' "$@"\n`,
  );
  chmodSync(path, 0o755);
  return path;
}

describe(`a task that changes ${PAGES} pages, where a memo has ${CLOUD_BYTES} bytes at most`, function () {
  this.timeout(400_000);
  const folder = temporaryFolder();
  let service: Service;
  let receiver: HttpReceiver;
  let site: TeamSite;
  let taskId: string;
  let callbackMayEnd: () => void;
  /** The view while the callback is being delivered. */
  let early: TaskView;

  before(async () => {
    const allowed = new Promise<void>((resolve) => (callbackMayEnd = resolve));
    receiver = await startHttpReceiver((path, n) =>
      path === '/first' && n === 1 ? allowed.then(() => 204) : 204,
    );
    const cli = await strictTemporal(folder.path);
    service = await startService({
      env: { TEMPORAL_CLI_PATH: cli, CALLBACK_ALLOW_PRIVATE: 'true' },
    });
    const pages = join(folder.path, 'site');
    mkdirSync(join(pages, 'guides'), { recursive: true });
    for (const slug of ['/index', ...slugs])
      writeFileSync(join(pages, `${slug}.html`), pageOf(slug));
    site = await TeamSite.register(service, 'large', pages);
    taskId = await site.create({
      prompt:
        'Replace "Acme" with "Umbrella" everywhere. Change the headline of /guides/a-page-about-7 to "Seven"',
      callbackUrl: receiver.url('/first'),
    });
  });
  after(async function () {
    callbackMayEnd?.();
    await receiver?.close();
    await endServices(this.currentTest);
    removeTeamSites();
    folder.remove();
  });

  const api = (method: string, path: string, body?: object): Promise<Reply> =>
    service.request(method, `/api/v1/agent/tasks${path}`, {
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });

  /** The memo's size, once the workflow is closed. */
  async function memoBytes(id: string): Promise<number> {
    const client = await connectTemporal(service);
    const describe = () => client.workflow.getHandle(id).describe();
    await until(
      `the end of ${id}`,
      async () => (await describe()).status.name !== 'RUNNING',
      60_000,
      200,
    );
    const { raw } = await describe();
    await client.connection.close();
    const fields = Object.values(raw.workflowExecutionInfo!.memo!.fields!);
    return fields.reduce((sum, { data }) => sum + data!.length, 0);
  }

  it('is read whole while its callback is being delivered', async () => {
    early = await service.waitForTask(taskId, 300_000);
    const { pagesModified } = outputOf(early);
    expect(pagesModified.map(({ slug }) => slug).sort()).to.deep.equal(['/', ...slugs].sort());
    expect(await service.request('GET', pagesModified.at(-1)!.previewUrl!)).to.deep.include({
      status: 200,
    });
    const [delivery] = await receiver.deliveries('/first', 1);
    expect((JSON.parse(delivery!.body) as { pages: unknown[] }).pages).to.have.length(PAGES + 1);
    callbackMayEnd();
  });

  it('is read the same after its workflow has closed, whose memo is small', async () => {
    expect(await memoBytes(taskId)).to.be.below(MEMO_BYTES);
    expect(await service.readTask(taskId)).to.deep.equal(early);
    const { tasks } = (await api('GET', '')).json as {
      tasks: { taskId: string; status: string }[];
    };
    expect(tasks.find((task) => task.taskId === taskId)).to.include({ status: 'completed' });
  });

  it('tells its whole story', async () => {
    const events = eventsIn((await api('GET', `/${taskId}/events`)).text);
    expect(events.filter(({ event }) => event === 'page')).to.have.length(PAGES + 1);
    expect(events.map(({ id }) => id)).to.deep.equal(events.map((_, n) => n + 1));
    expect(events.at(-1)).to.deep.include({ event: 'done', data: specified(early) });
  });

  it('is delivered again, compared, edited and built on', async () => {
    expect((await api('POST', `/${taskId}/callback/redeliver`)).status).to.equal(202);
    const [first, second] = await receiver.deliveries('/first', 2);
    expect(second!.body).to.equal(first!.body);
    const { json } = await api('GET', `/${taskId}/diff`);
    expect(json.pages).to.have.length(PAGES + 1);
    const { status, json: link } = await api('POST', `/${taskId}/edit-link`, {
      slug: slugs[PAGES - 1],
    });
    expect([status, new URL(link.url as string).pathname]).to.deep.equal([
      200,
      `/edit/${taskId}${slugs[PAGES - 1]}`,
    ]);
    const built = await site.run({
      prompt: 'Change the headline of / to "Home"',
      baseTaskId: taskId,
    });
    expect(outputOf(built).pagesModified.map(({ slug }) => slug)).to.deep.equal(['/']);
  });

  it('is published, by a task that is as large', async () => {
    const { json } = await api('POST', `/${taskId}/publish`);
    const published = outputOf(await service.waitForTask(json.taskId as string, 300_000));
    expect(published.pagesModified.every(({ publishedUrl }) => publishedUrl !== null)).to.equal(
      true,
    );
    expect(published.pagesModified).to.have.length(PAGES + 1);
    expect(await memoBytes(json.taskId as string)).to.be.below(MEMO_BYTES);
    expect((await service.request('GET', site.live(slugs[9]!))).text).to.include(
      'Made by Umbrella.',
    );
  });
});
