import { expect } from 'chai';
import { errorCodes } from '../../../src/errors.ts';
import { failureKinds } from '../../../src/contract/task.ts';
import { kinds } from '../../../workflows/failureKinds.ts';

describe('the kinds of failures', () => {
  it('have one for each code of an error, and none for others', () => {
    expect(kinds).to.have.all.keys(Object.keys(errorCodes));
    for (const kind of Object.values(kinds))
      expect(failureKinds).to.include(kind).and.not.equal('cancelled');
  });
});
