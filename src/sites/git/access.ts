import { readFile, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import type { GitCredential } from '../../contract/site.ts';
import { DomainError } from '../../errors.ts';
import { SECRET_FD } from './launcher/protocol.ts';
import { serveSshAgent } from './sshAgent.ts';

/** How to reach a remote that was added over HTTP, and the credential for it. */
export interface Access {
  /** Whether git may only dial public addresses, and must not use the operator's credentials. */
  isGuarded: boolean;
  /** Reads the credential when a command needs it; null if the site has none. */
  credential: () => Promise<GitCredential | null>;
  /** The host's ssh keys, as lines of known_hosts. Empty: the first key seen is accepted. */
  knownHosts: string;
  /** Called with a host's keys when none were known before. */
  onKnownHosts?: (lines: string) => void;
}

/** A site's repository where its team keeps it. */
export interface Remote {
  url: string;
  branch: string;
  /** Absent: the operator's git settings give access, and any address may be dialled. */
  access?: Access;
}

/** How a git command reaches a remote, in addition to the command's own arguments. */
export interface Means {
  /** The transport that it may use. */
  protocol: string;
  env: Record<string, string>;
  /** `-c` settings. The list of processes shows them, so they hold no secrets. */
  settings: string[];
  /** The secret that git's helper reads from an inherited pipe. */
  secret?: string;
}

/** Looks up the addresses that may be dialled for a host; null: any. Throws GIT_FAILED. */
export type AllowedAddresses = (host: string) => Promise<string[] | null>;

export interface Place {
  protocol: 'https' | 'ssh';
  host: string;
  port: string;
}

/**
 * The host and port that git dials for a URL, null for a local one. Host names are as `URL` spells
 * them.
 */
export function placeOf(url: string): Place | null {
  const [, scheme, rest] = /^(https|ssh):\/\/(.*)$/.exec(url) ?? [];
  const scp = /^(?:[^@/]*@)?([^:/]+):/.exec(url);
  if (url.startsWith('file:') || (scheme === undefined && !scp)) return null;
  const named = URL.parse(`https://${rest ?? scp?.[1] ?? ''}`);
  if (!named) throw new DomainError('INVALID_INPUT', "The repository's address must name a host");
  const protocol = scheme === 'https' ? 'https' : 'ssh';
  return {
    protocol,
    host: named.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: portOf(protocol, url),
  };
}

const portOf = (protocol: string, url: string) =>
  (url.includes('://') && URL.parse(url)?.port) || (protocol === 'https' ? '443' : '22');

interface Given {
  credential: GitCredential | null;
  /** A temporary folder for this command alone. */
  folder: string;
  /** The addresses to dial; null: git resolves the host itself. */
  addresses: string[] | null;
}

/**
 * Builds the means of one git command. No file, environment or list of processes holds a secret: a
 * token goes through a pipe, and an ssh key stays in this process, whose ssh agent signs. So a kill
 * of this process leaves no secret behind.
 * @param resources closed after the command
 */
export async function meansOf(
  place: Place,
  access: Access,
  given: Given,
  resources: AsyncDisposableStack,
): Promise<Means> {
  const { credential, folder, addresses } = given;
  const env = { AGENT_TASKS_ACCESS: folder, ...(access.isGuarded && nothingOfOurs(folder)) };
  if (place.protocol === 'https') {
    const token = credential?.kind === 'token' ? tokenHelper(place, credential) : { settings: [] };
    return {
      protocol: 'https',
      env,
      ...token,
      settings: [...pinned(place, addresses), ...token.settings],
    };
  }
  const agent =
    credential?.kind === 'deploy-key'
      ? resources.adopt(await serveSshAgent(credential.privateKey, folder), (served) =>
          served.close(),
        )
      : undefined;
  await writeSshFiles(place, access, { agent: agent?.path, address: addresses?.[0], folder });
  const command = 'ssh -F "$AGENT_TASKS_ACCESS/config"';
  return { protocol: 'ssh', env: { ...env, GIT_SSH_COMMAND: command }, settings: [] };
}

/**
 * Hides the operator's home (.netrc, .ssh), ssh agent, and proxy. A proxy would resolve names
 * itself.
 */
const nothingOfOurs = (home: string) => ({
  HOME: home,
  SSH_AUTH_SOCK: '',
  HTTPS_PROXY: '',
  https_proxy: '',
  NO_PROXY: '*',
  no_proxy: '*',
});

/** Makes curl dial these addresses instead of resolving the host itself. */
function pinned({ host, port }: Place, addresses: string[] | null): string[] {
  if (addresses === null || isIP(host)) return [];
  const list = addresses
    .map((address) => (isIP(address) === 6 ? `[${address}]` : address))
    .join(',');
  return [`http.curloptResolve=${host}:${port}:${list}`];
}

/**
 * git asks the helper at most once in a command, and for this protocol, host and port only
 * (gitcredentials). The helper reads its answer from the file descriptor that git has inherited.
 */
function tokenHelper(place: Place, { username, token }: TokenCredential) {
  const host = isIP(place.host) === 6 ? `[${place.host}]` : place.host;
  const port = place.port === '443' ? '' : `:${place.port}`;
  const helper = `!f() { test "$1" = get && cat <&${SECRET_FD}; }; f`;
  return {
    settings: [`credential.https://${host}${port}.helper=${helper}`],
    secret: `username=${username}\npassword=${token}\n`,
  };
}

type TokenCredential = Extract<GitCredential, { kind: 'token' }>;

interface SshFiles {
  /** The socket of the ssh agent that has the key, if there is a key. */
  agent: string | undefined;
  /** The address to dial; undefined: ssh resolves the host itself. */
  address: string | undefined;
  folder: string;
}

async function writeSshFiles(
  { host }: Place,
  access: Access,
  { agent, address, folder }: SshFiles,
) {
  const quoted = (path: string) => `"${path.replaceAll('%', '%%')}"`;
  await writeFile(join(folder, 'known_hosts'), access.knownHosts, { mode: 0o600 });
  const settings = {
    BatchMode: 'yes',
    ConnectTimeout: '20',
    ServerAliveInterval: '15',
    ServerAliveCountMax: '3',
    ForwardAgent: 'no',
    ClearAllForwardings: 'yes',
    ProxyCommand: 'none',
    PermitLocalCommand: 'no',
    ...(access.isGuarded && {
      IdentityAgent: 'none',
      PreferredAuthentications: 'publickey',
      User: 'git',
    }),
    ...((access.isGuarded || agent !== undefined) && { IdentityFile: 'none' }),
    ...(agent !== undefined && { IdentityAgent: quoted(agent) }),
    UserKnownHostsFile: quoted(join(folder, 'known_hosts')),
    GlobalKnownHostsFile: '/dev/null',
    HashKnownHosts: 'no',
    UpdateHostKeys: 'no',
    StrictHostKeyChecking: access.knownHosts === '' ? 'accept-new' : 'yes',
    HostKeyAlias: host,
    ...(address !== undefined && { HostName: address }),
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} ${value}\n`);
  await writeFile(join(folder, 'config'), lines.join(''), { mode: 0o600 });
}

/**
 * Reports the host keys that ssh accepted during a command if no key of the host was known before.
 */
export async function learnHostKeys(
  { knownHosts, onKnownHosts }: Access,
  folder: string,
): Promise<void> {
  if (knownHosts !== '' || !onKnownHosts) return;
  const lines = await readFile(join(folder, 'known_hosts'), 'utf8').catch(() => '');
  if (lines !== '') onKnownHosts(lines);
}
