/**
 * Runs as a separate process: prints the workflows' bundle. Ends with the process that started it.
 */
process.stdin.resume().once('end', () => process.exit(1));
const { bundleWorkflows, TRACED } = await import('./workerBuild.ts');
const { code } = await bundleWorkflows(undefined, process.argv.includes(TRACED));
process.stdout.write(code, () => process.exit());

export {};
