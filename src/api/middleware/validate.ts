import type { AnySchema, ValidationErrorItem } from 'joi';
import { DomainError } from '../../errors.ts';
import { meant } from '../didYouMean.ts';
import type { ApiMiddleware, ValidBody, ValidQuery } from '../context.ts';

/** As many problems of a body are told, of as many characters each. */
export const mostProblems = 20;
export const longestProblem = 300;

/**
 * Checks `ctx.state.body` against a schema, and puts the schema's value in its place. Converts no
 * types. Handlers behind it have the body in the schema's type.
 * @throws DomainError INVALID_INPUT that names every field that is wrong
 */
export function validate<T>(schema: AnySchema<T>): ApiMiddleware<ValidBody<T>> {
  return async function validate(ctx, next) {
    ctx.state.body = checkAs(schema, ctx.state.body);
    await next();
  };
}

/**
 * The value that a schema makes of a body. @throws DomainError INVALID_INPUT that names every field
 * that is wrong
 */
export const checkAs = <T>(schema: AnySchema<T>, body: unknown): T =>
  check(schema, body, { what: 'request body', convert: false });

/**
 * Checks the query against a schema, which may read texts as numbers, and puts the schema's value
 * into `ctx.state.query`.
 * @throws DomainError INVALID_INPUT that names every parameter that is wrong
 */
export function validateQuery<T>(schema: AnySchema<T>): ApiMiddleware<ValidQuery<T>> {
  return async function validateQuery(ctx, next) {
    ctx.state.query = check(schema, { ...ctx.query }, { what: 'query', convert: true });
    await next();
  };
}

function check<T>(
  schema: AnySchema<T>,
  value: unknown,
  { what, convert }: { what: string; convert: boolean },
): T {
  const errors = { wrap: { label: false } } as const;
  const result = schema.validate(value, { abortEarly: false, convert, errors });
  if (result.error)
    throw new DomainError(
      'INVALID_INPUT',
      `Invalid ${what}: ${describe(result.error.details, schema)}`,
    );
  return result.value;
}

/** Names of unknown fields are the client's: they are cut, so that the answer stays small. */
function describe<T>(problems: ValidationErrorItem[], schema: AnySchema<T>): string {
  const texts = problems.slice(0, mostProblems).map((problem) => {
    const name = meant(schema, problem);
    return (
      problem.message.slice(0, longestProblem) +
      (name === undefined ? '' : `: did you mean ${name}?`)
    );
  });
  if (problems.length > mostProblems) texts.push(`and ${problems.length - mostProblems} more`);
  return texts.join('; ');
}
