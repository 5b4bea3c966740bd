import { expect } from 'chai';
import { reasonInHeaders } from '../../../src/browser/sendRequest.ts';

const of = (field: string | undefined) =>
  reasonInHeaders(new Headers(field === undefined ? {} : { 'Agent-Tasks-Error': field }));

describe('what the console adds to the text of an error', () => {
  it('is the reason of Agent-Tasks-Error', () => {
    expect(of('INVALID_CALLBACK_URL;reason="its host is a private address"')).to.equal(
      ' (its host is a private address)',
    );
    expect(of('NOT_FOUND;reason=%"caf%c3%a9"')).to.equal(' (café)');
  });

  for (const field of [
    undefined,
    '',
    'NOT_FOUND',
    '"',
    'A;reason',
    'A;reason=7',
    'A;other="x"',
    '\u00e9;reason="x',
  ])
    it(`is empty for ${JSON.stringify(field)}`, () => expect(of(field)).to.equal(''));
});
