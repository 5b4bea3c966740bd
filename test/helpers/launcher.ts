import { createLauncher } from '../../src/sites/git/launcher/launcher.ts';

/** Starts git for all tests of this process, and ends with it. */
export const testLauncher = createLauncher();
