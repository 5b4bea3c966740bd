import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { expect } from 'chai';
import { readConfig } from '../../src/config.ts';
import type { DemoFile } from '../../src/demo/demoFile.ts';
import { createLogger } from '../../src/log.ts';
import { startService } from '../../src/service.ts';
import { type CountedCalls, countCalls, type RequestCalls } from '../helpers/countedCalls.ts';
import { temporaryFolder } from '../helpers/database.ts';
import { type HttpReceiver, startHttpReceiver } from '../helpers/httpReceiver.ts';
import { Service } from '../helpers/service.ts';
import { citiesBody } from '../helpers/team/site.ts';
import { copyTemplate } from '../helpers/template.ts';
import { quietRuntime } from '../helpers/temporal.ts';
import { until } from '../helpers/until.ts';

// oxlint-disable-next-line no-explicit-any -- a test asserts what is in it
type View = Record<string, any>;

const TASK_WITHIN_MS = 240_000;
const headline = (text: string) => ({ prompt: `Change the headline of /pricing to "${text}"` });

/** The calls of reads of a service in this process, on its embedded database and Temporal. */
describe('reading a task again', function () {
  this.timeout(TASK_WITHIN_MS * 2);
  const resources = new AsyncDisposableStack();
  let calls: CountedCalls;
  let service: Service;
  let receiver: HttpReceiver;
  /** The receiver's answer to every callback, which it gives once a test says so. */
  const accepted = Promise.withResolvers<number>();
  /** The service's database. Statements of the test are as those of another process. */
  let database: PGlite;
  let taskIds: Record<'plain' | 'noted' | 'live' | 'built' | 'failed' | 'onto', string>;

  before(async () => {
    quietRuntime();
    const folder = resources.adopt(temporaryFolder(), (made) => made.remove());
    copyTemplate(folder.path);
    calls = resources.adopt(countCalls(), (counted) => counted.stop());
    const ports = { PORT: '0', TEMPORAL_PORT: '0' };
    const limits = { RATE_LIMIT_CREATE_PER_MINUTE: '1000', RATE_LIMIT_READ_PER_MINUTE: '10000' };
    receiver = resources.adopt(await startHttpReceiver(() => accepted.promise), (opened) =>
      opened.close(),
    );
    const config = readConfig({
      DATA_DIR: folder.path,
      CALLBACK_ALLOW_PRIVATE: 'true',
      ...ports,
      ...limits,
    });
    const options = { logger: createLogger('silent'), progress: () => undefined };
    resources.adopt(await startService(config, options), (started) => started.close());
    service = new Service(
      folder.path,
      JSON.parse(readFileSync(join(folder.path, 'demo.json'), 'utf8')) as DemoFile,
    );
    [database] = calls.databases() as [PGlite];
    taskIds = await runTasks();
  });
  after(() => {
    accepted.resolve(204);
    return resources.disposeAsync();
  });

  async function run(body: object): Promise<string> {
    const taskId = await service.createTask(body);
    await service.waitForTask(taskId, TASK_WITHIN_MS);
    return taskId;
  }

  async function runTasks() {
    const [plain, noted, failed] = await Promise.all([
      run(headline('Prices that fit on one page')),
      run(citiesBody(['Oban'])),
      run({ prompt: 'Sing a song' }),
    ]);
    const onto = await run({ ...headline('Prices that fit on half a page'), baseTaskId: plain });
    const live = await run({ prompt: 'Change the headline of /about to "Us"', publish: true });
    const built = await run(headline('Prices that are built'));
    await addBuild(built, 'a');
    return { plain, noted, live, built, failed, onto };
  }

  const addBuild = (taskId: string, commit: string) =>
    database.query(
      `insert into builds (site_id, commit, target, organization_id, task_id, month)
      values ($1, $2, 'preview', $3, $4, '2026-01')`,
      [service.demo.siteId, commit.repeat(40), service.demo.organizationId, taskId],
    );

  async function get(path: string): Promise<{ view: View; asked: RequestCalls }> {
    const { status, json, text } = await service.request('GET', `/api/v1${path}`);
    if (status !== 200) throw new Error(`GET ${path} was answered with ${status}: ${text}`);
    return { view: json as View, asked: calls.last() };
  }
  const read = (taskId: string) => get(`/agent/tasks/${taskId}`);
  const nothing: RequestCalls = { queries: [], rpcs: [] };

  /** Reads a task until nothing is asked for it, which is at the second read. */
  async function readAgain(taskId: string) {
    await read(taskId);
    const { view, asked } = await read(taskId);
    expect(asked).to.deep.equal(nothing);
    return view;
  }

  /** A change of the database must show in the next read, and cost nothing in the one after. */
  async function readChanged(taskId: string, sql: string, values: unknown[] = [taskId]) {
    await readAgain(taskId);
    await database.query(sql, values);
    const { view, asked } = await read(taskId);
    expect(asked.queries).to.not.be.empty;
    expect(asked.rpcs).to.be.empty;
    expect(await read(taskId)).to.deep.equal({ view, asked: nothing });
    return view;
  }

  it('asks Temporal for a running task, which shows that its calls are counted', async () => {
    const taskId = await service.createTask(headline('Prices that are counted'));
    expect((await read(taskId)).asked.rpcs).to.include('DescribeWorkflowExecution');
    await service.waitForTask(taskId, TASK_WITHIN_MS);
  });

  it('asks nothing for a plain task, and shows that its preview was deleted', async () => {
    expect((await readAgain(taskIds.plain)).output.pagesModified[0].previewUrl).to.be.a('string');
    const view = await readChanged(
      taskIds.plain,
      'update preview_deployments set deleted_at = now() where task_id = $1',
    );
    expect(view.output.pagesModified[0].previewUrl).to.equal(null);
    const again = await readChanged(
      taskIds.plain,
      'update preview_deployments set deleted_at = null where task_id = $1',
    );
    expect(again.output.pagesModified[0].previewUrl).to.be.a('string');
  });

  it('asks nothing for a task with notes, and shows which of them are settled', async () => {
    const { output } = await readAgain(taskIds.noted);
    const [note] = output.notes;
    expect(note.state).to.equal('open');
    const view = await readChanged(
      taskIds.noted,
      `insert into note_states (organization_id, task_id, note_id, state, at)
      values ($1, $2, $3, 'kept', now())`,
      [service.demo.organizationId, taskIds.noted, note.id],
    );
    expect(view.output.notes[0].state).to.equal('kept');
    const opened = await readChanged(taskIds.noted, 'delete from note_states where task_id = $1');
    expect(opened.output.notes[0].state).to.equal('open');
  });

  it('asks nothing for a finished task whose callback nobody has accepted yet', async () => {
    const taskId = await run({ ...headline('Prices that call'), callbackUrl: receiver.url('/') });
    await readAgain(taskId);
    const { json } = await service.request('GET', `/api/v1/agent/tasks/${taskId}/callback`);
    expect(json.deliveries[0].state).to.equal('pending');
    expect(calls.last().rpcs).to.not.be.empty;
    const { asked } = await until('the task to be listed', async () => {
      const list = await get('/agent/tasks?callback=pending');
      return list.view.tasks.length > 0 && list;
    });
    const lists = asked.rpcs.filter((name) => name === 'ListWorkflowExecutions');
    expect(lists, 'a list of tasks, and of redeliveries').to.have.length(2);
    accepted.resolve(204);
  });

  it('shows a new name of the key that created a task, and refuses the key once it is revoked', async () => {
    const { view } = await read(taskIds.plain);
    const { keyId, name } = view.createdBy;
    const named = await readChanged(
      taskIds.plain,
      `update api_keys set name = 'Renamed' where id = $1`,
      [keyId],
    );
    expect(named.createdBy).to.deep.equal({ keyId, name: 'Renamed' });
    await database.query('update api_keys set name = $2, revoked_at = now() where id = $1', [
      keyId,
      name,
    ]);
    const path = `/api/v1/agent/tasks/${taskIds.plain}`;
    expect((await service.request('GET', path)).status).to.equal(401);
    await database.query('update api_keys set revoked_at = null where id = $1', [keyId]);
    expect((await read(taskIds.plain)).view.taskId).to.equal(taskIds.plain);
  });

  it('asks of the list of tasks only what docs/performance.md names', async () => {
    const path = '/agent/tasks?status=completed&type=generate_pages';
    const { view, asked } = await until('the task to be listed', async () => {
      await get(path);
      const list = await get(path);
      return list.view.tasks.length > 0 && list;
    });
    expect(view.tasks).to.have.length(1);
    expect(asked).to.deep.equal({ queries: [], rpcs: ['ListWorkflowExecutions'] });
  });

  it('asks of the list of sites only what docs/performance.md names', async () => {
    await get('/sites');
    const { asked } = await get('/sites');
    expect(asked.rpcs).to.be.empty;
    expect(asked.queries).to.have.length(1);
    expect(asked.queries[0]).to.include('from "sites"');
  });

  it('asks of the status of a batch only what docs/performance.md names', async () => {
    const rows = ['Faro', 'Sines'].map((city) => ({
      targetPageSlug: `/locations/${city.toLowerCase()}`,
      context: `City: ${city}`,
    }));
    const reply = await service.request('POST', '/api/v1/agent/batches', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        siteId: service.demo.siteId,
        templatePageSlug: '/locations/austin',
        rows,
      }),
    });
    const path = `/agent/batches/${reply.json.batchId}`;
    const isOver = async () => (await get(path)).view.status !== 'running';
    await until('the end of the batch', isOver, TASK_WITHIN_MS);
    const { view, asked } = await get(path);
    expect(view).to.deep.include({ status: 'completed' });
    expect(view.previewUrl).to.be.a('string');
    expect(asked.rpcs).to.be.empty;
    expect(asked.queries.map((sql) => /from "(\w+)"/.exec(sql)?.[1])).to.deep.equal([
      'batches',
      'batch_rows',
    ]);
  });
});
