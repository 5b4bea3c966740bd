import { type Attack, create, get, next, post, read, request, tasks } from './attack.ts';

const json = 'Content-Type: application/json';
const chunked = (...lines: string[]) =>
  post([json, 'Transfer-Encoding: chunked'], lines.join('\r\n'));

/**
 * Where one message ends and the next begins: a server that disagrees with its proxy lets requests
 * be smuggled. If a body turns out wrong during its request, the connection closes unanswered: a
 * proxy could mistake the answer for another's.
 */
export const framing: Attack[] = [
  [
    'Content-Length and Transfer-Encoding',
    post([json, 'Content-Length: 5', 'Transfer-Encoding: chunked'], `0\r\n\r\n${next}`),
    400,
  ],
  [
    'Transfer-Encoding and Content-Length',
    post([json, 'Transfer-Encoding: chunked', 'Content-Length: 5'], `0\r\n\r\n${next}`),
    400,
  ],
  [
    'two different Content-Lengths',
    post([json, 'Content-Length: 2', 'Content-Length: 9'], `{}${next}`),
    400,
  ],
  [
    'the same Content-Length twice',
    post([json, 'Content-Length: 2', 'Content-Length: 2'], `{}${next}`),
    400,
  ],
  ['a list of Content-Lengths', post([json, 'Content-Length: 2, 2'], `{}${next}`), 400],
  ['a negative Content-Length', post([json, 'Content-Length: -1'], `{}${next}`), 400],
  ['Content-Length with a sign', post([json, 'Content-Length: +2'], `{}${next}`), 400],
  ['Content-Length in hexadecimal', post([json, 'Content-Length: 0x2'], `{}${next}`), 400],
  ['Content-Length with a space in it', post([json, 'Content-Length: 2 0'], `{}${next}`), 400],
  ['an empty Content-Length', post([json, 'Content-Length: '], `{}${next}`), 400],
  [
    'a Content-Length over 64 bits',
    post([json, 'Content-Length: 99999999999999999999'], '{}'),
    400,
  ],
  [
    'a coding after chunked',
    post([json, 'Transfer-Encoding: chunked, identity'], `0\r\n\r\n${next}`),
    400,
  ],
  ['a coding that is none', post([json, 'Transfer-Encoding: xchunked'], `0\r\n\r\n${next}`)],
  [
    'chunked twice',
    post([json, 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'], `0\r\n\r\n`),
    400,
  ],
  [
    'a vertical tab before chunked',
    post([json, 'Transfer-Encoding: \x0bchunked'], `0\r\n\r\n${next}`),
    400,
  ],
  [
    'a space before the colon',
    post([json, 'Transfer-Encoding : chunked'], `0\r\n\r\n${next}`),
    400,
  ],
  ['a chunk extension', chunked('2;a="b"', '{}', '0', '', ''), 400],
  ['a chunk extension of 20 KB', chunked(`2;a=${'x'.repeat(20_000)}`, '{}', '0', '', '')],
  ['a chunk size over 64 bits', chunked('fffffffffffffffff', '{}', '0', '', '')],
  ['a negative chunk size', chunked('-2', '{}', '0', '', '')],
  ['a chunk size with a prefix', chunked('0x2', '{}', '0', '', '')],
  ['a chunk that is longer than it says', chunked('1', '{}', '0', '', '')],
  ['a bare LF after a chunk size', chunked('2\n{}', '0', '', '')],
  [
    'trailers that say how long the body is',
    chunked('2', '{}', '0', 'Content-Length: 50', 'Host: evil', '', ''),
  ],
  [
    'a body of GET that looks like a request',
    () => request('GET', '/healthz', ['Host: localhost', `Content-Length: ${next.length}`], next),
    200,
  ],
  ['bare LFs', () => 'GET /healthz HTTP/1.1\nHost: localhost\nConnection: close\n\n', 400],
  ['a bare CR in a field', () => get('/healthz', 'X: a\rHost: evil'), 400],
  ['a folded field', () => get('/healthz', 'X: a', ' b'), 400],
  ['a folded Host', () => request('GET', '/healthz', ['Host:', ' evil.example.com']), 400],
  [
    'a space before the first field',
    () => 'GET /healthz HTTP/1.1\r\n Host: localhost\r\n\r\n',
    400,
  ],
  ['a NUL in a field', () => get('/healthz', 'X: a\0b'), 400],
  ['a NUL in a field name', () => get('/healthz', 'X\0: a'), 400],
  ['a field without a colon', () => get('/healthz', 'nonsense'), 400],
  ['a field without a name', () => get('/healthz', ': x'), 400],
  ['a field name with a space in it', () => get('/healthz', 'X Y: z'), 400],
  ['fields of 20 KB', () => get('/healthz', `X: ${'x'.repeat(20_000)}`), 431],
  ['3000 fields', () => get('/healthz', ...Array<string>(3_000).fill('X: y')), 431],
  ['HTTP/0.9', () => 'GET /healthz\r\n\r\n', 400],
  ['the preface of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['HTTP/1.2', () => 'GET /healthz HTTP/1.2\r\nHost: localhost\r\nConnection: close\r\n\r\n', 400],
  ['HTTP/9.9', () => 'GET /healthz HTTP/9.9\r\nHost: localhost\r\n\r\n', 400],
  ['a small-lettered version', () => 'GET /healthz http/1.1\r\nHost: localhost\r\n\r\n', 400],
  ['a TLS client', () => Buffer.from('16030100c8010000c40303', 'hex'), 400],
  [
    'bytes of chance',
    () => Buffer.from(Array.from({ length: 4_000 }, (_, n) => (n * 7919) % 256)),
    400,
  ],
  ['a method that nobody knows', () => request('FOO', '/healthz', ['Host: localhost']), 400],
  ['a method in small letters', () => request('get', '/healthz', ['Host: localhost']), 400],
  ['CONNECT', () => request('CONNECT', 'localhost:22', ['Host: localhost'])],
  ['TRACE', () => request('TRACE', '/healthz', ['Host: localhost', 'X-Secret: 1']), 405],
  [
    'TRACE with a body',
    () => request('TRACE', '/healthz', ['Host: localhost', 'Content-Length: 2'], '{}'),
    405,
  ],
  [
    'a method of WebDAV',
    () => request('PROPFIND', tasks, ['Host: localhost', 'Depth: infinity']),
    405,
  ],
  ['a method of UPnP', () => request('M-SEARCH', '*', ['Host: localhost']), 404],
  ['OPTIONS *', () => request('OPTIONS', '*', ['Host: localhost']), 404],
  ['HEAD', () => request('HEAD', '/healthz', ['Host: localhost']), 200],
  [
    'DELETE of a task',
    ({ key, taskId }) =>
      request('DELETE', `${tasks}/${taskId}`, ['Host: localhost', `Authorization: ${key}`]),
    405,
  ],
  [
    'an overridden method',
    read(({ taskId }) => `${tasks}/${taskId}`, 'X-HTTP-Method-Override: DELETE'),
    200,
  ],
  [
    'three requests in a row',
    () => `${next.replace('close', 'keep-alive').repeat(2)}${next}`,
    200,
    200,
    200,
  ],
  ['a wrong one in a row', () => `${next.replace('close', 'keep-alive')}NONSENSE\r\n\r\n${next}`],
  [
    'a row of 300',
    () => `${next.replace('close', 'keep-alive').repeat(299)}${next}`,
    ...Array<number>(300).fill(200),
  ],
  ['Expect: 100-continue', create('{}', 'Expect: 100-continue'), 100, 400],
  ['an expectation that nobody knows', create('{}', 'Expect: 42-miracles'), 400],
  [
    'Upgrade to a WebSocket',
    () =>
      request('GET', '/healthz', ['Host: localhost', 'Upgrade: websocket', 'Connection: Upgrade']),
    200,
  ],
  [
    'Upgrade to HTTP/2',
    () =>
      request('GET', '/healthz', [
        'Host: localhost',
        'Upgrade: h2c',
        'HTTP2-Settings: AAMAAABkAAQAAP__',
      ]),
    200,
  ],
  ['a body that never comes whole', create('{'.padEnd(10), 'Content-Length: 10'), 400],
];
