import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { callbackBody } from '../../src/callbacks/body.ts';
import { signatureHeaders } from '../../src/callbacks/signature.ts';
import { commandTable } from '../../src/cli/commands.ts';
import { createProgram } from '../../src/cli/program.ts';
import { settings } from '../../src/config.ts';
import { type Reply, startApi, type TestApi } from '../helpers/api.ts';
import { choosePort } from '../../src/temporal/server/ports.ts';
import { until } from '../helpers/until.ts';

const root = join(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** The fenced blocks of a language that match. */
const blocks = (language: string, pattern = /(?:)/) =>
  [...readme.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
    .filter(([, name, text]) => name === language && pattern.test(text!))
    .map(([, , text]) => text!);

const curl = () => blocks('sh', /^curl /)[0]!;

/** What curl sends for the README's command: its JSON body and its headers. */
function curlRequest() {
  const command = curl();
  const headers = [...command.matchAll(/-H '([^:']+): ([^']+)'/g)].map(([, name, value]) => [name!, value!]);
  return {
    url: new URL(/https?:\/\/\S+/.exec(command)![0]),
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: JSON.parse(/-d '([\s\S]+)'/.exec(command)![1]!) as Record<string, unknown>,
  };
}

describe('README: settings', () => {
  it('its table names every setting with its default and its description, and no other one', () => {
    interface Described {
      flags?: { default?: unknown; description?: string };
    }
    const { keys } = settings.describe() as { keys: Record<string, Described> };
    const expected = Object.entries(keys).map(([name, { flags }]) => ({
      name,
      default: flags?.default === undefined ? '' : `\`${String(flags.default as string)}\``,
      description: flags?.description,
    }));
    const section = readme.split('\n## Settings\n')[1]!.split('\n## ')[0]!;
    const rows = [...section.matchAll(/^\| `(\w+)` \| (.*?) ?\| (.+) \|$/gm)];
    expect(rows.map(([, name, value, description]) => ({ name, default: value, description }))).to.deep.equal(expected);
  });
});

describe('README: requests', () => {
  let api: TestApi;
  beforeEach(async () => (api = await startApi()));
  afterEach(() => api.close());

  const create = (body: object, headers = {}): Promise<Reply> =>
    api.create({ ...body, siteId: api.site.siteId }, headers);

  it('the curl command is accepted as it stands', async () => {
    const { url, headers, body } = curlRequest();
    expect(url.pathname).to.equal('/api/v1/agent/tasks');
    expect(headers).to.have.keys('Authorization', 'Content-Type');
    expect(headers['Authorization']).to.match(/^Bearer ak_\w{46}$/);
    const reply = await create(body, { 'Content-Type': headers['Content-Type'] });
    expect(reply.status, reply.text).to.equal(200);
    expect(api.started[0]!.task.work).to.deep.equal({
      type: 'generate_pages',
      templatePageSlug: '/locations/austin',
      items: [{ targetPageSlug: '/locations/lisbon', context: 'City: Lisbon\nHeadline: Web design in Lisbon' }],
    });
  });

  it('the replies shown have the fields of the real ones', async () => {
    const { json } = await create(curlRequest().body);
    const shown = blocks('json', /"createdAt"/).map((text) => JSON.parse(text) as object);
    expect(shown).to.have.lengthOf.at.least(1);
    for (const reply of shown) expect(Object.keys(reply)).to.deep.equal(Object.keys(json));
  });

  it('both bodies shown are accepted', async () => {
    const bodies = blocks('json', /"(callbackUrl)"/).map((text) => JSON.parse(text) as object);
    expect(bodies).to.have.lengthOf(2);
    for (const body of bodies) expect((await create(body)).text).to.include('"running"');
    expect(api.started.map(({ task }) => task.work.type)).to.deep.equal(['generate_pages', 'prompt']);
  });

  it('the invalid body of the errors table is answered as it says', async () => {
    const { json } = await api.create({ siteId: 'x', prompt: 3, colour: 'red' });
    expect(readme).to.include(`\`${String(json['error'])}\``);
  });

  for (const status of ['completed', 'failed'])
    it(`the ${status} view shown is what such a task is presented as`, async () => {
      const [text] = blocks('json', new RegExp(`"status": ?"${status}"`)).filter(
        (block) => !block.includes('timestamp'),
      );
      const view = JSON.parse(text!) as never;
      api.views.set('bg-' + 'a1'.repeat(11), view);
      const reply = await api.request('GET', `/api/v1/agent/tasks/bg-${'a1'.repeat(11)}`, {
        headers: { Authorization: 'Bearer ak_member' },
      });
      expect(reply.json).to.deep.equal(view);
    });
});

describe('README: callbacks', () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const webhookId = `bg-${'a1'.repeat(11)}`;
  const [code = ''] = blocks('js', /standardwebhooks/);
  const body = callbackBody(webhookId, {
    status: 'completed',
    output: { pagesCreated: [], pagesModified: [], pagesDeleted: [] },
    finishedAt: '2026-01-02T03:04:05.678Z',
  });
  let port: number;
  let receiver: ReturnType<typeof spawn>;
  let printed = '';

  beforeEach(async () => {
    port = await choosePort({ setting: 'PORT', port: 0 });
    printed = '';
    receiver = spawn(process.execPath, ['--input-type=module', '--eval', code], {
      cwd: root,
      env: { ...process.env, CALLBACK_SECRET: secret, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    receiver.stdout!.on('data', (chunk) => (printed += String(chunk)));
    await until('the receiver', () => fetch(`http://127.0.0.1:${port}`).then(Boolean, () => false));
  });
  afterEach(async () => {
    receiver.kill('SIGKILL');
    if (receiver.exitCode === null && receiver.signalCode === null) await once(receiver, 'exit');
  });

  async function deliver(sent: string, signedWith: string): Promise<number> {
    const headers = signatureHeaders({ secret: signedWith, webhookId, timestamp: new Date(), body });
    const reply = await request(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: sent });
    await reply.body.dump();
    return reply.statusCode;
  }

  it('the receiver takes a callback that is signed with its secret', async () => {
    expect(await deliver(body, secret)).to.equal(204);
    await until('the receiver to print', () => printed.includes(`${webhookId} succeeded`));
  });
  it('the receiver refuses another body, and another secret', async () => {
    expect(await deliver(body.replace('succeeded', 'failed'), secret)).to.equal(401);
    expect(await deliver(body, `whsec_${Buffer.alloc(32, 8).toString('base64')}`)).to.equal(401);
    expect(printed).to.equal('');
  });
});

describe('README: commands', () => {
  it('its operator commands are ones that the command line takes', async () => {
    const lines = blocks('sh', /npm run -s cli/).flatMap((text) => text.match(/(?<=npm run -s cli -- ).+/g) ?? []);
    const called: string[] = [];
    for (const line of lines) {
      const program = createProgram(commandTable, (name) => Promise.resolve(void called.push(name)));
      const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!);
      await program.parseAsync(words, { from: 'user' });
    }
    expect(called).to.include.members(['organization create', 'key create', 'site create', 'temporal setup']);
  });
});
