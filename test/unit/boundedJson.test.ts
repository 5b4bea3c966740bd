import { expect } from 'chai';
import { findJsonExcess, parseBoundedJson } from '../../src/boundedJson.ts';

const limits = { depth: 3, values: 4 };

describe('findJsonExcess(text, limits)', () => {
  const within = [
    '',
    '[[[1]]]',
    '{"a":{"b":{"c":1}}}',
    '[1,2,3,4,5]',
    '[{},{},{}]',
    '"[[[[[[[["',
    '{"a\\"[[[[[[":"\\\\"}',
    '["\\\\",[[1]]]',
    '"not closed [[[[[[',
    '"\\',
    ']]]][[[',
  ];
  for (const text of within)
    it(`accepts ${JSON.stringify(text)}`, () => {
      expect(findJsonExcess(text, limits)).to.equal(undefined);
    });

  const beyond: [text: string, reason: string, offset: number][] = [
    ['[[[[1]]]]', 'depth', 3],
    ['{"a":[{"b":[', 'depth', 11],
    ['[1,2,3,4,5,6]', 'values', 10],
    ['[[],[],[],[]]', 'values', 10],
    ['["\\\\",[[[1]]]]', 'depth', 8],
  ];
  for (const [text, reason, offset] of beyond)
    it(`refuses ${JSON.stringify(text)} at its ${offset + 1}th character`, () => {
      expect(findJsonExcess(text, limits)).to.deep.equal({ reason, offset });
    });
});

describe('parseBoundedJson(text, limits)', () => {
  it('parses a text within the limits', () => {
    expect(parseBoundedJson('{"a":["b\\""]}', limits)).to.deep.equal({ a: ['b"'] });
  });

  it('throws a RangeError for a text beyond them, and a SyntaxError for another language', () => {
    expect(() => parseBoundedJson('[[[[', limits)).to.throw(
      RangeError,
      'it has more than 3 lists and objects in each other',
    );
    expect(() => parseBoundedJson('[1,1,1,1,1,1]', limits)).to.throw(
      RangeError,
      'it has more than 4 values',
    );
    expect(() => parseBoundedJson('{a:1}', limits)).to.throw(SyntaxError);
  });
});
