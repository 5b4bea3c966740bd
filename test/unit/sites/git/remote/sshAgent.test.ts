import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { fingerprintOf, newDeployKey } from '../../../../../src/organizations/deployKey.ts';
import { serveSshAgent, type SshAgent } from '../../../../../src/sites/git/remote/sshAgent.ts';
import { temporaryFolder } from '../../../../helpers/database.ts';

const run = promisify(execFile);

describe('serveSshAgent(privateKey, folder)', () => {
  const key = newDeployKey('site');
  let folder: ReturnType<typeof temporaryFolder>;
  let agent: SshAgent;
  beforeEach(async () => {
    folder = temporaryFolder();
    agent = await serveSshAgent(key.privateKey, folder.path);
  });
  afterEach(async () => {
    await agent.close();
    folder.remove();
  });

  const listed = ({ path }: SshAgent) =>
    run('ssh-add', ['-l'], { env: { PATH: process.env['PATH'], SSH_AUTH_SOCK: path } });

  it('shows OpenSSH its one key on a socket for its user only, which is removed afterwards', async () => {
    expect((await listed(agent)).stdout).to.include(fingerprintOf(key.publicKey));
    expect(statSync(agent.path).mode & 0o777).to.equal(0o600);
    expect(dirname(agent.path)).to.equal(folder.path);
    await agent.close();
    expect(existsSync(agent.path)).to.equal(false);
    agent = await serveSshAgent(key.privateKey, folder.path);
  });

  it('uses the temporary folder if a path is too long for a socket, and leaves nothing there', async () => {
    const long = join(folder.path, 'long'.repeat(30));
    await mkdir(long);
    const other = await serveSshAgent(key.privateKey, long);
    expect((await listed(other)).stdout).to.include(fingerprintOf(key.publicKey));
    expect(statSync(dirname(other.path)).mode & 0o777).to.equal(0o700);
    await other.close();
    expect(existsSync(dirname(other.path))).to.equal(false);
  });

  const failure = '0000000105';
  const strange: Record<string, [sent: string, answered: string]> = {
    'a message that it does not know': ['00000002ff1b', failure],
    'a signature with lengths beyond its end': ['000000090dffffffffffffffff', failure],
    'a message that is too long': ['7fffffff0b', ''],
  };
  for (const [what, [sent, answered]] of Object.entries(strange))
    it(`answers ${what} with a failure, and continues`, async () => {
      const socket = connect(agent.path);
      socket.end(Buffer.from(sent, 'hex'));
      const chunks: Buffer[] = [];
      socket.on('data', (chunk: Buffer) => chunks.push(chunk));
      await once(socket, 'close');
      expect(Buffer.concat(chunks).toString('hex')).to.equal(answered);
      expect((await listed(agent)).stdout).to.include(fingerprintOf(key.publicKey));
    });
});
