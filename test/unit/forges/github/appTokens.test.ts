import { expect } from 'chai';
import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { appAuthorization } from '../../../../src/forges/github/appTokens.ts';

const never = new AbortController().signal;
const authorize = (privateKey: string) =>
  appAuthorization({
    appId: '1',
    installationId: null,
    privateKey,
  }).authorization(never);

/** An ASN.1 value in DER. */
function encode(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const header =
    length < 128
      ? [tag, length]
      : length < 256
        ? [tag, 0x81, length]
        : [tag, 0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(header), content]);
}

/** A positive number of 4,800 bits. */
function longNumber(): Buffer {
  const bytes = randomBytes(600);
  bytes[0]! &= 0x7f;
  bytes[0]! |= 0x40;
  bytes[bytes.length - 1]! |= 1;
  return encode(0x02, bytes);
}

/** A key in PKCS #8 of an algorithm whose public part OpenSSL computes while it parses the file. */
function keyOfOtherKind(objectId: string, numbers: number): string {
  const parameters = encode(0x30, ...Array.from({ length: numbers }, longNumber));
  const der = encode(
    0x30,
    Buffer.from('020100', 'hex'),
    encode(0x30, Buffer.from(objectId, 'hex'), parameters),
    encode(0x04, longNumber()),
  );
  const lines = der.toString('base64').replace(/.{64}/g, '$&\n');
  return `-----BEGIN PRIVATE KEY-----\n${lines}\n-----END PRIVATE KEY-----\n`;
}

/** Milliseconds of this process's CPU time. */
async function cpuTimeOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

describe('appAuthorization(app)', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });

  for (const type of ['pkcs1', 'pkcs8'] as const)
    for (const lineEnd of ['\n', '\r\n'])
      it(`signs with a key in ${type} with ${JSON.stringify(lineEnd)} at its line ends`, async () => {
        const pem = privateKey.export({ type, format: 'pem' }).toString();
        expect(await authorize(pem.replaceAll('\n', lineEnd))).to.match(/^Bearer [\w-]+\.[\w-]+\./);
      });

  for (const [name, objectId, numbers] of [
    ['DSA', '06072a8648ce380401', 3],
    ['Diffie-Hellman', '06092a864886f70d010301', 2],
    ['X9.42 Diffie-Hellman', '06072a8648ce3e0201', 3],
  ] as const)
    it(`rejects a key for ${name} in a small part of the time that it takes to parse it`, async () => {
      const pem = keyOfOtherKind(objectId, numbers);
      expect(pem.length).to.be.within(2_000, 8_000);
      let problem: unknown;
      const ownTime = await cpuTimeOf(
        async () => (problem = await authorize(pem).catch((error: unknown) => error)),
      );
      expect(problem).to.include({ code: 'FORGE_REFUSED' });
      expect(ownTime).to.be.below((await cpuTimeOf(() => createPrivateKey(pem))) / 10);
    });

  it('rejects an encrypted key, and a file that contains another text', async () => {
    const encrypted = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc' } as const;
    const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
    for (const file of [privateKey.export({ ...encrypted, passphrase: 'a' }).toString(), `a${pem}`])
      expect(await authorize(file).catch((error: unknown) => error)).to.include({
        code: 'FORGE_REFUSED',
      });
  });
});
