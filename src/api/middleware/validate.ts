import type { AnySchema, ValidationErrorItem } from 'joi';
import { DomainError, invalidInputError } from '../../errors.ts';
import type { ApiContext, ApiMiddleware, ValidBody, ValidQuery } from '../context.ts';

/** Maximum number of problems in an answer, and of characters for each. */
export const mostProblems = 20;
export const longestProblem = 300;
/** Maximum number of parameters of a query. No route has a tenth of them. */
const MAX_PARAMETERS = 100;

/**
 * Validates `ctx.state.body`, and replaces it by the schema's value, e.g. with defaults. Types are
 * not converted. Later handlers get the body with the schema's type.
 * @throws DomainError INVALID_INPUT that names every wrong field
 */
export function validate<T>(schema: AnySchema<T>): ApiMiddleware<ValidBody<T>> {
  return async function validate(ctx, next) {
    ctx.state.body = checkAs(schema, ctx.state.body);
    await next();
  };
}

/**
 * Validates a body and returns the schema's value.
 * @throws DomainError INVALID_INPUT that names every wrong field
 */
export const checkAs = <T>(schema: AnySchema<T>, body: unknown): T =>
  validateValue(schema, body, { what: 'request body', convert: false });

/**
 * Validates a query and returns the schema's value. Texts may be converted to numbers.
 * @throws DomainError INVALID_INPUT that names every wrong parameter
 */
export const checkQuery = <T>(schema: AnySchema<T>, query: object): T =>
  validateValue(schema, { ...query }, { what: 'query', convert: true });

/**
 * Reads the parameters of a query. A repeated one has the list of its values. Koa's `ctx.query`
 * takes quadratic time: 1.5 s for 7,500 parameters.
 * @throws DomainError INVALID_INPUT if there are more than 100 parameters
 */
export function readQuery({ querystring }: Pick<ApiContext, 'querystring'>) {
  const parameters = new URLSearchParams(querystring);
  if (parameters.size > MAX_PARAMETERS)
    throw invalidInputError(`Invalid query: it has more than ${MAX_PARAMETERS} parameters`);
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name): [string, string | string[]] => {
      const values = parameters.getAll(name);
      return [name, values.length > 1 ? values : values[0]!];
    }),
  );
}

/**
 * Validates the query and puts the schema's value into `ctx.state.query`. Texts may be converted to
 * numbers.
 * @throws DomainError INVALID_INPUT that names every wrong parameter
 */
export function validateQuery<T>(schema: AnySchema<T>): ApiMiddleware<ValidQuery<T>> {
  return async function validateQuery(ctx, next) {
    ctx.state.query = checkQuery(schema, readQuery(ctx));
    await next();
  };
}

function validateValue<T>(
  schema: AnySchema<T>,
  value: unknown,
  { what: valueName, convert }: { what: string; convert: boolean },
): T {
  const errors = { wrap: { label: false } } as const;
  const result = schema.validate(value, { abortEarly: false, convert, errors });
  if (result.error)
    throw new DomainError(
      'INVALID_INPUT',
      `Invalid ${valueName}: ${describeProblems(result.error.details)}`,
    );
  return result.value;
}

/** Describes problems. Names of unknown fields come from the client, so they are shortened. */
function describeProblems(problems: ValidationErrorItem[]): string {
  const problemTexts = problems
    .slice(0, mostProblems)
    .map(({ message }) => message.slice(0, longestProblem));
  if (problems.length > mostProblems)
    problemTexts.push(`and ${problems.length - mostProblems} more`);
  return problemTexts.join('; ');
}
