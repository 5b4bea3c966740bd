import { hasHiddenReaders, parseReference } from '../pages/urls/urls.ts';
import type { MisleadingCode } from './pageFindings.ts';

/** Characters that show a text in another order than it is written, and tags that nobody sees. */
export const deceptiveCharacters = /[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e0fff}]/gu;

/** How a link misleads its readers; undefined for other links. */
export function misleadingLinkCode(url: string): MisleadingCode | undefined {
  const { scheme, authority } = parseReference(url);
  if (hasHiddenReaders(url)) return 'hidden-recipients';
  if (authority.includes('@')) return 'user-name-in-link';
  if (/^(?:blob|filesystem):$/i.test(scheme)) return 'script-data-link';
  return undefined;
}
