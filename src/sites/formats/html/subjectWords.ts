import { foldedWords } from '../foldedWords.ts';
import { textContentOf } from './document.ts';
import type { HtmlPage } from './openHtmlPage.ts';

/** The words of a page's title and headlines. */
export const namingWords = ({ elements }: HtmlPage): Set<string> =>
  new Set(
    elements
      .filter(({ tagName }) => tagName === 'title' || tagName === 'h1')
      .flatMap((element) => foldedWords(textContentOf(element))),
  );
