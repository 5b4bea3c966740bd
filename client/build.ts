import { build } from 'esbuild';
import { execFile } from 'node:child_process';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';

const root = join(import.meta.dirname, '..');

/** The package whose code is in the bundle. Its licence asks to be passed on. */
const bundled = 'eventsource-parser';

/**
 * Makes the package of the client: JavaScript for Node 20, browsers and edge runtimes that needs no
 * other package, its types, and its command.
 * @param folder where to; what is there goes
 */
export async function buildClient(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const code = build({
    absWorkingDir: root,
    entryPoints: ['client/src/index.ts', 'client/src/cli.ts'],
    outdir: folder,
    bundle: true,
    splitting: true,
    minify: true,
    // Node prints the whole line of an error
    lineLimit: 160,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    external: ['node:*'],
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
  await Promise.all([code, types]);
  const license = `node_modules/${bundled}/LICENSE`;
  await copyFile(join(root, license), join(folder, `LICENSE.${bundled}`));
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { to: { type: 'string', default: join(root, 'client/dist') } },
  });
  await buildClient(values.to);
}
