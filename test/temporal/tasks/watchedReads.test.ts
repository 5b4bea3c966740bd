import type { Client, Connection } from '@temporalio/client';
import { expect } from 'chai';
import { getEventListeners, once } from 'node:events';
import { createServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { connectClient, createClient } from '../../../src/temporal/connection.ts';
import { createTemporalCalls } from '../../../src/temporal/tasks/temporalCalls.ts';
import { createEndWaiter } from '../../../src/temporal/tasks/openTaskCache.ts';
import { collectGarbage } from '../../helpers/collectGarbage.ts';
import { until } from '../../helpers/until.ts';

const READS = 500;
const POLL_MS = 10_000;
const GONE_WITHIN_MS = 20_000;

/** A gRPC server on which a test answers each call. */
async function startGrpcServer(onCall: (stream: ServerHttp2Stream) => void) {
  const server = createServer();
  server.on('stream', onCall);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void server.close(),
  };
}

/** Answers with an empty message: for a poll, that is a history without another page. */
function answerEmpty(stream: ServerHttp2Stream): void {
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.end(Buffer.alloc(5));
}

describe('reads that wait for the end of a task', function () {
  this.timeout(60_000);
  const resources = new AsyncDisposableStack();
  after(() => resources.disposeAsync());

  async function connectTo(onCall: (stream: ServerHttp2Stream) => void): Promise<Client> {
    const server = resources.adopt(await startGrpcServer(onCall), (started) => started.close());
    const endpoint = { embeddedAddress: server.address, environment: {} };
    const connection = resources.adopt(connectClient(endpoint), (opened) => opened.close());
    return createClient(connection, 'test');
  }

  /** Notes each signal that the SDK gets, without keeping it. */
  function noteSignals(connection: Connection): WeakRef<AbortSignal>[] {
    const noted: WeakRef<AbortSignal>[] = [];
    const call = connection.withAbortSignal.bind(connection);
    connection.withAbortSignal = (signal, work) => {
      noted.push(new WeakRef(signal));
      return call(signal, work);
    };
    return noted;
  }

  it(`leave nothing at the closing signal, which after ${READS} reads has as many listeners as before`, async () => {
    const client = await connectTo(answerEmpty);
    const closing = new AbortController();
    const waitForEnd = createEndWaiter(createTemporalCalls(client), closing.signal);
    await waitForEnd('task', POLL_MS); // the channel keeps the context of the call that opens it
    const signals = noteSignals(client.connection as Connection);
    const listeners = () => getEventListeners(closing.signal, 'abort').length;
    const before = listeners();
    for (let read = 0; read < READS; read++)
      await waitForEnd('task', POLL_MS, new AbortController().signal);
    expect(listeners()).to.equal(before);
    expect(signals).to.have.length(READS);
    // a listener can also hide at a signal that depends on the closing one, which keeps both
    const areGone = () => {
      collectGarbage();
      return signals.every((signal) => signal.deref() === undefined);
    };
    await until('the end of all signals that the SDK got', areGone, GONE_WITHIN_MS);
    expect(closing.signal.aborted).to.equal(false);
  });

  for (const [name, abort] of [
    ['closing', 0],
    ['own', 1],
  ] as const)
    it(`end when the ${name} signal aborts, and then start no poll`, async () => {
      const streams: ServerHttp2Stream[] = [];
      const client = await connectTo((stream) => streams.push(stream));
      const controllers = [new AbortController(), new AbortController()] as const;
      const [closing, own] = controllers;
      const waitForEnd = createEndWaiter(createTemporalCalls(client), closing.signal);
      const ended = waitForEnd('task', POLL_MS, own.signal).catch((error: unknown) => error);
      const stream = await until('the poll', () => streams[0]);
      const closed = once(stream, 'close');
      const reason = new Error('enough');
      controllers[abort].abort(reason);
      expect(await ended)
        .to.be.an('error')
        .with.property('message')
        .that.matches(/cancelled/i);
      await closed;
      const again = waitForEnd('task', POLL_MS, own.signal).catch((error: unknown) => error);
      expect(await again).to.equal(reason);
      expect(streams).to.have.length(1);
    });
});
