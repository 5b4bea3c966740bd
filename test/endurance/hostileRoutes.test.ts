// Takes long: some thousand hostile requests, and slow clients that the service cuts off after 10
// to 60 s.
import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { limits } from '../../src/contract/task.ts';
import { parseRaw, type Reply } from '../helpers/api.ts';
import { answerOf } from '../helpers/operator.ts';
import { endServices, type Service, startService } from '../helpers/service.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { cases } from '../api/walk.cases.ts';
import { everyTarget, type Target } from './hostile/everyRoute.ts';
import {
  anyJson,
  fullBodies,
  hostileTexts,
  type Shot,
  unfinished,
  worstTexts,
} from './hostile/onRoutes.ts';
import { expectNoStall, SHORT_MS, stallsAt } from './hostile/stalls.ts';
import { worstDocuments, type WorstUnit } from './hostile/units.ts';

const ANSWERED_WITHIN_MS = 60_000;
const SHORT_BODY_BYTES = 100_000;
/** What each route gets in a body of the greatest length. */
const longDocuments = ['different objects', 'lists that do not end', 'spaces'];
/** One of each kind. The readers of texts behind the routes get all of them in other tests. */
const units: WorstUnit[] = [
  'alternating marks',
  'letters with marks',
  'one grapheme cluster',
  'half surrogate pairs',
  'letters that become eighteen',
  'spaces',
  'slashes',
  'dots',
  'hyphens',
  'digits',
  'tags that do not end',
  'parts of e-mail addresses',
];
const fewUnits: WorstUnit[] = ['alternating marks', 'spaces'];
/** These take tenths of a second for each text: of a thread, or for a password. */
const isCostly = /\/(check|batches|mcp|email)$|\/edit\//;
const AT_ONCE = 8;
/** What only the inside of the service knows. */
const inside =
  /node_modules|node:internal|\n +at |\.ts:\d|\/src\/|SELECT |relation "|ECONN|EPIPE|root:x:0/;

describe('every route of a running service', function () {
  this.timeout(300_000);
  let service: Service;
  let targets: Map<string, Target>;
  let key: string;
  let cookie: string;
  let slow: Promise<string>[];
  let probe: string;
  let sent = 0;

  before(async () => {
    probe = join(mkdtempSync(join(tmpdir(), 'agent-tasks-test-')), 'stalls');
    service = await startService({
      env: { SIGNUP: 'open', STALL_PROBE: probe },
      command: [process.execPath, '--import', './test/helpers/stallProbe.ts', 'src/main.ts'],
    });
    const site = await TeamSite.register(service, 'aimed-at-all');
    const taskId = await site.create(citiesBody(['Rome']));
    expect(await service.waitForTask(taskId)).to.include({ status: 'completed' });
    const origin = `http://localhost:${service.port}`;
    const [, token] = /\/welcome#token=(\S+)/.exec(service.launched.stderr)!;
    const body = JSON.stringify({
      token,
      name: 'Olive Owner',
      email: 'owner@example.com',
      password: 'four plain words here',
    });
    const headers = { origin, 'content-type': 'application/json' };
    const reply = await service.request('POST', `${origin}/account/link`, { headers, body });
    cookie = [reply.headers['set-cookie'] ?? []]
      .flat()
      .map((line) => line.split(';')[0])
      .join('; ');
    const { organizationId } = service.demo;
    const made = ['key', 'create', '--organization', organizationId, '--role', 'owner'];
    key = `Bearer ${String((await answerOf(service.dataDir, ...made))['apiKey'])}`;
    targets = new Map(
      everyTarget({ key, cookie, origin, siteId: site.siteId, taskId, organizationId }),
    );
    slow = [...targets.values()].filter(({ body: has }) => has).map(drip);
  });
  after(async function () {
    await endServices(this.currentTest);
    removeTeamSites();
    rmSync(dirname(probe), { recursive: true, force: true });
    console.log(`      ${Object.keys(cases).length} routes, ${sent} requests`);
  });

  /** From an address of its own, since wrong keys are counted by address. */
  const open = () => {
    const n = sent++;
    const localAddress = `127.${1 + (n >> 14)}.${1 + ((n >> 7) & 127)}.${1 + (n & 127)}`;
    return connect({ port: service.port, host: '127.0.0.1', localAddress });
  };

  /** Sends bytes. @returns all that came back until the service closed the connection */
  function exchange(
    bytes: string | Buffer,
    meanwhile: (write: (bit: string) => void) => () => void = () => () => 0,
  ) {
    const socket = open();
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.write(bytes);
    const end = meanwhile((bit) => socket.writable && socket.write(bit));
    return new Promise<string>((resolve, reject) => {
      socket.setTimeout(ANSWERED_WITHIN_MS, () => {
        socket.destroy();
        reject(new Error(`The connection hangs, after ${JSON.stringify(text.slice(0, 500))}`));
      });
      socket.once('close', () => {
        end();
        resolve(text);
      });
    });
  }

  /** A body of which a character comes every second. */
  const drip = (target: Target) =>
    exchange(unfinished(target), (write) => {
      const timer = setInterval(() => write(' '), 1_000);
      return () => clearInterval(timer);
    });

  async function aim([name, bytes, allowed]: Shot): Promise<string | undefined> {
    const text = await exchange(bytes);
    const wrong = (why: string) => `${name}: ${why}, ${JSON.stringify(text.slice(0, 300))}`;
    if (inside.test(text)) return wrong('tells what is inside');
    if (text === '') return allowed.length === 0 ? undefined : wrong('is not answered');
    const { status, headers } = parsed(text) ?? {};
    if (status === undefined) return wrong('is not answered in JSON');
    if (!allowed.includes(status)) return wrong(`is answered with ${status}`);
    return status >= 400 && !/^application\/json/.test(headers?.get('content-type') ?? '')
      ? wrong('no JSON')
      : undefined;
  }

  const parsed = (text: string): Reply | undefined => {
    try {
      return parseRaw(text);
    } catch {
      return undefined;
    }
  };

  async function aimAll(shots: Shot[]): Promise<string[]> {
    const left = shots.values();
    const problems: string[] = [];
    const work = async () => {
      for (const shot of left) {
        const problem = await aim(shot);
        if (problem) problems.push(problem);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return problems;
  }

  const expectNone = (problems: string[]) => expect(problems.slice(0, 5).join('\n')).to.equal('');

  for (const route of Object.keys(cases))
    it(`${route}: accepts or rejects hostile texts`, async () => {
      const target = targets.get(route)!;
      expectNone(await aimAll(hostileTexts(target)));
      if (target.body)
        open()
          .on('error', () => undefined)
          .end(unfinished(target))
          .destroySoon();
      expect((await service.request('GET', '/healthz')).status).to.equal(200);
    });

  it('has started no task', async () => {
    const { json } = await service.request('GET', '/api/v1/agent/tasks');
    expect(json.tasks).to.have.length(1);
  });

  // from here on, requests are right but for their length: they begin tasks, and sign people out
  /** Aims what is made of each of these at a route. If it stalls others, finds out which it is. */
  async function expectOthersAnswered<Kind extends string>(
    kinds: Kind[],
    plain: Kind,
    shots: (kind: Kind) => Shot[],
  ) {
    const measure = stallsAt(probe);
    const all = (some: Kind[]) => async () => expectNone(await aimAll(some.flatMap(shots)));
    if ((await measure(all(kinds))) <= SHORT_MS) return;
    for (const kind of kinds)
      await expectNoStall(measure, { what: kind, worst: all([kind]), plain: all([plain]) });
  }

  for (const route of Object.keys(cases))
    it(`${route}: answers other clients while it reads the worst texts and JSON`, async () => {
      const target = targets.get(route)!;
      const few = isCostly.test(route);
      await expectOthersAnswered<WorstUnit>(few ? fewUnits : units, 'letters', (unit) =>
        worstTexts(target, unit),
      );
      await expectOthersAnswered<WorstUnit>(fewUnits, 'letters', (unit) =>
        fullBodies(target, unit),
      );
      await expectOthersAnswered(Object.keys(worstDocuments), 'one text', (name) =>
        anyJson(target, name, SHORT_BODY_BYTES),
      );
      await expectOthersAnswered(longDocuments, 'one text', (name) =>
        anyJson(target, name, limits.bodyBytes),
      );
    });

  it('has closed the connections of all clients whose bodies arrived slowly', async () => {
    for (const text of await Promise.all(slow)) expect(text).to.match(/^($|HTTP\/1\.1 4\d\d )/);
  });

  it('has never failed', async () => {
    const lines = service.launched.lines();
    // better-auth says so of two who sign up with one address at once; both are answered
    const isRace = ({ msg }: Record<string, unknown>) =>
      String(msg).startsWith('sign-in library: ');
    const failed = lines.filter(
      (line) => Number(line['status']) >= 500 || (line['level'] === 'error' && !isRace(line)),
    );
    expect(failed.map((line) => JSON.stringify(line)).join('\n')).to.equal('');
    expect(service.launched.hasEnded()).to.equal(false);
  });
});
