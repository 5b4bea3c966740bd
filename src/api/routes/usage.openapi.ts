import { answer } from '../openapi/bodies.ts';
import { wrongQuery } from '../openapi/commonErrors.ts';
import { queryParametersOf } from '../openapi/jsonSchema.ts';
import type { Operation, RoutesDescription } from '../openapi/operation.ts';
import {
  arrayOf,
  booleanSchema,
  countSchema,
  enumSchema,
  nullable,
  objectSchema,
  schemaRef,
  textSchema,
} from '../openapi/schemas.ts';
import { usageQuery } from './usage.schema.ts';

const counts = {
  tasks: 3,
  calls: 14,
  estimatedCalls: 0,
  inputTokens: 182_400,
  cachedInputTokens: 121_000,
  outputTokens: 9_300,
  cost: { amount: '0.36', currency: 'USD' },
};

const read: Operation = {
  method: 'get',
  path: '/usage',
  operationId: 'readUsage',
  least: 'admin',
  summary: 'Read what language models and builds were used for',
  description: [
    'For admins. This month (UTC) and up to 24 earlier ones, the latest first. Each call of a model counts once, in the',
    'month in which it began; a call that a worker repeats is another one. So does each build at a host of yours.',
  ].join('\n'),
  parameters: queryParametersOf(usageQuery),
  answers: {
    200: answer('The usage.', 'Usage', {
      usage: {
        limit: {
          month: '2026-11',
          usedTokens: 191_700,
          tokensPerMonth: 5_000_000,
          setBy: 'organization',
          isNear: false,
        },
        months: [
          {
            month: '2026-11',
            ...counts,
            builds: 31,
            models: [{ model: 'anthropic/claude-sonnet-4-5', ...counts }],
          },
        ],
      },
    }),
  },
  errors: { 400: wrongQuery('month must be a month like 2026-11') },
};

const countFields = {
  tasks: countSchema('Tasks that called the model in this month.'),
  calls: countSchema('Calls of the model, also those that failed.'),
  estimatedCalls: countSchema(
    'Those of them that count with an estimate: they still run, their answer was lost, or the provider does not report tokens.',
  ),
  inputTokens: countSchema('Tokens read, including cached ones.'),
  cachedInputTokens: countSchema('Tokens read that the provider had in its cache.'),
  outputTokens: countSchema('Tokens written.'),
  cost: nullable(
    schemaRef('Cost'),
    'By the prices that the operator has set now; writes to a cache cost as input. Null: a model has no price.',
  ),
};
const month = textSchema('`YYYY-MM`, in UTC.');

export const usage: RoutesDescription = {
  tag: { name: 'Usage', description: 'What the organization uses of language models and builds.' },
  schemas: {
    Usage: objectSchema({
      limit: nullable(
        schemaRef('TokenUse'),
        'The limit of this month. Null: there is none. `PATCH /organization` sets a lower one than the operator.',
      ),
      months: arrayOf(schemaRef('UsageMonth'), 'The latest first.'),
    }),
    TokenUse: objectSchema({
      month,
      usedTokens: countSchema('Tokens read and written in this month.'),
      tokensPerMonth: countSchema('How many may be used. Then new tasks of models get 403.'),
      setBy: enumSchema(['organization', 'operator'], 'Whose limit this is.'),
      isNear: booleanSchema('Whether 80 % are used.'),
    }),
    UsageMonth: objectSchema({
      month,
      ...countFields,
      builds: countSchema("Builds that tasks caused at the team's own hosts."),
      models: arrayOf(schemaRef('ModelUsage'), 'The same for each model.'),
    }),
    ModelUsage: objectSchema({ model: textSchema('`<provider>/<model>`'), ...countFields }),
    Cost: objectSchema({
      amount: textSchema('A decimal number with two to six decimals.'),
      currency: textSchema('ISO 4217 code.'),
    }),
  },
  operations: [read],
};
