import fc from 'fast-check';

const seed = process.env['TEST_SEED'] ?? '1';

/**
 * Properties try the same examples in every run, so that a failure can be repeated; with `random`
 * others each time.
 */
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) });
