import { generateKeyPairSync, hash } from 'node:crypto';

const TYPE = 'ssh-ed25519';

export interface DeployKey {
  /** PEM (PKCS #8). */
  privateKey: string;
  /** A line of authorized_keys. */
  publicKey: string;
}

/** Makes an ed25519 key for ssh. @param comment the comment of the public key */
export function newDeployKey(comment: string): DeployKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const blob = Buffer.concat([string(TYPE), string(Buffer.from(x, 'base64url'))]);
  return {
    privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    publicKey: `${TYPE} ${blob.toString('base64')} ${comment}`,
  };
}

/**
 * The fingerprint of a key, as `ssh-keygen -l` and git hosts show it.
 * @param publicKey a line of authorized_keys
 */
export function fingerprintOf(publicKey: string): string {
  const blob = Buffer.from(publicKey.split(' ')[1] ?? '', 'base64');
  return `SHA256:${hash('sha256', blob, 'base64').replaceAll('=', '')}`;
}

/** Encodes a `string` of the ssh protocol (RFC 4251, section 5). */
function string(value: string | Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(value));
  return Buffer.concat([length, Buffer.from(value)]);
}
