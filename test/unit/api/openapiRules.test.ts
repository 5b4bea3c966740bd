import { expect } from 'chai';
import { document } from '../../helpers/openapi.ts';
import { type CheckedDocument, rules } from './openapiRules.ts';

const checked = document as unknown as CheckedDocument;

/** Each breaks one rule: a change of a copy of the document, and the place that is named. */
const mistakes: Record<string, [change: (copy: any) => void, found: string | RegExp][]> = {
  'a tag of operations and webhooks': [
    [(copy) => (copy.components.pathItems.taskFinished.post.tags = ['Tasks']), 'Tasks'],
  ],
  'null in an enum': [
    [({ components: { schemas } }) => schemas.CallbackState.enum.push(null), /CallbackState$/],
    [
      ({ components: { schemas } }) =>
        (schemas.ShareRequest.properties.access.type = ['string', 'null']),
      /ShareRequest\/properties\/access$/,
    ],
  ],
  'an enum of booleans': [
    [({ components: { schemas } }) => (schemas.TaskSummary.properties.asks.enum = [true]), /asks$/],
  ],
  'a union without a name': [
    [
      ({ paths, components: { schemas } }) =>
        (paths['/agent/tasks'].post.requestBody.content['application/json'].schema =
          schemas.CreateTaskRequest),
      /agent\/tasks\/post\/requestBody/,
    ],
    [
      ({ components: { schemas } }) => {
        schemas.ApiKey.properties.name = { oneOf: [{ type: 'string' }, { type: 'null' }] };
      },
      /ApiKey\/properties\/name$/,
    ],
    [
      ({ components: { schemas } }) => {
        schemas.ApiKey.properties.name = { allOf: [{ pattern: 'a' }, { pattern: 'b' }] };
      },
      /ApiKey\/properties\/name$/,
    ],
  ],
  'an object without a name': [
    [
      ({ components: { schemas } }) => (schemas.Batch.properties.rows = schemas.BatchRowCounts),
      /Batch\/properties\/rows$/,
    ],
  ],
  'two identical titles': [
    [
      ({ components: { schemas } }) => {
        schemas.FailedTask.title = 'Failed';
        schemas.FailedCallback.title = 'Failed';
      },
      'Failed',
    ],
  ],
  "a name of a generator's own": [
    [({ components: { schemas } }) => (schemas.NewShare = schemas.ShareCreated), 'NewShare'],
    [({ components: { schemas } }) => (schemas.GetTaskResponse = {}), 'GetTaskResponse'],
    [({ components: { schemas } }) => (schemas.ShareRequestAccess = {}), 'ShareRequestAccess'],
  ],
  'two constants of one name': [
    [({ components: { schemas } }) => schemas.AskMode.enum.push('keep'), 'KEEP'],
  ],
  'a default in a request': [
    [
      ({ components: { schemas } }) => (schemas.PromptTask.properties.publish.default = false),
      /PromptTask\/properties\/publish$/,
    ],
    [({ paths }) => (paths['/sites'].get.parameters[0].schema.default = 20), /^listSites/],
  ],
  'a pattern of what may be null, in a variant of an answer': [
    [
      ({ components: { schemas } }) => (schemas.FailedTask.properties.follows.pattern = '^bg-'),
      'FailedTask.follows',
    ],
    [
      ({ components: { schemas } }) => {
        const reference = { $ref: '#/components/schemas/TaskId' };
        schemas.FailedTask.properties.follows = { oneOf: [reference, { type: 'null' }] };
      },
      'FailedTask.follows',
    ],
  ],
  'an entry that may be anything': [
    [
      ({ components: { schemas } }) => (schemas.BatchRequest.properties.rows.items = {}),
      /BatchRequest\/properties\/rows\/items$/,
    ],
  ],
};

describe('the OpenAPI document, for generators of clients', () => {
  for (const [rule, find] of Object.entries(rules)) {
    it(`has no ${rule.replace(/^an? /, '')}`, () => expect(find(checked)).to.deep.equal([]));

    for (const [change, found] of mistakes[rule] ?? [])
      it(`would be found out with ${rule}: ${String(found)}`, () => {
        const copy = structuredClone(checked);
        change(copy);
        const breaks = find(copy);
        expect(breaks).to.not.be.empty;
        expect(
          breaks.some((place) => (typeof found === 'string' ? place === found : found.test(place))),
          breaks.join(),
        ).to.equal(true);
      });
  }

  it('has an example of what breaks each rule', () =>
    expect(Object.keys(mistakes)).to.have.members(Object.keys(rules)));
});
