import { expect } from 'chai';
import fc from 'fast-check';
import type { IncomingMessage } from 'node:http';
import { clientIpAddress, readProxies } from '../../src/trustedProxies.ts';

/** The client of a request that came from an address, with that `X-Forwarded-For`. */
const clientOf = (from: string | undefined, forwarded: string | undefined, proxies: string) => {
  const request = { socket: { remoteAddress: from }, headers: { 'x-forwarded-for': forwarded } };
  return clientIpAddress(request as unknown as IncomingMessage, readProxies(proxies));
};

describe('clientIpAddress(request, proxies)', () => {
  const proxies = '10.0.0.0/8, 192.0.2.1, ::1, fd00::/8';

  for (const [what, from, forwarded, client] of [
    ['nothing is forwarded', '203.0.113.1', undefined, '203.0.113.1'],
    ['a client forges the header', '203.0.113.1', '198.51.100.1', '203.0.113.1'],
    ["a client claims a proxy's address", '203.0.113.1', '10.0.0.1', '203.0.113.1'],
    ['a proxy names the client', '10.0.0.1', '203.0.113.1', '203.0.113.1'],
    [
      'a proxy adds to what a client forged',
      '10.0.0.1',
      '198.51.100.1, 203.0.113.1',
      '203.0.113.1',
    ],
    ['two proxies add', '10.0.0.1', '198.51.100.1,203.0.113.1 ,\t192.0.2.1', '203.0.113.1'],
    [
      'two proxies add to a forged proxy',
      '10.0.0.1',
      '10.0.0.7, 203.0.113.1, fd00::7',
      '203.0.113.1',
    ],
    ['a proxy itself asks', '10.0.0.1', undefined, '10.0.0.1'],
    ['a proxy asks through another one', '10.0.0.1', '10.0.0.2', '10.0.0.2'],
    ['a proxy forwards nothing', '10.0.0.1', '', '10.0.0.1'],
    ['items are empty', '10.0.0.1', ', 203.0.113.1, ,', '203.0.113.1'],
    ['a proxy names a word', '10.0.0.1', '203.0.113.1, unknown', '10.0.0.1'],
    ['the second proxy names a word', '10.0.0.1', '203.0.113.1, _hidden, 10.0.0.2', '10.0.0.2'],
    ['a client forges a word', '10.0.0.1', 'unknown, 203.0.113.1', '203.0.113.1'],
    ['the port is named', '10.0.0.1', '203.0.113.1:4711', '203.0.113.1'],
    ['IPv6 is in brackets', '::1', '[2001:db8::7]', '2001:db8::7'],
    ['IPv6 is in brackets with a port', '::1', '[2001:DB8:0::0:7]:4711', '2001:db8::7'],
    ['a port is no number', '10.0.0.1', '203.0.113.1:x', '10.0.0.1'],
    ['the connection is mapped', '::ffff:10.0.0.1', '203.0.113.1', '203.0.113.1'],
    ['the mapped connection is no proxy', '::ffff:203.0.113.1', '198.51.100.1', '203.0.113.1'],
    ['the named client is mapped', '10.0.0.1', '::ffff:203.0.113.1', '203.0.113.1'],
    ['the named client is mapped in hexadecimal', '10.0.0.1', '::ffff:cb00:7101', '203.0.113.1'],
    ['a named proxy is mapped', '10.0.0.1', '203.0.113.1, ::ffff:10.0.0.2', '203.0.113.1'],
    ['an address is octal', '10.0.0.1', '0313.0.0161.1', '10.0.0.1'],
    ['an address is a number', '10.0.0.1', '3405803777', '10.0.0.1'],
    ['an address is quoted', '10.0.0.1', '"203.0.113.1"', '10.0.0.1'],
    ['the client has a zone', '10.0.0.1', 'fe80::7%eth0', 'fe80::7'],
    ['the zone is that of a bridge', '10.0.0.1', 'fe80::7%br-1a2b', 'fe80::7'],
    ['the connection has a zone', 'fe80::7%br-1a.2b', '203.0.113.1', 'fe80::7'],
    ['a zone is in brackets', '10.0.0.1', '[fe80::7%br-1]:80', 'fe80::7'],
    ['IPv4 has a zone', '10.0.0.1', '203.0.113.1%eth0', '10.0.0.1'],
    ['the connection is gone', undefined, '203.0.113.1', ''],
  ] as const)
    it(`finds ${client || 'nobody'} if ${what}`, () => {
      expect(clientOf(from, forwarded, proxies)).to.equal(client);
    });

  it('returns the address before the last trusted proxy, whatever a client wrote before', () => {
    const believed = fc.constantFrom(
      '10.1.2.3',
      '192.0.2.1',
      'fd00::9',
      '::ffff:10.9.9.9',
      '10.0.0.2:80',
      '[::1]:8080',
    );
    const client = fc.ipV4().filter((address) => !/^(10\.|192\.0\.2\.1$)/.test(address));
    const forged = fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), believed, fc.string({ maxLength: 40 })));
    fc.assert(
      fc.property(forged, client, fc.array(believed), (before, address, chain) => {
        expect(clientOf('10.0.0.1', [...before, address, ...chain].join(', '), proxies)).to.equal(
          address,
        );
        expect(clientOf(address, [...before, ...chain].join(', '), proxies)).to.equal(address);
      }),
    );
  });

  it('reads a header of the largest size quickly', () => {
    const forwarded = '10.0.0.1,'.repeat(1_800);
    expect(clientOf('10.0.0.1', forwarded, proxies)).to.equal('10.0.0.1');
  });
});

describe('readProxies(text)', () => {
  for (const [text, inside, outside] of [
    ['127.0.0.1', '127.0.0.1', '127.0.0.2'],
    ['10.1.2.3/8', '10.255.255.255', '11.0.0.0'],
    [' ::1 ,fd00::/8,', 'fdff::1', 'fe00::1'],
    ['::ffff:10.0.0.0/104', '10.9.9.9', '11.0.0.1'],
    ['::ffff:192.0.2.1', '192.0.2.1', '192.0.2.2'],
    ['128.0.0.0/1', '200.0.0.1', '100.0.0.1'],
  ] as const)
    it(`reads ${text} as a list with ${inside} and without ${outside}`, () => {
      expect(clientOf(inside, '203.0.113.9', text)).to.equal('203.0.113.9');
      expect(clientOf(outside, '203.0.113.9', text)).to.equal(outside);
    });

  for (const text of [
    'true',
    'false',
    '1',
    'localhost',
    'loopback',
    '*',
    ',',
    ' ',
    '127.0.0.1 ::1',
    '127.0.0.1;::1',
  ])
    it(`rejects ${JSON.stringify(text)}`, () => expect(() => readProxies(text)).to.throw());

  const wrongRanges = [
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0.0/255.0.0.0',
    '10/8',
    '::/129',
  ];
  for (const text of [
    ...wrongRanges,
    '010.0.0.1',
    '0x7f.1',
    '127.1',
    '[::1]',
    '10.0.0.1:80',
    '10.0.0.1-10.0.0.9',
  ])
    it(`rejects ${text}`, () => expect(() => readProxies(text)).to.throw());

  for (const text of ['0.0.0.0/0', '::/0', '10.0.0.1/0', '::ffff:0.0.0.0/96', '127.0.0.1, ::/0'])
    it(`rejects ${text}, which would trust every client`, () =>
      expect(() => readProxies(text)).to.throw());
});
