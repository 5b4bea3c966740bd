import { pickVariables } from '../../../childEnvironment.ts';

/** The only variables of the service's environment that git gets. */
const passedVariables = [
  'PATH',
  'HOME',
  'SSH_AUTH_SOCK',
  'HTTPS_PROXY',
  'https_proxy',
  'NO_PROXY',
  'no_proxy',
  'TMPDIR',
];

const sshCommand =
  'ssh -oBatchMode=yes -oConnectTimeout=20 -oServerAliveInterval=15 -oServerAliveCountMax=3 -oForwardAgent=no';

/**
 * The `-c` settings of every git command. A repository is untrusted: it must not make git run a
 * program, follow a redirect, ask for a password, or use much memory.
 */
export const gitConfiguration = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.askPass=',
  'core.quotePath=false',
  'core.protectHFS=true',
  'core.protectNTFS=true',
  'core.logAllRefUpdates=false',
  'core.filesRefLockTimeout=2000',
  'core.packedRefsTimeout=2000',
  'credential.helper=',
  'http.followRedirects=false',
  'http.lowSpeedLimit=1',
  'http.lowSpeedTime=30',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'push.recurseSubmodules=no',
  'gc.auto=0', // clones/maintenance.ts runs the maintenance
  'maintenance.auto=false',
  'advice.pushUpdateRejected=false',
  // memory: one command has about 300 MB at most
  'core.bigFileThreshold=16m',
  'core.deltaBaseCacheLimit=16m',
  'pack.threads=1',
  'pack.windowMemory=64m',
  'gc.bigPackThreshold=64m',
].flatMap((setting) => ['-c', setting]);

/**
 * Findings of git's check of fetched objects (git-fsck) that are ignored. Old clients wrote such
 * dates, names and git files, and nothing here reads them. Bad names in trees are refused later, by
 * `readListing`, whose error can tell the path.
 */
const ignoredFindings = [
  'badDate',
  'badDateOverflow',
  'badTimezone',
  'zeroPaddedDate',
  'missingSpaceBeforeDate',
  'badEmail',
  'missingEmail',
  'missingSpaceBeforeEmail',
  'badName',
  'missingNameBeforeEmail',
  'multipleAuthors',
  'badTagName',
  'missingTaggerEntry',
  'extraHeaderEntry',
  'nulInCommit',
  'zeroPaddedFilemode',
  'gitattributesBlob',
  'gitattributesLarge',
  'gitattributesLineLength',
  'gitattributesMissing',
  'gitmodulesBlob',
  'gitmodulesLarge',
  'gitmodulesMissing',
  'gitmodulesName',
  'gitmodulesParse',
  'gitmodulesPath',
  'gitmodulesSymlink',
  'gitmodulesUpdate',
  'gitmodulesUrl',
  'hasDot',
  'hasDotdot',
  'hasDotgit',
];

const fetchSettings = [
  // even few objects arrive as a pack: packs are checked and measured as a whole
  ['fetch.unpackLimit', '1'],
  ['fetch.fsckObjects', 'true'],
  ...ignoredFindings.map((id) => [`fetch.fsck.${id}`, 'ignore']),
] as const;

/**
 * The variables of a fetch. A few bytes can claim to unfold to gigabytes, as an object, a delta or
 * a number of objects. git then requests that memory at once, and its limit GIT_ALLOC_LIMIT
 * (wrapper.c) makes the fetch fail.
 */
export const fetchEnvironment: Record<string, string> = {
  GIT_ALLOC_LIMIT: '128m',
  GIT_CONFIG_COUNT: `${fetchSettings.length}`,
  ...Object.fromEntries(
    fetchSettings.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ),
};

/**
 * For a repository on this machine, git's sending side is a child process too. It must be able to
 * send large files. A small stack ends it early in folders nested thousands deep, which would
 * otherwise take gigabytes.
 */
export const localUploadPack = [
  '--upload-pack',
  'unset GIT_ALLOC_LIMIT; ulimit -s 2048 2>/dev/null; git-upload-pack',
];

/** The whole environment of the process that starts git commands. */
export const launcherEnvironment = () => pickVariables('PATH', 'NODE_COMPILE_CACHE');

/**
 * The whole environment of a git command. It contains no other variable of the service.
 * @param protocols the transports that this command may use: `file`, `https`, `ssh`, or none
 * @param certificates file of certificate authorities to trust instead of the system's
 */
export function gitEnvironment(
  protocols: string,
  certificates: string | undefined,
): NodeJS.ProcessEnv {
  return {
    ...pickVariables(...passedVariables),
    ...(certificates === undefined
      ? {}
      : { GIT_SSL_CAINFO: certificates, GIT_SSL_CAPATH: `${certificates}.none` }),
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GIT_SSH_COMMAND: sshCommand,
    GIT_ALLOW_PROTOCOL: protocols,
    GIT_PROTOCOL_FROM_USER: '0',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_LFS_SKIP_SMUDGE: '1',
  };
}
