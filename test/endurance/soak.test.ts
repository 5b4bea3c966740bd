// Takes long: 600 tasks, each of which a client watches to its end.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createApi } from '../../bench/bench.ts';
import { type Inspector, inspect, type ThreadMemory } from '../../bench/inspector.ts';
import { atOnce } from '../../bench/measure.ts';
import { temporaryFolder } from '../helpers/database.ts';
import { endServices, startService } from '../helpers/service.ts';
import { removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { until } from '../helpers/until.ts';

const [EARLY_TASKS, ALL_TASKS] = [200, 600];
const CLIENTS = 20;
const MOST_GROWTH = 6 * 1024 ** 2;
const TITLE = 'Soak';
/** The page has this title, so that the task ends without a commit. */
const body = { prompt: `Change the title of / to "${TITLE}"` };

describe('the main thread of a service', function () {
  this.timeout(30 * 60_000);
  const folder = temporaryFolder();
  let site: TeamSite;
  let api: ReturnType<typeof createApi>;
  let inspector: Inspector;

  before(async () => {
    mkdirSync(folder.path, { recursive: true });
    const page = `<!doctype html>\n<html lang="en"><head><title>${TITLE}</title></head><body><h1>A</h1></body></html>\n`;
    writeFileSync(join(folder.path, 'index.html'), page);
    const service = await startService({
      command: [process.execPath, '--inspect=127.0.0.1:0', 'src/main.ts'],
    });
    site = await TeamSite.register(service, 'soak', folder.path);
    api = createApi(service);
    inspector = await inspect(service.launched);
  });
  after(async function () {
    inspector?.close();
    await api?.close();
    await endServices(this.currentTest);
    removeTeamSites();
    folder.remove();
  });

  /** A second read makes the service watch the task, and so does an answer that waits. */
  async function watchTask(): Promise<void> {
    // as clients do, where Temporal did not answer in time
    const create = () => api.create(site, body).catch(() => undefined);
    const taskId = await until('a task to begin', create);
    for (let read = 0; read < 2; read++) await api.read(taskId).catch(() => undefined);
    expect(await api.waitFor(taskId)).to.include({ taskId, status: 'completed' });
  }

  /** @returns what is in use after so many tasks more */
  async function memoryAfter(tasks: number): Promise<ThreadMemory> {
    let begun = 0;
    await atOnce(CLIENTS, async () => {
      while (begun++ < tasks) await watchTask();
    });
    return inspector.memoryAfterGc();
  }

  it(`needs as much memory after ${ALL_TASKS} watched tasks as after ${EARLY_TASKS}`, async () => {
    const early = await memoryAfter(EARLY_TASKS);
    const late = await memoryAfter(ALL_TASKS - EARLY_TASKS);
    for (const kind of ['heap', 'arrayBuffers'] as const)
      expect(Math.abs(late[kind] - early[kind]), kind).to.be.below(MOST_GROWTH);
  });
});
