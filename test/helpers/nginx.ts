import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Certificate } from './certificates.ts';
import { blocks } from './documents.ts';
import { freePort } from './ports.ts';
import { findProgram } from './programs.ts';
import { until } from './until.ts';

export interface Nginx {
  /** Its port with TLS, on 127.0.0.1. */
  port: number;
  stop(): Promise<void>;
}

/** The configuration that docs/deployment.md shows. */
const example = () => blocks('docs/deployment.md', 'nginx')[0]!;

/** Where nginx would write outside of our folder. */
const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/**
 * Runs the document's nginx in front of a service, without privileges, in a folder of its own. Ask
 * `needProgram` first.
 * @param upstream the service's port on 127.0.0.1
 * @param certificate for the names of the example
 */
export async function startNginx(upstream: number, { cert, key }: Certificate): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'nginx-'));
  const inFolder = (name: string) => join(folder, name);
  const port = await freePort();
  writeFileSync(inFolder('fullchain.pem'), cert);
  writeFileSync(inFolder('key.pem'), key, { mode: 0o600 });
  writeFileSync(inFolder('nginx.conf'), configuration(folder, { port, upstream }));
  const words = ['-p', folder, '-e', 'stderr', '-c', inFolder('nginx.conf')];
  const child = spawn(findProgram('nginx')!, words, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {},
  });
  const said = textOf(child);
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await until('nginx', () => answers(child, port, said));
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, stop };
}

function configuration(
  folder: string,
  { port, upstream }: { port: number; upstream: number },
): string {
  const server = example()
    .replaceAll('listen 443', `listen 127.0.0.1:${port}`)
    .replaceAll('listen [::]:443', `listen [::1]:${port}`)
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${upstream}`)
    .replaceAll('/etc/ssl/agent-tasks', folder);
  const paths = temporary.map((name) => `${name}_temp_path ${join(folder, name)};`);
  const lines = ['daemon off;', 'master_process off;', `pid ${join(folder, 'pid')};`, 'events {}'];
  return [...lines, 'http {', 'access_log off;', ...paths, server, '}', ''].join('\n');
}

function textOf({ stderr }: ChildProcess): () => string {
  let text = '';
  stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return () => text;
}

async function answers(child: ChildProcess, port: number, said: () => string): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}: ${said()}`);
  const socket = connect(port, '127.0.0.1');
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}
