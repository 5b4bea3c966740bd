import type { Schema } from 'joi';
import { batchBody, batchRow } from '../routes/batches/batches.schema.ts';
import { embeddedHost, externalHost } from '../routes/sites/siteHost.schema.ts';
import { shareDays } from '../../organizations/shareLinks.ts';
import {
  appCredential,
  author,
  deployKeyCredential,
  tokenCredential,
} from '../routes/sites/siteSettings.schema.ts';
import { generatePagesTaskBody, promptTaskBody } from '../routes/tasks/tasks.schema.ts';
import { jsonSchemaOf, schemaRef } from './jsonSchema.ts';
import type { JsonSchema } from './operation.ts';

type SchemaReferrer = (name: string, schema: Schema) => JsonSchema;
type SchemaProperties = Record<string, JsonSchema>;

/**
 * Schemas of requests, by name, for which Joi's conversion gives a form that client generators
 * can't read. They are written by hand here.
 */
export const writtenRequests: Record<string, (referTo: SchemaReferrer) => JsonSchema> = {
  CreateTaskRequest: (referTo) => ({
    oneOf: [
      referTo('GeneratePagesTask', generatePagesTaskBody),
      referTo('PromptTask', promptTaskBody),
    ],
  }),
  // the Joi schema of the body takes any rows, which are validated one by one
  BatchRequest(referTo) {
    const { properties, ...schema } = jsonSchemaOf(batchBody, referTo) as {
      properties: SchemaProperties;
    };
    const rows = { ...properties['rows'], items: referTo('BatchRowRequest', batchRow) };
    return { ...schema, properties: { ...properties, rows } };
  },
  ForgeEvent: () => ({ type: 'object', description: 'The payload of the forge, as JSON.' }),
  ShareDays: () => ({
    type: 'integer',
    enum: shareDays,
    description: 'How long the link is valid.',
  }),
  // the name has two patterns, for which Joi writes an `allOf`: this is one pattern for both
  SiteAuthorRequest(referTo) {
    const { properties, ...schema } = jsonSchemaOf(author, referTo) as {
      properties: SchemaProperties;
    };
    const { type, maxLength } = properties['name']!;
    const name = { type, maxLength, pattern: '^\\s*[^<>\\s][^<>]*$' };
    return { ...schema, properties: { ...properties, name } };
  },
  RepositoryCredential: (referTo) => ({
    description: 'The credential for the repository. The service never returns it.',
    ...discriminatedUnion(referTo, {
      token: ['TokenCredential', tokenCredential],
      'github-app': ['GitHubAppCredential', appCredential],
      'deploy-key': ['DeployKeyCredential', deployKeyCredential],
    }),
  }),
  SiteHostRequest: (referTo) =>
    discriminatedUnion(referTo, {
      embedded: ['EmbeddedHostRequest', embeddedHost],
      own: ['OwnHostRequest', externalHost],
    }),
};

/** @param variants by the value of `type` that says which one it is */
function discriminatedUnion(
  referTo: SchemaReferrer,
  variants: Record<string, [name: string, schema: Schema]>,
) {
  const references = Object.values(variants).map(([name, schema]) => referTo(name, schema));
  const mapping = Object.fromEntries(
    Object.entries(variants).map(([value, [name]]) => [value, schemaRef(name)['$ref']]),
  );
  return { oneOf: references, discriminator: { propertyName: 'type', mapping } };
}
