import { generateKeyPairSync, hash, randomBytes } from 'node:crypto';

const TYPE = 'ssh-ed25519';
const BLOCK = 8;

export interface DeployKey {
  /** For `ssh -i`: a file of OpenSSH's own format, without a passphrase. */
  privateKey: string;
  /** A line of authorized_keys. */
  publicKey: string;
}

/** A new ed25519 key for ssh. @param comment stands behind the public key */
export function newDeployKey(comment: string): DeployKey {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { x = '', d = '' } = privateKey.export({ format: 'jwk' });
  const [open, seed] = [Buffer.from(x, 'base64url'), Buffer.from(d, 'base64url')];
  const blob = Buffer.concat([string(TYPE), string(open)]);
  return {
    privateKey: openSshFile(blob, { open, seed, comment }),
    publicKey: `${TYPE} ${blob.toString('base64')} ${comment}`,
  };
}

/** As `ssh-keygen -l` and the hosts of repositories show it. @param publicKey a line of authorized_keys */
export function fingerprintOf(publicKey: string): string {
  const blob = Buffer.from(publicKey.split(' ')[1] ?? '', 'base64');
  return `SHA256:${hash('sha256', blob, 'base64').replaceAll('=', '')}`;
}

/** The format of openssh-key-v1 (OpenSSH's PROTOCOL.key), which is the only one that ssh reads of an ed25519 key. */
function openSshFile(blob: Buffer, { open, seed, comment }: { open: Buffer; seed: Buffer; comment: string }): string {
  const check = randomBytes(4);
  const secret = Buffer.concat([check, check, blob, string(Buffer.concat([seed, open])), string(comment)]);
  const padding = Buffer.from(Array.from({ length: (BLOCK - (secret.length % BLOCK)) % BLOCK }, (_, i) => i + 1));
  const none = [string('none'), string('none'), string('')];
  const file = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    ...[...none, number(1), string(blob), string(Buffer.concat([secret, padding]))],
  ]);
  const lines = file.toString('base64').match(/.{1,70}/g) ?? [];
  return ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----', ''].join('\n');
}

/** RFC 4251, section 5. */
function string(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([number(bytes.length), bytes]);
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
