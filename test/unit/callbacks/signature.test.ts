import { expect } from 'chai';
import { createHmac, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { signatureHeaders } from '../../../src/callbacks/signature.ts';

const key = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
const message = {
  secrets: [`whsec_${key.toString('base64')}`],
  webhookId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: new Date(1_614_265_330_999),
  body: '{"test": 2432232314}',
};

describe('signatureHeaders', () => {
  it("signs the test vector of Standard Webhooks' own libraries as they do", () => {
    expect(signatureHeaders(message)).to.deep.equal({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('is HMAC-SHA256 over id, seconds and body, also for a body beyond ASCII', () => {
    const body = '{"slug":"/münchen","emoji":"🚀"}';
    const expected = createHmac('sha256', key)
      .update(`${message.webhookId}.1614265330.${body}`)
      .digest('base64');
    expect(signatureHeaders({ ...message, body })['webhook-signature']).to.equal(`v1,${expected}`);
  });

  it('has a signature for each secret, so that receivers verify with either, and with no other', () => {
    const [next, other] = [randomBytes(32), randomBytes(32)].map(
      (bytes) => `whsec_${bytes.toString('base64')}`,
    );
    const secrets = [next!, ...message.secrets];
    const headers = signatureHeaders({ ...message, secrets, timestamp: new Date() });
    expect(headers['webhook-signature']).to.match(/^v1,[\w+/=]{44} v1,[\w+/=]{44}$/);
    for (const secret of secrets)
      expect(new Webhook(secret).verify(message.body, headers)).to.deep.equal(
        JSON.parse(message.body),
      );
    expect(() => new Webhook(other!).verify(message.body, headers)).to.throw(
      'No matching signature',
    );
  });
});
