import { expect } from 'chai';
import { AgentTasks, WrongCallbackError } from '../../../client/src/index.ts';
import { signatureHeaders } from '../../../src/callbacks/signature.ts';

const secretOf = (text: string) => `whsec_${Buffer.from(text.padEnd(32, '.')).toString('base64')}`;
const [secret, other] = [secretOf('one'), secretOf('other')];
const body = '{"taskId":"bg-1","status":"failed","error":"für","timestamp":"t"}';
const { webhooks } = new AgentTasks({ apiKey: 'k', baseUrl: 'http://localhost' });

function signed(change: Partial<Parameters<typeof signatureHeaders>[0]> = {}) {
  const message = { secrets: [secret], webhookId: 'w', timestamp: new Date(), body, ...change };
  return signatureHeaders(message);
}

describe('webhooks.unwrap of the client', () => {
  const accepted = [
    ['as the service signs it', () => signed()],
    [
      'with a second signature, while a secret is replaced',
      () => signed({ secrets: [other, secret] }),
    ],
    ['with headers of the Fetch API', () => new Headers(signed())],
    [
      'with names in another case',
      () =>
        Object.fromEntries(
          Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), value]),
        ),
    ],
    [
      'beside headers of all kinds',
      () => ({ ...signed(), 'set-cookie': ['a', 'b'], ':path': '/' }),
    ],
  ] as const;
  for (const [name, headersNow] of accepted)
    it(`reads a callback ${name}`, async () => {
      const headers = headersNow();
      const read = JSON.parse(body) as unknown;
      expect(await webhooks.unwrap(body, headers, secret)).to.deep.equal(read);
      expect(await webhooks.unwrap(Buffer.from(body), headers, secret)).to.deep.equal(read);
    });

  it('says that a parsed body is not the raw body', async () => {
    const parsed = JSON.parse(body) as string;
    const error: unknown = await webhooks
      .unwrap(parsed, signed(), secret)
      .catch((error: unknown) => error);
    expect(error).to.be.instanceOf(WrongCallbackError);
    expect((error as Error).message).to.match(/^Pass the raw body\b/);
  });

  const minutes = (count: number) => new Date(Date.now() + count * 60_000);
  const refused = [
    ['another body', () => signed({ body: `${body} ` }), secret],
    ['another secret', () => signed({ secrets: [other] }), secret],
    ['another id', () => ({ ...signed(), 'webhook-id': 'x' }), secret],
    ['a time six minutes ago', () => signed({ timestamp: minutes(-6) }), secret],
    ['a time in six minutes', () => signed({ timestamp: minutes(6) }), secret],
    ['no time', () => ({ ...signed(), 'webhook-timestamp': 'now' }), secret],
    ['no signature', () => ({ ...signed(), 'webhook-signature': undefined }), secret],
    [
      'a signature of another scheme',
      () => ({ ...signed(), 'webhook-signature': 'v2,abcd' }),
      secret,
    ],
    [
      'a signature that is no base64',
      () => ({ ...signed(), 'webhook-signature': 'v1,§§' }),
      secret,
    ],
    ['an empty signature', () => ({ ...signed(), 'webhook-signature': 'v1,' }), secret],
    ['no headers', () => ({}), secret],
    ['a secret that is none', () => signed(), 'whsec_§'],
    ['an empty secret', () => signed(), ''],
    ['no secret', () => signed(), undefined as never],
  ] as const;
  for (const [name, headersNow, own] of refused)
    it(`rejects ${name}`, async () => {
      const error: unknown = await webhooks
        .unwrap(body, headersNow(), own)
        .catch((error: unknown) => error);
      expect(error).to.be.instanceOf(WrongCallbackError);
      expect((error as Error).message).to.not.contain('whsec_one');
    });
});
