// Takes long: npm packs and installs the package, and TypeScript compiles programs with it.
import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { buildClient } from '../../client/build.ts';
import { blocks, read as document } from '../helpers/documents.ts';
import { json, startScripted } from '../unit/client/scriptedServer.ts';

const MOST_BYTES = 20_000;
const root = join(import.meta.dirname, '../..');

describe('the package of the client', function () {
  this.timeout(240_000);
  /** A project that has only the package. */
  let project: string;
  let installed: string;
  let packed: string[];
  before(async () => {
    project = mkdtempSync(join(tmpdir(), 'agent-tasks-test-'));
    installed = join(project, 'node_modules/agent-tasks-client');
    const source = join(project, 'source');
    mkdirSync(source);
    for (const name of ['package.json', 'README.md', 'LICENSE'])
      cpSync(join(root, 'client', name), join(source, name));
    await buildClient(join(source, 'dist'));
    const npm = (args: string) =>
      execFileSync('npm', args.split(' '), { cwd: project, encoding: 'utf8', stdio: 'pipe' });
    writeFileSync(join(project, 'package.json'), '{"type":"module"}');
    const [{ files, filename }] = JSON.parse(npm('pack ./source --ignore-scripts --json')) as [
      { files: { path: string }[]; filename: string },
    ];
    packed = files.map(({ path }) => path);
    npm(`install ./${filename} --offline --no-audit --no-fund`);
  });
  after(() => rmSync(project, { recursive: true, force: true }));
  const codes = () => readdirSync(join(installed, 'dist')).filter((name) => name.endsWith('.js'));
  const read = (name: string) => readFileSync(join(installed, 'dist', name), 'utf8');
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: project, encoding: 'utf8' });

  it('contains its README, its licence and the licence of the code in it', () => {
    expect(packed).to.include.members(['README.md', 'LICENSE', 'dist/LICENSE.eventsource-parser']);
    expect(packed.filter((path) => !/^(?:README\.md|LICENSE|package\.json|dist\/.*)$/.test(path)))
      .to.be.empty;
    expect(document('client/LICENSE')).to.equal(document('LICENSE'));
  });

  it('can be imported, required, and run from a shell', () => {
    const program = 'console.log(typeof client.AgentTasks)';
    const imported = `import * as client from 'agent-tasks-client'; ${program}`;
    const required = `const client = require('agent-tasks-client'); ${program}`;
    writeFileSync(join(project, 'required.cjs'), required);
    expect(run(process.execPath, '--input-type=module', '--eval', imported)).to.equal('function\n');
    expect(run(process.execPath, 'required.cjs')).to.equal('function\n');
    expect(run(join(project, 'node_modules/.bin/agent-tasks'), '--help')).to.match(/^Usage: /);
  });

  it('is smaller than 20 kB without its command', () => {
    const bytes = codes()
      .filter((name) => name !== 'cli.js')
      .map((name) => read(name).length);
    expect(bytes.reduce((sum, one) => sum + one)).to.be.below(MOST_BYTES);
  });

  it('runs with only the APIs that browsers and edge runtimes have', async () => {
    const { outputFiles } = await build({
      stdin: { contents: "export * from 'agent-tasks-client'", resolveDir: project },
      bundle: true,
      format: 'iife',
      globalName: 'own',
      platform: 'browser',
      write: false,
    });
    const server = await startScripted((response, n) => {
      if (n < 1) json(response, 503, {}, { 'Retry-After': '0' });
      else if (n < 2) json(response, 200, { taskId: 'bg-1', status: 'failed' });
      else {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.end('id: 1\nevent: done\ndata: {}\n\n');
      }
    });
    const program = `${outputFiles[0]!.text}
      (async () => {
        const { tasks } = new own.AgentTasks({ apiKey: 'k', baseUrl: ${JSON.stringify(server.baseUrl)} });
        const told = [(await tasks.waitFor('bg-1')).status];
        for await (const { event } of tasks.events('bg-1')) told.push(event);
        return told.join();
      })()`;
    const web = {
      AbortController,
      fetch,
      Headers,
      TextDecoder,
      TextDecoderStream,
      TextEncoder,
      URL,
      URLSearchParams,
      atob,
      clearTimeout,
      crypto,
      setTimeout,
    };
    expect(await runInContext(program, createContext(web))).to.equal('failed,done');
    await server.close();
  });

  describe('has types that compile in a strict program', () => {
    const program = [
      "import { AgentTasks, type FinishedTask } from 'agent-tasks-client';",
      "const client = new AgentTasks({ apiKey: 'k', baseUrl: 'http://localhost' });",
      'export async function run(): Promise<FinishedTask> {',
      "  const { taskId } = await client.tasks.create({ siteId: 's', prompt: 'p' });",
      '  for await (const event of client.tasks.events(taskId))',
      "    if (event.event === 'page') event.data.previewUrl?.trim();",
      '  const task = await client.tasks.waitFor(taskId);',
      "  if (task.status === 'completed') task.output.pagesCreated.map(({ slug }) => slug.length);",
      '  return task;',
      '}',
    ].join('\n');
    before(() => {
      writeFileSync(join(project, 'program.ts'), program);
      writeFileSync(join(project, 'readme.ts'), blocks('client/README.md', 'js')[0]!);
      symlinkSync(join(root, 'node_modules/@types'), join(project, 'node_modules/@types'));
    });

    /** The oldest that is supported, from the registry. Node 10's resolution reads no `exports`. */
    describe('by TypeScript 5.0', () => {
      const oldest = '5.0.4';
      let compilers: string;
      before(function () {
        this.timeout(240_000);
        compilers = mkdtempSync(join(tmpdir(), 'agent-tasks-test-'));
        writeFileSync(join(compilers, 'package.json'), '{}');
        const install = ['install', `typescript@${oldest}`, '--no-audit', '--no-fund'];
        execFileSync('npm', [...install, '--prefer-offline'], { cwd: compilers, stdio: 'pipe' });
        writeFileSync(join(project, 'required.cts'), program);
      });
      after(() => rmSync(compilers, { recursive: true, force: true }));

      for (const [file, module, moduleResolution] of [
        ['program.ts', 'commonjs', 'node10'],
        ['required.cts', 'node16', 'node16'],
        ['program.ts', 'esnext', 'bundler'],
      ] as const)
        it(`for ${file}, with module ${module} and moduleResolution ${moduleResolution}`, () => {
          const compilerOptions = {
            noEmit: true,
            strict: true,
            noUncheckedIndexedAccess: true,
            exactOptionalPropertyTypes: true,
            target: 'es2022',
            lib: ['es2022', 'dom', 'dom.iterable'],
            types: [],
            module,
            moduleResolution,
          };
          writeFileSync(
            join(project, 'tsconfig.json'),
            JSON.stringify({ compilerOptions, files: [file] }),
          );
          const tsc = join(compilers, 'node_modules/typescript/bin/tsc');
          expect(run(process.execPath, tsc, '--version')).to.equal(`Version ${oldest}\n`);
          expect(run(process.execPath, tsc, '--project', 'tsconfig.json')).to.equal('');
        });
    });

    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const strict = '--noEmit --strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes';
    for (const modules of ['node16', 'esnext --moduleResolution bundler'])
      it(`by --module ${modules}, as its README`, () => {
        const flags = `${strict} --target es2022 --module ${modules} --types node`;
        run(process.execPath, tsc, ...flags.split(' '), 'program.ts', 'readme.ts');
      });
  });
});
