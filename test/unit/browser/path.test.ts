import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  InvalidPathError,
  type HostPath,
  hostPath,
  pagePath,
} from '../../../src/browser/hostPath.ts';
import { casesOf } from '../../helpers/cases.ts';

/** Ids that somebody could put into an address, so that another one is asked for. */
const hostile = [
  '../keys',
  '..%2Fkeys',
  '..\\keys',
  '%2e%2e/keys',
  '%2E%2E',
  '.%2e',
  '%252e%252e%252fkeys',
  './keys',
  '/keys',
  '//evil.test',
  '\\\\evil.test',
  'a/../../keys',
  'keys/',
  ';/keys',
  'a?b=c',
  'a#b',
  'a&b=c',
  '?',
  '#',
  'a b',
  '\t../keys',
  '.\n.',
  '..\r',
  '\0',
  '%',
  '%zz',
  '%00',
  ':',
  '@',
  'http://evil.test',
  'javascript:x',
  'é',
  '日本',
  '\u202e..',
  '．．',
  '。。',
  '∕keys',
  '💥',
  '...',
  '.keys',
  '..keys',
  'a..',
  '{id}',
  '`',
  "'",
  '"',
];
const refused = ['', '.', '..', '\ud800', 'a\udfff'];

describe('path', () => {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.end();
  });
  let port: number;
  before(async () => {
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    ({ port } = server.address() as AddressInfo);
  });
  after(() => server.close());

  /** The target that a browser's way of reading an address sends. */
  async function targetOf({ address }: HostPath): Promise<string> {
    const response = await fetch(new URL(address, `http://127.0.0.1:${port}`));
    await response.text();
    return asked.pop()!;
  }
  async function expectSegment(id: string): Promise<void> {
    const target = await targetOf(hostPath`/api/v1${hostPath`/sites/${id}/pages`}`);
    const segments = target.split('/');
    expect(segments).to.have.length(6);
    const [, api, version, sites, segment = '', pages] = segments;
    expect([api, version, sites, decodeURIComponent(segment), pages]).to.deep.equal([
      'api',
      'v1',
      'sites',
      id,
      'pages',
    ]);
  }

  for (const id of hostile)
    it(`requests one segment, which is ${JSON.stringify(id)}`, () => expectSegment(id));

  for (const id of refused)
    it(`rejects ${JSON.stringify(id)} in every position`, () => {
      const all = [
        hostPath`/sites/${id}`,
        hostPath`/sites/${id}/pages`,
        hostPath`/api${hostPath`/sites/${id}`}`,
        hostPath`/${['a', id]}`,
      ];
      for (const each of all) expect(() => each.address).to.throw(InvalidPathError);
      expect(() => hostPath`/edit/.${'.'}`.address).to.throw(InvalidPathError);
    });

  it('requests one segment or nothing, whatever the ID', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('.', '/', '\\', '%', '2', 'e', 'f', '?', '#', '\t', 'a') }),
    );
    const one = fc.asyncProperty(text, async (id) => {
      if (refused.includes(id)) return;
      await expectSegment(id);
    });
    await fc.assert(one, { numRuns: casesOf(500) });
  });

  it('stays on this host, whatever the page of a site is called', async () => {
    const slug = fc
      .string({ unit: fc.constantFrom('.', '/', '\\', '%', 'a', '?', '#', 'é') })
      .map((text) => `/${text}`);
    const one = fc.asyncProperty(slug, async (each) => {
      const segments = each.slice(1).split('/');
      const isWrong = each !== '/' && segments.some((segment) => ['', '.', '..'].includes(segment));
      const asks = () => hostPath`/edit/bg-1${pagePath(each)}`;
      if (isWrong) return void expect(() => asks().address).to.throw(InvalidPathError);
      const target = await targetOf(asks());
      expect(target.split('/').map(decodeURIComponent)).to.deep.equal([
        '',
        'edit',
        'bg-1',
        ...segments,
      ]);
    });
    await fc.assert(one, { numRuns: casesOf(500) });
  });
});
