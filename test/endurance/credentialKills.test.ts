// Takes long: each test starts a service of its own, and kills it while git talks to remotes.
import type { IncomingMessage } from 'node:http';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createCredentials } from '../../src/organizations/credentials.ts';
import { createSecretBox } from '../../src/organizations/secretBox.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { ownSecretsKeys } from '../../src/storage/secretsKeys.ts';
import { temporaryFolder } from '../helpers/database.ts';
import { answerOf } from '../helpers/operator.ts';
import {
  filesWith,
  type PrivateRepository,
  startPrivateRepository,
} from '../helpers/team/privateRepository.ts';
import { processesOf } from '../helpers/processes.ts';
import { endServices, type Service, startService } from '../helpers/service.ts';
import { serveSsh, type SshServer } from '../helpers/sshServer.ts';
import { until } from '../helpers/until.ts';

const token = 'kill+9/the&team=token';

/** The requests of git at which the remote holds still, each at an address of its own. */
const moments: Record<string, RegExp> = {
  'at the first answer': /^\/first\.git\/info\/refs/,
  'in a fetch': /^\/fetch\.git\/git-upload-pack$/,
  'in a push': /^\/push\.git\/git-receive-pack$/,
};
const addresses = ['first.git', 'fetch.git', 'push.git'];

describe('kill -9 while git talks to a remote that does not answer', function () {
  this.timeout(300_000);
  let temporary: ReturnType<typeof temporaryFolder>;
  let repository: PrivateRepository;
  let ssh: SshServer | undefined;
  let isHolding = false;
  let held: Set<string>;

  beforeEach(async () => {
    temporary = temporaryFolder();
    [isHolding, held] = [false, new Set()];
    const hold = ({ url = '' }: IncomingMessage) => {
      const moment = Object.keys(moments).find((name) => moments[name]!.test(url));
      if (!isHolding || moment === undefined) return false;
      held.add(moment);
      return true;
    };
    repository = await startPrivateRepository(token, '', hold);
  });
  afterEach(async function () {
    await endServices(this.currentTest);
    await ssh?.close();
    ssh = undefined;
    await repository.close();
    temporary.remove();
  });

  const start = () => startService({ env: { ...repository.env, TMPDIR: temporary.path } });
  const asAdmin = async ({ dataDir, demo }: Service) => {
    const owner = ['--organization', demo.organizationId, '--role', 'admin', '--name', 'kills'];
    const { apiKey } = await answerOf(dataDir, 'key', 'create', ...owner);
    return { authorization: `Bearer ${String(apiKey)}`, 'content-type': 'application/json' };
  };
  const addSite = (service: Service, headers: Record<string, string>, given: object) =>
    service.request('POST', '/api/v1/sites', {
      headers,
      body: JSON.stringify({ name: 'Killed', repository: given }),
    });
  const heldStill = (count: number) => until('the remote to hold still', () => held.size === count);

  /** Kills the service, and expects that neither a file nor a process has the secret. */
  async function expectNothingAfterKill(service: Service, secrets: string[]) {
    expect(processesWith(secrets), 'command lines and environments').to.deep.equal([]);
    await service.kill();
    expect(filesWith(service.dataDir, ...secrets), 'files of the data folder').to.deep.equal([]);
    expect(filesWith(temporary.path, ...secrets), 'temporary files').to.deep.equal([]);
    await until('the end of every git', () => gitsOf(service.dataDir).length === 0);
  }

  it(`leaves no token in a file, and no child process that has it: ${Object.keys(moments).join(', ')}`, async () => {
    const service = await start();
    const headers = await asAdmin(service);
    const siteIds: string[] = [];
    for (const address of addresses) {
      symlinkSync(repository.place.remote, join(repository.place.folder, address));
      const url = new URL(address, repository.url).href;
      const given = { url, credential: { type: 'token', token } };
      const { status, text, json } = await addSite(service, headers, given);
      expect(status, text).to.equal(201);
      siteIds.push((json as { siteId: string }).siteId);
    }
    isHolding = true;
    const prompt = 'Change the headline of /pricing to "Held"';
    for (const siteId of siteIds) await service.createTask({ siteId, prompt });
    await heldStill(addresses.length);
    await expectNothingAfterKill(service, [token]);
  });

  it('leaves no line of a deploy key in a file, and no child process that has it', async () => {
    ssh = await serveSsh(repository.place.folder);
    const service = await start();
    const headers = await asAdmin(service);
    const made = await service.request('POST', '/api/v1/deploy-keys', { headers });
    const { deployKeyId, publicKey } = made.json as { deployKeyId: string; publicKey: string };
    ssh.writers.add(publicKey);
    ssh.hold = () => void held.add('at the key');
    const url = `ssh://git@127.0.0.1:${ssh.port}/team site.git`;
    const adding = addSite(service, headers, {
      url,
      credential: { type: 'deploy-key', deployKeyId },
    });
    adding.catch(() => undefined); // it is killed
    await heldStill(1);
    expect(filesWith(service.dataDir, 'PRIVATE KEY'), 'key files').to.deep.equal([]);
    await service.kill();
    const lines = await linesOf(service.dataDir, deployKeyId);
    expect(lines).to.have.length.above(0);
    expect(filesWith(service.dataDir, ...lines), 'files of the data folder').to.deep.equal([]);
    expect(filesWith(temporary.path, ...lines), 'temporary files').to.deep.equal([]);
    await until('the end of every git', () => gitsOf(service.dataDir).length === 0);
  });
});

/** git, its helpers, and ssh. */
const gitsOf = (dataDir: string) =>
  processesOf(dataDir).filter(({ command }) => /^(\S*\/)?(git|ssh)(-\S*)?\s/.test(command));

/** The lines of a private key, which only its database has. */
async function linesOf(dataDir: string, deployKeyId: string): Promise<string[]> {
  const database = await openDatabase({ dataDir });
  try {
    const opened = await createCredentials(
      database.db,
      createSecretBox(ownSecretsKeys(dataDir)),
    ).open(deployKeyId);
    const text = opened.kind === 'deploy-key' ? opened.privateKey : '';
    return text.split('\n').filter((line) => line !== '' && !line.startsWith('-----'));
  } finally {
    await database.close();
  }
}

/**
 * What everybody on this machine sees of its processes, and what their owner sees of their
 * environments.
 */
const processesWith = (secrets: string[]) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => ['cmdline', 'environ'].map((file) => readIfThere(join('/proc', pid, file))))
    .filter((text) => secrets.some((secret) => text.includes(secret)));

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // it has ended, or is somebody else's
  }
}
