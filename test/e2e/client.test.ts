import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildClient } from '../../client/build.ts';
import { AgentTasks } from '../../client/src/index.ts';
import { blocks } from '../helpers/documents.ts';
import { type HttpReceiver, startHttpReceiver } from '../helpers/httpReceiver.ts';
import { answerOf } from '../helpers/operator.ts';
import { endServices, type Service, sharedService } from '../helpers/service.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../helpers/team/site.ts';

describe('the client, at a running service', function () {
  this.timeout(180_000);
  let service: Service;
  let receiver: HttpReceiver;
  let site: TeamSite;
  let client: AgentTasks;
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'agent-tasks-test-'));
    receiver = await startHttpReceiver(() => 204);
    service = await sharedService();
    site = await TeamSite.register(service, 'client');
    client = new AgentTasks({ apiKey: service.demo.apiKey, baseUrl: addressOf() });
    await buildClient(folder);
  });
  after(async function () {
    await endServices(this.currentTest);
    await receiver?.close();
    removeTeamSites();
    rmSync(folder, { recursive: true, force: true });
  });
  const addressOf = () => `http://127.0.0.1:${service.port}`;
  const bodyFor = (...cities: string[]) =>
    ({ siteId: site.siteId, ...citiesBody(cities) }) as Parameters<typeof client.tasks.create>[0];

  it('creates a task, follows its events, and waits for its end', async () => {
    const { taskId, status } = await client.tasks.create(bodyFor('Lisbon'));
    expect(status).to.equal('running');
    const told: string[] = [];
    const telling = (async () => {
      for await (const { event } of client.tasks.events(taskId)) told.push(event);
    })();
    const task = await client.tasks.waitFor(taskId, { timeoutMs: 60_000 });
    expect(task.status === 'completed' && task.output.pagesCreated).to.have.length(1);
    await telling;
    expect(told).to.include.members(['status', 'page']);
    expect(told.at(-1)).to.equal('done');
    expect(await client.tasks.get(taskId)).to.deep.equal(task);
  });

  it('creates one task under one key, and lists, checks and publishes tasks', async () => {
    const [one, again] = await Promise.all(
      [1, 2].map(() => client.tasks.create(bodyFor('Porto'), { idempotencyKey: 'porto' })),
    );
    expect(again).to.deep.equal(one);
    await client.tasks.waitFor(one!.taskId);
    const { taskId } = await client.tasks.publish(one!.taskId);
    const published = await client.tasks.waitFor(taskId);
    expect(published).to.include({ status: 'completed', type: 'publish', follows: one!.taskId });
    expect(await client.tasks.check(bodyFor('Braga'))).to.include.keys('items');
    const listed: string[] = [];
    for await (const task of client.tasks.list({ siteId: site.siteId, limit: 1 }))
      listed.push(task.taskId);
    expect(listed).to.include.members([one!.taskId, taskId]);
  });

  it('reads a callback that the service signed, and rejects others', async () => {
    const callbackUrl = receiver.url('/done');
    const { taskId } = await client.tasks.create({ ...bodyFor('Evora'), callbackUrl });
    const [{ headers, body }] = (await receiver.deliveries('/done', 1)) as [
      Awaited<ReturnType<typeof receiver.deliveries>>[0],
    ];
    const owner = ['--organization', service.demo.organizationId];
    const shown = await answerOf(service.dataDir, 'organization', 'callback-secret', ...owner);
    const secret = shown.callbackSecret as string;
    expect(await client.webhooks.unwrap(body, headers, secret)).to.include({
      taskId,
      status: 'succeeded',
    });
    const changed = body.replace('succeeded', 'failed');
    const refusal = await client.webhooks.unwrap(changed, headers, secret).catch(String);
    expect(refusal).to.match(/^WrongCallbackError: .*\bsignature\b/);
  });

  it("does what its README and the service's README show", async () => {
    const [example] = blocks('client/README.md', 'js') as [string];
    const program = join(folder, 'example.mjs');
    writeFileSync(program, example.replace("'agent-tasks-client'", "'./index.js'"));
    const env = { API_KEY: service.demo.apiKey, BASE_URL: addressOf(), SITE_ID: site.siteId };
    const { stdout } = await promisify(execFile)(process.execPath, [program], { env });
    expect(stdout).to.match(/^http:\S+\/pricing\n$/);
    const lines = blocks('README.md', 'js')[0]!.trim().split('\n');
    expect(lines).to.have.length(5);
    expect(example.split('\n')).to.include.members(lines);
  });

  /** Runs the client's command. */
  async function run(args: string[], input = '', env: Record<string, string> = {}) {
    const own = { AGENT_TASKS_URL: addressOf(), AGENT_TASKS_API_KEY: service.demo.apiKey, ...env };
    const program = execFile(process.execPath, [join(folder, 'cli.js'), ...args], { env: own });
    const [out, err] = [program.stdout!, program.stderr!].map((stream) => stream.toArray());
    program.stdin!.end(input);
    const [code] = (await once(program, 'close')) as [number];
    return { code, out: (await out!).join(''), err: (await err!).join('') };
  }

  it('creates, waits, lists and publishes from a shell', async () => {
    const created = await run(['create', '--json'], JSON.stringify(bodyFor('Sintra')));
    const { taskId } = JSON.parse(created.out) as { taskId: string };
    const waited = await run(['wait', taskId]);
    expect(waited).to.include({ code: 0, err: '' });
    expect(waited.out).to.match(new RegExp(`^${taskId}  completed  .*\n  /locations/sintra  http`));
    const published = await run(['publish', taskId, '--wait', '--json']);
    expect(JSON.parse(published.out)).to.include({ status: 'completed', follows: taskId });
    const listed = await run(['list', '--site', site.siteId, '--limit', '2']);
    expect(listed.out.trim().split('\n')).to.have.length(2);
    const prompt = ['--site', site.siteId, '--prompt', 'Polish it', '--wait'];
    const failed = await run(['create', ...prompt]);
    expect(failed.code).to.equal(1);
    expect(failed.out).to.match(/ failed .*\n {2}Nothing was changed/);
  });

  it('reports errors in a shell, but never the key', async () => {
    const { apiKey } = service.demo;
    const cases: [number, RegExp, string[], Record<string, string>?][] = [
      [2, /^Usage: agent-tasks/, []],
      [2, /^Unknown command "paint"/, ['paint']],
      [2, /^wait needs the id of a task/, ['wait']],
      [2, /^Unknown option '--color'/, ['list', '--color']],
      [2, /^create --prompt needs --site/, ['create', '--prompt', 'x']],
      [2, /^create needs --prompt, or a request in JSON/, ['create']],
      [2, /^AGENT_TASKS_URL must be/, ['list'], { AGENT_TASKS_URL: 'here' }],
      [2, /^AGENT_TASKS_API_KEY must be/, ['list'], { AGENT_TASKS_API_KEY: '' }],
      [3, /^Task not found/, ['get', 'bg-9l00ic0rmn9rfdhuo4s2eo']],
      [3, /^Unauthorized/, ['list'], { AGENT_TASKS_API_KEY: 'wrong' }],
    ];
    for (const [code, says, args, env] of cases) {
      const ran = await run(args, '', env);
      expect([ran.code, ran.out], args.join(' ')).to.deep.equal([code, '']);
      expect(ran.err).to.match(says).and.not.contain(apiKey);
    }
    expect(await run(['--help'])).to.include({ code: 0, err: '' });
  });
});
