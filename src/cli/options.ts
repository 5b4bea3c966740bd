import Joi from 'joi';
import { roles } from '../contract/roles.ts';

/** Options that several commands share. */
export const uuid = Joi.string().guid({ separator: '-', wrapper: false });
export const name = Joi.string()
  .trim()
  .min(1)
  .max(200)
  .pattern(/\p{Cc}/u, { name: 'without control characters', invert: true });
export const role = Joi.string().valid(...roles);
export const organization = uuid.description('id of the organization').example('id');

const UNITS = { h: 3_600_000, d: 86_400_000 };

/** A time from now on, such as `12h` or `90d`, in milliseconds. */
export const duration = Joi.string().custom((value: string, helpers) => {
  const [, count, unit] = /^([1-9][0-9]{0,5})([hd])$/.exec(value) ?? [];
  return count && unit
    ? Number(count) * UNITS[unit as keyof typeof UNITS]
    : helpers.message({ custom: '{#label} must be like 12h or 90d' });
});
