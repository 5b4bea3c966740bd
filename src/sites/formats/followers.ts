import { hoursValueAt } from '../pages/hoursData.ts';
import { isHeadline, type Slot, type SlotRole } from './page.ts';

/**
 * The roles of the texts that follow a text which they repeat: those that a page has for other
 * sites and search engines. Numbers and opening hours of structured data stand for themselves, even
 * where two are equal.
 */
export function followersOf(slot: Slot): SlotRole[] {
  const isData = slot.role === 'structured-data';
  if (isData && (hoursValueAt(slot.jsonPath) || !/\p{L}/u.test(slot.text))) return [];
  if (isHeadline(slot)) return ['title', 'social-title', 'structured-data'];
  if (slot.role === 'title' || slot.role === 'social-title')
    return ['social-title', 'structured-data'];
  if (slot.role === 'description' || slot.role === 'social-description')
    return ['social-description', 'structured-data'];
  return ['structured-data'];
}
