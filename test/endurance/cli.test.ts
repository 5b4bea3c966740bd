// Takes long: every command is a process of its own, which opens a database.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { serveOperatorChannel } from '../../src/cli/operatorChannel.ts';
import { dataCommands } from '../../src/cli/commands.ts';
import { operatorSocketPath } from '../../src/cli/socketPath.ts';
import { readConfig } from '../../src/config.ts';
import { createLogger } from '../../src/log.ts';
import { isApiKey } from '../../src/organizations/apiKey.ts';
import { noDataError } from '../../src/storage/database.ts';
import { openStores, type ServiceStores } from '../../src/stores.ts';
import { NO_SETUP } from '../../src/temporal/setUp.ts';
import { temporaryFolder } from '../helpers/database.ts';

const run = promisify(execFile);
const script = new URL('../../src/cli.ts', import.meta.url).pathname;
const id = '00000000-0000-4000-8000-000000000000';

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

describe('npm run -s cli', function () {
  this.timeout(300_000);
  let folder: ReturnType<typeof temporaryFolder>;
  let dataDir: string;
  let settings: Record<string, string> = {};
  before(() => {
    folder = temporaryFolder();
    dataDir = join(folder.path, 'data');
  });
  after(() => folder.remove());

  /**
   * As an operator would, in a process of its own; without V8's second compiler, opening the
   * database takes half.
   */
  async function cli(...words: string[]): Promise<Outcome> {
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const env = { PATH, NODE_COMPILE_CACHE, DATA_DIR: dataDir, ...settings };
    const options = { env, cwd: folder.path };
    try {
      return {
        code: 0,
        ...(await run(process.execPath, ['--liftoff-only', script, ...words], options)),
      };
    } catch (error) {
      return error as Outcome;
    }
  }

  async function answer(...words: string[]): Promise<Record<string, unknown>> {
    const { code, stdout, stderr } = await cli(...words);
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: named() });
    return JSON.parse(stdout) as Record<string, unknown>;
  }

  /** The line on standard error that names the data. */
  const named = () => `Data: ${dataDir} (DATA_DIR)\n`;
  const made = () =>
    `Data: ${dataDir} (DATA_DIR), created by this command. Start the service with the same DATA_DIR\n`;

  async function makeRepository(): Promise<void> {
    const work = join(folder.path, 'work');
    mkdirSync(join(work, 'docs', 'about'), { recursive: true });
    for (const file of ['index.html', 'about/index.html', 'style.css', '404.txt'])
      writeFileSync(join(work, 'docs', file), '<title>x</title>');
    const git = (...words: string[]) =>
      run('git', ['-C', work, '-c', 'user.name=t', '-c', 'user.email=t@t.example', ...words]);
    await git('init', '-q', '-b', 'trunk');
    await git('add', '.');
    await git('commit', '-q', '-m', 'Begin');
    await run('git', ['clone', '-q', '--bare', work, join(folder.path, 'site.git')]);
  }

  for (const words of [[], ['key', 'steal']])
    it(`exits with 2 and a message for \`${words.join(' ')}\``, async () => {
      const { code, stdout, stderr } = await cli(...words);
      expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
      expect(stderr).not.to.equal('');
    });

  describe('without data', () => {
    let none: string;
    beforeEach(() => {
      none = join(mkdtempSync(join(folder.path, 'none-')), 'data');
      settings = { DATA_DIR: none };
    });
    afterEach(() => (settings = {}));

    const advice = () => `${noDataError({ dataDir: none }).message}\n`;

    it('exits with 1, names the folder and what to do, and creates nothing', async () => {
      expect(await cli('key', 'list')).to.include({ code: 1, stdout: '', stderr: advice() });
      expect(existsSync(none)).to.equal(false);
    });

    it('exits with 1 for every command except `organization create`', () => {
      const making = dataCommands.filter(({ makesData }) => makesData).map(({ name }) => name);
      expect(making).to.deep.equal(['organization create']);
    });

    it("sets up Temporal's namespace", async () => {
      const { code, stdout, stderr } = await cli('temporal', 'setup');
      expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
      expect(stderr).to.equal(`${NO_SETUP}\n`);
      expect(existsSync(none)).to.equal(false);
    });
  });

  it('works without the service through all commands; the first organization creates the data', async () => {
    await makeRepository();
    const { stdout, stderr } = await cli('organization', 'create', '--name', 'Acme');
    expect(stderr).to.equal(made());
    const { organizationId } = JSON.parse(stdout) as { organizationId: string };
    const own = ['--organization', organizationId];
    const { keyId, apiKey } = await answer(
      'key',
      'create',
      ...own,
      '--role',
      'member',
      '--expires',
      '90d',
    );
    expect(isApiKey(String(apiKey))).to.equal(true);
    expect(await answer('key', 'revoke', '--key', String(keyId))).to.have.keys(
      'keyId',
      'revokedAt',
    );
    const repository = ['--repository', './site.git', '--branch', 'trunk', '--root', '/docs/'];
    const site = await answer('site', 'create', ...own, '--name', 'Acme', ...repository);
    expect(site).to.have.property('pages', 2);
    const { sites } = (await answer('site', 'list', ...own)) as { sites: unknown[] };
    expect(sites).to.have.length(1);
    expect(sites[0]).to.have.nested.include({ 'repository.root': 'docs', label: 'acme' });
    expect(await answer('organization', 'callback-secret', ...own)).to.have.property(
      'callbackSecret',
    );
  });

  describe('while the service runs', () => {
    let stores: ServiceStores;
    let channel: { close(): Promise<void> };
    before(async () => {
      const options = {
        logger: createLogger('silent'),
        publicUrl: () => new URL('http://localhost'),
      };
      stores = await openStores(readConfig({ DATA_DIR: dataDir }), options);
      channel = await serveOperatorChannel(operatorSocketPath(dataDir), stores.runCommand);
    });
    after(async () => {
      await channel.close();
      await stores.close();
    });

    it('lets the service do the work, which sees the result at once', async () => {
      const { organizationId } = await answer('organization', 'create', '--name', 'Beside');
      const key = await answer(
        'key',
        'create',
        '--organization',
        String(organizationId),
        '--role',
        'admin',
      );
      expect(await stores.keys.authenticate(String(key['apiKey']))).to.include({
        organizationId,
        role: 'admin',
      });
    });

    it('exits with the same codes', async () => {
      const wrong = await cli(
        'key',
        'create',
        '--organization',
        'x',
        '--role',
        'boss',
        '--expires',
        'soon',
      );
      expect(wrong.code).to.equal(2);
      for (const option of ['organization', 'role', 'expires'])
        expect(wrong.stderr).to.contain(`"${option}"`);
      expect(await cli('key', 'revoke', '--key', id)).to.include({
        code: 1,
        stderr: `${named()}Key ${id} not found\n`,
      });
      const options = ['--organization', id, '--name', 'x', '--branch', 'main'];
      expect(await cli('site', 'create', ...options)).to.include({
        code: 2,
        stderr: `${named()}branch is only allowed together with repository\n`,
      });
    });
  });
});
