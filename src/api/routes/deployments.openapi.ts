import { answer, optionalBody } from '../openapi/bodies.ts';
import {
  siteWithoutRepository,
  startErrors,
  wrongBody,
  wrongQuery,
} from '../openapi/commonErrors.ts';
import { queryParametersOf } from '../openapi/jsonSchema.ts';
import type { Operation, RoutesDescription } from '../openapi/operation.ts';
import { exampleCommit, exampleTaskId, idempotencyKeyParameter } from '../openapi/parameters.ts';
import {
  arrayOf,
  booleanSchema,
  commitSchema,
  countSchema,
  nextCursor,
  objectSchema,
  orNull,
  schemaRef,
  textSchema,
  timeSchema,
} from '../openapi/schemas.ts';
import { deploymentQuery } from './deployments.schema.ts';

const commit = exampleCommit;
const pageCount = countSchema();

const listDeployments: Operation = {
  method: 'get',
  path: '/sites/{siteId}/deployments',
  operationId: 'listDeployments',
  summary: 'List the deployments of a site',
  description: 'The live one first, then those before it that were live in the last 30 days.',
  parameters: queryParametersOf(deploymentQuery),
  answers: {
    200: answer('A part of the list.', 'DeploymentList', {
      deployments: {
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
    }),
  },
  errors: {
    400: {
      ...wrongQuery('limit must be less than or equal to 100'),
      ...siteWithoutRepository,
    },
  },
};

/** Errors for a deployment that can't be restored. */
export const notRestorable = { 'Deployment is live already': 'There is nothing to do.' };

const restore: Operation = {
  method: 'post',
  path: '/sites/{siteId}/deployments/{deploymentId}/restore',
  operationId: 'restoreDeployment',
  summary: 'Put a deployment live again',
  description:
    'Starts a task of the type `restore`. It commits the files of the earlier deployment on top of the production branch, and puts that commit live. What others changed meanwhile stays in the history.',
  parameters: [idempotencyKeyParameter],
  body: optionalBody('FollowUp', { none: {} }),
  answers: {
    200: answer('The task has started.', 'TaskCreated', {
      started: {
        taskId: exampleTaskId,
        status: 'running',
        createdAt: '2026-11-21T07:00:24.120Z',
      },
    }),
  },
  errors: {
    ...startErrors,
    400: {
      ...wrongBody('colour is not allowed'),
      ...startErrors[400],
    },
    409: notRestorable,
  },
};

export const deployments: RoutesDescription = {
  tag: { name: 'Deployments', description: 'What is and was live.' },
  schemas: {
    DeploymentList: objectSchema({
      deployments: arrayOf(schemaRef('Deployment'), 'The last one first.'),
      nextCursor,
    }),
    PageCounts: objectSchema({ created: pageCount, modified: pageCount, deleted: pageCount }),
    Deployment: objectSchema({
      deploymentId: textSchema('For putting it live again.'),
      commit: commitSchema(),
      name: textSchema(
        'The title of the task, of a version that was put live again, or that no task brought it.',
      ),
      restores: {
        ...orNull(
          textSchema('When the version that it put live again went live. Null for all others.'),
        ),
        format: 'date-time',
      },
      pages: {
        ...schemaRef('PageCounts'),
        description:
          'How many pages it changed of those that were live before, whoever changed them.',
      },
      at: timeSchema('When it went live.'),
      taskId: orNull(textSchema('The task that published it; null where no task did.')),
      isLive: booleanSchema(),
      canRestore: booleanSchema('Whether it can be put live again.'),
      message: orNull(
        textSchema('The first line of the message of its commit, where this machine has it.'),
      ),
    }),
  },
  operations: [listDeployments, restore],
};
