import { folded } from './folded.ts';

/** The most characters of a title that can stand for the page. */
const NAME_LENGTH = 30;

/**
 * What a page is about, in its own spelling: "Austin" of `/locations/austin`, whose title is "Web
 * design in Austin".
 * @returns the page's whole title if the title lacks the address's words; its address if the title
 *   is too long or empty
 */
export function templateName({ slug, title }: { slug: string; title: string }): string {
  const last = slug.slice(slug.lastIndexOf('/') + 1);
  const wanted = folded(last).split(/[-_]/).filter(Boolean);
  const words = title.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const at = words.findIndex((_, start) =>
    wanted.every((word, index) => folded(words[start + index] ?? '') === word),
  );
  if (wanted.length > 0 && at >= 0) return spelled(title, words.slice(at, at + wanted.length));
  return title !== '' && title.length <= NAME_LENGTH ? title : slug;
}

/** The part of a title from the first of the words to the last. */
function spelled(title: string, words: string[]): string {
  const [first, last] = [words[0]!, words.at(-1)!];
  const start = title.indexOf(first);
  const end = title.indexOf(last, start);
  return end < start ? words.join(' ') : title.slice(start, end + last.length);
}
