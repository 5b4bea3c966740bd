import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { type Lockfile, problemsOf, readAudit } from '../../.ci/dependencies.ts';

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'));
const sound = { version: '1.0.0', integrity: `sha512-${'a'.repeat(86)}==`, license: 'MIT' };
const problems = (changes: Partial<Lockfile['packages'][string]>, allowScripts = {}) => {
  const packages = { '': {}, 'node_modules/x': { ...sound, ...changes } } as Lockfile['packages'];
  return problemsOf({ lockfileVersion: 3, packages }, allowScripts);
};

describe('the dependencies', () => {
  it('are valid in our own lockfile', () => {
    const { allowScripts } = read('package.json') as { allowScripts: Record<string, boolean> };
    const lockfile = read('package-lock.json') as Lockfile;
    expect(Object.keys(lockfile.packages)).to.have.length.above(300);
    expect(problemsOf(lockfile, allowScripts)).to.deep.equal([]);
  });

  it('are valid with a checksum, from a registry, under a free licence', () => {
    expect(problems({})).to.deep.equal([]);
    expect(problems({ resolved: 'https://registry.example/x.tgz' })).to.deep.equal([]);
    for (const license of ['ISC', '(GPL-3.0 OR MIT)', 'Apache-2.0 AND MIT'])
      expect(problems({ license })).to.be.empty;
  });

  it('are invalid without a checksum, or with a weak one', () => {
    const bare = { version: '1.0.0', license: 'MIT' };
    const lockfile = { lockfileVersion: 3, packages: { 'node_modules/x': bare } };
    expect(problemsOf(lockfile, {})).to.deep.equal([
      'node_modules/x 1.0.0 has no SHA-512 checksum',
    ]);
    expect(problems({ integrity: 'sha1-abc' })).to.deep.equal([
      'node_modules/x 1.0.0 has no SHA-512 checksum',
    ]);
  });

  for (const resolved of [
    'git+ssh://git@example.com/x.git#abc',
    'http://registry.example/x.tgz',
    'file:../x',
  ])
    it(`are invalid from ${resolved}`, () => {
      expect(problems({ resolved })).to.deep.equal([
        `node_modules/x 1.0.0 comes from ${resolved}, not from a registry`,
      ]);
    });

  it('are invalid as links', () => {
    expect(problems({ link: true })).to.deep.equal([
      'node_modules/x 1.0.0 comes from a link, not from a registry',
    ]);
  });

  it('run no install script that nobody decided about', () => {
    const expected =
      'node_modules/x 1.0.0 has an install script, and allowScripts in package.json says nothing about x';
    expect(problems({ hasInstallScript: true })).to.deep.equal([expected]);
    expect(problems({ hasInstallScript: true }, { x: false })).to.deep.equal([]);
  });

  for (const license of ['GPL-3.0', 'UNLICENSED', 'MIT AND AGPL-3.0', 'SEE LICENSE IN x'])
    it(`are invalid under ${license}`, () => {
      expect(problems({ license })).to.deep.equal([`node_modules/x 1.0.0 is under ${license}`]);
    });
});

describe('the answer of npm audit', () => {
  it('names the vulnerable packages', () => {
    const report = { auditReportVersion: 2, vulnerabilities: { koa: { severity: 'high' } } };
    expect(readAudit(JSON.stringify(report))).to.deep.equal({ vulnerable: ['koa (high)'] });
    expect(readAudit('{"vulnerabilities":{}}')).to.deep.equal({ vulnerable: [] });
  });

  it('is never treated as a success if the registry could not be asked', () => {
    const refusal = { message: '405 Method Not Allowed', error: {} };
    expect(readAudit(JSON.stringify(refusal))).to.deep.equal({ unasked: '405 Method Not Allowed' });
    for (const output of ['', 'npm error', '{}'])
      expect(readAudit(output)).to.have.property('unasked');
  });
});
