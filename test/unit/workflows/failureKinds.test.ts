import { expect } from 'chai';
import { errorCodes } from '../../../src/errors.ts';
import { failureKinds } from '../../../src/contract/task.ts';
import { failureKindByCode } from '../../../workflows/failureKinds.ts';

describe('the kinds of failures', () => {
  it('include one for each code of an error, and no others', () => {
    expect(failureKindByCode).to.have.all.keys(Object.keys(errorCodes));
    for (const kind of Object.values(failureKindByCode))
      expect(failureKinds).to.include(kind).and.not.equal('cancelled');
  });
});
