import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { document } from '../../helpers/openapi.ts';

const folder = 'src/console/browser';
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => readFileSync(join(folder, name), 'utf8'));

/** Paths that are asked for, by the function that does it. What stands in `${}` is one segment. */
function callsIn(source: string): [by: string, path: string][] {
  const calls = source.matchAll(
    /\b(api|apiResponse|post|readAllItems|useList|callAccount|send)(?:<[^(]*>)?\(\s*hostPath`(\/.*?)`/gs,
  );
  return [...calls].map(([, by = '', path = '']) => [by, path.replace(/\$\{[^}]*\}/g, '{}')]);
}
const calls = sources
  .flatMap(callsIn)
  .filter(([, path]) => !/^\/(?:account|api\/v1)\{\}/.test(path));
const isKey = ([by, path]: [string, string]) =>
  !['callAccount', 'send'].includes(by) && !path.startsWith('/shared/');

describe('the requests of the console', () => {
  it('under /api/v1 are all in the OpenAPI document, so that a program can do the same', () => {
    const known = Object.keys(document.paths).map((path) => path.replace(/\{\w+\}/g, '{}'));
    const asked = calls.filter(isKey).map(([, path]) => path);
    expect(asked).to.have.length.above(40);
    expect(asked.filter((path) => !known.includes(path))).to.deep.equal([]);
  });

  it('for sessions are all in the table of docs/teams.md', () => {
    const listed = [
      ...readFileSync('docs/teams.md', 'utf8').matchAll(/^\| `(?:GET|POST) (\/[^`?]+)/gm),
    ];
    const known = listed.map(([, path = '']) => path.replace(/:\w+/g, '{}'));
    const asked = calls
      .filter((call) => !isKey(call))
      .map(([by, path]) => (by === 'callAccount' ? `/account${path}` : path));
    expect(asked).to.have.length.above(10);
    expect(asked.filter((path) => !known.includes(path) && path !== '/shared/{}')).to.deep.equal(
      [],
    );
  });
});
