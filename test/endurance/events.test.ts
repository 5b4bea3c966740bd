// Takes long: two starts, and programs in three languages that receive events.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventTypes } from '../../src/contract/events.ts';
import { temporaryFolder } from '../helpers/database.ts';
import { blocks, root } from '../helpers/documents.ts';
import { type HttpReceiver, startHttpReceiver } from '../helpers/httpReceiver.ts';
import { answerOf } from '../helpers/operator.ts';
import { freePort } from '../helpers/ports.ts';
import { endServices, type Service, startService } from '../helpers/service.ts';
import { citiesBody } from '../helpers/team/site.ts';
import { copyTemplate } from '../helpers/template.ts';
import { until } from '../helpers/until.ts';

const taskCount = 6;
const cityNames = ['Ghent', 'Bruges', 'Namur', 'Liege', 'Mons', 'Arlon', 'Lyon', 'Nice', 'Metz'];

/** The programs of docs/webhooks.md, by the languages of their blocks. */
const programs: Record<string, { file: string; command: string[] }> = {
  js: { file: 'receiver.mjs', command: [process.execPath, 'receiver.mjs'] },
  python: { file: 'receiver.py', command: ['python3', 'receiver.py'] },
  go: { file: 'receiver.go', command: ['go', 'run', 'receiver.go'] },
};

describe('events', function () {
  this.timeout(600_000);
  const folder = temporaryFolder();
  const ended: (() => void)[] = [];
  let service: Service;
  let receiver: HttpReceiver;
  let adminKey: string;
  let createdCount = 0;
  const start = async (env: Record<string, string> = {}) => {
    service = await startService({
      dataDir: join(folder.path, 'data'),
      env: { CALLBACK_ALLOW_PRIVATE: 'true', ...env },
    });
  };
  before(async () => {
    mkdirSync(join(folder.path, 'data'));
    copyTemplate(join(folder.path, 'data'));
    // the first delivery gets no answer, as from a receiver that hangs
    receiver = await startHttpReceiver((path, n) =>
      path === '/events' && n === 1 ? new Promise(() => {}) : 204,
    );
    await start();
    const { organizationId } = service.demo;
    const admin = ['--organization', organizationId, '--role', 'admin'];
    const { apiKey } = await answerOf(service.dataDir, 'key', 'create', ...admin);
    adminKey = String(apiKey);
  });
  after(async () => {
    for (const end of ended) end();
    await receiver?.close();
    await endServices();
    folder.remove();
  });

  const request = (method: string, path: string, body?: object) =>
    service.request(method, `/api/v1/webhook-endpoints${path}`, {
      headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  async function createEndpoint(url: string): Promise<{ endpointId: string; secret: string }> {
    const reply = await request('POST', '', { url, description: 'Test', eventTypes });
    expect(reply.status, reply.text).to.equal(201);
    return reply.json as { endpointId: string; secret: string };
  }
  async function createTasks(count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let n = 0; n < count; n++) {
      const body = citiesBody([cityNames[createdCount++]!], { publish: true });
      ids.push((await service.postTask(body)).json.taskId as string);
    }
    return ids;
  }

  it('arrive once each, by their webhook-id, across kill -9 of everything', async () => {
    const { endpointId } = await createEndpoint(receiver.url('/events'));
    const taskIds = await createTasks(taskCount);
    const expected = taskIds.flatMap((id) => [`${id}-completed`, `${id}-published`]).toSorted();
    await receiver.deliveries('/events', 2);
    await service.killAll();
    await start();
    const received = await until(
      'every event',
      () => {
        const all = receiver.received('/events');
        const ids = new Set(all.map(({ headers }) => headers['webhook-id']));
        return ids.size >= expected.length && all;
      },
      240_000,
    );
    for (const taskId of taskIds)
      expect((await service.readTask(taskId)).status).to.equal('completed');
    const ids = received.map(({ headers }) => String(headers['webhook-id']));
    expect([...new Set(ids)].toSorted()).to.deep.equal(expected);
    // only an attempt that was under way at the kill is repeated, with the same bytes
    const bodies = new Map(received.map(({ headers, body }) => [headers['webhook-id'], body]));
    for (const { headers, body } of received)
      expect(body).to.equal(bodies.get(headers['webhook-id']));
    const log = await until('the log to be complete', async () => {
      const { json } = await request('GET', `/${endpointId}/deliveries?limit=100`);
      const { deliveries } = json as { deliveries: { eventId: string; state: string }[] };
      return deliveries.every(({ state }) => state === 'delivered') && deliveries;
    });
    expect(log.map(({ eventId }) => eventId).toSorted()).to.deep.equal(expected);
    await request('DELETE', `/${endpointId}`);
  });

  for (const [language, { file, command }] of Object.entries(programs))
    it(`are verified by the receiver of docs/webhooks.md in ${language}`, async () => {
      const port = await freePort();
      const { endpointId, secret } = await createEndpoint(`http://127.0.0.1:${port}/hook`);
      // packages are found from the project's folder
      const home = language === 'js' ? join(root, '.cache') : folder.path;
      writeFileSync(join(home, file), blocks('docs/webhooks.md', language)[0]!);
      const { PATH, HOME } = process.env;
      const env = { PATH, HOME, WEBHOOK_SECRET: secret, PORT: String(port), GOFLAGS: '-mod=mod' };
      const [program = '', ...words] = command;
      const child = spawn(program, words, { cwd: home, env, detached: true });
      ended.push(() => void process.kill(-child.pid!, 'SIGKILL'));
      let output = '';
      child.stdout.on('data', (text: Buffer) => (output += text.toString()));
      child.stderr.on('data', (text: Buffer) => (output += text.toString()));
      const answer = () =>
        fetch(`http://127.0.0.1:${port}/hook`, {
          method: 'POST',
          body: '{}',
          headers: { 'webhook-id': 'x', 'webhook-timestamp': '1', 'webhook-signature': 'v1,eA==' },
        }).then(
          ({ status }) => status,
          () => undefined,
        );
      // it also refuses what is not signed
      expect(await until('the receiver', answer, 300_000), output).to.equal(401);
      const [taskId] = await createTasks(1);
      await until(
        'the events',
        () => ['completed', 'published'].every((end) => output.includes(`${taskId}-${end} `)),
        120_000,
      );
      expect(output).to.include(`${taskId}-completed task.completed`);
      const statuses = await until('the answers in the log', async () => {
        const { json } = await request('GET', `/${endpointId}/deliveries`);
        const { deliveries } = json as { deliveries: { responseStatus: number | null }[] };
        const answers = deliveries.map(({ responseStatus }) => responseStatus);
        return !answers.includes(null) && answers;
      });
      expect(statuses).to.deep.equal([204, 204]);
      await request('DELETE', `/${endpointId}`);
    });
});
