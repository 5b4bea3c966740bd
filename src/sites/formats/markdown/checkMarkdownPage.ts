import { DomainError } from '../../../errors.ts';
import { lineAt, sourceLines } from '../../../text/sourceLines.ts';
import {
  addedReferences,
  indexReferences,
  type ReferenceIndex,
  referencesInText,
  referencesOfUrl,
} from '../../checks/externalReferences.ts';
import { placeholdersInText } from '../../checks/placeholders.ts';
import { referencedOrigin } from '../../checks/referencedOrigin.ts';
import { plainLine } from '../../pages/texts/slotText.ts';
import { readUrl } from '../../pages/urls/urlHosts.ts';
import { frontMatterEffects } from '../frontMatterEffects.ts';
import type { PageCheck, PageCheckResult, PageSource, SideEffects } from '../format.ts';
import { createCheckResult, noSideEffects, shownUrl } from '../checkResult.ts';
import { countItems } from '../../countItems.ts';
import { findLostName } from '../../dataFiles/entryName.ts';
import { deceptiveCharacters, misleadingLinkCode } from '../misleadingParts.ts';
import type { PageViolation, ViolationCode } from '../pageFindings.ts';
import { findMarkdownPlaces } from './findMarkdownPlaces.ts';
import { nodeKey, nodeRange } from './nodeKeys.ts';
import { type MarkdownPage, openMarkdownPage } from './openMarkdownPage.ts';
import { createMissingFileTest } from './outline.ts';
import { listPageUrls } from './pageLinks.ts';

/**
 * Checks a changed page against its former version. What was wrong before may stay. A page that
 * cannot be read any more, a code fence without an end, and new code are violations: HTML, imports,
 * components, expressions and template tags.
 */
export function checkMarkdownPage(check: PageCheck): PageCheckResult {
  const { path, after } = check;
  const before = check.before && openReadable(check.before);
  const newPage = openReadable({ path, source: after });
  if ('problem' in newPage) return createCheckResult([newPage.problem], noSideEffects);
  const oldPage = before && 'problem' in before ? null : before;
  const violations = [
    ...findLostParts(oldPage, newPage),
    ...findAddedParts(oldPage, newPage, check),
  ];
  return createCheckResult(violations, sideEffectsBetween(oldPage, newPage));
}

function openReadable(page: PageSource): MarkdownPage | { problem: PageViolation } {
  try {
    return openMarkdownPage(page);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'PAGE_UNREADABLE') throw error;
    const line = Number(/^Line (\d+)/.exec(error.message)?.[1] ?? 1);
    const problem = error.message.replace(/^Line \d+, /, '');
    return { problem: { line, element: 'the page', code: 'parse-error', values: [problem] } };
  }
}

/** What a page had and has no more: front matter, a title, a headline, the name of an entry. */
function findLostParts(before: MarkdownPage | null, after: MarkdownPage): PageViolation[] {
  const partsOf = (page: MarkdownPage) => [
    ...(page.frontMatter ? ['front matter'] : []),
    ...findMarkdownPlaces(page).flatMap(({ slot: { role, level } }) =>
      role === 'title' ? [role] : level === 1 ? ['#'] : [],
    ),
  ];
  const kept = new Set(partsOf(after));
  const lost = new Set(before ? partsOf(before) : []).difference(kept);
  const violations = [...lost].map((element): PageViolation => {
    return { line: 1, element, code: 'lost-text', values: [] };
  });
  const name = before && findLostName(before, after);
  if (name) violations.push({ line: 1, element: name.key, code: 'lost-name', values: [name.name] });
  return violations;
}

/** A part of a page that a change may not add: what it is, and where. */
interface AddedPart {
  code: ViolationCode;
  key: string;
  element: string;
  start: number;
  values?: string[];
}

function findAddedParts(
  before: MarkdownPage | null,
  after: MarkdownPage,
  check: Pick<PageCheck, 'mayAddLinks' | 'sitePaths'>,
): PageViolation[] {
  const known = countItems((before ? listCheckedParts(before, check) : []).map(({ key }) => key));
  const lines = sourceLines(after.source);
  const seen = new Map<string, number>();
  return listCheckedParts(after, check).flatMap(
    ({ code, key, element, start, values = [] }): PageViolation[] => {
      const count = (seen.get(key) ?? 0) + 1;
      seen.set(key, count);
      // a further unclosed fence or hidden character counts, a copied part does not
      const isKnown = isCounted(code) ? count <= (known.get(key) ?? 0) : known.has(key);
      const mayBeNew = before === null && code.startsWith('new-') && code !== 'new-placeholder';
      if (isKnown || mayBeNew) return [];
      return [{ line: lineAt(lines, start), element, code, values }];
    },
  );
}

const isCounted = (code: ViolationCode) =>
  code === 'parse-error' || code === 'deceptive-characters';

function listCheckedParts(
  page: MarkdownPage,
  { mayAddLinks, sitePaths }: Pick<PageCheck, 'mayAddLinks' | 'sitePaths'>,
): AddedPart[] {
  const isMissing = createMissingFileTest(page, sitePaths);
  const texts = findMarkdownPlaces(page).flatMap(({ slot, start }) =>
    placeholdersInText(plainLine(slot.text)).map((text): AddedPart => ({
      code: 'new-placeholder',
      key: `placeholder ${text}`,
      element: 'text',
      start,
      values: [text],
    })),
  );
  const urls = listPageUrls(page).flatMap(({ url: rawUrl, kind, start }): AddedPart[] => {
    const url = readUrl(rawUrl);
    const element = kind === 'link' ? 'link' : 'image';
    const misleading = kind === 'link' ? misleadingLinkCode(url) : undefined;
    const origin = referencedOrigin({ url, kind });
    const isAllowed = mayAddLinks && kind === 'link' && origin?.startsWith('//');
    const linkCode = mayAddLinks ? 'new-link-scheme' : 'new-link-host';
    const code: ViolationCode = kind === 'link' ? linkCode : 'new-request-host';
    const part = { element, start };
    return [
      ...(misleading ? [{ ...part, code: misleading, key: `${misleading} ${url}` }] : []),
      ...(isScriptUrl(url) ? [{ ...part, code: 'new-script' as const, key: `script ${url}` }] : []),
      ...(origin !== undefined && !isAllowed
        ? [{ ...part, code, key: `origin ${kind} ${origin}`, values: [shownUrl(origin)] }]
        : []),
      ...(isMissing(rawUrl)
        ? [{ ...part, ...brokenLink, key: `broken ${url}`, values: [shownUrl(url)] }]
        : []),
    ];
  });
  return [...texts, ...urls, ...listCode(page), ...listHiddenCharacters(page)];
}

const brokenLink = { code: 'broken-link' as const };
const isScriptUrl = (url: string) => /^(?:javascript|vbscript):/i.test(url);

const codeElements: Record<string, string> = {
  html: 'HTML',
  mdxjsEsm: 'import',
  mdxFlowExpression: 'expression',
  mdxTextExpression: 'expression',
  mdxJsxFlowElement: 'component',
  mdxJsxTextElement: 'component',
  containerDirective: 'directive',
  leafDirective: 'directive',
};

/** Elements without attributes that do nothing but mark a text. */
const harmlessTag =
  /^<\/?(?:br|wbr|hr|b|i|em|strong|u|s|sub|sup|small|mark|kbd|details|summary)\s*\/?>$/i;

/** Code in a page, and code fences without an end. */
function listCode(page: MarkdownPage): AddedPart[] {
  const { source } = page;
  const tags = page.code.map(({ start, end }): AddedPart => {
    const key = `tag ${source.slice(start, end)}`;
    return { code: 'new-code', key, element: 'template tag', start };
  });
  const nodes = page.nodes.flatMap(({ node }): AddedPart[] => {
    const { start, end } = nodeRange(node);
    if (node.type === 'code') {
      const isOpen = hasOpenFence(source.slice(start, end));
      const values = ['a code fence without an end'];
      return isOpen ? [{ code: 'parse-error', key: 'fence', element: 'code', start, values }] : [];
    }
    const element = codeElements[node.type];
    if (element === undefined) return [];
    if (node.type === 'html' && (harmlessTag.test(node.value) || /^<!--/.test(node.value)))
      return [];
    const key = node.type === 'html' ? `html ${source.slice(start, end)}` : nodeKey(node);
    return [{ code: 'new-code', key, element, start }];
  });
  return [...tags, ...nodes];
}

/** Whether a block of code has a fence at its start, and none at its end. */
function hasOpenFence(raw: string): boolean {
  const fence = /^(?:`{3,}|~{3,})/.exec(raw)?.[0];
  if (fence === undefined) return false;
  const lastLine = raw.trimEnd().slice(raw.trimEnd().lastIndexOf('\n') + 1);
  const isOneLine = !raw.includes('\n');
  return (
    isOneLine ||
    !lastLine
      .trimStart()
      .replace(/^(?:>[ \t]*)+/, '')
      .startsWith(fence)
  );
}

const listHiddenCharacters = ({ source }: MarkdownPage): AddedPart[] =>
  Array.from(source.matchAll(deceptiveCharacters), ({ 0: character, index }) => ({
    code: 'deceptive-characters',
    key: `character ${character}`,
    element: 'text',
    start: index,
  }));

/** All external references that a page links to, loads from or names. */
export function referencesInMarkdown(source: PageSource): ReferenceIndex {
  return pageReferences(openMarkdownPage(source));
}

const pageReferences = (page: MarkdownPage): ReferenceIndex =>
  indexReferences([
    ...listPageUrls(page).flatMap(({ url, kind }) => referencesOfUrl({ url: readUrl(url), kind })),
    ...(page.frontMatter?.values ?? []).flatMap(({ value }) =>
      typeof value === 'string'
        ? [...referencesOfUrl({ url: readUrl(value), kind: 'link' }), ...referencesInText(value)]
        : [],
    ),
    ...findMarkdownPlaces(page).flatMap(({ slot }) => referencesInText(plainLine(slot.text))),
  ]);

const sideEffectsBetween = (before: MarkdownPage | null, after: MarkdownPage): SideEffects => ({
  ...noSideEffects,
  externalReferences: addedReferences(
    before ? pageReferences(before) : new Map(),
    pageReferences(after),
  ),
  ...(before && frontMatterEffects(before, after)),
});

/** What a change of a page did besides its texts. A deleted page adds nothing. */
export function findMarkdownEffects({ path, source }: PageSource, oldSource: string): SideEffects {
  if (source === '') return noSideEffects;
  const before = oldSource === '' ? null : openMarkdownPage({ path, source: oldSource });
  return sideEffectsBetween(before, openMarkdownPage({ path, source }));
}
