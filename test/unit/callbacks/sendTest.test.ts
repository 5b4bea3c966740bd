import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { callbackBody } from '../../../src/callbacks/callbackBody.ts';
import { createCallbackSender, callbackHeaders } from '../../../src/callbacks/callbackSender.ts';
import { createSendTest } from '../../../src/callbacks/sendTest.ts';
import type { TaskOutcome } from '../../../src/contract/task.ts';
import { type HttpReceiver, startHttpReceiver } from '../../helpers/httpReceiver.ts';

type CallbackBody = Record<string, unknown> & { timestamp: string };

describe('createSendTest({ send, organizations })', () => {
  const secrets = [1, 2].map(() => `whsec_${randomBytes(32).toString('base64')}`);
  const organizations = { callbackSecrets: () => Promise.resolve(secrets) };
  const sender = createCallbackSender({ allowPrivate: true, ownHosts: [] });
  const guarded = createCallbackSender({ allowPrivate: false, ownHosts: [] });
  const waiting = new AbortController().signal;
  let receiver: HttpReceiver;
  before(async () => {
    receiver = await startHttpReceiver((path) => (path === '/refuses' ? 502 : 204));
  });
  after(async () => {
    sender.close();
    guarded.close();
    await receiver.close();
  });
  let examples = 0;
  const page = { slug: '/a', previewUrl: 'http://a.example/a', editUrl: null, publishedUrl: null };
  const createExample = () => ({ taskId: `bg-${++examples}`, page });
  const sendTo = (path: string, by = sender, signal = waiting) =>
    createSendTest({ send: (...delivery) => by.send(...delivery), createExample, organizations })(
      'o',
      receiver.url(path),
      signal,
    );

  it('sends one POST that each secret verifies, like that of a finished task, marked as a test', async () => {
    const { ms, ...sent } = await sendTo('/hook');
    expect(sent).to.deep.equal({ delivered: true, status: 204, error: null });
    expect(ms).to.be.at.least(0);
    const [first, ...others] = await receiver.deliveries('/hook', 1);
    expect(others).to.deep.equal([]);
    for (const secret of secrets) {
      const headers = first!.headers as Record<string, string>;
      const { timestamp, ...payload } = new Webhook(secret).verify(
        first!.body,
        headers,
      ) as CallbackBody;
      expect(payload).to.deep.equal({
        taskId: 'bg-1',
        status: 'succeeded',
        pages: [page],
        test: true,
      });
      const finished: TaskOutcome = {
        status: 'completed',
        output: { pagesCreated: [page], pagesModified: [], pagesDeleted: [] },
        finishedAt: timestamp,
      };
      const real = JSON.parse(callbackBody('bg-1', finished)) as object;
      expect({ ...payload, timestamp }).to.deep.equal({ ...real, test: true });
      expect(headers).to.include({ ...callbackHeaders, 'webhook-id': 'bg-1' });
    }
  });

  it('reports why the test was not delivered, and does not try again', async () => {
    expect(await sendTo('/refuses')).to.deep.include({ delivered: false, status: 502 });
    expect(receiver.received('/refuses')).to.have.length(1);
    const refused = await sendTo('/hook', guarded);
    expect(refused).to.deep.include({ delivered: false, status: null });
    expect(refused.error).to.match(/not allowed/);
  });
});
