// Takes long: over 400 raw connections, and slow clients that the service cuts off after 10 to 60
// s.
import { connect } from 'node:net';
import { expect } from 'chai';
import { endServices, type Service, startService } from '../helpers/service.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import type { Aim, Attack } from './hostile/attack.ts';
import { bodies } from './hostile/bodies.ts';
import { framing } from './hostile/framing.ts';
import { headers } from './hostile/headers.ts';
import { targets } from './hostile/targets.ts';

const corpus: Record<string, Attack[]> = { framing, targets, headers, bodies };
const ANSWERED_WITHIN_MS = 20_000;
/** What only the inside of the service knows. */
const inside =
  /node_modules|node:internal|\n +at |\.ts:\d|\/src\/|SELECT |relation "|ECONN|EPIPE|root:x:0/;

describe('a running service', function () {
  this.timeout(300_000);
  let service: Service;
  let aim: Aim;
  let slow: Promise<string>[];
  before(async () => {
    service = await startService({ env: { TASKS_IN_FLIGHT: '50' } });
    const [site, other] = [
      await TeamSite.register(service, 'aimed-at'),
      await TeamSite.register(service, 'other'),
    ];
    const [taskId, otherTaskId] = [
      await site.create(citiesBody(['Rome'])),
      await other.create(citiesBody(['Milan'])),
    ];
    for (const id of [taskId, otherTaskId])
      expect(await service.waitForTask(id)).to.include({ status: 'completed' });
    const { siteId } = site;
    aim = {
      key: `Bearer ${service.demo.apiKey}`,
      siteId,
      taskId,
      otherTaskId,
      label: site.name,
      otherLabel: other.name,
    };
    slow = [drip('GET /healthz HTTP/1.1\r\n', 'X: y\r\n'), drip('', '\r\n'), drip(bodyHead(), ' ')];
  });
  after(async function () {
    await endServices(this.currentTest);
    removeTeamSites();
    const counts = Object.entries(corpus).map(([name, attacks]) => `${attacks.length} ${name}`);
    console.log(`      ${Object.values(corpus).flat().length} attacks: ${counts.join(', ')}`);
  });

  const bodyHead = () =>
    `POST /api/v1/agent/tasks HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${aim.key}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`;

  /**
   * Sends the first bytes at once, then a bit every half second, until the service closes. @returns
   * what came back
   */
  function drip(first: string, bit: string): Promise<string> {
    const socket = connect(service.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(first);
    const timer = setInterval(() => socket.writable && socket.write(bit), 500);
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    return new Promise((resolve) =>
      socket.once('close', () => {
        clearInterval(timer);
        resolve(text);
      }),
    );
  }

  /** @returns all that came back until the service closed the connection */
  async function exchange(bytes: string | Buffer): Promise<string> {
    const socket = connect(service.port, '127.0.0.1');
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.write(bytes);
    return new Promise((resolve, reject) => {
      socket.setTimeout(ANSWERED_WITHIN_MS, () => {
        socket.destroy();
        reject(new Error(`The connection hangs, after ${JSON.stringify(text.slice(0, 500))}`));
      });
      socket.once('close', () => resolve(text));
    });
  }

  const statusesIn = (text: string) =>
    [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

  for (const [group, attacks] of Object.entries(corpus))
    describe(`against ${group}`, () => {
      for (const [name, bytes, ...expected] of attacks)
        it(`answers ${name} with ${expected.join(', ').slice(0, 40) || 'nothing'}`, async () => {
          const text = await exchange(bytes(aim));
          const statuses = statusesIn(text);
          const wrong = `${JSON.stringify(text.slice(0, 600))}`;
          expect(statuses, wrong).to.deep.equal(expected);
          expect(text).to.not.match(inside);
          expect((await service.request('GET', '/healthz')).status).to.equal(200);
        });
    });

  describe('afterwards', () => {
    it('has answered who sent a request slowly within a bounded time, and answers others meanwhile', async () => {
      const idle = Array.from({ length: 300 }, () =>
        connect(service.port, '127.0.0.1').on('error', () => undefined),
      );
      expect((await service.request('GET', '/healthz')).status).to.equal(200);
      const texts = await Promise.all(slow);
      idle.forEach((socket) => socket.destroy());
      expect(texts.map(statusesIn)).to.deep.equal([[408], [408], []]);
    });

    it('has begun no task, failed nowhere, and written one line of JSON for each line of its log', () => {
      const lines = service.launched.lines();
      const printed = service.launched.stdout.split('\n').filter((line) => line !== '');
      expect(printed.length).to.equal(lines.length);
      expect(
        lines.filter(({ status, level }) => status === 500 || level === 'error'),
      ).to.deep.equal([]);
      expect(service.launched.hasEnded()).to.equal(false);
    });

    it('still does its work', async () => {
      const { json } = await service.request('GET', '/api/v1/agent/tasks');
      expect(json.tasks).to.have.length(2);
      const taskId = await service.createTask(citiesBody(['-rf']));
      expect(await service.waitForTask(taskId)).to.include({ status: 'completed' });
    });
  });
});
