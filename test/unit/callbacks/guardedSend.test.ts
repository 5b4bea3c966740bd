import { expect } from 'chai';
import type { RequestListener } from 'node:http';
import { ipHostRefusal, urlRefusals } from '../../../src/callbacks/callbackPolicy.ts';
import { INTERIM_FLOOD_PROBLEM, TIMEOUT_PROBLEM } from '../../../src/callbacks/guardedConnect.ts';
import { createGuardedSender } from '../../../src/callbacks/guardedSend.ts';
import type { GuardedSendOptions } from '../../../src/callbacks/guardedSend.ts';
import type { DomainError } from '../../../src/errors.ts';
import { createAuthority } from '../../helpers/certificates.ts';
import type { Authority, Certificate } from '../../helpers/certificates.ts';
import { startReceiver } from './receiver.ts';

const host = 'forge.example.com';
const never = new AbortController().signal;

describe('createGuardedSender()', () => {
  let authority: Authority;
  let certificate: Certificate;
  /** The guard as it is, but that loopback, where the receivers are, counts as public. */
  const sending = (options: Partial<GuardedSendOptions> = {}) => {
    const sender = createGuardedSender({
      allowPrivate: false,
      ownHosts: ['own.example.com'],
      ca: authority.ca,
      resolve: () => Promise.resolve(['127.0.0.1']),
      isAllowedAddress: (address) => address === '127.0.0.1',
      ...options,
    });
    return { ...sender, [Symbol.asyncDispose]: () => sender.close() };
  };
  const failure = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => expect.fail('was answered'),
      (thrown: unknown) => thrown as DomainError,
    );
    expect(error).to.include({ name: 'DomainError', code: 'UNAVAILABLE' });
    expect(`${error.message} ${String(error.cause)}`).to.not.include('hidden');
    return error;
  };
  const receive = (answer: RequestListener) => startReceiver(certificate, answer);
  const urlOf = ({ port }: { port: number }) => `https://${host}:${port}/a?token=hidden`;

  before(async () => {
    authority = await createAuthority();
    certificate = await authority.issue({ dns: [host] });
  });

  it('sends method, header fields and body, and returns status, header fields and body', async () => {
    await using receiver = await receive((_, response) => {
      response.writeHead(201, [
        ['link', '<a>'],
        ['link', '<b>'],
      ]);
      response.end('made');
    });
    await using sender = sending();
    const answer = await sender.send(
      { url: urlOf(receiver), method: 'POST', headers: { accept: 'a/b' }, body: 'x' },
      never,
    );
    expect(answer.status).to.equal(201);
    expect(answer.headers['link']).to.equal('<a>, <b>');
    expect(answer.body.toString()).to.equal('made');
    const [{ method, path, body, headers }] = receiver.received as [(typeof receiver.received)[0]];
    expect({ method, path, body, accept: headers.accept }).to.deep.equal({
      method: 'POST',
      path: '/a?token=hidden',
      body: 'x',
      accept: 'a/b',
    });
  });

  for (const code of [301, 302, 303, 307, 308])
    it(`returns ${code} and does not follow it`, async () => {
      await using target = await receive((_, response) => response.end());
      await using receiver = await receive((_, response) =>
        response.writeHead(code, { location: urlOf(target) }).end(),
      );
      await using sender = sending();
      expect((await sender.send({ url: urlOf(receiver) }, never)).status).to.equal(code);
      expect(target.connections).to.have.length(0);
    });

  it('reads no more of an endless body than its limit', async () => {
    await using receiver = await receive((_, response) => {
      const more = () =>
        void (response.write('x'.repeat(65_536))
          ? setImmediate(more)
          : response.once('drain', more));
      more();
    });
    await using sender = sending({ bytes: 100_000 });
    const { body } = await sender.send({ url: urlOf(receiver) }, never);
    expect(body).to.have.length(100_000);
  });

  for (const [what, answer] of [
    ['answers nothing', () => {}],
    ['sends a body that does not end', (_, response) => void response.write('a')],
  ] as [string, RequestListener][])
    it(`fails when a server ${what} within the deadline`, async () => {
      await using receiver = await receive(answer);
      await using sender = sending({ deadlineMs: 300 });
      const error = await failure(sender.send({ url: urlOf(receiver) }, never));
      expect(error.message).to.include(`https://${host}:${receiver.port} ${TIMEOUT_PROBLEM}`);
      expect(error.retryable).to.equal(true);
    });

  for (const [url, reason] of [
    [`http://${host}/hidden`, urlRefusals.scheme],
    ['https://10.0.0.1/hidden', ipHostRefusal('10.0.0.1')],
    ['https://[::1]/hidden', ipHostRefusal('::1')],
    ['https://0x7f.1/hidden', ipHostRefusal('127.0.0.1')],
    ['https://own.example.com/hidden', urlRefusals.ownHost],
    ['https://localhost/hidden', urlRefusals.internalHost],
    [`https://hidden:hidden@${host}/`, urlRefusals.credentials],
  ] as const)
    it(`refuses ${url} permanently`, async () => {
      await using sender = sending({ isAllowedAddress: () => false });
      const error = await failure(sender.send({ url }, never));
      expect(error.message).to.match(new RegExp(` https?://[^ /]+ .*: ${reason}$`));
      expect(error.retryable).to.equal(false);
    });

  for (const [addresses, reason] of [
    [['10.0.0.1'], urlRefusals.privateAddress],
    [['127.0.0.1', '169.254.169.254'], urlRefusals.privateAddress],
    [[], urlRefusals.noAddress],
  ] as [string[], string][])
    it(`connects to no name with the addresses ${addresses.join(' and ') || '(none)'}`, async () => {
      await using receiver = await receive((_, response) => response.end());
      await using sender = sending({ resolve: () => Promise.resolve(addresses) });
      const error = await failure(sender.send({ url: urlOf(receiver) }, never));
      expect(error.message).to.match(new RegExp(`failed: ${reason}$`));
      expect(error.retryable).to.equal(false);
      expect(receiver.connections).to.have.length(0);
    });

  it('names the code of a refused connection, and can be tried again', async () => {
    const { port } = await receive(() => {}).then(async (receiver) => {
      await receiver[Symbol.asyncDispose]();
      return receiver;
    });
    await using sender = sending();
    const error = await failure(sender.send({ url: urlOf({ port }) }, never));
    expect(error.message).to.match(/failed: ECONNREFUSED$/);
    expect(error.retryable).to.equal(true);
  });

  it('rejects the certificate of another name', async () => {
    const other = await authority.issue({ dns: ['other.example.com'] });
    await using receiver = await startReceiver(other, (_, response) => response.end());
    await using sender = sending();
    const error = await failure(sender.send({ url: urlOf(receiver) }, never));
    expect(error.message).to.match(/ERR_TLS_CERT_ALTNAME_INVALID$/);
    expect(receiver.received).to.deep.equal([]);
  });

  it('ends a request whose server sends many interim responses', async () => {
    let count = 5;
    await using receiver = await receive((_, response) => {
      for (let i = 0; i < count; i++) response.writeProcessing();
      response.end('a');
    });
    await using sender = sending();
    expect((await sender.send({ url: urlOf(receiver) }, never)).body.toString()).to.equal('a');
    count = 25;
    const error = await failure(sender.send({ url: urlOf(receiver) }, never));
    expect(error.message).to.match(new RegExp(`failed: ${INTERIM_FLOOD_PROBLEM}$`));
  });

  it('offers no cipher suite with a group that the server chooses, such as one of 10,000 bits', async () => {
    const ofRsa = await authority.issue({ dns: [host] }, { isRsa: true });
    const answer: RequestListener = (_, response) => response.end();
    const startWith = (ciphers: string) =>
      startReceiver(ofRsa, answer, { ciphers, dhparam: 'auto', maxVersion: 'TLSv1.2' });
    await using sender = sending();
    await using usual = await startWith('ECDHE-RSA-AES128-GCM-SHA256');
    expect((await sender.send({ url: urlOf(usual) }, never)).status).to.equal(200);
    await using receiver = await startWith('DHE-RSA-AES128-GCM-SHA256');
    const error = await failure(sender.send({ url: urlOf(receiver) }, never));
    expect(error.message).to.match(/SSL|TLS/);
    expect(receiver.received).to.deep.equal([]);
  });

  it('rejects a header field with a line break, and does not repeat it', async () => {
    await using sender = sending();
    const headers = { authorization: 'token hidden\r\nx: y' };
    await failure(sender.send({ url: `https://${host}:1/`, headers }, never));
  });
});
