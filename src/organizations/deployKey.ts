import { generateKeyPairSync, hash } from 'node:crypto';

const TYPE = 'ssh-ed25519';

export interface DeployKeyPair {
  /** PEM (PKCS #8). */
  privateKey: string;
  /** A line of authorized_keys. */
  publicKey: string;
}

/** Makes an ed25519 key for ssh. @param comment the comment of the public key */
export function newDeployKey(comment: string): DeployKeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x: encodedPoint = '' } = publicKey.export({ format: 'jwk' });
  const keyBlob = Buffer.concat([
    sshString(TYPE),
    sshString(Buffer.from(encodedPoint, 'base64url')),
  ]);
  return {
    privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    publicKey: `${TYPE} ${keyBlob.toString('base64')} ${comment}`,
  };
}

/**
 * The fingerprint of a key, as `ssh-keygen -l` and git hosts show it.
 * @param publicKey a line of authorized_keys
 */
export function fingerprintOf(publicKey: string): string {
  const keyBlob = Buffer.from(publicKey.split(' ')[1] ?? '', 'base64');
  return `SHA256:${hash('sha256', keyBlob, 'base64').replaceAll('=', '')}`;
}

/** Encodes a `string` of the ssh protocol (RFC 4251, section 5). */
function sshString(value: string | Buffer): Buffer {
  const lengthBytes = Buffer.alloc(4);
  lengthBytes.writeUInt32BE(Buffer.byteLength(value));
  return Buffer.concat([lengthBytes, Buffer.from(value)]);
}
