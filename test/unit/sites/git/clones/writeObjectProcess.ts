/**
 * A separate process that writes one object, for a test that gives it no disk. Argument: the
 * repository.
 */
import type { DomainError } from '../../../../../src/errors.ts';
import { writeObject } from '../../../../../src/sites/git/clones/looseObject.ts';

const [dir = ''] = process.argv.slice(2);
const error = (await writeObject(dir, 'blob', 'no room').catch(
  (reason: unknown) => reason,
)) as DomainError;
process.stdout.write(`${error.code} ${error.retryable} ${error.message}`);
