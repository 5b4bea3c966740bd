/**
 * Runs as its own process: prints the workflows' bundle. Ends with the process that waits for it.
 */
process.stdin.resume().once('end', () => process.exit(1));
const { bundleWorkflows } = await import('./bundle.ts');
const { code } = await bundleWorkflows();
process.stdout.write(code, () => process.exit());

export {};
