import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import ssh2, { type Connection, type ServerChannel } from 'ssh2';
import { teamEnvironment } from './team/environment.ts';

export interface SshServer {
  port: number;
  /**
   * The public halves (lines of authorized_keys) that may read, and those that may push as well.
   */
  readers: Set<string>;
  writers: Set<string>;
  /** How many connections began. */
  connections: () => number;
  /** Told of a command in place of running it: the client waits for ever. */
  hold?: () => void;
  close(): Promise<void>;
}

const blobOf = (publicKey: string) => publicKey.split(' ')[1];

/**
 * Serves the repositories of a folder over ssh, as hosts of repositories do: by upload-pack and
 * receive-pack alone.
 * @param port default: a free one
 */
export async function serveSsh(folder: string, port = 0): Promise<SshServer> {
  const [readers, writers] = [new Set<string>(), new Set<string>()];
  const clients = new Set<Connection>();
  let connections = 0;
  const isIn = (keys: Set<string>, blob: string) => [...keys].some((key) => blobOf(key) === blob);
  const hostKey = ssh2.utils.generateKeyPairSync('ed25519').private;
  const server = new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
    let blob = '';
    connections++;
    clients.add(client);
    client.on('error', () => {}).on('close', () => clients.delete(client));
    client.on('authentication', (context) => {
      if (context.method !== 'publickey' || context.username !== 'git')
        return context.reject(['publickey']);
      blob = context.key.data.toString('base64');
      if (isIn(readers, blob) || isIn(writers, blob)) context.accept();
      else context.reject(['publickey']);
    });
    client.on('session', (accept) => {
      accept().on('exec', (take, _, { command }) => {
        const channel = take();
        if (served.hold) served.hold();
        else run(folder, channel, command, isIn(writers, blob));
      });
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const served: SshServer = {
    port: (server.address() as AddressInfo).port,
    readers,
    writers,
    connections: () => connections,
    async close() {
      for (const client of clients) client.end();
      server.close();
      await once(server, 'close');
    },
  };
  return served;
}

function run(folder: string, channel: ServerChannel, command: string, mayPush: boolean): void {
  const [, program = '', path = ''] =
    /^(git-upload-pack|git-receive-pack) '\/?([\w. -]+)'$/.exec(command) ?? [];
  if (program === '' || (program === 'git-receive-pack' && !mayPush)) {
    channel.stderr.write(
      'ERROR: The key you are authenticating with has been marked as read only.\n',
    );
    channel.exit(1);
    channel.end();
    return;
  }
  const child = spawn('git', [program.slice('git-'.length), join(folder, path)], {
    env: teamEnvironment,
  });
  channel.pipe(child.stdin);
  child.stdin.on('error', () => {});
  child.stdout.pipe(channel, { end: false });
  child.stderr.pipe(channel.stderr, { end: false });
  child.on('close', (code) => {
    channel.exit(code ?? 1);
    channel.end();
  });
}
