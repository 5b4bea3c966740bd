import { readFile, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import type { GitCredential } from '../../../contract/site.ts';
import { DomainError } from '../../../errors.ts';
import { SECRET_FD } from '../launcher/protocol.ts';
import { serveSshAgent } from './sshAgent.ts';
import { parseUrl } from '../../../contract/text/parseUrl.ts';

/** How to reach a remote that was added over HTTP, and the credential for it. */
export interface RemoteAccess {
  /** Whether git may only dial public addresses, and must not use the operator's credentials. */
  isGuarded: boolean;
  /** Reads the credential when a command needs it; null if the site has none. */
  credential: () => Promise<GitCredential | null>;
  /** The host's ssh keys, as lines of known_hosts. Empty: the first key seen is accepted. */
  knownHosts: string;
  /** Called with a host's keys when none were known before. */
  onKnownHosts?: (lines: string) => void;
}

/** Where a site's team keeps its repository, and how to reach it. */
export interface SiteRemote {
  url: string;
  branch: string;
  /** Absent: the operator's git settings give access, and any address may be dialled. */
  access?: RemoteAccess;
}

/** How a git command reaches a remote, in addition to the command's own arguments. */
export interface GitTransport {
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

export interface RemoteHost {
  protocol: 'https' | 'ssh';
  host: string;
  port: string;
}

/**
 * The host and port that git dials for a URL: `git@example.com:acme/site` → `{ protocol: 'ssh',
 * host: 'example.com', port: '22' }`. null for a local URL. Host names are as `URL` spells them.
 * @throws DomainError INVALID_INPUT if there is no valid host
 */
export function parseRemoteHost(url: string): RemoteHost | null {
  const [, scheme, hostPart] = /^(https|ssh):\/\/(.*)$/.exec(url) ?? [];
  const scp = /^(?:[^@/]*@)?([^:/]+):/.exec(url);
  if (url.startsWith('file:') || (scheme === undefined && !scp)) return null;
  const parsedUrl = parseUrl(`https://${hostPart ?? scp?.[1] ?? ''}`);
  if (!parsedUrl)
    throw new DomainError('INVALID_INPUT', 'The URL of the repository must contain a host');
  const protocol = scheme === 'https' ? 'https' : 'ssh';
  return {
    protocol,
    host: parsedUrl.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: remotePort(protocol, url),
  };
}

const remotePort = (protocol: string, url: string) =>
  (url.includes('://') && parseUrl(url)?.port) || (protocol === 'https' ? '443' : '22');

interface TransportInput {
  credential: GitCredential | null;
  /** A temporary folder for this command alone. */
  folder: string;
  /** The addresses to dial; null: git resolves the host itself. */
  addresses: string[] | null;
}

/**
 * Prepares what one git command needs to reach the remote. No file, environment or process list
 * contains a secret: a token goes through a pipe, and an ssh key stays in this process, which signs
 * as an ssh agent. So a kill of this process leaves no secret behind.
 * @param resources closed after the command
 */
export async function createTransport(
  remoteHost: RemoteHost,
  access: RemoteAccess,
  input: TransportInput,
  resources: AsyncDisposableStack,
): Promise<GitTransport> {
  const { credential, folder, addresses } = input;
  const env = { AGENT_TASKS_ACCESS: folder, ...(access.isGuarded && isolatedEnv(folder)) };
  if (remoteHost.protocol === 'https') {
    const token =
      credential?.kind === 'token' ? tokenHelper(remoteHost, credential) : { settings: [] };
    return {
      protocol: 'https',
      env,
      ...token,
      settings: [...pinAddresses(remoteHost, addresses), ...token.settings],
    };
  }
  const agent =
    credential?.kind === 'deploy-key'
      ? resources.adopt(await serveSshAgent(credential.privateKey, folder), (sshAgent) =>
          sshAgent.close(),
        )
      : undefined;
  await writeSshFiles(remoteHost, access, { agent: agent?.path, address: addresses?.[0], folder });
  const command = 'ssh -F "$AGENT_TASKS_ACCESS/config"';
  return { protocol: 'ssh', env: { ...env, GIT_SSH_COMMAND: command }, settings: [] };
}

/**
 * Hides the operator's home (.netrc, .ssh), ssh agent, and proxy. A proxy would resolve names
 * itself.
 */
const isolatedEnv = (home: string) => ({
  HOME: home,
  SSH_AUTH_SOCK: '',
  HTTPS_PROXY: '',
  https_proxy: '',
  NO_PROXY: '*',
  no_proxy: '*',
});

/** Makes curl dial these addresses instead of resolving the host itself. */
function pinAddresses({ host, port }: RemoteHost, addresses: string[] | null): string[] {
  if (addresses === null || isIP(host)) return [];
  const addressList = addresses
    .map((address) => (isIP(address) === 6 ? `[${address}]` : address))
    .join(',');
  return [`http.curloptResolve=${host}:${port}:${addressList}`];
}

/**
 * The git setting that answers git's question for a user name and password. git asks the helper at
 * most once in a command, and for this protocol, host and port only (gitcredentials). The helper
 * reads its answer from the file descriptor that git has inherited.
 */
function tokenHelper(remoteHost: RemoteHost, { username, token }: TokenCredential) {
  const host = isIP(remoteHost.host) === 6 ? `[${remoteHost.host}]` : remoteHost.host;
  const port = remoteHost.port === '443' ? '' : `:${remoteHost.port}`;
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
  { host }: RemoteHost,
  access: RemoteAccess,
  { agent, address, folder }: SshFiles,
) {
  const quotePath = (path: string) => `"${path.replaceAll('%', '%%')}"`;
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
    ...(agent !== undefined && { IdentityAgent: quotePath(agent) }),
    UserKnownHostsFile: quotePath(join(folder, 'known_hosts')),
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
  { knownHosts, onKnownHosts }: RemoteAccess,
  folder: string,
): Promise<void> {
  if (knownHosts !== '' || !onKnownHosts) return;
  const lines = await readFile(join(folder, 'known_hosts'), 'utf8').catch(() => '');
  if (lines !== '') onKnownHosts(lines);
}
