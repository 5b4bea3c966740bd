import { expect } from 'chai';
import { withoutUndefined } from '../../../src/contract/withoutUndefined.ts';

describe('defined', () => {
  const maybe = (value: string): string | undefined => (value === '' ? undefined : value);

  it('keeps defined values in their order', () => {
    const fields = withoutUndefined({
      b: 1,
      gone: undefined,
      a: null,
      zero: 0,
      no: false,
      empty: '',
    });
    expect(Object.entries(fields)).to.deep.equal([
      ['b', 1],
      ['a', null],
      ['zero', 0],
      ['no', false],
      ['empty', ''],
    ]);
  });

  it('omits undefined fields', () => {
    expect(withoutUndefined({ a: maybe('') })).to.not.have.property('a');
  });

  it('fits optional fields that must not be undefined, and nothing else', () => {
    const page: { slug: string; externalId?: string } = withoutUndefined({
      slug: '/a',
      externalId: maybe('x'),
    });
    // @ts-expect-error a field that may be undefined is no required one
    const wrong: { slug: string } = withoutUndefined({ slug: maybe('') });
    // @ts-expect-error the type of a field stays what it is
    const number: { slug?: number } = withoutUndefined({ slug: maybe('/a') });
    expect([page, wrong, number]).to.deep.equal([
      { slug: '/a', externalId: 'x' },
      {},
      { slug: '/a' },
    ]);
  });
});
