import type { PageIdentity } from '../format.ts';
import type { HtmlDocument } from './document.ts';
import { languageOf } from './language.ts';
import { homeIn } from './links/pageAddresses.ts';

const tag = /^[a-z]{2,8}(?:[-_][a-z\d]{1,8}){0,5}$/i;
/** Longer than any host with a few folders. */
const HOME_LENGTH = 300;

/** @param slug the page's */
export function identityOf(page: HtmlDocument, slug: string): PageIdentity {
  const language = languageOf(page) ?? '';
  const home = homeIn(page, slug) ?? '';
  return {
    language: tag.test(language) ? language : null,
    home: home !== '' && home.length <= HOME_LENGTH ? home : null,
  };
}
