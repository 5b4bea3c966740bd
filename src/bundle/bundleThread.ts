import { parentPort, workerData } from 'node:worker_threads';
import { build, stop } from 'esbuild';
import type { BundleRequest } from './bundle.ts';

// Runs in a thread of its own: esbuild is a child process, and inherits the thread's environment.
const { entries, format } = workerData as BundleRequest;
const name = '[name]-[hash]';

try {
  const { outputFiles, metafile } = await build({
    entryPoints: entries,
    bundle: true,
    splitting: format === 'esm',
    minify: true,
    write: false,
    metafile: true,
    format,
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    outdir: '/',
    entryNames: name,
    chunkNames: name,
    logLevel: 'silent',
  });
  const files = outputFiles.map(({ path, contents }) => ({ path, contents }));
  parentPort?.postMessage({ files, outputs: metafile.outputs });
} finally {
  await stop();
}
