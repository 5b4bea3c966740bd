import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { createCallbackSender } from '../../../src/callbacks/send.ts';
import { createSendTest } from '../../../src/callbacks/sendTest.ts';
import { type HttpReceiver, startHttpReceiver } from '../../helpers/httpReceiver.ts';

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
  const sendTo = (path: string, by = sender, signal = waiting) =>
    createSendTest({ send: (...delivery) => by.send(...delivery), organizations })(
      'o',
      receiver.url(path),
      signal,
    );

  it('sends one POST that each secret verifies', async () => {
    const { ms, ...sent } = await sendTo('/hook');
    expect(sent).to.deep.equal({ delivered: true, status: 204, error: null });
    expect(ms).to.be.at.least(0);
    const [first, ...others] = await receiver.deliveries('/hook', 1);
    expect(others).to.deep.equal([]);
    for (const secret of secrets)
      expect(
        new Webhook(secret).verify(first!.body, first!.headers as Record<string, string>),
      ).to.include({
        type: 'test',
      });
  });

  it('tells why it was not delivered, and does not try again', async () => {
    expect(await sendTo('/refuses')).to.deep.include({ delivered: false, status: 502 });
    expect(receiver.received('/refuses')).to.have.length(1);
    const refused = await sendTo('/hook', guarded);
    expect(refused).to.deep.include({ delivered: false, status: null });
    expect(refused.error).to.match(/not allowed/);
  });

  it('ends when nobody waits any more', async () => {
    const reason = new Error('gone');
    const ended = sendTo('/hook', sender, AbortSignal.abort(reason)).catch(
      (error: unknown) => error,
    );
    expect(await ended).to.equal(reason);
  });
});
