import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const KEY_TYPE = 'ssh-ed25519';

/** Message numbers (draft-ietf-sshm-ssh-agent, section 6.1). */
const asked = { identities: 11, signature: 13 };
const answered = { failure: 5, identities: 12, signature: 14 };

/** Most bytes of a request. ssh's requests have about a thousand. */
const MOST_BYTES = 64 * 1024;
/** Most bytes of a Unix socket's path: systems allow 103 or 107. */
const MOST_PATH_BYTES = 100;

export interface SshAgent {
  /** The path of the agent's Unix socket. */
  path: string;
  close(): Promise<void>;
}

/**
 * Starts an ssh-agent with one key, on a socket that only this user can open. The key never leaves
 * this process.
 * @param privateKey an ed25519 key as PEM (PKCS #8)
 * @param folder for the socket; the system's temporary folder is used if the path would be too long
 */
export async function serveSshAgent(privateKey: string, folder: string): Promise<SshAgent> {
  const key = createPrivateKey(privateKey);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    answerOn(socket, key);
  });
  const path = await socketIn(folder);
  await once(server.listen(path), 'listening');
  await chmod(path, 0o600);
  return {
    path,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
      if (dirname(path) !== folder) await rm(dirname(path), { recursive: true });
    },
  };
}

async function socketIn(folder: string): Promise<string> {
  const inside = join(folder, 'agent');
  if (Buffer.byteLength(inside) <= MOST_PATH_BYTES) return inside;
  return join(await mkdtemp(join(tmpdir(), 'agent-tasks-ssh-')), 'agent');
}

/**
 * Answers requests. A message is a length and that many bytes, the first of which is the message
 * number.
 */
function answerOn(socket: Socket, key: KeyObject) {
  let received = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    while (received.length >= 4) {
      const end = 4 + received.readUInt32BE();
      if (end > MOST_BYTES) return void socket.destroy();
      if (received.length < end) return;
      socket.write(string(answerTo(received.subarray(4, end), key)));
      received = received.subarray(end);
    }
  });
}

function answerTo(request: Buffer, key: KeyObject): Buffer {
  const blob = publicBlob(key);
  if (request[0] === asked.identities)
    return Buffer.concat([Buffer.of(answered.identities), number(1), string(blob), string('')]);
  const [wanted, data] = stringsIn(request.subarray(1));
  if (request[0] !== asked.signature || !data || !wanted?.equals(blob))
    return Buffer.of(answered.failure);
  const signature = Buffer.concat([string(KEY_TYPE), string(sign(null, data, key))]);
  return Buffer.concat([Buffer.of(answered.signature), string(signature)]);
}

/** The complete strings at the beginning of a message. */
function stringsIn(message: Buffer): Buffer[] {
  const strings: Buffer[] = [];
  for (let at = 0; at + 4 <= message.length;) {
    const end = at + 4 + message.readUInt32BE(at);
    if (end > message.length) break;
    strings.push(message.subarray(at + 4, end));
    at = end;
  }
  return strings;
}

function publicBlob(key: KeyObject): Buffer {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return Buffer.concat([string(KEY_TYPE), string(Buffer.from(x, 'base64url'))]);
}

/** A string of RFC 4251, section 5. */
function string(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([number(bytes.length), bytes]);
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
