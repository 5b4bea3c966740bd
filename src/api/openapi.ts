import packageJson from '../../package.json' with { type: 'json' };
import { defined } from '../contract/defined.ts';
import { introduction } from './openapi/introduction.ts';
import { errorSchema, shareErrors } from './openapi/errors.ts';
import { headerNames, headerRefs, headers } from './openapi/headers.ts';
import type { Answer, Operation, RoutesDescription } from './openapi/operation.ts';
import { pathParametersOf } from './openapi/parameters.ts';
import { withExamples } from './openapi/patterns.ts';
import {
  callbacksOf,
  webhookItems,
  webhooks,
  webhookSchemas,
  webhookTag,
} from './openapi/webhooks.ts';
import { assistants } from './routes/teamAssistants.openapi.ts';
import { audit } from './routes/audit.openapi.ts';
import { batches } from './routes/batches.openapi.ts';
import { callbackSecret } from './routes/callbackSecret.openapi.ts';
import { callbacks } from './routes/callbacks.openapi.ts';
import { document } from './routes/document.openapi.ts';
import { editLink } from './routes/editLink.openapi.ts';
import { followUps } from './routes/followUps.openapi.ts';
import { forgeWebhooks } from './routes/forgeWebhooks.openapi.ts';
import { goingLive } from './routes/goingLive.openapi.ts';
import { health } from './routes/health.openapi.ts';
import { notes } from './routes/notes.openapi.ts';
import { people } from './routes/people.openapi.ts';
import { keys } from './routes/keys.openapi.ts';
import { previews } from './routes/previews.openapi.ts';
import { shares } from './routes/shares.openapi.ts';
import { deployments } from './routes/deployments.openapi.ts';
import { siteSettings } from './routes/siteSettings.openapi.ts';
import { sites } from './routes/sites.openapi.ts';
import { taskCheck } from './routes/taskCheck.openapi.ts';
import { taskDiffs } from './routes/taskDiffs.openapi.ts';
import { taskEvents } from './routes/taskEvents.openapi.ts';
import { taskLists } from './routes/taskLists.openapi.ts';
import { taskRequests } from './routes/taskRequests.openapi.ts';
import { taskRuns } from './routes/taskRuns.openapi.ts';
import { tasks } from './routes/tasks.openapi.ts';
import { usage } from './routes/usage.openapi.ts';

/** The descriptions of all groups of routes, in the order of the reference. */
const descriptions: RoutesDescription[] = [
  tasks,
  taskCheck,
  taskLists,
  taskEvents,
  taskDiffs,
  taskRuns,
  taskRequests,
  batches,
  followUps,
  goingLive,
  notes,
  previews,
  callbacks,
  editLink,
  shares,
  sites,
  siteSettings,
  forgeWebhooks,
  deployments,
  people,
  keys,
  assistants,
  callbackSecret,
  audit,
  usage,
  document,
  health,
];

interface Facts {
  /** The base address that clients use, without a path. */
  publicUrl: string;
  /** Days that Temporal keeps a finished task. */
  retentionDays: number;
}

/** The OpenAPI 3.1 document of the API. */
export function openapiDocument(facts: Facts) {
  return withExamples(documentFor(facts));
}

function documentFor({ publicUrl, retentionDays }: Facts) {
  const errors = shareErrors(descriptions.flatMap(({ operations }) => operations));
  return {
    openapi: '3.1.1',
    info: {
      title: 'Agent Tasks Service',
      version: packageJson.version,
      summary: packageJson.description,
      description: introduction(retentionDays),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: new URL('/api/v1', publicUrl).href }],
    tags: [...descriptions.map(({ tag }) => tag), webhookTag],
    paths: pathsOf(publicUrl, errors.responsesOf),
    webhooks,
    components: {
      schemas: Object.assign(
        { Error: errorSchema },
        webhookSchemas,
        ...descriptions.map(({ schemas }) => schemas ?? {}),
      ) as Record<string, object>,
      headers,
      pathItems: webhookItems,
      responses: errors.components,
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key of your organization: `ak_…`.',
        },
      },
    },
  };
}

type ErrorsOf = (operation: Operation) => Record<string, object>;

function pathsOf(publicUrl: string, errorsOf: ErrorsOf): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { tag, operations } of descriptions)
    for (const operation of operations) {
      const item = (paths[operation.path] ??= operation.atRoot
        ? { servers: [{ url: new URL('/', publicUrl).origin }] }
        : {});
      item[operation.method] = operationObject(operation, tag.name, errorsOf);
    }
  return paths;
}

function operationObject(operation: Operation, tag: string, errorsOf: ErrorsOf) {
  const { path, operationId, summary, description, isOpen, body, webhook, answers } = operation;
  const parameters = [...pathParametersOf(path), ...(operation.parameters ?? [])];
  return {
    tags: [tag],
    operationId,
    summary,
    description,
    security: isOpen ? [] : [{ apiKey: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...defined({
      requestBody: body && {
        required: body.required,
        content: { ...contentOf(body), ...body.others },
      },
      callbacks: webhook && callbacksOf(webhook),
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, answer]) => [
          status,
          answerObject(Number(status), answer, operation),
        ]),
      ),
      ...errorsOf(operation),
    },
  };
}

function answerObject(status: number, answer: Answer, { isOpen }: Operation) {
  const names = [...headerNames(status, { isLimited: !isOpen }), ...(answer.headers ?? [])];
  return {
    description: answer.description,
    headers: headerRefs(names),
    ...defined({ content: answer.schema && contentOf(answer) }),
  };
}

function contentOf({
  mediaType = 'application/json',
  schema,
  examples,
}: Pick<Answer, 'mediaType' | 'schema' | 'examples'>) {
  return { [mediaType]: defined({ schema, examples }) };
}
