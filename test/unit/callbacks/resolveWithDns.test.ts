import { expect } from 'chai';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { resolveWithDns } from '../../../src/callbacks/resolveWithDns.ts';

const [A, AAAA] = [1, 28];
const [NO_ERROR, NAME_ERROR] = [0, 3];

/**
 * A real DNS server on loopback (RFC 1035, 4.1): knows these addresses for every name; null: it
 * never answers.
 */
async function startNameServer(addresses: string[] | null) {
  const socket = createSocket('udp4', (query, { port, address }) => {
    if (addresses) socket.send(answerTo(query, addresses), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { server: `127.0.0.1:${socket.address().port}`, [Symbol.dispose]: () => socket.close() };
}

function answerTo(query: Buffer, addresses: string[]): Buffer {
  const endOfQuestion = query.indexOf(0, 12) + 5;
  const type = query.readUInt16BE(endOfQuestion - 4);
  const records = addresses
    .filter((address) => (isIPv6(address) ? AAAA : A) === type)
    .map((address) => recordOf(type, bytesOf(address)));
  const code = addresses.length === 0 ? NAME_ERROR : NO_ERROR;
  const header = [query.readUInt16BE(0), 0x8180 | code, 1, records.length, 0, 0];
  return Buffer.concat([
    Buffer.from(Uint16Array.from(header).buffer).swap16(),
    query.subarray(12, endOfQuestion),
    ...records,
  ]);
}

/** Name by pointer to the question, type, class IN, a time to live of 0, data. */
function recordOf(type: number, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]), data]);
}

function bytesOf(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail = ''] = address.split('::').map((part) =>
    part
      .split(':')
      .map((g) => g && g.padStart(4, '0'))
      .join(''),
  );
  return Buffer.from(head + '0'.repeat(32 - head.length - tail.length) + tail, 'hex');
}

describe('resolveWithDns', () => {
  const codeOf = (promise: Promise<unknown>) =>
    promise.then(
      () => expect.fail('did resolve'),
      (error: unknown) => (error as NodeJS.ErrnoException).code,
    );

  for (const addresses of [['192.0.2.1', '192.0.2.2', '2001:db8::1'], ['192.0.2.1'], ['::1']])
    it(`finds every address of a name that has ${addresses.join(' and ')}`, async () => {
      using dns = await startNameServer(addresses);
      expect(await resolveWithDns('hooks.example.com', [dns.server])).to.deep.equal(addresses);
    });

  it('fails for a name that does not exist', async () => {
    using dns = await startNameServer([]);
    expect(await codeOf(resolveWithDns('hooks.example.com', [dns.server]))).to.equal('ENOTFOUND');
  });
});
