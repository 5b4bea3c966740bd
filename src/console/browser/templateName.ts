import { folded } from './folded.ts';

/** A name is no longer than this. */
const NAME_LENGTH = 30;

/**
 * What a page is about, in its own spelling: "Austin" of `/locations/austin`, whose title is "Web
 * design in Austin".
 * @returns its title, or its address, where the title does not name it
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

/** The words with what stands between them. */
function spelled(title: string, words: string[]): string {
  const [first, last] = [words[0]!, words.at(-1)!];
  const start = title.indexOf(first);
  const end = title.indexOf(last, start);
  return end < start ? words.join(' ') : title.slice(start, end + last.length);
}
