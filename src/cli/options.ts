import Joi from 'joi';
import { NAME_LENGTH, nameFault, nameFaults, type NameRule } from '../contract/name.ts';
import { roles } from '../contract/roles.ts';

/** Options that several commands share. */
export const uuid = Joi.string().guid({ separator: '-', wrapper: false });
/** The API's rule for names. */
const named = (rule?: NameRule) =>
  Joi.string()
    .trim()
    .custom((value: string, helpers) => {
      const fault = nameFault(value, rule);
      return fault
        ? helpers.message({ custom: `{#label} ${nameFaults[fault]}` }, { limit: NAME_LENGTH })
        : value;
    });
export const name = named();
/** An organization's name. Mails contain it, so a stricter rule applies. */
export const organizationName = named({ isMailed: true });
export const role = Joi.string().valid(...roles);
export const organization = uuid.description('id of the organization').example('id');

const UNITS = { h: 3_600_000, d: 86_400_000 };

/** A duration such as `12h` or `90d`, converted to milliseconds. */
export const duration = Joi.string().custom((value: string, helpers) => {
  const [, count, unit] = /^([1-9][0-9]{0,5})([hd])$/.exec(value) ?? [];
  return count && unit
    ? Number(count) * UNITS[unit as keyof typeof UNITS]
    : helpers.message({ custom: '{#label} must be like 12h or 90d' });
});

/** A percentage such as `10%`, converted to a number from 0 to 100. */
export const percent = Joi.string().custom((value: string, helpers) => {
  const [, share] = /^([0-9]{1,3})%$/.exec(value) ?? [];
  return share && Number(share) <= 100
    ? Number(share)
    : helpers.message({ custom: '{#label} must be from 0% to 100%' });
});
