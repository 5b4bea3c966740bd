import { getOrCreate } from '../../../remembered.ts';
import type { StaleDetail } from '../../pageFindings.ts';
import { isHeadline, isUnseenRole } from '../../pageParts.ts';
import { plainLine } from '../../../pages/texts/slotText.ts';
import type { HtmlPage } from '../openHtmlPage.ts';
import { findSlotPlaces } from '../slots/findSlotPlaces.ts';
import { foldedWords } from '../../foldedWords.ts';
import { createStaleDetail } from '../values/staleValues.ts';

/** How many letters of a subject's name another form of it may lack: `Münchner`, `Москве`. */
const MOST_LACKING = 2;
const LEAST_LETTERS = 5;

/**
 * Finds words of a page's texts that are other forms of its former subject, and that a search for
 * its name does not find: `Austinites`, `#AustinBikes`, or `Münchner` for München.
 * @param gone the words of the former subject, in their `foldedWords` form
 */
export function derivedWords(before: HtmlPage, after: HtmlPage, gone: string[]): StaleDetail[] {
  const beginnings = [gone.join(''), ...gone]
    .filter((word) => word.length >= LEAST_LETTERS)
    .map((word) => word.slice(0, Math.max(LEAST_LETTERS, word.length - MOST_LACKING)));
  if (beginnings.length === 0) return [];
  const formerWords = wordsIn(before);
  // a text that still has the name itself has its own note
  const names = new Set(namesIn(before));
  const words = [...wordsIn(after)].filter((word) => {
    const [key = ''] = foldedWords(word);
    return (
      formerWords.has(word) &&
      !names.has(word.toLowerCase()) &&
      beginnings.some((beginning) => key.startsWith(beginning))
    );
  });
  return staleWords(words);
}

export const staleWords = (words: string[]): StaleDetail[] =>
  createStaleDetail('texts still have words like the name of the former subject', words);

const known = new WeakMap<HtmlPage, ReadonlySet<string>>();

/** The names in a page's texts, in upper case or behind a sign: `Austinites`, `@austinbikes`. */
const wordsIn = (page: HtmlPage): ReadonlySet<string> =>
  getOrCreate(known, page, () => {
    const texts = findSlotPlaces(page).filter(({ slot }) => !isUnseenRole(slot.role));
    const words = texts.flatMap(({ slot }) =>
      [...plainLine(slot.text).matchAll(NAME)].map(([word]) => word),
    );
    return new Set(words);
  });

const NAME = /[#@][\p{L}\p{N}\p{M}_]+|(?<![\p{L}\p{N}\p{M}])\p{Lu}[\p{L}\p{N}\p{M}]+/gu;

/** The words of a page's title and headlines, in lower case. */
const namesIn = (page: HtmlPage): string[] =>
  findSlotPlaces(page)
    .filter(({ slot }) => slot.role === 'title' || isHeadline(slot))
    .flatMap(
      ({ slot }) =>
        plainLine(slot.text)
          .toLowerCase()
          .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [],
    );
