import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Says with `--check` whether the generators are there or can be installed. Without, installs them.
 */
export const installScript = join(import.meta.dirname, 'install.sh');

/** Two programs of a second each: less than the compilers of their hot code cost. */
const SHORT_JAVA = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

/** The flags of buildTemporal.sh, for which the standard library is compiled already. */
const goEnvironment = { CGO_ENABLED: '0', GOFLAGS: '-trimpath -mod=mod' };
const goFlags = ['-p', '2', '-gcflags=all=-N -l -dwarf=false', '-ldflags=-s -w'];

const goModule = `module clients

go 1.25.0

require (
	github.com/oapi-codegen/runtime v1.9.0
	gopkg.in/validator.v2 v2.0.1
)
`;

const oapiCodegenConfig = `package: oapicodegen
generate:
  models: true
  client: true
output: oapicodegen/client.gen.go
`;

/**
 * How openapi-generator is called for each language, as its users do: without documents and tests.
 */
const languages: Record<string, object> = {
  java: { generatorName: 'java', library: 'native' },
  go: { generatorName: 'go', packageName: 'openapigenerator', outputDir: 'openapigenerator' },
  python: { generatorName: 'python' },
  typescript: { generatorName: 'typescript-fetch' },
};

/** Clients that other people's generators make of the service's OpenAPI document. */
export interface GeneratedClients {
  /** Each throws with what the compiler, or the program, says. */
  compileJava(): Promise<void>;
  compileTypeScript(): Promise<void>;
  /** @returns what both clients found, by the name of the generator */
  useGo(environment: Record<string, string>): Promise<unknown>;
  usePython(environment: Record<string, string>): Promise<unknown>;
}

/**
 * Makes clients with all generators.
 * @param folder an empty folder
 * @param document the text of the OpenAPI document
 */
export async function generateClients(folder: string, document: string): Promise<GeneratedClients> {
  const installed = (await run('bash', [installScript])).stdout.trim();
  const jars = join(installed, 'jars');
  const call = (program: string, args: string[], env: Record<string, string> = {}) =>
    run(program, args, { cwd: folder, env: { ...process.env, ...env }, maxBuffer: 1e8 });
  const pythonPath = { PYTHONPATH: [join(installed, 'python'), folder].join(':') };

  await writeFile(join(folder, 'openapi.json'), document);
  await runOpenapiGenerator();
  await mkdir(join(folder, 'oapicodegen'));
  await writeFile(join(folder, 'oapicodegen.yaml'), oapiCodegenConfig);
  await call(join(installed, 'oapi-codegen'), ['-config', 'oapicodegen.yaml', 'openapi.json']);
  await call(
    'python3',
    ['-m', 'openapi_python_client', 'generate', '--path', 'openapi.json', '--meta', 'none'].concat(
      '--output-path',
      'openapi_python',
    ),
    pythonPath,
  );

  async function runOpenapiGenerator(): Promise<void> {
    const shared = {
      inputSpec: 'openapi.json',
      globalProperties: {
        apiDocs: 'false',
        modelDocs: 'false',
        apiTests: 'false',
        modelTests: 'false',
      },
    };
    for (const [name, options] of Object.entries(languages))
      await writeFile(
        join(folder, `${name}.json`),
        JSON.stringify({ outputDir: name, ...shared, ...options }),
      );
    const configs = Object.keys(languages).map((name) => `${name}.json`);
    const jar = join(jars, 'openapi-generator-cli.jar');
    await call('java', [...SHORT_JAVA, '-jar', jar, 'batch', '--threads', '1', ...configs]);
  }

  return {
    async compileJava() {
      const files = await readdir(join(folder, 'java/src/main/java'), { recursive: true });
      const sources = files.filter((file) => file.endsWith('.java'));
      const list = sources.map((file) => join('java/src/main/java', file)).join('\n');
      await writeFile(join(folder, 'sources.txt'), list);
      const flags = SHORT_JAVA.map((flag) => `-J${flag}`);
      const classPath = ['-proc:none', '-nowarn', '-cp', join(jars, '*'), '-d', 'classes'];
      await call('javac', [...flags, ...classPath, '@sources.txt']);
    },
    async compileTypeScript() {
      const compiler = join(import.meta.dirname, '../../../node_modules/typescript/bin/tsc');
      const target = ['--target', 'es2022', '--lib', 'es2022,dom', '--moduleResolution', 'bundler'];
      const flags = ['--noEmit', '--strict', '--module', 'es2022', ...target];
      await call(process.execPath, [compiler, ...flags, 'typescript/index.ts']);
    },
    async useGo(environment) {
      for (const name of ['go.mod', 'go.sum']) await rm(join(folder, 'openapigenerator', name));
      await writeFile(join(folder, 'go.mod'), goModule);
      await copyFile(join(import.meta.dirname, 'clients.go'), join(folder, 'clients.go'));
      await call('go', ['build', ...goFlags, '-o', 'clients', '.'], goEnvironment);
      return JSON.parse((await call('./clients', [], environment)).stdout) as unknown;
    },
    async usePython(environment) {
      const program = join(import.meta.dirname, 'clients.py');
      const path = [pythonPath.PYTHONPATH, join(folder, 'python')].join(':');
      const variables = { ...environment, PYTHONPATH: path, PYTHONDONTWRITEBYTECODE: '1' };
      return JSON.parse((await call('python3', [program], variables)).stdout) as unknown;
    },
  };
}
