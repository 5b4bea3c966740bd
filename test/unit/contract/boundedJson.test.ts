import { expect } from 'chai';
import { findJsonExcess, parseBoundedJson } from '../../../src/contract/text/boundedJson.ts';
import { limits as taskLimits } from '../../../src/contract/task.ts';
import { parseJson } from '../../../src/sites/files/parseJson.ts';
import { worstDocuments } from '../../endurance/hostile/units.ts';
import { cpuTime } from '../../helpers/growth.ts';

const limits = { depth: 3, values: 4 };

describe('findJsonExcess(text, limits)', () => {
  const within = [
    '',
    '[[[1]]]',
    '[1,2,3,4,5]',
    '"[[[[[[[["',
    '{"a\\"[[[[[[":"\\\\"}',
    '["\\\\",[[1]]]',
    '"not closed [[[[[[',
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
    ['["\\\\",[[[1]]]]', 'depth', 8],
  ];
  for (const [text, reason, offset] of beyond)
    it(`rejects ${JSON.stringify(text)} at its ${offset + 1}th character`, () => {
      expect(findJsonExcess(text, limits)).to.deep.equal({ reason, offset });
    });
});

describe('parseBoundedJson(text, limits)', () => {
  it('parses a text within the limits', () => {
    expect(parseBoundedJson('{"a":["b\\""]}', limits)).to.deep.equal({ a: ['b"'] });
  });

  it('throws a RangeError for a text beyond them, and a SyntaxError for another language', () => {
    expect(() => parseBoundedJson('[[[[', limits)).to.throw(RangeError, /\b3\b/);
    expect(() => parseBoundedJson('[1,1,1,1,1,1]', limits)).to.throw(RangeError, /\b4 values\b/);
    expect(() => parseBoundedJson('{a:1}', limits)).to.throw(SyntaxError);
  });
});

describe('parseJson(bytes)', () => {
  const TIMES = 4;
  /** Milliseconds that a busy machine takes for anything. */
  const SHORT_MS = 300;
  const TRIES = 4;

  /** The shortest of some tries, in milliseconds of this thread's CPU time. */
  function shortest(bytes: Uint8Array): number {
    const parse = () => {
      try {
        parseJson(bytes);
      } catch (error) {
        expect(error).to.be.instanceOf(SyntaxError);
      }
    };
    return Math.min(...Array.from({ length: TRIES }, () => cpuTime(parse)));
  }
  const bytesOf = (name: string) => Buffer.from(worstDocuments[name]!(taskLimits.bodyBytes));

  it('takes hardly longer for the worst 2 MB than for one text', () => {
    const allowed = Math.max(SHORT_MS, TIMES * shortest(bytesOf('one text')));
    for (const name of Object.keys(worstDocuments))
      expect(shortest(bytesOf(name)), name).to.be.at.most(allowed);
  });
});
