import { expect } from 'chai';
import { emailAddress } from '../../src/accounts/emailAddress.ts';
import { Joi } from '../../src/boundedJoi.ts';

const schema = Joi.object({
  name: Joi.string().max(10).email(),
  list: Joi.array()
    .items(Joi.object({ size: Joi.number() }))
    .max(10),
  free: Joi.array().items(Joi.number()),
});
const problemOf = (value: unknown) =>
  schema.validate(value, { abortEarly: false, errors: { wrap: { label: false } } }).error?.message;

describe('Joi for values from outside', () => {
  it('names every wrong field of a value that is not too large', () => {
    expect(problemOf({ name: 'x', list: [{ size: 'x' }], other: 1 })).to.equal(
      'name must be a valid email. list[0].size must be a number. other is not allowed',
    );
    expect(problemOf({ name: 'a@b.co', list: [{ size: 1 }], free: [1] })).to.equal(undefined);
  });

  it('applies no other rule to a string that is too long', () => {
    expect(problemOf({ name: 'x'.repeat(11) })).to.equal(
      'name length must be less than or equal to 10 characters long',
    );
  });

  it('checks no entry of a list that is too long', () => {
    expect(problemOf({ list: Array(11).fill('x') })).to.equal(
      'list must contain less than or equal to 10 items',
    );
    expect(problemOf({ free: Array(10_001).fill('x') })).to.equal(
      'free must contain less than or equal to 10000 items',
    );
  });

  it('names one problem for 150,000 unknown fields, instead of failing because of their number', () => {
    const fields = Array.from({ length: 150_000 }, (_, number) => [`field${number}`, 1] as const);
    expect(problemOf(Object.fromEntries(fields))).to.equal(
      'value must have less than or equal to 1000 keys',
    );
  });

  it('normalizes no e-mail address that is too long', () => {
    const address = `a@${'\u0301\u0323'.repeat(100_000)}.co`;
    expect(emailAddress.validate(address, { abortEarly: false }).error?.details).to.have.length(1);
  });
});
