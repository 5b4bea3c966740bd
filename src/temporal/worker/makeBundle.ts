import { bundleWorkflows } from './bundle.ts';

/** Runs as its own process: prints the workflows' bundle. */
process.stdout.write((await bundleWorkflows()).code);
