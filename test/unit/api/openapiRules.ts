type Json = Record<string, unknown>;

/** The parts of an OpenAPI document that generators of clients have trouble with. */
export interface CheckedDocument {
  paths: Record<string, Record<string, CheckedOperation>>;
  webhooks: Record<string, Record<string, CheckedOperation>>;
  components: {
    schemas: Record<string, Json>;
    pathItems?: Record<string, Record<string, CheckedOperation>>;
  };
}
interface CheckedOperation {
  tags?: string[];
  operationId?: string;
  parameters?: unknown;
  requestBody?: unknown;
  responses?: unknown;
}

interface Part {
  at: string;
  schema: Json;
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const pascal = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** Every object of a part of the document, without examples and the names of properties. */
function* partsOf(value: unknown, at: string): Generator<Part> {
  if (!isObject(value)) return;
  if (!Array.isArray(value)) yield { at, schema: value };
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'example' || name === 'mapping') continue;
    if (name === 'examples' && !at.endsWith('/properties')) continue;
    if (at.endsWith('/properties') || name !== 'properties') yield* partsOf(inner, `${at}/${name}`);
    else
      for (const [key, property] of Object.entries(inner as Json))
        yield* partsOf(property, `${at}/properties/${key}`);
  }
}

const operationsOf = (items: CheckedDocument['paths'] = {}) =>
  Object.values(items)
    .flatMap((item) => Object.values(item))
    .filter(({ operationId }) => operationId);

type Rule = (document: CheckedDocument) => string[];

const ofParts =
  (isWrong: (part: Part) => boolean): Rule =>
  (document) =>
    [...partsOf(document, '')].filter(isWrong).map(({ at }) => at);

const repeatedTitles: Rule = (document) =>
  repeated([...partsOf(document, '')].flatMap(({ schema: { title } }) => title ?? []));

/** What a document must not have, and a function that finds where it has it. */
export const rules: Record<string, Rule> = {
  'a tag of operations and webhooks': (document) => sharedTags(document),
  'a webhook that is no reference': (document) => describedWebhooks(document),
  'null in an enum': ofParts((part) => isNullEnum(part)),
  'an enum of booleans': ofParts((part) => isBooleanEnum(part)),
  'a union without a name': ofParts((part) => isInlineUnion(part)),
  'an object without a name': ofParts((part) => isInlineObject(part)),
  'an entry that may be anything': ofParts((part) => isAnything(part)),
  'two identical titles': repeatedTitles,
  "a name of a generator's own": (document) => clashes(document),
  'two constants of one name': ({ components }) => repeated(constantsOf(components.schemas)),
  'a default in a request': (document) => defaultsOf(document),
  'a pattern of what may be null, in a variant of an answer': (document) => nullPatterns(document),
};

/** A generator writes a class for each tag, and that of the webhooks replaces the operations'. */
function sharedTags({ paths, webhooks, components }: CheckedDocument): string[] {
  const sent = { ...webhooks, ...components.pathItems };
  const ofWebhooks = new Set(operationsOf(sent).flatMap(({ tags = [] }) => tags));
  const tags = new Set(operationsOf(paths).flatMap(({ tags = [] }) => tags));
  return [...tags].filter((tag) => ofWebhooks.has(tag));
}

/** openapi-generator writes methods for it, and those of Python are no Python. */
const describedWebhooks: Rule = ({ webhooks }) =>
  Object.keys(webhooks).filter((name) => !('$ref' in webhooks[name]!));

const typesOf = ({ type }: Json) => (Array.isArray(type) ? (type as unknown[]) : [type]);
const isNullEnum = ({ schema }: Part) =>
  Array.isArray(schema['enum']) &&
  (schema['enum'].includes(null) || typesOf(schema).includes('null'));
const isBooleanEnum = ({ schema }: Part) =>
  Array.isArray(schema['enum']) && typesOf(schema).includes('boolean');

const isSchema = (at: string) => /^\/components\/schemas\/[^/]+$/.test(at);
const isNull = (schema: unknown) => isObject(schema) && schema['type'] === 'null';

/** A reference or null is no union: generators make it a value that may be absent. */
function isInlineUnion({ at, schema }: Part): boolean {
  if (at.endsWith('/properties') || isSchema(at)) return false;
  const choices = (schema['oneOf'] ?? schema['anyOf'] ?? schema['allOf']) as unknown[] | undefined;
  if (!Array.isArray(choices)) return Array.isArray(schema['type']) && typesOf(schema).length > 2;
  const others = choices.filter((choice) => !isNull(choice));
  return others.length !== 1 || !isObject(others[0]) || !('$ref' in others[0]);
}

const isInlineObject = ({ at, schema }: Part) =>
  !isSchema(at) && !at.endsWith('/properties') && isObject(schema['properties']);

const isAnything = ({ at, schema }: Part) =>
  /\/(items|(oneOf|anyOf|allOf)\/\d+)$/.test(at) && Object.keys(schema).length === 0;

const repeated = (names: unknown[]): string[] => [
  ...new Set(names.filter((name, index) => names.indexOf(name) !== index).map(String)),
];

/** Names that generators derive from those of schemas and operations. */
function clashes({ paths, components: { schemas, pathItems } }: CheckedDocument): string[] {
  const derived = new Set([
    ...Object.keys(schemas).flatMap((name) => [
      `New${name}`, // constructors of Go's generators
      `New${name}WithDefaults`,
      `Nullable${name}`,
      `NewNullable${name}`,
      ...enumsOf(name, schemas[name]!),
    ]),
    ...[...operationsOf(paths), ...operationsOf(pathItems)].flatMap(({ operationId }) => {
      const name = pascal(operationId!);
      return [
        `New${name}Request`, // oapi-codegen's functions and types
        `${name}Params`,
        `${name}Response`,
        `${name}JSONBody`,
        `${name}JSONRequestBody`,
        `Api${name}Request`, // openapi-generator's of Go
        `${name}OperationRequest`, // openapi-generator's of TypeScript
      ];
    }),
    'Client',
    'ClientInterface',
    'ClientOption',
    'ClientWithResponses',
    'Configuration',
    'APIClient',
    'APIKey',
  ]);
  return Object.keys(schemas).filter((name) => derived.has(name));
}

/** openapi-python-client and oapi-codegen name an enum without a name by its property. */
const enumsOf = (name: string, { properties = {} }: Json) =>
  Object.entries(properties as Record<string, Json>).flatMap(([property, schema]) =>
    schema['enum'] ? [name + pascal(property)] : [],
  );

/** openapi-generator's constants in Go have no prefix. */
const constantsOf = (schemas: Record<string, Json>) =>
  Object.values(schemas).flatMap(({ enum: values }) =>
    ((values ?? []) as unknown[]).map((value) => String(value).toUpperCase()),
  );

/** Generators take a property with a default for a required one. */
function defaultsOf({ paths, components: { schemas } }: CheckedDocument): string[] {
  const requests = operationsOf(paths).flatMap(({ operationId, parameters, requestBody }) =>
    partsOfAll([parameters, requestBody], operationId!, schemas),
  );
  return requests
    .filter(({ at, schema }) => 'default' in schema && !at.endsWith('/properties'))
    .map(({ at }) => at);
}

/**
 * openapi-generator's clients in Go try each variant of a union, and can't check such a pattern.
 */
function nullPatterns({ paths, components: { schemas } }: CheckedDocument): string[] {
  const answers = operationsOf(paths).flatMap(({ operationId, responses }) =>
    partsOfAll(responses, operationId!, schemas),
  );
  const unions = answers.map(({ schema: { oneOf } }) => (oneOf as Json[] | undefined) ?? []);
  const variants = new Set(
    unions
      .filter((union) => !union.some(isNull))
      .flat()
      .map(nameIn),
  );
  const resolve = (schema: Json) => schemas[nameIn(schema)] ?? schema;
  const mayFail = (schema: Json) =>
    typesOf(schema).includes('null')
      ? 'pattern' in schema
      : ((schema['oneOf'] as Json[] | undefined) ?? []).some(
          (choice) => 'pattern' in resolve(choice),
        );
  return [...variants].flatMap((name) => {
    const { properties = {} } = schemas[name] ?? {};
    return Object.entries(properties as Record<string, Json>)
      .filter(([, schema]) => mayFail(schema))
      .map(([property]) => `${name}.${property}`);
  });
}

const nameIn = ({ $ref }: Json) => String($ref).split('/').at(-1)!;

/** The parts of a value, and of all schemas that it refers to. */
function partsOfAll(value: unknown, at: string, schemas: Record<string, Json>): Part[] {
  const seen = new Set<string>();
  const collect = (inner: unknown, place: string): Part[] =>
    [...partsOf(inner, place)].flatMap((part) => {
      const name = nameIn(part.schema);
      if (!(name in schemas) || seen.has(name)) return [part];
      seen.add(name);
      return [part, ...collect(schemas[name], name)];
    });
  return collect(value, at);
}
