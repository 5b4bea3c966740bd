/** Times and days of opening hours in structured data (schema.org). Nobody rewrites these. */
const HOURS = /(?:^|\.)(?:opens|closes|openingHours(?:\[\d+\])?)$/;
const DAYS =
  /(?:^|\.)dayOfWeek(?:\[\d+\])?(?:\.(?:@id|name))?$|(?:openingHoursSpecification|hoursAvailable)(?:\[\d+\])?\.valid(?:From|Through)$/i;

/** Whether structured data states opening hours at this path: `openingHours`, `opens`, `closes`. */
export const isHoursAt = (path = ''): boolean => HOURS.test(path);

/** Whether structured data states the days of opening hours at this path. */
export const isDaysAt = (path = ''): boolean => DAYS.test(path);
