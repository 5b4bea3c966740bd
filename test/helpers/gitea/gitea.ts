import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Authority } from '../certificates.ts';
import { temporaryFolder } from '../database.ts';
import { freePort } from '../ports.ts';
import { until } from '../until.ts';
import { builtGitea } from './build.ts';
import { type GiteaClient, giteaClient, type GiteaUser } from './client.ts';

const run = promisify(execFile);
/** Gitea refuses to run as root; this is `nobody`. */
const UNPRIVILEGED = 65_534;
const START_WITHIN_MS = 180_000;
const isRoot = process.getuid?.() === 0;
const user = isRoot ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};

/** A forge of the test's own. */
export interface Gitea extends GiteaClient {
  /** `http://127.0.0.1:<port>`, or `https://…` */
  url: string;
  /** May do everything. */
  admin: GiteaUser;
  /** What it logged: warnings and errors. */
  log(): string;
  /** Kills it as a crash does, and starts it again on its files and its port. */
  restart(): Promise<void>;
  /** Ends it and removes its files. */
  close(): Promise<void>;
}

/**
 * Starts Gitea on a free port of 127.0.0.1, without mail, and with webhooks to this machine only.
 * The first call builds it, which takes minutes. Ask `needProgram` first.
 * @param authority serves https with a certificate of it
 * @param within milliseconds until it must answer
 */
export async function startGitea(authority?: Authority, within = START_WITHIN_MS): Promise<Gitea> {
  const programs = await builtGitea();
  const folder = temporaryFolder();
  const port = await freePort();
  const url = `${authority ? 'https' : 'http'}://127.0.0.1:${port}`;
  await writeFiles({ folder: folder.path, programs, port, url }, authority);
  const gitea = commandsOf(join(programs, 'gitea'), folder.path);
  const admin: GiteaUser = { name: 'forge-admin', password: randomUUID(), token: '' };
  const client = giteaClient(url, admin, authority?.ca);
  let server = gitea.serve();
  const kill = () => void server.kill('SIGKILL');
  process.once('exit', kill);
  const end = async () => {
    kill();
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
  };
  const close = async () => {
    process.off('exit', kill);
    await end();
    folder.remove();
  };
  const untilAnswers = () => untilAnswered(client, { server, log: gitea.log, within });
  try {
    await untilAnswers();
    admin.token = await gitea.createAdmin(admin);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    ...client,
    url,
    admin,
    log: gitea.log,
    async restart() {
      await end();
      server = gitea.serve();
      await untilAnswers();
    },
    close,
  };
}

interface Place {
  folder: string;
  programs: string;
  port: number;
  url: string;
}

async function writeFiles(place: Place, authority: Authority | undefined): Promise<void> {
  const { folder } = place;
  const { cert, key } = (await authority?.issue({ ip: ['127.0.0.1'] })) ?? { cert: '', key: '' };
  const files = { 'app.ini': iniOf(place), cert, key };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  // Gitea adds secrets of its own to its configuration
  if (isRoot)
    for (const name of ['', ...Object.keys(files)])
      chownSync(join(folder, name), UNPRIVILEGED, UNPRIVILEGED);
}

/** https://docs.gitea.com/administration/config-cheat-sheet */
const iniOf = ({ folder, programs, port, url }: Place) => `
RUN_USER = ${isRoot ? 'nobody' : userInfo().username}
WORK_PATH = ${folder}

[server]
PROTOCOL = ${url.split(':')[0]}
CERT_FILE = ${folder}/cert
KEY_FILE = ${folder}/key
HTTP_ADDR = 127.0.0.1
HTTP_PORT = ${port}
ROOT_URL = ${url}/
STATIC_ROOT_PATH = ${programs}
DISABLE_SSH = true
OFFLINE_MODE = true

[database]
DB_TYPE = sqlite3
SQLITE_JOURNAL_MODE = WAL
SQLITE_TIMEOUT = 20000

[security]
INSTALL_LOCK = true
SECRET_KEY = ${randomBytes(32).toString('hex')}
PASSWORD_HASH_ALGO = pbkdf2$1000$20

[service]
DISABLE_REGISTRATION = true

[webhook]
ALLOWED_HOST_LIST = loopback
SKIP_TLS_VERIFY = true

[mailer]
ENABLED = false

[actions]
ENABLED = false

[cron]
ENABLED = false

[log]
LEVEL = warn
`;

/** Gitea's commands that tests need, as an unprivileged user in the folder. */
function commandsOf(program: string, folder: string) {
  const options = { cwd: folder, env: { PATH: process.env.PATH, HOME: folder }, ...user };
  const config = ['--config', join(folder, 'app.ini')];
  let said = '';
  return {
    log: () => said,
    serve() {
      const server = spawn(program, ['web', ...config], { ...options, stdio: 'pipe' });
      for (const stream of [server.stdout, server.stderr])
        stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
      return server;
    },
    /** @returns a token of all scopes */
    async createAdmin({ name, password }: GiteaUser): Promise<string> {
      const account = [
        '--username',
        name,
        '--password',
        password,
        '--email',
        `${name}@forge.example`,
      ];
      const token = ['--access-token', '--access-token-scopes', 'all'];
      const words = ['admin', 'user', 'create', '--admin', ...account, ...token, ...config];
      const { stdout } = await run(program, words, options);
      const [found] = /\b[0-9a-f]{40}\b/.exec(stdout) ?? [];
      if (found === undefined) throw new Error(`Gitea gave its administrator no token: ${stdout}`);
      return found;
    },
  };
}

async function untilAnswered(
  client: GiteaClient,
  { server, log, within }: { server: ChildProcess; log: () => string; within: number },
) {
  const answers = async () => {
    if (server.exitCode !== null) throw new Error(`Gitea ended with ${server.exitCode}: ${log()}`);
    return (await client.ask(null, 'GET /version').catch(() => null))?.status === 200;
  };
  await until('Gitea', answers, within);
}
