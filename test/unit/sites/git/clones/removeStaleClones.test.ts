import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { siteOfClone } from '../../../../../src/sites/git/clones/cloneName.ts';
import { createRepositories } from '../../../../../src/sites/git/repositories.ts';
import { testLauncher } from '../../../../helpers/launcher.ts';
import { until } from '../../../../helpers/until.ts';
import { failureOf, onBranch, Workplace } from '../../../../helpers/team/workplace.ts';

describe('the start, in the folder of the repositories,', () => {
  let place: Workplace;
  let head: string;
  beforeEach(async () => {
    place = new Workplace();
    head = place.push({ 'index.html': 'home' });
  });
  afterEach(() => place.remove());

  const dataDir = () => join(place.folder, 'data');
  const nameOf = (siteId: string) => basename(place.copyOf(siteId), '.git');
  /** The copies by the ids of their sites. */
  const copies = () =>
    readdirSync(join(dataDir(), 'repositories'))
      .filter((name) => name.endsWith('.git'))
      .map((name) => siteOfClone(basename(name, '.git')))
      .sort();
  const start = (registered?: () => Promise<string[]>) => {
    const repositories = createRepositories({
      dataDir: dataDir(),
      launcher: testLauncher,
      ...(registered && { registered }),
    });
    const open = (siteId: string) =>
      repositories.open({
        siteId,
        organizationId: 'acme',
        repository: { url: place.url, branch: 'main', root: '' },
      });
    return { open, close: () => repositories.close() };
  };

  /**
   * Two copies that are whole, a half-made one, temporary files, and a file of git's certificates.
   */
  async function leaveCopies() {
    const { open, close } = start();
    for (const siteId of ['one', 'two']) await open(siteId).fetchHead();
    await close();
    mkdirSync(join(place.copyOf('half'), 'objects/pack'), { recursive: true });
    mkdirSync(join(dataDir(), 'repositories/tmp/work-x'), { recursive: true });
    writeFileSync(join(dataDir(), 'repositories/certificates.pem'), '');
  }

  it('removes what a killed registration left, and nothing of a registered site', async function () {
    if (process.platform === 'win32') return this.skip();
    const { open, close } = start();
    await open('one').fetchHead();
    await close();
    const ref = join(place.remote, 'refs/heads/main');
    execFileSync('sh', ['-c', 'rm "$0" && mkfifo "$0"', ref]); // whoever reads the branch waits
    const script = join(import.meta.dirname, 'registerProcess.ts');
    const registering = spawn(process.execPath, [script, dataDir(), place.url, 'new'], {
      stdio: 'ignore',
    });
    await until('the copy', () => existsSync(place.copyOf('new')));
    registering.kill('SIGKILL');
    await once(registering, 'exit');
    execFileSync('sh', ['-c', 'rm "$0" && printf "%s\\n" "$1" > "$0"', ref, head]);
    expect(copies()).to.include.members(['new', 'one']);

    const next = start(() => Promise.resolve([nameOf('one')]));
    expect((await next.open('one').tree(onBranch(head))).commit).to.equal(head);
    expect(copies()).to.deep.equal(['one']);
    await next.close();
  });

  it('removes every clone of an unregistered site before any work begins, and no other file', async () => {
    await leaveCopies();
    const { promise, resolve } = Promise.withResolvers<string[]>();
    const { open, close } = start(() => promise);
    const fetched = open('new').fetchHead();
    await new Promise(setImmediate);
    expect(copies()).to.deep.equal(['half', 'one', 'two']);
    resolve([nameOf('two'), 'elsewhere']);
    expect(await fetched).to.equal(head);
    expect(copies()).to.deep.equal(['new', 'two']);
    expect(readdirSync(join(dataDir(), 'repositories'))).to.include('certificates.pem');
    await close();
  });

  it("removes nothing if the register can't be read, or none is asked", async () => {
    await leaveCopies();
    for (const registered of [() => Promise.reject(new Error('down')), undefined]) {
      const { open, close } = start(registered);
      expect(await failureOf(open('one').fetchHead())).to.equal(undefined);
      expect(copies()).to.deep.equal(['half', 'one', 'two']);
      await close();
    }
  });
});
