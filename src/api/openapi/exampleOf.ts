import { mapValues } from './jsonSchema.ts';
import { exampleOfPattern } from './patterns.ts';

/** The parts of a JSON Schema from which an example is made. */
interface ExampleSchema {
  $of?: ExampleSchema;
  examples?: [unknown];
  enum?: [unknown];
  oneOf?: ExampleSchema[];
  type?: string | [string, 'null'];
  properties?: Record<string, ExampleSchema>;
  additionalProperties?: ExampleSchema | false;
  items?: ExampleSchema;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
}

const formatExamples: Record<string, string> = {
  'date-time': '2026-11-21T07:00:24.120Z',
  uuid: '2ccccd9d-5b1e-4b77-8593-be03be951734',
  uri: 'https://northwind.example/locations/porto',
};

/** An example of a response body with all of its fields. */
function exampleOf(schema: ExampleSchema): unknown {
  const { $of, examples, enum: values, oneOf, type, properties, additionalProperties } = schema;
  if ($of) return exampleOf($of);
  if (examples || values) return (examples ?? values)![0];
  if (oneOf) return exampleOf(oneOf[0]!);
  switch (Array.isArray(type) ? type[0] : type) {
    case 'object':
      return additionalProperties
        ? { name: exampleOf(additionalProperties) }
        : mapValues(properties ?? {}, exampleOf);
    case 'array':
      return [exampleOf(schema.items!)];
    case 'boolean':
      return true;
    case 'string':
      return formatExamples[schema.format ?? ''] ?? exampleOfPattern(schema.pattern) ?? 'text';
    default:
      return schema.maximum === 1 ? 0.5 : Math.max(schema.minimum ?? 0, 3);
  }
}

/**
 * Examples of a response body: `{ example: { value } }`, or for a union one for each variant, by
 * its name: `{ running: { value }, completed: { value }, … }`.
 */
export function examplesOf(schema: object): Record<string, { value: unknown }> {
  const { discriminator, oneOf } = schema as ExampleSchema & {
    discriminator?: { mapping: object };
  };
  if (!discriminator || !oneOf) return { example: { value: exampleOf(schema) } };
  const variantNames = Object.keys(discriminator.mapping);
  return Object.fromEntries(
    oneOf.map((variant, index) => [variantNames[index]!, { value: exampleOf(variant) }]),
  );
}
