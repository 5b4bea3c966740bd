import type { Schema, ValidationErrorItem, ValidationResult } from 'joi';
import { DomainError } from '../../errors.ts';
import type { ApiMiddleware } from '../context.ts';

const mostProblems = 20;
const longestProblem = 300;

/**
 * Checks `ctx.state.body` against a schema, without converting types, and puts the schema's value in its place.
 * @throws DomainError INVALID_INPUT that names every field that is wrong
 */
export function validate(schema: Schema): ApiMiddleware {
  return async function validate(ctx, next) {
    const result: ValidationResult<unknown> = schema.validate(ctx.state.body, {
      abortEarly: false,
      convert: false,
      errors: { wrap: { label: false } },
    });
    if (result.error) throw new DomainError('INVALID_INPUT', `Invalid request body: ${describe(result.error.details)}`);
    ctx.state.body = result.value;
    await next();
  };
}

/** Names of unknown fields are the client's: they are cut, so that the answer stays small. */
function describe(problems: ValidationErrorItem[]): string {
  const texts = problems.slice(0, mostProblems).map(({ message }) => message.slice(0, longestProblem));
  if (problems.length > mostProblems) texts.push(`and ${problems.length - mostProblems} more`);
  return texts.join('; ');
}
