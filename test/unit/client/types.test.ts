import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { makeTypes, typesPath } from '../../../client/makeTypes.ts';

describe('the types of the client', function () {
  this.timeout(60_000);

  it('are what the OpenAPI document says now (npm run client:types)', async () => {
    expect(readFileSync(typesPath, 'utf8')).to.equal(await makeTypes());
  });
});
