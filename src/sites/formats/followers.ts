import { isHoursAt } from '../pages/hoursData.ts';
import { isHeadline, type Slot, type SlotRole } from './page.ts';

const NUMBERS =
  /(?:^|\.)(?:price|(?:low|high|min|max)Price|(?:offer|rating|review)Count|(?:best|worst)Rating|ratingValue|latitude|longitude)(?:\[\d+\])?$/;

/**
 * Whether structured data has a number at this path, such as a price. It follows no other text: one
 * that reads the same does so by chance.
 */
export const isNumberAt = (path = ''): boolean => NUMBERS.test(path);

/**
 * The roles of the texts that follow a text which they repeat: those that a page has for other
 * sites and search engines. Numbers and opening hours of structured data stand for themselves, even
 * where two are equal.
 */
export function followersOf(slot: Slot): SlotRole[] {
  const isData = slot.role === 'structured-data';
  const { jsonPath, text } = slot;
  if (isData && (isHoursAt(jsonPath) || isNumberAt(jsonPath) || !/\p{L}/u.test(text))) return [];
  if (isHeadline(slot)) return ['title', 'social-title', 'structured-data'];
  if (slot.role === 'title' || slot.role === 'social-title')
    return ['social-title', 'structured-data'];
  if (slot.role === 'description' || slot.role === 'social-description')
    return ['social-description', 'structured-data'];
  return ['structured-data'];
}
