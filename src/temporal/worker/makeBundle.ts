/**
 * Runs as a separate process: prints the workflows' bundle. Ends with the process that started it.
 */
process.stdin.resume().once('end', () => process.exit(1));
const { bundleWorkflows } = await import('./workerBuild.ts');
const { code } = await bundleWorkflows();
process.stdout.write(code, () => process.exit());

export {};
