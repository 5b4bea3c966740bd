import type { Schema } from 'joi';
import { batchBody, batchRow } from '../routes/batches.schema.ts';
import { embeddedHost, ownHost } from '../routes/siteHost.schema.ts';
import { shareDays } from '../../organizations/shares.ts';
import {
  appCredential,
  author,
  deployKeyCredential,
  tokenCredential,
} from '../routes/siteSettings.schema.ts';
import { generatePagesTaskBody, promptTaskBody } from '../routes/tasks.schema.ts';
import { jsonSchemaOf, schemaRef } from './jsonSchema.ts';
import type { JsonSchema } from './operation.ts';

type Refer = (name: string, schema: Schema) => JsonSchema;
type Properties = Record<string, JsonSchema>;

/** Schemas of requests that Joi can't convert to forms which generators of clients read. */
export const writtenRequests: Record<string, (refer: Refer) => JsonSchema> = {
  CreateTaskRequest: (refer) => ({
    oneOf: [refer('GeneratePagesTask', generatePagesTaskBody), refer('PromptTask', promptTaskBody)],
  }),
  // the rows are checked one by one
  BatchRequest(refer) {
    const { properties, ...schema } = jsonSchemaOf(batchBody, refer) as { properties: Properties };
    const rows = { ...properties['rows'], items: refer('BatchRowRequest', batchRow) };
    return { ...schema, properties: { ...properties, rows } };
  },
  ForgeEvent: () => ({ type: 'object', description: "The forge's own, as JSON." }),
  ShareDays: () => ({
    type: 'integer',
    enum: shareDays,
    description: 'How long a link works.',
  }),
  // with one pattern for the name: Joi writes two, as an `allOf`
  SiteAuthorRequest(refer) {
    const { properties, ...schema } = jsonSchemaOf(author, refer) as { properties: Properties };
    const { type, maxLength } = properties['name']!;
    const name = { type, maxLength, pattern: '^\\s*[^<>\\s][^<>]*$' };
    return { ...schema, properties: { ...properties, name } };
  },
  RepositoryCredential: (refer) => ({
    description: 'What lets the service in. Never shown again.',
    ...unionOf(refer, {
      token: ['TokenCredential', tokenCredential],
      'github-app': ['GitHubAppCredential', appCredential],
      'deploy-key': ['DeployKeyCredential', deployKeyCredential],
    }),
  }),
  SiteHostRequest: (refer) =>
    unionOf(refer, {
      embedded: ['EmbeddedHostRequest', embeddedHost],
      own: ['OwnHostRequest', ownHost],
    }),
};

/** @param variants by the `type` that tells them apart */
function unionOf(refer: Refer, variants: Record<string, [name: string, schema: Schema]>) {
  const references = Object.values(variants).map(([name, schema]) => refer(name, schema));
  const mapping = Object.fromEntries(
    Object.entries(variants).map(([value, [name]]) => [value, schemaRef(name)['$ref']]),
  );
  return { oneOf: references, discriminator: { propertyName: 'type', mapping } };
}
