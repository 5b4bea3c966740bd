import { markdownExtension } from './markdownPaths.ts';
import { lineAt, sourceLines } from '../../../text/sourceLines.ts';
import type { TextRange } from '../../../text/textRange.ts';
import { asOneLine, truncateText } from '../../../text/text.ts';
import { indexSiteFiles } from '../../checks/siteFiles.ts';
import { plainLine } from '../../pages/texts/slotText.ts';
import { decodeUrlPart } from '../../pages/urls/urls.ts';
import { pathOfUrl, slugOf } from '../fileUrls.ts';
import type { OutlineQuery } from '../format.ts';
import { fitOutline, outlineTexts } from '../outlineTexts.ts';
import type { SlotRole } from '../pageParts.ts';
import { findMarkdownPlaces } from './findMarkdownPlaces.ts';
import { nodeRange } from './nodeKeys.ts';
import { type MarkdownPage, openMarkdownPage } from './openMarkdownPage.ts';
import { createUrlReader } from './pageLinks.ts';

/**
 * The outline of a page: what a language model reads before it edits the page's Markdown. Each line
 * has its number in the source.
 *
 *     40 lines; Markdown with front matter (yaml)
 *     2 title: Austin
 *     8 h2 What we do
 *     10 p Call us {a(/contact)}
 */

const MAX_TEXT_LENGTH = 4_000;
const MAX_URL_LENGTH = 120;

const kinds: Partial<Record<SlotRole, string>> = {
  paragraph: 'p',
  'list-item': 'li',
  'table-cell': 'td',
  link: 'p',
  'image-alt': 'img',
};

interface OutlineLine extends TextRange {
  text: string;
}

/** Reads the outline of a page: see `FormatCalls.outline`. Markdown has no chrome. */
export function readMarkdownOutline({
  page: source,
  sitePaths,
  isChrome,
  from,
}: OutlineQuery): string {
  const page = openMarkdownPage(source);
  const lines = sourceLines(page.source);
  const shown = isChrome ? [] : listLines(page, sitePaths);
  const written = shown.map(({ start, text }) => `${lineAt(lines, start)} ${text}`);
  const facts = page.frontMatter
    ? `Markdown with front matter (${page.frontMatter.language})`
    : 'Markdown without front matter';
  const head = isChrome ? [] : [outlineTexts.head(lines.starts.length, facts, [])];
  return fitOutline(head, { written, shown, source: lines, from });
}

function listLines(page: MarkdownPage, sitePaths: string[] | undefined): OutlineLine[] {
  const describe = createTargetDescription(page, sitePaths);
  const values = (page.frontMatter?.values ?? []).map(
    ({ path, value, start, end }): OutlineLine => ({
      start,
      end,
      text: `${path.join('.')}: ${shorten(String(value))}`,
    }),
  );
  const targets = page.nodes
    .flatMap(({ node }) =>
      node.type === 'link' || node.type === 'linkReference' || node.type === 'image'
        ? [{ ...nodeRange(node), text: `${node.type === 'image' ? 'img' : 'a'}${describe(node)}` }]
        : [],
    )
    .sort((first, second) => first.start - second.start);
  let next = 0;
  const texts = findMarkdownPlaces(page).flatMap(({ slot, start, end }): OutlineLine[] => {
    if (slot.id.startsWith('s0.')) return [];
    const kind = slot.role === 'heading' ? `h${slot.level}` : (kinds[slot.role] ?? slot.role);
    const inText: string[] = [];
    for (; next < targets.length && targets[next]!.start < end; next++)
      inText.push(targets[next]!.text);
    const suffix = inText.length > 0 ? ` {${inText.join(' ')}}` : '';
    return [{ start, end, text: `${kind} ${shorten(slot.text)}${suffix}` }];
  });
  return [...values, ...texts, ...targets.slice(next)];
}

const shorten = (text: string) => truncateText(plainLine(text), MAX_TEXT_LENGTH);

/** Describes where a link or image leads: `(/team)`, or `(./old.md)(missing)`. */
function createTargetDescription(page: MarkdownPage, sitePaths: string[] | undefined) {
  const urlOf = createUrlReader(page);
  const isMissing = createMissingFileTest(page, sitePaths);
  return (node: Parameters<typeof urlOf>[0]) => {
    const url = urlOf(node);
    const shown = slugOf(page.file, url) ?? url;
    return `(${asOneLine(truncateText(shown, MAX_URL_LENGTH))})${isMissing(url) ? '(missing)' : ''}`;
  };
}

/**
 * Makes a test for URLs that lead to nothing: relative ones of a Markdown file. Only the site's
 * generator knows what other URLs lead to.
 */
export function createMissingFileTest(page: MarkdownPage, sitePaths: string[] | undefined) {
  if (!sitePaths) return () => false;
  const files = indexSiteFiles(sitePaths);
  return (url: string) => {
    const path = pathOfUrl(page.file, url);
    return (
      path !== undefined &&
      !url.startsWith('/') &&
      markdownExtension.test(path) &&
      !files.holds(encodeURI(decodeUrlPart(path)))
    );
  };
}
