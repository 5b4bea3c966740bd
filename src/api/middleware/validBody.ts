import type { AnySchema } from 'joi';
import { jsonBody } from './body.ts';
import { validate } from './validate.ts';

/**
 * Reads a JSON body and validates it.
 * @param options as for `jsonBody`
 */
export const validBody = <T>(schema: AnySchema<T>, options?: Parameters<typeof jsonBody>[0]) =>
  [jsonBody(options), validate(schema)] as const;
