import { expect } from 'chai';
import type { DomainError } from '../../src/errors.ts';

/** The message by which a forge refused. */
export async function refused(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => expect.fail('was not refused'),
    (thrown: unknown) => thrown as DomainError,
  );
  expect(error).to.include({ code: 'FORGE_REFUSED', retryable: false }, String(error));
  return error.message;
}
