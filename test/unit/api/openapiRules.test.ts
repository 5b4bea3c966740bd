import { expect } from 'chai';
import { document } from '../../helpers/openapi.ts';
import { type CheckedDocument, rules } from './openapiRules.ts';

const checked = document as unknown as CheckedDocument;
const { schemas, pathItems = {} } = checked.components;
const property = (schema: string, name: string) =>
  `components.schemas.${schema}.properties.${name}`;
const reference = { $ref: '#/components/schemas/TaskId' };

/** Values of a wrong document by the names that lead to them, and the place that is found out. */
type Mistake = [values: Record<string, unknown>, found: RegExp];

const mistakes: Record<string, Mistake[]> = {
  'a tag of operations and webhooks': [
    [{ 'components.pathItems.taskFinished.post.tags': ['Tasks'] }, /^Tasks$/],
  ],
  'a webhook that is no reference': [
    [{ 'webhooks.taskFinished': pathItems['taskFinished'] }, /^taskFinished$/],
  ],
  'null in an enum': [
    [{ 'components.schemas.CallbackState.enum': ['failed', null] }, /\/CallbackState$/],
    [{ [`${property('ShareRequest', 'access')}.type`]: ['string', 'null'] }, /\/access$/],
  ],
  'an enum of booleans': [[{ [`${property('TaskSummary', 'asks')}.enum`]: [true] }, /\/asks$/]],
  'a union without a name': [
    [
      {
        'paths./agent/tasks.post.requestBody.content.application/json.schema':
          schemas['CreateTaskRequest'],
      },
      /\/agent\/tasks\/post\/requestBody/,
    ],
    [
      { [property('ApiKey', 'name')]: { oneOf: [{ type: 'string' }, { type: 'null' }] } },
      /\/ApiKey\/properties\/name$/,
    ],
    [
      { [property('ApiKey', 'name')]: { allOf: [{ pattern: 'a' }, { pattern: 'b' }] } },
      /\/ApiKey\/properties\/name$/,
    ],
  ],
  'an object without a name': [
    [{ [property('Batch', 'rows')]: schemas['BatchRowCounts'] }, /\/Batch\/properties\/rows$/],
  ],
  'an entry that may be anything': [
    [{ [`${property('BatchRequest', 'rows')}.items`]: {} }, /\/rows\/items$/],
  ],
  'two identical titles': [
    [
      {
        'components.schemas.FailedTask.title': 'Failed',
        'components.schemas.FailedCallback.title': 'Failed',
      },
      /^Failed$/,
    ],
  ],
  "a name of a generator's own": ['NewBatch', 'GetTaskResponse', 'ShareRequestAccess'].map(
    (name): Mistake => [{ [`components.schemas.${name}`]: {} }, new RegExp(`^${name}$`)],
  ),
  'two constants of one name': [
    [{ 'components.schemas.AskMode.enum': ['never', 'keep'] }, /^KEEP$/],
  ],
  'a default in a request': [
    [{ [`${property('PromptTask', 'publish')}.default`]: false }, /^PromptTask\/.*publish$/],
    [{ 'paths./sites.get.parameters.0.schema.default': 20 }, /^listSites/],
  ],
  'a pattern of what may be null, in a variant of an answer': [
    [{ [`${property('FailedTask', 'follows')}.pattern`]: '^bg-' }, /^FailedTask\.follows$/],
    [
      { [property('FailedTask', 'follows')]: { oneOf: [reference, { type: 'null' }] } },
      /^FailedTask\.follows$/,
    ],
  ],
};

function withMistake(values: Mistake[0]): CheckedDocument {
  const copy = structuredClone(checked);
  for (const [place, value] of Object.entries(values)) {
    const names = place.split('.');
    const last = names.pop()!;
    const parent = names.reduce<Record<string, unknown>>(
      (part, name) => part[name] as Record<string, unknown>,
      copy as unknown as Record<string, unknown>,
    );
    parent[last] = value;
  }
  return copy;
}

describe('the OpenAPI document, for generators of clients', () => {
  for (const [rule, find] of Object.entries(rules)) {
    it(`has no ${rule.replace(/^an? /, '')}`, () => expect(find(checked)).to.deep.equal([]));

    for (const [values, found] of mistakes[rule] ?? [])
      it(`would be reported with ${rule}: ${found.source}`, () => {
        const places = find(withMistake(values));
        expect(places.filter((place) => found.test(place))).to.not.be.empty;
      });
  }

  it('has an example that breaks each rule', () =>
    expect(Object.keys(mistakes)).to.have.members(Object.keys(rules)));
});
