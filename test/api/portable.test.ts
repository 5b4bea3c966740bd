import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { document } from '../helpers/openapi.ts';
import { programOnPath } from '../helpers/programs.ts';

interface Place {
  at: string;
  pattern: string;
  /** Those beside the pattern. */
  examples: string[];
}

type Node = Record<string, unknown>;

function* patternsIn(value: unknown, at = ''): Generator<Place> {
  if (typeof value !== 'object' || value === null) return;
  const { pattern, examples } = value as { pattern?: unknown; examples?: string[] };
  if (typeof pattern === 'string') yield { at, pattern, examples: examples ?? [] };
  // the field `pattern` of an example is a value, not a pattern of the document
  for (const [name, inner] of Object.entries(value as Node))
    if (name !== 'examples') yield* patternsIn(inner, `${at}/${name}`);
}

/**
 * Reads patterns with their examples, and prints those that Python can't build or that do not
 * match.
 */
const python = `
import json, re, sys
for place in json.load(sys.stdin):
    try:
        pattern = re.compile(place["pattern"])
        for text in place["examples"]:
            if not pattern.search(text): print(place["at"], text)
    except re.error as error: print(place["at"], error)
`;

/**
 * What RE2 has not (its "Syntax" page): looks around, references back, properties, and code points
 * of four digits.
 */
const notInRe2 = /\(\?[=!<]|\\[1-9kpPuZ]|[*+?}]\+|\\c/;

describe('the patterns of the OpenAPI document', () => {
  const places = [...patternsIn(document)];

  it('have matching examples', () => {
    expect(places).to.have.length.above(50);
    for (const { at, pattern, examples } of places) {
      expect(examples, `${at} ${pattern}`).to.have.length.above(0);
      for (const example of examples) expect(example, at).to.match(new RegExp(pattern, 'u'));
    }
  });

  it('mean the same in ECMA-262 with and without Unicode', () => {
    for (const { at, pattern, examples } of places)
      for (const flags of ['', 'u'])
        for (const example of examples)
          expect(new RegExp(pattern, flags).test(example), `${at} ${flags}`).to.equal(true);
  });

  it('are valid patterns of Python', () => {
    const { stdout, stderr } = spawnSync(programOnPath('python3'), ['-c', python], {
      input: JSON.stringify(places),
      encoding: 'utf8',
    });
    expect(stderr + stdout).to.equal('');
  });

  it('use only features that RE2 has', () => {
    for (const { at, pattern } of places) {
      expect(pattern, at).not.to.match(notInRe2);
      const repeats = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].flatMap(([, least, most]) => [
        least,
        most,
      ]);
      for (const times of repeats) expect(Number(times ?? 0), at).to.be.at.most(1_000);
    }
  });
});
