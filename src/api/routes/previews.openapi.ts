import { unreadableTask } from '../openapi/commonErrors.ts';
import type { Operation, RoutesDescription } from '../openapi/operation.ts';

const remove: Operation = {
  method: 'delete',
  path: '/agent/tasks/{taskId}/preview',
  operationId: 'deletePreview',
  summary: 'Delete the preview of a finished task',
  description: [
    'Its address then answers 404, for good. The task has `previewUrl` and `editUrl` null, and its pages cannot be',
    'edited any more. The result stays: the task can still be published, compared and built on. A publish has a',
    'preview of its own.',
  ].join('\n'),
  answers: { 204: { description: 'There is no preview of the task, or no longer.' } },
  errors: {
    409: { 'Task is still running': 'Wait for its end, or cancel it.' },
    503: unreadableTask,
  },
};

export const previews: RoutesDescription = {
  tag: {
    name: 'Previews',
    description: 'Anyone who knows the address of a preview sees it, until it ends.',
  },
  operations: [remove],
};
