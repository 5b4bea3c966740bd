import { queryParametersOf } from '../openapi/jsonSchema.ts';
import type { Operation, RoutesDescription } from '../openapi/operation.ts';
import {
  deploymentIdParameter,
  exampleCommit,
  exampleTaskId,
  idempotencyKeyParameter,
  siteIdParameter,
} from '../openapi/parameters.ts';
import { arrayOf, objectSchema, schemaRef, textSchema, timeSchema } from '../openapi/schemas.ts';
import { deploymentQuery } from './deployments.schema.ts';
import { siteNotFound, siteWithoutRepository, startErrors } from './tasks.errors.ts';

const commit = exampleCommit;
const pageCount = { type: 'integer', minimum: 0 };
const orNull = (description: string, more: object = {}) => ({
  type: ['string', 'null'],
  description,
  ...more,
});

const listDeployments: Operation = {
  method: 'get',
  path: '/sites/{siteId}/deployments',
  operationId: 'listDeployments',
  limit: 'read',
  summary: 'List the deployments of a site',
  description: 'The live one first, then those before it that were live in the last 30 days.',
  parameters: [siteIdParameter, ...queryParametersOf(deploymentQuery)],
  answers: {
    200: {
      description: 'A part of the list.',
      schema: schemaRef('DeploymentList'),
      examples: {
        deployments: {
          value: {
            deployments: [
              {
                deploymentId: commit,
                commit,
                at: '2026-11-21T07:00:24.120Z',
                taskId: exampleTaskId,
                name: '3 pages from /locations/austin',
                restores: null,
                pages: { created: 3, modified: 1, deleted: 0 },
                isLive: true,
                canRestore: false,
                message: `Publish ${exampleTaskId}`,
              },
            ],
            nextCursor: null,
          },
        },
      },
    },
  },
  errors: {
    400: {
      'Invalid query: limit must be less than or equal to 100':
        'Every parameter that is wrong is named.',
      ...siteWithoutRepository,
    },
    404: siteNotFound,
  },
};

/** Why a deployment can't be put live again. */
export const notRestorable = {
  404: { 'Deployment not found': 'It was never live, or was so over 30 days ago.' },
  409: { 'Deployment is live already': 'There is nothing to do.' },
};

const restore: Operation = {
  method: 'post',
  path: '/sites/{siteId}/deployments/{deploymentId}/restore',
  operationId: 'restoreDeployment',
  limit: 'create',
  summary: 'Put a deployment live again',
  description:
    'Starts a task of the type `restore`. It commits the files of the earlier deployment on top of the production branch, and puts that commit live. What others changed meanwhile stays in the history.',
  parameters: [siteIdParameter, deploymentIdParameter, idempotencyKeyParameter],
  body: { required: false, schema: schemaRef('FollowUp'), examples: { none: { value: {} } } },
  answers: {
    200: {
      description: 'The task has started.',
      schema: schemaRef('TaskCreated'),
      examples: {
        started: {
          value: {
            taskId: exampleTaskId,
            status: 'running',
            createdAt: '2026-11-21T07:00:24.120Z',
          },
        },
      },
    },
  },
  errors: {
    ...startErrors,
    400: {
      'Invalid request body: colour is not allowed': 'Every field that is wrong is named.',
      ...startErrors[400],
    },
    404: { ...siteNotFound, ...notRestorable[404] },
    409: notRestorable[409],
  },
};

export const deployments: RoutesDescription = {
  tag: { name: 'Deployments', description: 'What is and was live.' },
  schemas: {
    DeploymentList: objectSchema({
      deployments: arrayOf(schemaRef('Deployment'), 'The last one first.'),
      nextCursor: {
        type: ['string', 'null'],
        description: '`cursor` of the next request; null at the end.',
      },
    }),
    Deployment: objectSchema({
      deploymentId: textSchema('For putting it live again.'),
      commit: { type: 'string', pattern: '^[0-9a-f]{40,64}$' },
      name: textSchema(
        'The title of the task, of a version that was put live again, or that no task brought it.',
      ),
      restores: orNull('When the version that it put live again went live. Null for all others.', {
        format: 'date-time',
      }),
      pages: {
        ...objectSchema({ created: pageCount, modified: pageCount, deleted: pageCount }),
        description:
          'How many pages it changed of those that were live before, whoever changed them.',
      },
      at: timeSchema('When it went live.'),
      taskId: orNull('The task that published it; null where no task did.'),
      isLive: { type: 'boolean' },
      canRestore: { type: 'boolean', description: 'Whether it can be put live again.' },
      message: orNull('The first line of the message of its commit, where this machine has it.'),
    }),
  },
  operations: [listDeployments, restore],
};
