import { readFile, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import type { Credential } from '../../contract/site.ts';
import { DomainError } from '../../errors.ts';

/** What of a remote that the operator did not register himself may be reached, and what lets one in. */
export interface Access {
  /** Only public addresses are dialled, and nothing of the operator's lets one in. */
  isGuarded: boolean;
  /** Reads the credential when a command needs it; null: there is none. */
  credential: () => Promise<Credential | null>;
  /** The host's ssh keys, as lines of known_hosts. Empty: the key that is seen is taken. */
  knownHosts: string;
  /** Told the keys of a host that had none. */
  onKnownHosts?: (lines: string) => void;
}

/** A site's repository where its team keeps it. */
export interface Remote {
  url: string;
  branch: string;
  /** Absent: what the operator's git has lets the service in, and any address may be dialled. */
  access?: Access;
}

/** How a git command reaches a remote, beside its own arguments. */
export interface Means {
  /** The transport that it may use. */
  protocol: string;
  env: Record<string, string>;
  /** `-c` settings: no secrets, as they stand in the list of processes. */
  settings: string[];
}

/** Checks a host, and answers with the addresses that may be dialled for it; null: any. Throws GIT_FAILED. */
export type AllowedAddresses = (host: string) => Promise<string[] | null>;

export interface Place {
  protocol: 'https' | 'ssh';
  host: string;
  port: string;
}

/** The host and port that git dials for a URL, null for a local one. Host names are as `URL` spells them. */
export function placeOf(url: string): Place | null {
  const [, scheme, rest] = /^(https|ssh):\/\/(.*)$/.exec(url) ?? [];
  const scp = /^(?:[^@/]*@)?([^:/]+):/.exec(url);
  if (url.startsWith('file:') || (scheme === undefined && !scp)) return null;
  const named = URL.parse(`https://${rest ?? scp?.[1] ?? ''}`);
  if (!named) throw new DomainError('INVALID_INPUT', "The repository's address must name a host");
  const protocol = scheme === 'https' ? 'https' : 'ssh';
  return { protocol, host: named.hostname.replace(/^\[(.*)\]$/, '$1'), port: portOf(protocol, url) };
}

const portOf = (protocol: string, url: string) =>
  (url.includes('://') && URL.parse(url)?.port) || (protocol === 'https' ? '443' : '22');

/**
 * The means of one git command. Secrets go into files of a folder that only this user can read and that goes with the
 * command: neither the list of processes nor an environment has them.
 * @param folder of this command alone
 * @param allowed checks the host's addresses now; the command dials these and no others
 * @throws DomainError GIT_FAILED where the host may not be dialled
 */
export async function meansOf(
  url: string,
  access: Access,
  { folder, allowed }: { folder: string; allowed: AllowedAddresses },
): Promise<Means> {
  const place = placeOf(url);
  if (!place) throw new DomainError('GIT_FAILED', 'A local repository needs no access');
  const addresses = access.isGuarded ? await allowed(place.host) : null;
  const credential = await access.credential();
  const env = { AGENT_TASKS_ACCESS: folder, ...(access.isGuarded && nothingOfOurs(folder)) };
  if (place.protocol === 'https') {
    const settings = [...pinned(place, addresses), ...(await tokenHelper(place, credential, folder))];
    return { protocol: 'https', env, settings };
  }
  await writeSshFiles(place, access, { credential, address: addresses?.[0], folder });
  return { protocol: 'ssh', env: { ...env, GIT_SSH_COMMAND: 'ssh -F "$AGENT_TASKS_ACCESS/config"' }, settings: [] };
}

/** Without the operator's home (.netrc, .ssh), agent and proxy, which would resolve names by itself. */
const nothingOfOurs = (home: string) => ({
  ...{ HOME: home, SSH_AUTH_SOCK: '' },
  ...{ HTTPS_PROXY: '', https_proxy: '', NO_PROXY: '*', no_proxy: '*' },
});

/** curl dials these addresses, and asks no resolver of its own. */
function pinned({ host, port }: Place, addresses: string[] | null): string[] {
  if (addresses === null || isIP(host)) return [];
  const list = addresses.map((address) => (isIP(address) === 6 ? `[${address}]` : address)).join(',');
  return [`http.curloptResolve=${host}:${port}:${list}`];
}

/** git's own helper gives the token to this protocol, host and port only (git-credential-store). */
async function tokenHelper(place: Place, credential: Credential | null, folder: string): Promise<string[]> {
  if (credential?.kind !== 'token') return [];
  const { username, token } = credential;
  const user = `${encodeURIComponent(username)}:${encodeURIComponent(token)}`;
  const host = isIP(place.host) === 6 ? `[${place.host}]` : place.host;
  const port = place.port === '443' ? '' : `:${place.port}`;
  await writeFile(join(folder, 'credentials'), `https://${user}@${host}${port}\n`, { mode: 0o600 });
  return ['credential.helper=store --file="$AGENT_TASKS_ACCESS/credentials"'];
}

interface SshFiles {
  credential: Credential | null;
  /** The one to dial; undefined: what ssh finds. */
  address: string | undefined;
  folder: string;
}

async function writeSshFiles({ host }: Place, access: Access, { credential, address, folder }: SshFiles) {
  const file = (name: string) => `"${join(folder, name).replaceAll('%', '%%')}"`;
  const key = credential?.kind === 'deploy-key' ? credential.privateKey : undefined;
  if (key !== undefined) await writeFile(join(folder, 'key'), key, { mode: 0o600 });
  await writeFile(join(folder, 'known_hosts'), access.knownHosts, { mode: 0o600 });
  const settings = {
    ...{ BatchMode: 'yes', ConnectTimeout: '20', ServerAliveInterval: '15', ServerAliveCountMax: '3' },
    ...{ ForwardAgent: 'no', ClearAllForwardings: 'yes', ProxyCommand: 'none', PermitLocalCommand: 'no' },
    ...(key !== undefined && { IdentityFile: file('key'), IdentitiesOnly: 'yes', IdentityAgent: 'none' }),
    ...(access.isGuarded && { IdentityAgent: 'none', PreferredAuthentications: 'publickey', User: 'git' }),
    ...(access.isGuarded && key === undefined && { IdentityFile: 'none' }),
    ...{ UserKnownHostsFile: file('known_hosts'), GlobalKnownHostsFile: '/dev/null', HashKnownHosts: 'no' },
    ...{ UpdateHostKeys: 'no', StrictHostKeyChecking: access.knownHosts === '' ? 'accept-new' : 'yes' },
    ...{ HostKeyAlias: host, ...(address !== undefined && { HostName: address }) },
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} ${value}\n`);
  await writeFile(join(folder, 'config'), lines.join(''), { mode: 0o600 });
}

/** Tells the host keys that ssh took in a command, where none was known before. */
export async function learnHostKeys({ knownHosts, onKnownHosts }: Access, folder: string): Promise<void> {
  if (knownHosts !== '' || !onKnownHosts) return;
  const lines = await readFile(join(folder, 'known_hosts'), 'utf8').catch(() => '');
  if (lines !== '') onKnownHosts(lines);
}
