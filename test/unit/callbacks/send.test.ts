import { expect } from 'chai';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { isPublicAddress } from '../../../src/callbacks/publicAddresses.ts';
import { checkCallbackUrl, urlRefusals } from '../../../src/callbacks/callbackPolicy.ts';
import { CLOSING_REASON, createCallbackSender } from '../../../src/callbacks/callbackSender.ts';
import type { CallbackSenderOptions } from '../../../src/callbacks/callbackSender.ts';
import { TIMEOUT_PROBLEM } from '../../../src/callbacks/guardedConnect.ts';
import type { DomainError } from '../../../src/errors.ts';
import { createAuthority } from '../../helpers/certificates.ts';
import type { Authority, Certificate } from '../../helpers/certificates.ts';
import { startReceiver } from './receiver.ts';

const host = 'hooks.example.com';
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
/** A getter, since signatures are valid for five minutes only and a whole test run takes longer. */
const message = {
  body: '{"taskId":"bg-1","status":"succeeded"}',
  webhookId: 'bg-1',
  secrets: [secret],
  get timestamp() {
    return new Date();
  },
};
const toReceiver = (port: number, path = '/hook?token=hidden') => ({
  ...message,
  url: `https://${host}:${port}${path}`,
});
const status =
  (code: number, headers = {}): RequestListener =>
  (_, response) =>
    response.writeHead(code, headers).end();

describe('createCallbackSender', () => {
  let authority: Authority;
  let certificate: Certificate;
  /** The guard as it is, but that loopback, where the receivers are, counts as public. */
  const sender = (options: Partial<CallbackSenderOptions> = {}) =>
    createCallbackSender({
      allowPrivate: false,
      ownHosts: [],
      ca: authority.ca,
      resolve: () => Promise.resolve(['127.0.0.1']),
      isAllowedAddress: (address) => address === '127.0.0.1',
      ...options,
    });
  const receive = (answer: RequestListener) => startReceiver(certificate, answer);
  const failure = (sending: Promise<unknown>) =>
    sending.then(
      () => expect.fail('was acknowledged'),
      (error: unknown) => error as DomainError,
    );
  const expectFailure = async (sending: Promise<unknown>, pattern: RegExp) => {
    const error = await failure(sending);
    expect(error).to.include({ name: 'DomainError', code: 'CALLBACK_FAILED', retryable: true });
    expect(error.message).to.match(pattern).and.include(`https://${host}`);
    expect(error.message).to.not.include('hidden');
    return error;
  };

  before(async () => {
    authority = await createAuthority();
    certificate = await authority.issue({ dns: [host] });
  });

  it('POSTs the body as it is, signed so that the Standard Webhooks library verifies it', async () => {
    await using receiver = await receive(status(200));
    await sender().send(toReceiver(receiver.port));
    const [{ method, path, headers, body }] = receiver.received as [(typeof receiver.received)[0]];
    expect({ method, path, body }).to.deep.equal({
      method: 'POST',
      path: '/hook?token=hidden',
      body: message.body,
    });
    expect(headers).to.include({ 'content-type': 'application/json', 'webhook-id': 'bg-1' });
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).to.deep.equal(
      JSON.parse(message.body),
    );
  });

  for (const code of [200, 201, 202, 204, 299])
    it(`accepts ${code} as an acknowledgement`, async () => {
      await using receiver = await receive(status(code));
      await sender().send(toReceiver(receiver.port));
    });

  for (const code of [400, 401, 404, 410, 429, 500, 503])
    it(`fails on ${code}, and names it`, async () => {
      await using receiver = await receive(status(code));
      const pattern = new RegExp(`https://${host}:${receiver.port} .*\\bstatus ${code}\\b`);
      const error = await expectFailure(sender().send(toReceiver(receiver.port)), pattern);
      expect(error.details).to.deep.equal({ status: code });
    });

  for (const code of [301, 302, 303, 307, 308])
    it(`does not follow ${code}`, async () => {
      await using target = await receive(status(200));
      await using receiver = await receive(
        status(code, { location: `https://${host}:${target.port}/` }),
      );
      await expectFailure(sender().send(toReceiver(receiver.port)), new RegExp(`status ${code}`));
      expect(target.connections).to.have.length(0);
    });

  it('does not read the body of an answer, and leaves no connection open', async () => {
    await using receiver = await receive((_, response) => {
      response.writeHead(200);
      const more = () =>
        void (response.write('x'.repeat(65_536))
          ? setImmediate(more)
          : response.once('drain', more));
      more();
    });
    await sender().send(toReceiver(receiver.port));
    const [socket] = receiver.connections as [Socket];
    if (!socket.closed) await once(socket, 'close');
    expect(socket.bytesWritten).to.be.below(20_000_000);
  });

  describe('within its deadline', () => {
    const slow = () => sender({ deadlineMs: 300 });
    const expectTimeout = async (send: () => Promise<unknown>) => {
      const began = performance.now();
      await expectFailure(send(), new RegExp(`${TIMEOUT_PROBLEM}$`));
      expect(performance.now() - began).to.be.above(250);
    };

    it('gives up on a receiver that hangs', async () => {
      await using receiver = await receive(() => {});
      await expectTimeout(() => slow().send(toReceiver(receiver.port)));
    });

    it('gives up on a receiver whose header drips', async () => {
      await using receiver = await receive((request) => {
        request.socket.write('HTTP/1.1 200 OK\r\nx: ');
        const timer = setInterval(() => request.socket.write('x'), 20);
        request.socket.on('close', () => clearInterval(timer));
      });
      await expectTimeout(() => slow().send(toReceiver(receiver.port)));
    });

    it('gives up on a TLS handshake that never ends, and closes that connection', async () => {
      const sockets: Socket[] = [];
      const server = createServer((socket) => void sockets.push(socket.resume())).listen(
        0,
        '127.0.0.1',
      );
      await once(server, 'listening');
      await expectTimeout(() => slow().send(toReceiver((server.address() as AddressInfo).port)));
      if (!sockets[0]!.closed) await once(sockets[0]!, 'close');
      server.close();
    });

    it('gives up on a name server that never answers', async () => {
      await using receiver = await receive(status(200));
      const resolve = () => new Promise<string[]>(() => {});
      await expectTimeout(() =>
        sender({ deadlineMs: 300, resolve }).send(toReceiver(receiver.port)),
      );
      expect(receiver.connections).to.have.length(0);
    });
  });

  describe('names the reason when', () => {
    it('the connection is reset', async () => {
      await using receiver = await receive(
        (request) => void receiverSocket(request.socket).resetAndDestroy(),
      );
      await expectFailure(
        sender().send(toReceiver(receiver.port)),
        /failed: (ECONNRESET|other side closed)$/,
      );
    });

    it('the certificate is for another name', async () => {
      certificate = await authority.issue({ dns: ['other.example.com'], ip: ['127.0.0.1'] });
      await using receiver = await receive(status(200));
      await expectFailure(
        sender().send(toReceiver(receiver.port)),
        /failed: ERR_TLS_CERT_ALTNAME_INVALID$/,
      );
      expect(receiver.received).to.have.length(0);
    });

    it('the certificate is of an unknown authority', async () => {
      certificate = await (await createAuthority()).issue({ dns: [host] });
      await using receiver = await receive(status(200));
      await expectFailure(
        sender().send(toReceiver(receiver.port)),
        /failed: \w*(SIGNATURE|ISSUER|VERIFY)\w*$/,
      );
      expect(receiver.received).to.have.length(0);
    });

    it('the name does not resolve', async () => {
      const resolve = () =>
        Promise.reject(Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' }));
      await expectFailure(sender({ resolve }).send(toReceiver(443)), /failed: ENOTFOUND$/);
    });

    afterEach(async () => {
      certificate = await authority.issue({ dns: [host] });
    });
  });

  describe('dials nothing when', () => {
    it('the name led to a public address when the task was created, and leads to a private one now', async () => {
      await using receiver = await receive(status(200));
      const answers = [['93.184.215.14'], ['127.0.0.1']];
      const resolve = () => Promise.resolve(answers.shift()!);
      const { url } = toReceiver(receiver.port);
      await checkCallbackUrl(url, { allowPrivate: false, ownHosts: [], resolve });
      const sending = sender({ isAllowedAddress: isPublicAddress, resolve }).send({
        ...message,
        url,
      });
      await expectFailure(sending, new RegExp(`failed: ${urlRefusals.privateAddress}$`));
      expect(receiver.connections).to.have.length(0);
    });

    it('only one of the addresses of the name is private', async () => {
      await using receiver = await receive(status(200));
      const resolve = () => Promise.resolve(['127.0.0.1', '10.0.0.1']);
      await expectFailure(
        sender({ resolve }).send(toReceiver(receiver.port)),
        new RegExp(`${urlRefusals.privateAddress}$`),
      );
      expect(receiver.connections).to.have.length(0);
    });

    it('the URL itself is not allowed', async () => {
      await using receiver = await receive(status(200));
      for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', '2130706433', 'localhost']) {
        const url = `https://${host}:${receiver.port}/?token=hidden`;
        const error = await failure(
          sender({ isAllowedAddress: isPublicAddress }).send({ ...message, url }),
        );
        expect(error).to.include({ code: 'CALLBACK_FAILED', retryable: false });
        expect(error.message).to.not.include('hidden');
      }
      expect(receiver.connections).to.have.length(0);
    });
  });

  it('dials the address that it has checked, and presents the name without its trailing dot', async () => {
    await using receiver = await receive(status(200));
    const asked: string[] = [];
    const resolve = (name: string) => Promise.resolve((asked.push(name), ['127.0.0.1']));
    await sender({ resolve }).send({ ...message, url: `https://${host}.:${receiver.port}/` });
    expect(asked).to.deep.equal([host]);
    expect(receiver.received[0]!.headers.host).to.equal(`${host}:${receiver.port}`);
  });

  it('lets local tests reach localhost by plain http', async () => {
    const { createServer: createHttpServer } = await import('node:http');
    const server = createHttpServer(status(200)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    for (const name of ['localhost', '127.0.0.1'])
      await createCallbackSender({ allowPrivate: true, ownHosts: ['localhost'] }).send({
        ...message,
        url: `http://${name}:${port}/`,
      });
    server.close();
  });

  it("ends with the signal's own reason when it is cancelled", async () => {
    await using receiver = await receive(() => cancel.abort(reason));
    const cancel = new AbortController();
    const reason = new Error('activity cancelled');
    expect(await failure(sender().send(toReceiver(receiver.port), cancel.signal))).to.equal(reason);
  });

  it('fails running calls as retryable when it is closed', async () => {
    const closing = sender();
    await using receiver = await receive(() => closing.close());
    await expectFailure(
      closing.send(toReceiver(receiver.port)),
      new RegExp(`failed: ${CLOSING_REASON}$`),
    );
  });
});

/** The TCP socket below a TLS socket: only that one can be reset. */
function receiverSocket(socket: Socket): Socket {
  return (socket as Socket & { _parent: Socket | null })._parent ?? socket;
}
