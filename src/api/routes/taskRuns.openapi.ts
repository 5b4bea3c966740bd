import { answer } from '../openapi/bodies.ts';
import { unreadableTask } from '../openapi/commonErrors.ts';
import type { Operation, RoutesDescription } from '../openapi/operation.ts';
import { exampleTaskId } from '../openapi/parameters.ts';
import { objectSchema, orNull, schemaRef, urlSchema } from '../openapi/schemas.ts';

const runUrl = `http://127.0.0.1:8233/namespaces/agent-tasks/workflows/${exampleTaskId}`;

const readRun: Operation = {
  method: 'get',
  path: '/agent/tasks/{taskId}/run',
  operationId: 'getTaskRun',
  least: 'admin',
  summary: "Find a task's run in Temporal's web UI",
  description: [
    "For admins who operate the service too. The embedded UI answers on the service's machine only. Any other must ask for",
    'a sign-in: admins of all organizations learn its address.',
  ].join('\n'),
  answers: {
    200: answer('Where the run is.', 'TaskRun', { run: { taskId: exampleTaskId, runUrl } }),
  },
  errors: { 503: unreadableTask },
};

export const taskRuns: RoutesDescription = {
  tag: { name: 'Runs', description: 'What operators see of tasks.' },
  schemas: {
    TaskRun: objectSchema({
      taskId: schemaRef('TaskId'),
      runUrl: orNull(
        urlSchema(
          'Null where the operator has not set `TEMPORAL_UI_URL`, unless the embedded UI is told: outside of production.',
        ),
      ),
    }),
  },
  operations: [readRun],
};
