import { answer } from '../openapi/bodies.ts';
import { resultGone, siteWithoutRepository } from '../openapi/commonErrors.ts';
import type { JsonSchema, Operation, RoutesDescription } from '../openapi/operation.ts';
import { exampleTaskId, siteNotFound } from '../openapi/parameters.ts';
import {
  arrayOf,
  commitSchema,
  enumSchema,
  objectSchema,
  orNull,
  schemaRef,
  slugSchema,
  textSchema,
} from '../openapi/schemas.ts';

const commit: JsonSchema = orNull(commitSchema('null where the task changed nothing.'));
const text = (description: string): JsonSchema => orNull(textSchema(description));

const example = {
  taskId: exampleTaskId,
  base: '1f0c0de5b2a94d6cb6f3a0a7c9f2f4f5f6a7b8c9',
  commit: '9be1c4a05b7a4f0dbb6f2f3d3d0f6a7c1e2d3b4a',
  patch: 'diff --git a/pricing.html b/pricing.html\n…',
  pages: [
    {
      slug: '/pricing',
      change: 'modified',
      texts: [
        {
          role: 'heading',
          section: null,
          before: 'Simple prices',
          after: 'Prices that fit on one page',
        },
      ],
    },
  ],
};

const readDiff: Operation = {
  method: 'get',
  path: '/agent/tasks/{taskId}/diff',
  operationId: 'getTaskDiff',
  summary: 'Read what a completed task changed',
  description: [
    'From the commit that the task began from to its present result, edits by hand included: the files as a unified',
    'diff, and the texts of each page before and after. For a publish task, all that it put live. What is too large is',
    'left out, and `warnings` says so.',
  ].join('\n'),
  answers: { 200: answer('What differs.', 'TaskDiff', { diff: example }) },
  errors: {
    400: siteWithoutRepository,
    404: siteNotFound,
    409: {
      'Task is still running': 'Wait until it is completed.',
      'Task failed: there is nothing to compare': 'Only completed tasks have a result.',
      ...resultGone,
      'Commit 9be1c4a05b is gone from the repository: branch main was rewritten, or the ref that had it deleted':
        'The repository cannot be read any more as it is registered.',
    },
    503: { 'Service Unavailable': 'The task or the repository could not be read just now.' },
  },
};

export const taskDiffs: RoutesDescription = {
  tag: { name: 'Diffs', description: 'What tasks changed.' },
  schemas: {
    TaskDiff: objectSchema({
      taskId: schemaRef('TaskId'),
      base: commit,
      commit,
      patch: text(
        'A unified diff of the changed files, binary ones named only; null where it is over 2,000,000 bytes.',
      ),
      pages: arrayOf(
        schemaRef('PageDiff'),
        'Created pages, then modified ones, then deleted ones.',
      ),
      'warnings?': {
        type: 'array',
        items: { type: 'string' },
        minItems: 1,
        description: 'What is left out, and why.',
      },
    }),
    PageDiff: objectSchema({
      slug: slugSchema(),
      change: enumSchema(['created', 'modified', 'deleted']),
      texts: arrayOf(schemaRef('TextDiff'), 'The texts that differ, in the order of the page.'),
    }),
    TextDiff: objectSchema({
      role: textSchema('What the text is: `title`, `heading`, `paragraph`, `image-alt` …'),
      section: text('The nearest heading above.'),
      before: text('null: there was none.'),
      after: text('null: it is gone.'),
    }),
  },
  operations: [readDiff],
};
