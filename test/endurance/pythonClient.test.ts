// Takes long: pip installs the Python client in a new virtual environment.
import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildPythonClient } from '../../client/python/build.ts';
import { blocks, read } from '../helpers/documents.ts';
import { encode } from '../helpers/encode.ts';
import { type Delivery, type HttpReceiver, startHttpReceiver } from '../helpers/httpReceiver.ts';
import { answerOf } from '../helpers/operator.ts';
import { needProgram } from '../helpers/programs.ts';
import { endServices, type Service, sharedService } from '../helpers/service.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { json, startScripted } from '../unit/client/scriptedServer.ts';

const run = promisify(execFile);
const script = join(import.meta.dirname, '../helpers/pythonClient.py');

type HeaderFields = Record<string, string>;
interface WebhookRequest {
  body: string;
  headers: HeaderFields;
  secrets: string | string[];
}

const createSecret = () => `whsec_${randomBytes(24).toString('base64')}`;

function sign(secret: string, { id, timestamp, body }: Record<string, string>): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

const requestOf = ({ body, headers }: Delivery, secrets: string | string[]): WebhookRequest => ({
  body,
  headers: headers as HeaderFields,
  secrets,
});

describe('the Python client, installed in a new virtual environment', function () {
  this.timeout(600_000);
  let folder: string;
  let python: string;
  let service: Service;
  let site: TeamSite;
  let receiver: HttpReceiver;
  before(async function () {
    needProgram(this, 'pip');
    folder = mkdtempSync(join(tmpdir(), 'agent-tasks-test-'));
    python = join(folder, 'environment/bin/python');
    const wheel = await buildPythonClient(join(folder, 'wheel'));
    await run('python3', ['-m', 'venv', '--without-pip', join(folder, 'environment')]);
    const pip = ['-m', 'pip', '--python', python, '--disable-pip-version-check'];
    await run('python3', [...pip, 'install', '--quiet', wheel]);
    receiver = await startHttpReceiver(() => 204);
    service = await sharedService();
    site = await TeamSite.register(service, 'python');
  });
  after(async function () {
    await endServices(this.currentTest);
    await receiver?.close();
    removeTeamSites();
    if (folder) rmSync(folder, { recursive: true });
  });

  async function use(args: string[], env: Record<string, string> = {}, input = '') {
    const program = execFile(python, [script, ...args], {
      env: {
        BASE_URL: `http://127.0.0.1:${service.port}/api/v1`,
        API_KEY: service.demo.apiKey,
        SITE_ID: site.siteId,
        ...env,
      },
    });
    program.stdin!.end(input);
    const [output, errors] = await Promise.all(
      [program.stdout!, program.stderr!].map(async (stream) => (await stream.toArray()).join('')),
    );
    expect(errors).to.equal('');
    return JSON.parse(output!) as unknown;
  }

  const verify = (...requests: WebhookRequest[]) =>
    use(['verify'], {}, JSON.stringify(requests)) as Promise<{ model?: string; error?: string }[]>;

  it('has a module for each operation and model, and the licence of the service', async () => {
    expect(await use(['import'])).to.be.above(300);
    expect(read('client/python/LICENSE')).to.equal(read('LICENSE'));
  });

  it('creates a task, waits for its end, and is told that a task does not exist', async () => {
    const result = await use(['task', 'Set the title of / to "Made in Python"']);
    expect(result).to.deep.include({ missing: 404 });
    const { task } = result as { task: { status: string; output: { pagesModified: object[] } } };
    expect(task.status).to.equal('completed');
    expect(task.output.pagesModified).to.have.length(1);
    expect(task.output.pagesModified[0]).to.include({ slug: '/' });
  });

  it('waits during a restart behind a proxy, and no longer than the time limit', async () => {
    const view = await runningView();
    const server = await startScripted((response, n, { headers }) => {
      if (n === 0) response.writeHead(503, { 'Retry-After': '0' }).end('<h1>Unavailable</h1>');
      else if (n === 1) response.destroy();
      else if (n === 2) json(response, 429, { error: 'Too many requests' }, { 'Retry-After': '0' });
      else if (n === 3)
        json(response, 200, view, { 'Preference-Applied': headers['prefer'] as string });
      else json(response, 403, { error: 'Forbidden' });
    });
    const env = { BASE_URL: server.baseUrl };
    expect(await use(['wait', 'bg-1'], env)).to.deep.equal({ refused: 403 });
    expect(server.asked.map(({ headers }) => headers['prefer'])).to.deep.equal(
      Array<string>(5).fill('wait=30'),
    );
    await server.close();
    const running = await startScripted((response) => json(response, 200, view));
    expect(await use(['wait', 'bg-1', '0.5'], { BASE_URL: running.baseUrl })).to.deep.equal({
      late: 'bg-1 is still running after 0.5 s',
    });
    expect(running.asked[0]!.headers['prefer']).to.equal('wait=1');
    await running.close();
  });

  /** A running task, as the service shows one. */
  async function runningView(): Promise<object> {
    const body = { siteId: site.siteId, ...citiesBody(['Lisbon']) };
    const { taskId } = (await service.postTask(body)).json as { taskId: string };
    const ended = Object.entries(await service.waitForTask(taskId));
    const fields = ended.filter(([name]) => name !== 'output' && name !== 'completedAt');
    return { ...Object.fromEntries(fields), status: 'running' };
  }

  for (const encoding of ['utf-8', 'utf-16le'])
    it(`creates one batch for a key from a CSV in ${encoding}, and waits for it`, async () => {
      const path = join(folder, `${encoding}.csv`);
      const slug = `/locations/evora-${encoding}`;
      const table = `\uFEFFtargetPageSlug;City;Headline\n${slug};Évora;Web design in Évora\n`;
      writeFileSync(path, encoding === 'utf-8' ? table : encode(table, encoding));
      const result = await use(['batch', path, `key-${encoding}`]);
      expect(result).to.deep.include({ isSame: true, paths: [slug], refused: 400 });
      const { batch } = result as { batch: object };
      expect(batch).to.deep.include({ status: 'completed' });
      const { batchId } = batch as { batchId: string };
      const { json: rows } = await service.request('GET', `/api/v1/agent/batches/${batchId}/rows`, {
        headers: { authorization: `Bearer ${service.demo.apiKey}` },
      });
      const [row] = rows['rows'] as { previewUrl: string }[];
      expect(row!.previewUrl).to.be.a('string');
    });

  it('verifies events and callbacks that the service sent, and refuses forged ones', async () => {
    const owner = ['--organization', service.demo.organizationId];
    const admin = await answerOf(service.dataDir, 'key', 'create', ...owner, '--role', 'admin');
    const headers = {
      authorization: `Bearer ${String(admin.apiKey)}`,
      'content-type': 'application/json',
    };
    const body = JSON.stringify({
      url: receiver.url('/events'),
      description: 'Python',
      eventTypes: ['task.completed'],
    });
    const endpoint = await service.request('POST', '/api/v1/webhook-endpoints', { headers, body });
    const path = `/api/v1/webhook-endpoints/${String(endpoint.json['endpointId'])}`;
    const secret = String(endpoint.json['secret']);
    await service.postTask({
      siteId: site.siteId,
      callbackUrl: receiver.url('/done'),
      ...citiesBody(['Porto']),
    });
    const [event] = await receiver.deliveries('/events', 1);
    const [callback] = await receiver.deliveries('/done', 1);
    const rotated = await service.request('POST', `${path}/rotate`, { headers });
    await service.request('POST', `${path}/test`, { headers });
    const [, test] = await receiver.deliveries('/events', 2);
    await service.request('DELETE', path, { headers });
    const { callbackSecret } = await answerOf(
      service.dataDir,
      'organization',
      'callback-secret',
      ...owner,
    );
    const forged = { ...event!, body: event!.body.replace('task.completed', 'task.failed') };
    const newSecret = String(rotated.json['secret']);
    expect(
      await verify(
        requestOf(event!, secret),
        requestOf(callback!, String(callbackSecret)),
        requestOf(test!, secret),
        requestOf(test!, newSecret),
        requestOf(event!, [newSecret, secret]),
        requestOf(event!, newSecret),
        requestOf(forged, secret),
        requestOf(callback!, secret),
      ),
    ).to.deep.equal([
      { model: 'TaskCompletedEvent' },
      { model: 'SucceededCallback' },
      ...[1, 2].map(() => ({ model: 'dict' })),
      { model: 'TaskCompletedEvent' },
      ...[1, 2, 3].map(() => ({ error: 'The request has no valid signature' })),
    ]);
  });

  it('refuses requests that are too old or too new, and hostile header fields', async () => {
    const secret = createSecret();
    const body = JSON.stringify({ type: 'endpoint.test' });
    const signedAt = (seconds: number, more: HeaderFields = {}): WebhookRequest => {
      const timestamp = String(Math.floor(Date.now() / 1_000) + seconds);
      const signature = sign(secret, { id: 'e-1', timestamp, body });
      const fields = { 'Webhook-Id': 'e-1', 'Webhook-Timestamp': timestamp };
      return {
        body,
        secrets: secret,
        headers: { ...fields, 'Webhook-Signature': signature, ...more },
      };
    };
    const results = await verify(
      signedAt(-240),
      signedAt(240),
      signedAt(-310),
      signedAt(310),
      ...['', 'nan', '9'.repeat(5_000), '١٢٣'].map((timestamp) =>
        signedAt(0, { 'Webhook-Timestamp': timestamp }),
      ),
      ...['', 'v1,', 'v2,é', '\uD800'].map((signature) =>
        signedAt(0, { 'Webhook-Signature': signature }),
      ),
      signedAt(0, { 'Webhook-Id': 'e-2' }),
    );
    const late = { error: 'The timestamp differs too much from the current time' };
    const unsigned = { error: 'The request has no valid signature' };
    expect(results).to.deep.equal([
      ...[1, 2].map(() => ({ model: 'dict' })),
      ...Array<object>(6).fill(late),
      ...Array<object>(5).fill(unsigned),
    ]);
  });

  it('does what its README shows', async () => {
    const [example] = blocks('client/python/README.md', 'python') as [string];
    const env = {
      BASE_URL: `http://127.0.0.1:${service.port}/api/v1`,
      API_KEY: service.demo.apiKey,
      SITE_ID: site.siteId,
    };
    const { stdout } = await run(python, ['-c', example], { env });
    expect(stdout).to.match(/^http:\S+\/pricing\n$/);
  });
});
