import type { GitCredential } from '../../../contract/site.ts';

export type CredentialFilter = (text: string) => string;

/**
 * Makes a function that replaces a credential by `[credential]` in texts of a remote, which may
 * repeat it: as it is, percent-encoded (RFC 3986, section 2.1) and in Base64 (RFC 4648, section 4),
 * a token also with its user name. A malicious remote can still write it in other ways.
 */
export function createCredentialFilter(credential: GitCredential | null): CredentialFilter {
  const spellings = (credential === null ? [] : credentialSecrets(credential))
    .flatMap((secret) => [secret, encodeURIComponent(secret), toBase64(secret)])
    .flatMap((spelling) => [spelling, spelling.replace(/%../g, (escape) => escape.toLowerCase())])
    .toSorted((first, second) => second.length - first.length);
  return (text) =>
    spellings.reduce((filtered, spelling) => filtered.replaceAll(spelling, '[credential]'), text);
}

const credentialSecrets = (credential: GitCredential): string[] =>
  credential.kind === 'token'
    ? [`${credential.username}:${credential.token}`, credential.token]
    : credential.privateKey.split('\n').filter((line) => line !== '' && !line.startsWith('-----'));

const toBase64 = (secret: string) => Buffer.from(secret).toString('base64').replaceAll('=', '');
