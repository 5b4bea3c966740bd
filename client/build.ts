import { build, type BuildOptions } from 'esbuild';
import { execFile } from 'node:child_process';
import { copyFile, cp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { writeTypes } from './makeTypes.ts';

const root = join(import.meta.dirname, '..');

/** The package whose code is in the bundle. Its licence asks to be passed on. */
const bundled = 'eventsource-parser';

const codeOptions = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  // Node prints the whole line of an error
  lineLimit: 160,
  platform: 'neutral',
  target: 'es2022',
  external: ['node:*'],
} satisfies BuildOptions;

/**
 * Makes the package of the client: JavaScript for Node 20, browsers and edge runtimes that needs no
 * other package, its types, and its command. Its `cjs` folder is the same for `require`.
 * @param folder where to; what is there goes
 */
export async function buildClient(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await writeTypes();
  const commonJs = join(folder, 'cjs');
  const code = build({
    ...codeOptions,
    entryPoints: ['client/src/index.ts', 'client/src/cli.ts'],
    outdir: folder,
    splitting: true,
    format: 'esm',
  });
  const required = build({
    ...codeOptions,
    entryPoints: ['client/src/index.ts'],
    outdir: commonJs,
    format: 'cjs',
  });
  const types = promisify(execFile)(process.execPath, [
    join(root, 'node_modules/typescript/bin/tsc'),
    '--project',
    join(root, 'tsconfig.client.json'),
    '--noEmit',
    'false',
    '--declaration',
    '--emitDeclarationOnly',
    '--outDir',
    folder,
  ]);
  await Promise.all([code, required, types]);
  await writeFile(join(commonJs, 'package.json'), '{ "type": "commonjs" }\n');
  for (const name of await readdir(folder))
    if (name.endsWith('.d.ts')) await cp(join(folder, name), join(commonJs, name));
  const license = `node_modules/${bundled}/LICENSE`;
  await copyFile(join(root, license), join(folder, `LICENSE.${bundled}`));
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { to: { type: 'string', default: join(root, 'client/dist') } },
  });
  await buildClient(values.to);
}
