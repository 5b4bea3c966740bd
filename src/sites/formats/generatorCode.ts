import { outermostRanges, type TextRange } from '../../text/textRange.ts';

/** Stands for template code in the text that is parsed. It is a letter that nobody assigned. */
export const CODE_CHARACTER = '\uE000';

/**
 * Hugo's shortcodes, Liquid and Nunjucks tags, and ERB: none of them is Markdown. No tag contains
 * what begins another one, so that all are found in linear time.
 */
const TAGS = /\{\{[^{}]*\}\}|\{%[^{}]*%\}|\{#[^{}]*#\}|<%[^<>]*%>/g;
const SHORTCODE = /^\{\{[<%]-?[ \t]*(?:(\/)[ \t]*)?([\w./-]+)/;
const LIQUID = /^\{%-?[ \t]*(end)?(\w+)/;

/** Whether a text has template tags in it. */
export const hasGeneratorCode = (text: string) => text.search(TAGS) >= 0;

/**
 * Finds template tags and shortcodes. A tag with an end tag counts with everything up to it,
 * because only the site's generator knows what it makes of that.
 * @param from where the page's body starts
 * @returns the ranges in order, none in another
 */
export function findTemplateCode(source: string, from: number): TextRange[] {
  const ranges: TextRange[] = [];
  const openTags: { name: string; start: number }[] = [];
  const openCounts = new Map<string, number>();
  const count = (name: string, change: number) =>
    openCounts.set(name, (openCounts.get(name) ?? 0) + change);
  for (const match of source.slice(from).matchAll(TAGS)) {
    const start = from + match.index;
    const end = start + match[0].length;
    const { name, isEnd } = readTag(match[0]);
    ranges.push({ start, end });
    if (!isEnd) {
      openTags.push({ name, start });
      count(name, 1);
    } else if (openCounts.get(name)) {
      let tag = openTags.pop()!;
      for (; tag.name !== name; tag = openTags.pop()!) count(tag.name, -1);
      count(name, -1);
      ranges.push({ start: tag.start, end });
    }
  }
  return outermostRanges(ranges);
}

/** The name by which a tag and its end tag belong together; '' for a tag that needs no end. */
function readTag(tag: string): { name: string; isEnd: boolean } {
  const shortcode = SHORTCODE.exec(tag);
  if (shortcode) {
    const isEmpty = /\/[ \t]*-?[>%]\}\}$/.test(tag);
    return { name: isEmpty ? '' : `shortcode ${shortcode[2]}`, isEnd: shortcode[1] === '/' };
  }
  const liquid = LIQUID.exec(tag);
  return { name: liquid ? `tag ${liquid[2]}` : '', isEnd: liquid?.[1] !== undefined };
}
