import 'reflect-metadata'; // @peculiar/x509 does not load without it
import * as x509 from '@peculiar/x509';
import type { webcrypto } from 'node:crypto';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const rsaAlgorithm = {
  name: 'RSASSA-PKCS1-v1_5',
  modulusLength: 2_048,
  publicExponent: new Uint8Array([1, 0, 1]),
  hash: 'SHA-256',
};
const DAY_MS = 86_400_000;

export interface Certificate {
  /** PEM */
  cert: string;
  /** PEM */
  key: string;
}

export interface Authority {
  /** The authority's own certificate in PEM, for `ca` or NODE_EXTRA_CA_CERTS. */
  ca: string;
  /**
   * A server certificate for these DNS names and IP addresses; `expired`: its last day was
   * yesterday; `isRsa`: for a key of RSA, as old cipher suites need it.
   */
  issue(
    names: { dns?: string[]; ip?: string[] },
    options?: { expired?: boolean; isRsa?: boolean },
  ): Promise<Certificate>;
}

/** A certificate authority for one test run. Nothing is written to disk. */
export async function createAuthority(): Promise<Authority> {
  const keys = await newKeys();
  const name = 'CN=Test authority';
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    name,
    keys,
    signingAlgorithm: algorithm,
    ...validity(false),
    extensions: [new x509.BasicConstraintsExtension(true, 1, true)],
  });
  return {
    ca: root.toString('pem'),
    async issue({ dns = [], ip = [] }, { expired = false, isRsa = false } = {}) {
      const own = await (isRsa ? newRsaKeys() : newKeys());
      const leaf = await x509.X509CertificateGenerator.create({
        subject: 'CN=Test server',
        issuer: name,
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: algorithm,
        ...validity(expired),
        extensions: [
          new x509.SubjectAlternativeNameExtension([
            ...dns.map((value) => ({ type: 'dns' as const, value })),
            ...ip.map((value) => ({ type: 'ip' as const, value })),
          ]),
        ],
      });
      return { cert: leaf.toString('pem'), key: await pemOf(own.privateKey) };
    },
  };
}

async function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}

const newRsaKeys = (): Promise<webcrypto.CryptoKeyPair> =>
  crypto.subtle.generateKey(rsaAlgorithm, true, ['sign', 'verify']);

function validity(expired: boolean) {
  const end = Date.now() + (expired ? -1 : 30) * DAY_MS;
  return { notBefore: new Date(end - 60 * DAY_MS), notAfter: new Date(end) };
}

async function pemOf(key: webcrypto.CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}
