import { normalizeText } from '../contract/normalizeText.ts';
import type { CustomHelpers } from 'joi';
import { Joi } from '../boundedJoi.ts';
import { removeInvisible } from '../contract/text/removeInvisible.ts';

/** The most characters of an address (RFC 5321, section 4.5.3.1.3, without the angle brackets). */
const LONGEST = 254;

/**
 * The rule for e-mail addresses. An address must not contain invisible characters, or characters
 * that stand for others.
 */
export const emailAddress = Joi.string()
  .email({ tlds: false })
  .max(LONGEST)
  .pattern(/^[^\p{Cs}]*$/u)
  .messages({
    'string.pattern.base':
      '{{#label}} must not contain half of a character (an unpaired surrogate)',
  })
  .custom(checkEmailCharacters);

/**
 * Refuses invisible characters, and those that NFKC replaces with others, such as the Kelvin sign
 * for a K. Lower-casing may replace them too, and so give another person's address.
 */
function checkEmailCharacters(address: string, helpers: CustomHelpers) {
  if (normalizeText(address, 'NFKC') !== address)
    return helpers.message({
      custom: '{{#label}} must not contain compatibility characters, such as full-width letters',
    });
  if (removeInvisible(address) === address) return address;
  return helpers.message({ custom: '{{#label}} must not contain invisible characters' });
}

/** Whether a value of any type is an e-mail address. */
export const isEmailAddress = (value: unknown): value is string =>
  typeof value === 'string' && emailAddress.validate(value).error === undefined;
