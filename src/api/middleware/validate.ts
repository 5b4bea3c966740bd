import type { AnySchema, ValidationErrorItem } from 'joi';
import { DomainError } from '../../errors.ts';
import type { ApiMiddleware, ValidBody, ValidQuery } from '../context.ts';

const mostProblems = 20;
const longestProblem = 300;

/**
 * Checks `ctx.state.body` against a schema, and puts the schema's value in its place. Converts no types. Handlers
 * behind it have the body in the schema's type.
 * @throws DomainError INVALID_INPUT that names every field that is wrong
 */
export function validate<T>(schema: AnySchema<T>): ApiMiddleware<ValidBody<T>> {
  return async function validate(ctx, next) {
    ctx.state.body = check(schema, ctx.state.body, { what: 'request body', convert: false });
    await next();
  };
}

/**
 * Checks the query against a schema, which may read texts as numbers, and puts the schema's value into
 * `ctx.state.query`.
 * @throws DomainError INVALID_INPUT that names every parameter that is wrong
 */
export function validateQuery<T>(schema: AnySchema<T>): ApiMiddleware<ValidQuery<T>> {
  return async function validateQuery(ctx, next) {
    ctx.state.query = check(schema, { ...ctx.query }, { what: 'query', convert: true });
    await next();
  };
}

function check<T>(schema: AnySchema<T>, value: unknown, { what, convert }: { what: string; convert: boolean }): T {
  const errors = { wrap: { label: false } } as const;
  const result = schema.validate(value, { abortEarly: false, convert, errors });
  if (result.error) throw new DomainError('INVALID_INPUT', `Invalid ${what}: ${describe(result.error.details)}`);
  return result.value;
}

/** Names of unknown fields are the client's: they are cut, so that the answer stays small. */
function describe(problems: ValidationErrorItem[]): string {
  const texts = problems.slice(0, mostProblems).map(({ message }) => message.slice(0, longestProblem));
  if (problems.length > mostProblems) texts.push(`and ${problems.length - mostProblems} more`);
  return texts.join('; ');
}
