import Joi, { type CustomHelpers } from 'joi';
import { visible } from '../contract/visible.ts';

/** Characters of an address at most (RFC 5321, section 4.5.3.1.3, without its brackets). */
const LONGEST = 254;

/** The one rule for e-mail addresses: what an address shows is all that it is. */
export const emailAddress = Joi.string()
  .email({ tlds: false })
  .max(LONGEST)
  .pattern(/^[^\p{Cs}]*$/u)
  .messages({ 'string.pattern.base': '{{#label}} must not contain halves of characters' })
  .custom(asShown);

/**
 * Letters that stand for others, such as the sign of Kelvin for a K, become these where an address
 * is written in small letters: it would be somebody else's then.
 */
function asShown(address: string, helpers: CustomHelpers) {
  if (address.normalize('NFKC') !== address)
    return helpers.message({
      custom: '{{#label}} must not contain characters that stand for others',
    });
  if (visible(address) === address) return address;
  return helpers.message({ custom: '{{#label}} must not contain invisible characters' });
}

/** Whether a value of any type is an e-mail address. */
export const isEmailAddress = (value: unknown): value is string =>
  typeof value === 'string' && emailAddress.validate(value).error === undefined;
