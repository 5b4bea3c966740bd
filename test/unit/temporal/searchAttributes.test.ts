import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { registeredAttributes } from '../../../src/temporal/searchAttributes.ts';

describe('registeredAttributes', () => {
  const typesByName = Object.fromEntries(
    registeredAttributes.map(({ name, type }) => [name, type.name]),
  );

  it('are in docs/deployment.md, as tcld and Terraform accept them', () => {
    const guide = readFileSync(new URL('../../../docs/deployment.md', import.meta.url), 'utf8');
    const stated = (form: RegExp) =>
      Object.fromEntries<string>([...guide.matchAll(form)].map((found) => [found[1]!, found[2]!]));
    expect(stated(/--sa (\w+)=(\w+)/g)).to.deep.equal(typesByName);
    expect(stated(/(\w+) = "(Keyword|Bool|KeywordList)"/g)).to.deep.equal(typesByName);
  });
});
