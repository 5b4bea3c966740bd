// Takes long: it starts the service on the data of each release.
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { currentQuestion, type TaskView } from '../../src/contract/task.ts';
import { BatchEditing } from '../helpers/batchEditing.ts';
import { temporaryFolder } from '../helpers/database.ts';
import { startHttpReceiver } from '../helpers/httpReceiver.ts';
import { headlineOf } from '../helpers/markup.ts';
import { needProgram } from '../helpers/programs.ts';
import { Service } from '../helpers/service.ts';
import { citiesBody } from '../helpers/team/site.ts';
import { until } from '../helpers/until.ts';
import { outputOf } from '../helpers/views.ts';
import {
  databaseKinds,
  releaseFiles,
  type ReleaseRecord,
  unpackRelease,
} from '../upgrade/release.ts';
import { type ReleasedService, startOnRelease } from '../upgrade/releasedService.ts';

/** Every version since which nothing may be lost. */
const releases = ['0.1.0'];
const WITHIN_MS = 300_000;

for (const version of releases)
  for (const kind of databaseKinds)
    describe(`the data of ${version}, ${kind}, with the code as it is now`, function () {
      this.timeout(2 * WITHIN_MS);
      const resources = new AsyncDisposableStack();
      let record: ReleaseRecord;
      let released: ReleasedService;
      let service: Service;
      let admin: { authorization: string };
      const batch = new BatchEditing(() => service);
      before(async function () {
        if (kind === 'postgres') needProgram(this, 'PostgreSQL');
        const folder = resources.adopt(temporaryFolder(), (made) => made.remove()).path;
        record = await unpackRelease(version, kind, folder);
        released = await startOnRelease(kind, folder, { hasDump: true, resources });
        const { process, baseUrl } = released;
        service = new Service(releaseFiles(folder).data, { ...record.owner, baseUrl }, process);
        admin = { authorization: `Bearer ${record.adminKey}` };
      });
      after(async function () {
        if (this.currentTest?.isFailed()) console.error(released?.process.log());
        await resources.disposeAsync();
      });

      const read = async (path: string) => {
        const { status, text, json } = await service.request('GET', `/api/v1${path}`, {
          headers: admin,
        });
        expect(status, `${path}: ${text}`).to.equal(200);
        return json as unknown;
      };
      /** A task that is as asked. Reads may fail while Temporal finds the worker. */
      const taskWhen = (taskId: string, isReached: (task: TaskView) => boolean) =>
        until(
          `${taskId} to be ${isReached.name}`,
          async () => {
            const task = await service.readTask(taskId).catch(() => null);
            return task && isReached(task) && task;
          },
          WITHIN_MS,
        );
      /** The same page at the port of this start. */
      const here = (url: string) => {
        const { protocol, hostname, pathname } = new URL(url);
        return `${protocol}//${hostname}:${service.port}${pathname}`;
      };

      it('gives the answers of the release, and at most adds to them', async () => {
        for (const [path, before] of Object.entries(record.answers)) {
          const lost = lostParts(withoutExpired(before), await read(path));
          expect(lost, path).to.deep.equal([]);
        }
      });

      it('shows the pages that were live', async () => {
        for (const [url, headline] of Object.entries(record.headlines))
          expect(headlineOf((await service.request('GET', here(url))).text), url).to.equal(
            headline,
          );
      });

      it('continues what ran, and what waits for people', async () => {
        const { askingTask, publishingTask } = record;
        // long after the release, nobody is asked any more
        const asking = await taskWhen(askingTask, isAnswerable);
        if (asking.status === 'running') await service.client.tasks.answer(askingTask, 'Southwind');
        for (const taskId of [askingTask, publishingTask]) await taskWhen(taskId, hasEnded);
        const { running, paused, waiting } = record.batches;
        await batch.command(paused, 'resume');
        await batch.command(waiting, 'approve');
        for (const batchId of [running, paused, waiting]) {
          await batch.reaches(batchId, 'completed');
          const rows = await batch.rows(batchId);
          expect(new Set(rows.map(({ state }) => state))).to.deep.equal(new Set(['committed']));
        }
      });

      it('publishes a new task, and sends its event to the endpoint with its secret', async () => {
        const { endpointId, secret } = record.endpoint;
        const receiver = await startHttpReceiver(() => 204);
        resources.defer(() => receiver.close());
        const changed = await service.request('PATCH', `/api/v1/webhook-endpoints/${endpointId}`, {
          headers: { ...admin, 'content-type': 'application/json' },
          body: JSON.stringify({ url: receiver.url('/events') }),
        });
        expect(changed.status, changed.text).to.equal(200);
        const taskId = await service.createTask(citiesBody(['Upgraded'], { publish: true }));
        const { publishedUrl } = outputOf(await service.waitForTask(taskId)).pagesCreated[0]!;
        expect(headlineOf((await service.request('GET', publishedUrl!)).text)).to.equal(
          'Web design in Upgraded that works',
        );
        const delivery = await until('its event', () =>
          receiver
            .received('/events')
            .find(({ body }) => body.includes(taskId) && body.includes('task.completed')),
        );
        expect(
          new Webhook(secret).verify(delivery.body, delivery.headers as Record<string, string>),
        ).to.include({ type: 'task.completed' });
      });

      it('opens links to guests, or says that they have expired', async () => {
        for (const url of record.shares) {
          const { pathname, hash } = new URL(url);
          const key = hash.slice('#key='.length);
          const path = `/shared/${pathname.split('/').at(-1)}`;
          const origin = `http://localhost:${service.port}`;
          const opened = await batch.send('POST', path, { key }, { origin });
          expect(opened.status, opened.text).to.be.oneOf([200, 401]);
        }
      });
    });

const hasEnded = ({ status }: TaskView) => status !== 'running';
const isAnswerable = (task: TaskView) => hasEnded(task) || currentQuestion(task) !== undefined;

/** An answer without the links that have expired, and without deployments that are not live. */
function withoutExpired(answer: unknown): unknown {
  const { shares, deployments } = answer as {
    shares?: { expiresAt: string }[];
    deployments?: unknown[];
  };
  if (deployments) return { deployments: deployments.slice(0, 1) };
  if (!shares) return answer;
  return { shares: shares.filter(({ expiresAt }) => Date.parse(expiresAt) > Date.now()) };
}

/** What changes with each request. */
const changing = new Set(['lastUsedAt']);

/**
 * What an answer lacks, or has otherwise than the answer before. New fields are no loss.
 * @param path where the two are
 */
function lostParts(before: unknown, now: unknown, path = ''): string[] {
  if (typeof before === 'string' && /^https?:/.test(before))
    return String(now).replace(/:\d+/, '') === before.replace(/:\d+/, '')
      ? []
      : [`${path}: ${String(now)} for ${before}`];
  if (typeof before !== 'object' || before === null)
    return before === now ? [] : [`${path}: ${JSON.stringify(now)} for ${JSON.stringify(before)}`];
  if (typeof now !== 'object' || now === null) return [`${path}: ${JSON.stringify(now)}`];
  return Object.entries(before).flatMap(([name, value]) =>
    changing.has(name)
      ? []
      : lostParts(value, (now as Record<string, unknown>)[name], `${path}.${name}`),
  );
}
