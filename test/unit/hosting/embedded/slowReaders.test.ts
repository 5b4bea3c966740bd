import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateSync } from 'node:zlib';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { cloneName } from '../../../../src/sites/git/clones/cloneName.ts';
import { type Child, killChildren, runModule } from '../../../helpers/children.ts';
import { temporaryFolder } from '../../../helpers/database.ts';
import { until } from '../../../helpers/until.ts';
import { type RawResponse, request } from './rawHttp.ts';
import { LARGE_FILE_TEXT } from '../../../../src/hosting/embedded/fileAnswer.ts';

const MiB = 1024 ** 2;
const LARGE = 95 * MiB;
const LARGE_FILES = 3;
const SMALL = 900 * 1024;
const STALL_MS = 3_000;
const MOST_GROWTH = 100 * MiB;

const isFree = ({ connections }: HeldMemory) => connections === 0;

interface HeldMemory {
  peak: number;
  connections: number;
}

/** A file with a mark at every MiB. */
function content(name: string, bytes: number): Buffer {
  const file = Buffer.alloc(bytes);
  for (let at = 0; at + 100 < bytes; at += MiB) file.write(`${name} at ${at}`, at);
  return file;
}

/** Writes an object as git does, in a fifth of its time. @returns its id */
function writeObject(dir: string, file: Buffer): string {
  const object = Buffer.concat([Buffer.from(`blob ${file.length}\0`), file]);
  const id = createHash('sha1').update(object).digest('hex');
  const path = join(dir, 'objects', id.slice(0, 2), id.slice(2));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, deflateSync(object, { level: 1 }));
  return id;
}

describe('slow readers of a site', () => {
  const folder = temporaryFolder();
  const dirOf = (site: string) =>
    join(
      folder.path,
      'repositories',
      `${cloneName({ siteId: site, repository: { url: 'file:///nowhere', branch: 'main', root: '' } })}.git`,
    );
  let child: Child;
  let port: number;

  before(async () => {
    const dir = dirOf('one');
    const git = (args: string[], input = '') => {
      const identity = {
        GIT_AUTHOR_NAME: 'T',
        GIT_AUTHOR_EMAIL: 't@t',
        GIT_COMMITTER_NAME: 'T',
        GIT_COMMITTER_EMAIL: 't@t',
      };
      return execFileSync('git', args, { cwd: dir, input, env: { ...process.env, ...identity } })
        .toString()
        .trim();
    };
    mkdirSync(dir, { recursive: true });
    git(['init', '-q', '--bare']);
    const large = Array.from(
      { length: LARGE_FILES },
      (_, n) => [`${n}.bin`, content(`${n}.bin`, LARGE)] as const,
    );
    const files = [
      ...large,
      ['over.bin', content('over.bin', 100 * MiB + 1)],
      ['small.bin', content('small.bin', SMALL)],
      ['index.html', Buffer.from('hello')],
    ] as const;
    const tree = git(
      ['mktree'],
      files.map(([name, file]) => `100644 blob ${writeObject(dir, file)}\t${name}\n`).join(''),
    );
    const commit = git(['commit-tree', '-m', 'x', tree]);
    for (const site of ['two', 'three', 'four']) cpSync(dir, dirOf(site), { recursive: true });
    const script = pathToFileURL(join(import.meta.dirname, 'servingProcess.ts')).href;
    child = runModule(
      `process.argv.push('', ${JSON.stringify(folder.path)}, '${commit}', '${STALL_MS}'); await import('${script}');`,
    );
    port = Number(await child.line());
    expect((await get('two', '/')).text).to.equal('hello');
  });
  after(() => {
    killChildren();
    folder.remove();
  });

  const hostOf = (site: string) => `${site}.sites.localhost`;
  const get = (
    site: string,
    path: string,
    headers: Record<string, string> = {},
    method = 'GET',
  ): Promise<RawResponse> =>
    request(port, path, [['Host', hostOf(site)], ...Object.entries(headers)], method);
  const copies = () => readdirSync(join(folder.path, 'served'));
  async function held(): Promise<HeldMemory> {
    child.process.stdin?.write('\n');
    return JSON.parse((await child.line()) ?? '') as HeldMemory;
  }
  /** Asks for a file, and reads nothing of it. */
  function ask(site: string, path: string): Socket {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostOf(site)}\r\n\r\n`);
    return socket;
  }
  const drained = async (socket: Socket) => {
    let bytes = 0;
    for await (const chunk of socket) bytes += (chunk as Buffer).length;
    return bytes;
  };

  it('that read nothing cost next to no memory and are cut off, while others are answered', async () => {
    const before = await held();
    const sockets = Array.from({ length: 36 }, (_, n) => ask('one', `/${n % LARGE_FILES}.bin`));
    await Promise.all(sockets.map((socket) => once(socket, 'readable')));
    expect((await get('two', '/')).text).to.equal('hello');
    expect((await get('one', '/')).text).to.equal('hello');
    expect((await held()).peak - before.peak).to.be.below(MOST_GROWTH);
    await until('the readers to be cut off', async () => isFree(await held()));
    for (const bytes of await Promise.all(sockets.map(drained)))
      expect(bytes).to.be.above(0).and.below(LARGE);
    const whole = await get('one', '/1.bin');
    expect(whole.body.equals(content('1.bin', LARGE))).to.equal(true);
    expect((await held()).peak - before.peak).to.be.below(MOST_GROWTH);
  });

  it('that read a little at a time, longer than one may read nothing, get everything', async () => {
    const socket = ask('one', '/0.bin');
    const begun = performance.now();
    let bytes = 0;
    let paused = 0;
    for await (const chunk of socket) {
      bytes += (chunk as Buffer).length;
      if (bytes >= LARGE) break;
      if (bytes - paused < LARGE / 40) continue;
      paused = bytes;
      await delay((STALL_MS * 1.5) / 40);
    }
    expect(performance.now() - begun).to.be.above(STALL_MS);
    expect(bytes).to.be.at.least(LARGE);
  });

  it('that disconnect leave nothing behind', async () => {
    const had = copies().length;
    const sockets = Array.from({ length: 20 }, (_, n) => ask('three', `/${n % LARGE_FILES}.bin`));
    await until('a copy to be begun', () => copies().length > had);
    for (const socket of sockets) socket.destroy();
    await until('connections and unfinished copies to be gone', async () => isFree(await held()));
    expect((await get('three', '/2.bin', { Range: 'bytes=0-4' })).text).to.equal('2.bin');
  });

  it('that share a small file, three hundred of them, share its bytes', async () => {
    const before = await held();
    const sockets = Array.from({ length: 300 }, () => ask('one', '/small.bin'));
    await Promise.all(sockets.map((socket) => once(socket, 'readable')));
    expect((await get('one', '/')).text).to.equal('hello');
    expect((await held()).peak - before.peak).to.be.below(MOST_GROWTH);
    for (const socket of sockets) socket.destroy();
    await until('the connections to end', async () => isFree(await held()));
  });

  it('that request a file over the limit are rejected at once', async () => {
    const had = copies();
    for (const [method, headers] of [
      ['GET', {}],
      ['GET', { Range: 'bytes=0-1' }],
      ['GET', { 'If-None-Match': '*' }],
      ['HEAD', {}],
    ] as const) {
      const { status, text } = await get('one', '/over.bin', headers, method);
      expect([status, text]).to.deep.equal([403, method === 'HEAD' ? '' : `${LARGE_FILE_TEXT}\n`]);
    }
    expect(copies()).to.deep.equal(had);
    expect(existsSync(join(folder.path, 'served'))).to.equal(true);
  });
});
