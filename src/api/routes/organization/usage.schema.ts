import { Joi } from '../../../boundedJoi.ts';

/** The query of GET /usage. */
export interface UsageQuery {
  month?: string;
}

export const usageQuery = Joi.object<UsageQuery>({
  month: Joi.string()
    .pattern(/^\d{4}-(?:0[1-9]|1[0-2])$/)
    .messages({ 'string.pattern.base': '{{#label}} must be a month, such as 2026-11' })
    .description('Return only this month, as `YYYY-MM` in UTC.'),
});
