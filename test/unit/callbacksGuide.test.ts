import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'undici';
import { callbackBody } from '../../src/callbacks/callbackBody.ts';
import { createCallbackSender } from '../../src/callbacks/callbackSender.ts';
import { createSendTest } from '../../src/callbacks/sendTest.ts';
import { signatureHeaders } from '../../src/callbacks/signature.ts';
import type { Page } from '../../src/contract/task.ts';
import { blocks, root } from '../helpers/documents.ts';
import { freePort } from '../helpers/ports.ts';
import { until } from '../helpers/until.ts';

describe('docs/callbacks.md', () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const webhookId = `bg-${'a1'.repeat(11)}`;
  const [code = ''] = blocks('docs/callbacks.md', 'js', /standardwebhooks/);
  const body = callbackBody(webhookId, {
    status: 'completed',
    output: { pagesCreated: [], pagesModified: [], pagesDeleted: [] },
    finishedAt: '2026-01-02T03:04:05.678Z',
  });
  let port: number;
  let receiver: ReturnType<typeof spawn>;
  let printed = '';

  beforeEach(async () => {
    port = await freePort();
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
    const headers = signatureHeaders({
      secrets: [signedWith],
      webhookId,
      timestamp: new Date(),
      body,
    });
    const reply = await request(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers,
      body: sent,
    });
    await reply.body.dump();
    return reply.statusCode;
  }

  it('shows the body that is sent', () => {
    const [text = ''] = blocks('docs/callbacks.md', 'json', /"timestamp"/);
    const { taskId, pages, timestamp } = JSON.parse(text) as {
      taskId: string;
      pages: Page[];
      timestamp: string;
    };
    const output = { pagesCreated: pages, pagesModified: [], pagesDeleted: [] };
    const sent = callbackBody(taskId, { status: 'completed', output, finishedAt: timestamp });
    expect(JSON.parse(text)).to.deep.equal(JSON.parse(sent));
  });

  it('has a receiver that accepts a callback signed with its secret', async () => {
    expect(await deliver(body, secret)).to.equal(204);
    await until('the receiver to print', () => printed.includes(`${webhookId} succeeded`));
  });
  it('has a receiver that prints a test callback as one of a finished task', async () => {
    const sender = createCallbackSender({ allowPrivate: true, ownHosts: [] });
    const page = { slug: '/a', previewUrl: null, editUrl: null, publishedUrl: null };
    const sendTest = createSendTest({
      send: (...delivery) => sender.send(...delivery),
      createExample: () => ({ taskId: webhookId, page }),
      organizations: { callbackSecrets: () => Promise.resolve([secret]) },
    });
    const waiting = new AbortController().signal;
    const sent = await sendTest('o', `http://127.0.0.1:${port}/`, waiting);
    sender.close();
    expect(sent).to.include({ delivered: true, status: 204 });
    await until('the receiver to print', () => printed.includes(`${webhookId} succeeded`));
  });
  it('has a receiver that rejects another body and another secret', async () => {
    expect(await deliver(body.replace('succeeded', 'failed'), secret)).to.equal(401);
    expect(await deliver(body, `whsec_${Buffer.alloc(32, 8).toString('base64')}`)).to.equal(401);
    expect(printed).to.equal('');
  });
});
