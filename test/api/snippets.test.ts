import { expect } from 'chai';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildClient } from '../../client/build.ts';
import { createTaskWatchers, type TaskWatchers } from '../../src/tasks/taskWatchers.ts';
import {
  failingTasks,
  keys,
  organizationId,
  startApi,
  taskId,
  type TestApi,
} from '../helpers/api.ts';
import { breakableLine } from '../helpers/breakableLine.ts';
import { blocks, read, root } from '../helpers/documents.ts';
import { Story } from '../helpers/story.ts';
import { until } from '../helpers/until.ts';

const folder = 'test/snippets';
const names = readdirSync(join(root, folder));

describe('snippets of docs/api.md', function () {
  this.timeout(60_000);

  it('are files that run here word for word', () => {
    const files = names.map((name) => read(`${folder}/${name}`));
    expect(blocks('docs/api.md', 'js')).to.have.members(files);
  });

  let programs: string;
  before(async () => {
    programs = mkdtempSync(join(tmpdir(), 'agent-tasks-test-'));
    await buildClient(programs);
    for (const name of names) {
      const program = read(`${folder}/${name}`).replace("'agent-tasks-client'", "'./index.js'");
      writeFileSync(join(programs, name), program);
    }
  });
  after(() => rmSync(programs, { recursive: true, force: true }));

  for (const name of names)
    describe(name, () => {
      let story: Story;
      let watchers: TaskWatchers;
      let api: TestApi;
      let line: Awaited<ReturnType<typeof breakableLine>>;
      let running: ChildProcess | undefined;
      let printed = '';
      beforeEach(async () => {
        story = new Story(organizationId, taskId);
        watchers = createTaskWatchers(story, { every: 20 });
        const tasks = { ...failingTasks(new Error('not asked for')), follow: story.follow };
        api = await startApi({ tasks, watchers, heartbeatMs: 50 });
        line = await breakableLine(api.port);
      });
      afterEach(async () => {
        running?.kill('SIGKILL');
        if (running?.exitCode === null && running.signalCode === null) await once(running, 'exit');
        line.close();
        watchers.close();
        await api.close();
      });

      function run(key: string) {
        printed = '';
        const env = {
          BASE_URL: `http://127.0.0.1:${line.port}/api/v1`,
          API_KEY: key,
          TASK_ID: taskId,
        };
        running = spawn(process.execPath, [join(programs, name)], {
          env: { ...process.env, ...env },
        });
        for (const output of [running.stdout!, running.stderr!])
          output.on('data', (chunk) => (printed += String(chunk)));
        return once(running, 'exit') as Promise<[code: number]>;
      }
      const lines = () =>
        printed
          .trim()
          .split('\n')
          .filter(Boolean)
          .map((text) => text.split(' ', 1)[0]);

      it('prints each event once over a lost connection, and ends when the task ends', async () => {
        const ended = run(keys.member);
        await until('the first event', () => lines().length === 1);
        line.cut();
        story.tell({ type: 'progress', steps: 1 });
        story.tell({ type: 'page', slug: '/caf\u00e9' });
        await until('the events after the cut', () => lines().length === 3, 20_000);
        story.finish();
        expect(await ended).to.deep.equal([0, null]);
        expect(lines()).to.deep.equal(['status', 'progress', 'page', 'status', 'done']);
        expect(printed)
          .to.include('/caf\u00e9')
          .and.include('"errorMessage":"Template page not found: /x"');
      });

      it('fails if the key is rejected', async () => {
        const [code] = await run('ak_nobody');
        expect(code).to.equal(1);
        expect(printed).to.match(/401/);
      });
    });
});
