import type { PageIdentity } from '../format.ts';
import { readPageLanguage } from './language.ts';
import { readSiteHome } from './links/urlResolver.ts';
import type { HtmlPage } from './openHtmlPage.ts';

const languageTagPattern = /^[a-z]{2,8}(?:[-_][a-z\d]{1,8}){0,5}$/i;
/** Characters of a site's address; a longer one is not reported. */
const MAX_HOME_LENGTH = 300;

/** A page's language and the address of its site, as far as the page states them. */
export function readIdentity(page: HtmlPage): PageIdentity {
  const language = readPageLanguage(page) ?? '';
  const home = readSiteHome(page) ?? '';
  return {
    language: languageTagPattern.test(language) ? language : null,
    home: home !== '' && home.length <= MAX_HOME_LENGTH ? home : null,
  };
}
