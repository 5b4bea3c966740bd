import fc from 'fast-check';
import { casesOf } from '../helpers/cases.ts';

const seed = process.env['TEST_SEED'] ?? '1';
/** Cases of a property that names no number, as fast-check has it. */
const numRuns = casesOf(100);

/**
 * Properties try the same examples in every run, so that a failure can be repeated; with `random`
 * others each time.
 */
fc.configureGlobal(seed === 'random' ? { numRuns } : { numRuns, seed: Number(seed) });
