import Joi from 'joi';
import {
  NAME_LENGTH,
  findNameViolation,
  nameViolationMessages,
  type NameRule,
} from '../contract/text/nameRule.ts';
import { roles } from '../contract/roles.ts';

/** Joi schemas of options that several commands share. Their descriptions are for the help. */
export const uuidOption = Joi.string().guid({ separator: '-', wrapper: false });
/** The API's rule for names. */
const nameSchema = (nameRule?: NameRule) =>
  Joi.string()
    .trim()
    .custom((value: string, helpers) => {
      const violation = findNameViolation(value, nameRule);
      return violation
        ? helpers.message(
            { custom: `{#label} ${nameViolationMessages[violation]}` },
            { limit: NAME_LENGTH },
          )
        : value;
    });
export const nameOption = nameSchema();
/** An organization's name. Mails contain it, so a stricter rule applies. */
export const organizationNameOption = nameSchema({ isMailed: true });
export const roleOption = Joi.string().valid(...roles);
export const organizationOption = uuidOption
  .description('the id of the organization')
  .example('id');

const UNITS = { h: 3_600_000, d: 86_400_000 };

/** A duration such as `12h` or `90d`, converted to milliseconds. */
export const durationOption = Joi.string().custom((value: string, helpers) => {
  const [, unitCount, unitLetter] = /^([1-9][0-9]{0,5})([hd])$/.exec(value) ?? [];
  return unitCount && unitLetter
    ? Number(unitCount) * UNITS[unitLetter as keyof typeof UNITS]
    : helpers.message({ custom: '{#label} must be a duration such as 12h or 90d' });
});

/** A percentage such as `10%`, converted to a number from 0 to 100. */
export const percentOption = Joi.string().custom((value: string, helpers) => {
  const [, percentText] = /^([0-9]{1,3})%$/.exec(value) ?? [];
  return percentText && Number(percentText) <= 100
    ? Number(percentText)
    : helpers.message({ custom: '{#label} must be a percentage from 0% to 100%' });
});
