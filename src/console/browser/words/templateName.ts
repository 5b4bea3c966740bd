import { foldCharacters } from '../table/foldCharacters.ts';

/** The most characters of a title that can stand for the page. */
const NAME_LENGTH = 30;

/**
 * What a page is about, in its own spelling: "Austin" of `/locations/austin`, whose title is "Web
 * design in Austin".
 * @returns the page's whole title if the title lacks the address's words; its address if the title
 *   is too long or empty
 */
export function templateName({ slug, title }: { slug: string; title: string }): string {
  const lastSegment = slug.slice(slug.lastIndexOf('/') + 1);
  const slugWords = foldCharacters(lastSegment).split(/[-_]/).filter(Boolean);
  const titleWords = title.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const firstWordIndex = titleWords.findIndex((_, start) =>
    slugWords.every((word, index) => foldCharacters(titleWords[start + index] ?? '') === word),
  );
  if (slugWords.length > 0 && firstWordIndex >= 0)
    return spelledInTitle(
      title,
      titleWords.slice(firstWordIndex, firstWordIndex + slugWords.length),
    );
  return title !== '' && title.length <= NAME_LENGTH ? title : slug;
}

/** The part of a title from the first of the words to the last. */
function spelledInTitle(title: string, words: string[]): string {
  const [firstWord, lastWord] = [words[0]!, words.at(-1)!];
  const startIndex = title.indexOf(firstWord);
  const endIndex = title.indexOf(lastWord, startIndex);
  return endIndex < startIndex
    ? words.join(' ')
    : title.slice(startIndex, endIndex + lastWord.length);
}
