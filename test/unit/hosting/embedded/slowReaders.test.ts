import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { temporaryFolder } from '../../../helpers/database.ts';
import { until } from '../../../helpers/until.ts';
import { request } from './rawHttp.ts';

const MB = 1024 ** 2;
const FILES = 3;
const FILE_BYTES = 95 * MB;
const READERS = 36;

describe('slow readers', () => {
  const folder = temporaryFolder();
  let child: ChildProcess;
  let line: () => Promise<string>;
  let port: number;
  before(async () => {
    let commit = '';
    for (const site of ['large', 'small']) {
      const dir = join(folder.path, 'repositories', `${site}.git`);
      mkdirSync(dir, { recursive: true });
      execFileSync('git', ['init', '-q', '--bare', dir]);
      const fast = spawn('git', ['-c','core.bigFileThreshold=1m','fast-import', '--quiet'], { cwd: dir, stdio: ['pipe', 'inherit', 'inherit'] });
      fast.stdin.write('commit refs/heads/main\ncommitter T <t@test> 1700000000 +0000\ndata 0\n');
      fast.stdin.write('M 644 inline index.html\ndata 5\nhello\n');
      for (let i = 0; i < FILES; i++) {
        fast.stdin.write(`M 644 inline f${i}.bin\ndata ${FILE_BYTES}\n`);
        for (let mb = 0; mb < 95; mb++) {
          if (!fast.stdin.write(Buffer.alloc(MB, i))) await once(fast.stdin, 'drain');
        }
      }
      fast.stdin.end();
      await once(fast, 'exit');
      commit = execFileSync('git', ['-C', dir, 'rev-parse', 'main']).toString().trim();
    }
    child = spawn(process.execPath, [fileURLToPath(new URL('servingProcess.ts', import.meta.url)), folder.path, commit, '1000'], { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
    line = async () => (await lines.next()).value as string;
    port = Number(await line());
  });
  after(() => { child.kill('SIGKILL'); folder.remove(); });
  const held = async () => { child.stdin!.write('\n'); return JSON.parse(await line()) as { rss: number; peak: number }; };

  it('hold next to nothing', async () => {
    const get = (site: string, path: string) => request(port, path, [['Host', `${site}.sites.localhost`]]);
    expect((await get('small', '/')).text).to.equal('hello');
    const before = await held();
    const sockets: Socket[] = [];
    for (let i = 0; i < READERS; i++) {
      const socket = connect(port, '127.0.0.1');
      socket.pause();
      socket.on('error', () => undefined);
      socket.write(`GET /f${i % FILES}.bin HTTP/1.1\r\nHost: large.sites.localhost\r\n\r\n`);
      sockets.push(socket);
    }
    await new Promise((r) => setTimeout(r, 10_000));
    const after = await held();
    console.log((after.rss - before.rss) / MB, (after.peak - before.peak) / MB);
    for (const s of sockets) s.destroy();
    void until;
  });
});
