import { foldCharacters } from '../table/foldCharacters.ts';

/** The most characters of a title that can stand for the page. */
const NAME_LENGTH = 30;

/**
 * What a page is about, as its title spells it: `/locations/austin` with the title "Web design in
 * Austin" → "Austin"
 * @returns the whole title if it lacks the words of the slug; the slug if the title is also too
 *   long or empty
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
