import { fileURLToPath } from 'node:url';
import { parentPort } from 'node:worker_threads';
import { build, stop } from 'esbuild';

/** Runs in its own thread: esbuild is a process, which gets the thread's environment. */
const entry = (name: string) => fileURLToPath(new URL(`../console/browser/${name}`, import.meta.url));

try {
  const { outputFiles, metafile } = await build({
    entryPoints: { console: entry('main.tsx'), style: entry('styles/style.css') },
    ...({ bundle: true, splitting: true, minify: true, write: false, metafile: true } as const),
    ...({ format: 'esm', target: 'es2022', jsx: 'automatic', jsxImportSource: 'preact' } as const),
    ...({
      outdir: '/console',
      entryNames: '[name]-[hash]',
      chunkNames: '[name]-[hash]',
      logLevel: 'silent',
    } as const),
  });
  const files = outputFiles.map(({ path, contents }) => ({ path, contents }));
  parentPort?.postMessage({ files, outputs: metafile.outputs });
} finally {
  await stop();
}
