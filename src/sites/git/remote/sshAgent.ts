import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const KEY_TYPE = 'ssh-ed25519';

/** Message numbers (draft-ietf-sshm-ssh-agent, section 6.1). */
const requestTypes = { identities: 11, signature: 13 };
const responseTypes = { failure: 5, identities: 12, signature: 14 };

/** Most bytes of a request. ssh's requests have about a thousand. */
const MAX_REQUEST_BYTES = 64 * 1024;
/** Most bytes of a Unix socket's path: systems allow 103 or 107. */
const MAX_PATH_BYTES = 100;

export interface SshAgent {
  /** The path of the agent's Unix socket. */
  path: string;
  close(): Promise<void>;
}

/**
 * Starts an ssh agent in this process: a server on a Unix socket that signs for ssh with one key.
 * Only this user can open the socket, and the key never leaves this process.
 * @param privateKey an ed25519 key as PEM (PKCS #8)
 * @param folder for the socket; the system's temporary folder is used if the path would be too long
 */
export async function serveSshAgent(privateKey: string, folder: string): Promise<SshAgent> {
  const key = createPrivateKey(privateKey);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    serveSocket(socket, key);
  });
  const path = await chooseSocketPath(folder);
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

async function chooseSocketPath(folder: string): Promise<string> {
  const socketPath = join(folder, 'agent');
  if (Buffer.byteLength(socketPath) <= MAX_PATH_BYTES) return socketPath;
  return join(await mkdtemp(join(tmpdir(), 'agent-tasks-ssh-')), 'agent');
}

/**
 * Answers requests. A message is a length and that many bytes, the first of which is the message
 * number.
 */
function serveSocket(socket: Socket, key: KeyObject) {
  let received = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    while (received.length >= 4) {
      const end = 4 + received.readUInt32BE();
      if (end > MAX_REQUEST_BYTES) return void socket.destroy();
      if (received.length < end) return;
      socket.write(encodeString(answerRequest(received.subarray(4, end), key)));
      received = received.subarray(end);
    }
  });
}

function answerRequest(request: Buffer, key: KeyObject): Buffer {
  const blob = publicBlob(key);
  if (request[0] === requestTypes.identities)
    return Buffer.concat([
      Buffer.of(responseTypes.identities),
      encodeNumber(1),
      encodeString(blob),
      encodeString(''),
    ]);
  const [requestedKey, data] = parseStrings(request.subarray(1));
  if (request[0] !== requestTypes.signature || !data || !requestedKey?.equals(blob))
    return Buffer.of(responseTypes.failure);
  const signature = Buffer.concat([encodeString(KEY_TYPE), encodeString(sign(null, data, key))]);
  return Buffer.concat([Buffer.of(responseTypes.signature), encodeString(signature)]);
}

/** The complete strings at the beginning of a message. */
function parseStrings(message: Buffer): Buffer[] {
  const strings: Buffer[] = [];
  for (let position = 0; position + 4 <= message.length;) {
    const end = position + 4 + message.readUInt32BE(position);
    if (end > message.length) break;
    strings.push(message.subarray(position + 4, end));
    position = end;
  }
  return strings;
}

function publicBlob(key: KeyObject): Buffer {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return Buffer.concat([encodeString(KEY_TYPE), encodeString(Buffer.from(x, 'base64url'))]);
}

/** A string of RFC 4251, section 5. */
function encodeString(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([encodeNumber(bytes.length), bytes]);
}

function encodeNumber(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
