import type { GitCredential } from '../../contract/site.ts';

export type Cut = (text: string) => string;

/**
 * Removes a credential from texts of a remote, which may repeat it: as it is, percent-encoded (RFC
 * 3986, section 2.1) and in Base64 (RFC 4648, section 4), a token also with its user name. A remote
 * that means to show the credential can write it in other ways.
 */
export function cutterFor(credential: GitCredential | null): Cut {
  const forms = (credential === null ? [] : secretsOf(credential))
    .flatMap((secret) => [secret, encodeURIComponent(secret), base64(secret)])
    .flatMap((form) => [form, form.replace(/%../g, (escape) => escape.toLowerCase())])
    .toSorted((a, b) => b.length - a.length);
  return (text) => forms.reduce((kept, form) => kept.replaceAll(form, '[credential]'), text);
}

const secretsOf = (credential: GitCredential): string[] =>
  credential.kind === 'token'
    ? [`${credential.username}:${credential.token}`, credential.token]
    : credential.privateKey.split('\n').filter((line) => line !== '' && !line.startsWith('-----'));

const base64 = (secret: string) => Buffer.from(secret).toString('base64').replaceAll('=', '');
