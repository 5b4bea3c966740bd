import type { PageIdentity } from '../format.ts';
import { languageOf } from './language.ts';
import { homeIn } from './links/pageAddresses.ts';
import type { Page } from './openPage.ts';

const tag = /^[a-z]{2,8}(?:[-_][a-z\d]{1,8}){0,5}$/i;
/** Characters of a site's address; a longer one is not reported. */
const HOME_LENGTH = 300;

export function identityOf(page: Page): PageIdentity {
  const language = languageOf(page) ?? '';
  const home = homeIn(page) ?? '';
  return {
    language: tag.test(language) ? language : null,
    home: home !== '' && home.length <= HOME_LENGTH ? home : null,
  };
}
