import { createClient } from '@hey-api/openapi-ts';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventTypes } from '../src/contract/eventTypes.ts';
import { eventSchemaName } from '../src/contract/responses/events.ts';
import { openapiDocument } from '../src/api/openapi.ts';

const typesPath = join(import.meta.dirname, 'src/types.ts');

/** The operations that the client has methods for. */
const operations = new Set([
  'createTask',
  'listTasks',
  'getTask',
  'checkTask',
  'publishTask',
  'retryTask',
  'cancelTask',
  'answerTask',
  'getTaskDiff',
  'checkPublish',
  'createEditLink',
  'createShare',
  'settleNotes',
  'dropNotes',
  'listVersions',
  'undoVersion',
  'updateTask',
  'deletePreview',
  'listSites',
  'listSitePages',
  'createBatch',
  'checkBatch',
  'listBatches',
  'getBatch',
  'listBatchRows',
  'pauseBatch',
  'resumeBatch',
  'cancelBatch',
  'retryBatch',
  'skipBatchRows',
  'decideBatchNotes',
  'approveBatch',
  'publishBatch',
  'createBatchEditLink',
  'createSiteEditLink',
]);

interface DescribedSchema {
  operationId?: string;
  responses: Record<string, { headers?: object }>;
}

/** The part of the OpenAPI document that the client knows. Its errors are a class of its own. */
function documentOfClient() {
  const document = JSON.parse(
    JSON.stringify(openapiDocument({ publicUrl: 'https://service.example', retentionDays: 30 })),
  ) as {
    servers?: unknown;
    paths: Record<string, Record<string, DescribedSchema>>;
    components: { headers?: object; responses?: object };
  };
  delete document.servers;
  delete document.components.headers;
  delete document.components.responses;
  const include: string[] = [];
  for (const [path, item] of Object.entries(document.paths)) {
    delete item['servers'];
    for (const [method, { operationId, responses }] of Object.entries(item)) {
      if (operations.has(operationId!)) include.push(`${method.toUpperCase()} ${path}`);
      for (const [status, response] of Object.entries(responses ?? {}))
        if (Number(status) >= 400) delete responses[status];
        else delete response.headers;
    }
  }
  return { document, include };
}

/**
 * Writes the client's types, `client/src/types.ts`, from the service's OpenAPI document. Git does
 * not keep them.
 */
export async function writeTypes(): Promise<void> {
  const { document, include } = documentOfClient();
  const folder = await mkdtemp(join(tmpdir(), 'agent-tasks-types-'));
  try {
    await createClient({
      input: document as never,
      output: folder,
      plugins: ['@hey-api/typescript'],
      parser: {
        filters: {
          operations: { include },
          schemas: {
            include: ['CallbackPayload', 'BatchCallback', ...eventTypes.map(eventSchemaName)],
          },
        },
      },
      logs: { level: 'silent' },
    });
    await copyFile(join(folder, 'types.gen.ts'), typesPath);
  } finally {
    await rm(folder, { recursive: true });
  }
}

if (import.meta.main) await writeTypes();
