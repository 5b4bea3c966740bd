import { DomainError } from '../../../errors.ts';
import {
  type AllowedAddresses,
  learnHostKeys,
  type GitTransport,
  createTransport,
  parseRemoteHost,
  type SiteRemote,
} from './remoteAccess.ts';
import { type CredentialFilter, createCredentialFilter } from './credentialFilter.ts';
import type { GitRunner, GitResult } from '../command/git.ts';

/*
 * Connects git commands with remotes. A remote that an operator added is reached with git's own
 * settings. One that was added over HTTP has an `access`: its credential, known ssh keys, and
 * whether it is guarded, so that git may only dial the public addresses that were checked before.
 */

/** The result of a command that talked to a remote. Its `stderr` never contains the credential. */
export interface RemoteResult extends GitResult {
  /** Replaces the credential in a text of `stdout`. */
  redact: CredentialFilter;
}

/**
 * Runs one git command that talks to a remote. Supplies the credential and temporary files, and
 * removes the files afterwards.
 */
export type RemoteConnector = (
  remote: SiteRemote,
  run: (transport: GitTransport) => Promise<GitResult>,
) => Promise<RemoteResult>;

interface ConnectorOptions {
  git: Pick<GitRunner, 'run'>;
  /** Runs work with a new temporary folder that only this user can read. */
  withFolder: <T>(work: (folder: string) => Promise<T>) => Promise<T>;
  /** The addresses that may be dialled for the host of a guarded remote. Default: none. */
  allowed?: AllowedAddresses | undefined;
}

const transportProtocol = (url: string) =>
  url.startsWith('file:') ? 'file' : (parseRemoteHost(url)?.protocol ?? 'ssh');

/**
 * Makes the connector of this process. Its calls throw the errors of `run` and `allowed`,
 * CONFIGURATION if git is too old for a guarded remote, and GIT_FAILED for a URL without a host.
 */
export function createConnector({
  git,
  withFolder,
  allowed = refuseAllHosts,
}: ConnectorOptions): RemoteConnector {
  let pinningCheck: Promise<void> | undefined;
  return async (remote, run) => {
    const { url, access } = remote;
    if (!access || url.startsWith('file:'))
      return {
        ...(await run({ protocol: transportProtocol(url), env: {}, settings: [] })),
        redact: (text) => text,
      };
    if (access.isGuarded) await (pinningCheck ??= requirePinning(git));
    const remoteHost = parseRemoteHost(url);
    if (!remoteHost)
      throw new DomainError('GIT_FAILED', 'A local repository does not need a credential');
    const addresses = access.isGuarded ? await allowed(remoteHost.host) : null;
    const credential = await access.credential();
    return withFolder(async (folder) => {
      await using resources = new AsyncDisposableStack();
      const result = await run(
        await createTransport(remoteHost, access, { credential, folder, addresses }, resources),
      );
      await learnHostKeys(access, folder);
      const redact = createCredentialFilter(credential);
      return { ...result, stderr: redact(result.stderr), redact };
    });
  };
}

/** git ignores `http.curloptResolve` before 2.37, and resolves names itself. */
async function requirePinning(git: Pick<GitRunner, 'run'>): Promise<void> {
  const { stdout } = await git.run({ args: ['--version'] });
  const [, major, minor] = /git version (\d+)\.(\d+)/.exec(stdout.toString()) ?? [];
  if (Number(major) * 1000 + Number(minor) < 2037)
    throw new DomainError(
      'CONFIGURATION',
      'Repositories that were added with the API need git 2.37 or later',
    );
}

function refuseAllHosts(): never {
  throw new DomainError(
    'CONFIGURATION',
    'This process cannot access repositories that were added with the API',
  );
}
