import { html } from 'parse5';
import { isBlank } from '../../escape.ts';
import { readPageLanguage } from '../language.ts';
import {
  attributeOf,
  childText,
  closest,
  type PageElement,
  hasToken,
  metaName,
} from '../document.ts';
import type { HtmlPage } from '../openHtmlPage.ts';
import type { UrlResolver } from '../links/urlResolver.ts';
import { dataKind } from '../values/dataValues.ts';
import { readUrl } from '../../../pages/urls/urlHosts.ts';
import { slugOfUrl } from '../../../pages/urls/urls.ts';
import { lostPartNames } from '../../lostPartNames.ts';
import type { SetupChange } from '../../pageFindings.ts';
import { readFormParts } from './formParts.ts';
import {
  describeLostIds,
  findMissingIds,
  readLinkMarks,
  readScriptHooks,
  readScriptNames,
} from './namedParts.ts';
import type { SetupPart, UsedParts } from './setupPart.ts';

/** What a page needs besides its texts: see `SetupChange`. */
export interface PageSetup extends UsedParts {
  /** The ids that the page needs and does not have, with what needs them. */
  missingIds: ReadonlyMap<string, string>;
  /** Whether the page asks search engines not to list it. */
  isUnlisted: boolean;
}

/**
 * Finds the scripts, style sheets, viewport, `charset` and `lang` that are in effect on a page, its
 * rules for browsers, what search engines read in its head, and what asks them not to list it. What
 * stands in a comment, a `template` or a `noscript` element is not in effect. Structured data is
 * left out: it goes with what it describes. `formParts.ts` and `namedParts.ts` find what forms,
 * links and scripts need.
 *
 * Some parts are in effect on a page without them, such as the usual rules for search engines. So
 * an edit that adds other rules removes these.
 * @param pathOf turns a URL into its path from the site's root, which is the same on every page
 */
export function readPageSetup(page: HtmlPage, { pathOf }: Pick<UrlResolver, 'pathOf'>): PageSetup {
  const elements = page.elements.filter(
    (element) =>
      element.namespaceURI === html.NS.HTML &&
      !closest(element, ({ tagName }) => tagName === 'noscript'),
  );
  const metas = elements.filter(({ tagName }) => tagName === 'meta');
  const resolveUrl = (url: string) => pathOf(url) ?? url;
  const targetOf = (url: string) => {
    const target = resolveUrl(url);
    return slugOfUrl(target) === page.file.slug ? '' : target;
  };
  const usedParts = [
    readFormParts(elements, (url) => (isBlank(url) ? '' : targetOf(readUrl(url)))),
    readLinkMarks(elements),
    readScriptHooks(elements),
    readScriptNames(elements),
  ];
  const parts: SetupPart[] = [
    ...elements.flatMap((element) => scriptPart(element, resolveUrl)),
    ...elements.flatMap((element) => stylePart(element, resolveUrl)),
    ...viewportParts(metas),
    ...(page.bom !== '' || metas.some(isCharset)
      ? [['charset', lostPartNames.charset] as const]
      : []),
    ...(isBlank(readPageLanguage(page) ?? '') ? [] : [['lang', lostPartNames.language] as const]),
    ...elements.flatMap(searchParts),
    ...browserParts(metas),
    robotsPart(metas),
    ...canonicalParts(elements, targetOf),
    ...ownUrlPart(metas, targetOf),
    ...elements.flatMap(invisiblePart),
    ...usedParts.flatMap((used) => used.parts),
  ];
  const uses = usedParts.flatMap((used) => used.uses);
  const missingIds = findMissingIds(page.elements);
  return { parts, uses, missingIds, isUnlisted: metas.some(isUnlisting) };
}

/**
 * Compares the setup of two versions of a page.
 * @param oldSetup null for a page without a former version
 */
export function compareSetups(oldSetup: PageSetup | null, newSetup: PageSetup): SetupChange {
  const oldParts = oldSetup?.parts ?? [];
  const keysInEffect = new Set(newSetup.parts.map(([key]) => key));
  const newUses = new Set(newSetup.uses);
  const lostParts = oldParts.filter(
    ([key, , use]) => !keysInEffect.has(key) && (use === undefined || newUses.has(use)),
  );
  const orders = ['script', 'sheet'].filter((kind) => {
    const oldOrder = keysOfKind(oldParts, kind, keysInEffect);
    return `${oldOrder}` !== `${keysOfKind(newSetup.parts, kind, new Set(oldOrder))}`;
  });
  return {
    removed: [
      ...new Set(lostParts.map(([, name]) => name)),
      ...(oldSetup ? describeLostIds(oldSetup.missingIds, newSetup.missingIds) : []),
      ...orders.map(lostPartNames.order),
    ],
    isUnlisted: newSetup.isUnlisted && !oldSetup?.isUnlisted,
  };
}

/** The distinct keys of a kind that are in a set, in the order of the page. */
const keysOfKind = (parts: SetupPart[], kind: string, keys: ReadonlySet<string>): string[] => [
  ...new Set(parts.flatMap(([key]) => (key.startsWith(`${kind} `) && keys.has(key) ? [key] : []))),
];

/** For a page without a change of its setup. */
export const sameSetup: SetupChange = { removed: [], isUnlisted: false };

const attributeWord = (element: PageElement, attribute: string) =>
  (attributeOf(element, attribute) ?? '').trim().toLowerCase();

/** A media type without its parameters: `text/css`. */
const mediaType = (element: PageElement) => attributeWord(element, 'type').split(';', 1)[0]!.trim();

/** A URL without its query, which may hold a secret or a version. */
const withoutQuery = (url: string) => url.replace(/(?<=.)[?#].*/s, '');

/** How a browser loads the file of an element: when, and only with a digest. */
function loadingOf(element: PageElement): string {
  const integrity = attributeOf(element, 'integrity')?.trim() ?? '';
  const crossOrigin = integrity === '' ? '' : attributeOf(element, 'crossorigin');
  const flags = ['async', 'defer', 'nomodule'].filter(
    (name) => attributeOf(element, name) !== undefined,
  );
  return [integrity, crossOrigin, ...flags].join(' ');
}

const scriptTypes = /^(?:(?:text|application)\/(?:x-)?(?:java|ecma)script|text\/jscript)?$/;

function scriptPart(element: PageElement, resolveUrl: (url: string) => string): SetupPart[] {
  const type = mediaType(element);
  if (element.tagName !== 'script' || type === 'application/ld+json') return [];
  const kind = scriptTypes.test(type) ? '' : type;
  const src = attributeOf(element, 'src');
  const code = childText(element);
  if (src) {
    const file = resolveUrl(readUrl(src));
    return [
      [`script ${kind} ${file} ${loadingOf(element)}`, lostPartNames.script(withoutQuery(file))],
    ];
  }
  if (isBlank(code)) return [];
  // its texts and URLs follow the page
  if (dataKind(element)) return [[`data ${kind}`, lostPartNames.scriptData]];
  return [[`code ${kind} ${code}`, lostPartNames.inlineScript(code.trim().replace(/\s+/g, ' '))]];
}

/** The style sheet or rules of an element, if browsers apply them. */
function stylePart(element: PageElement, resolveUrl: (url: string) => string): SetupPart[] {
  if (!['', 'text/css'].includes(mediaType(element))) return [];
  const media = attributeWord(element, 'media').replace(/^all$/, '').replace(/\s+/g, ' ');
  if (element.tagName === 'style')
    return isBlank(childText(element).replace(/\/\*.*?(?:\*\/|$)/gs, ''))
      ? []
      : [[`style ${media}`, lostPartNames.styleElement]];
  const href = attributeOf(element, 'href') ?? '';
  if (element.tagName !== 'link' || isBlank(href)) return [];
  // a script of the link's own makes it a style sheet once it is loaded
  const isDeferredSheet =
    hasToken(element, 'rel', 'preload') &&
    attributeWord(element, 'as') === 'style' &&
    attributeOf(element, 'onload') !== undefined;
  const isSheet =
    hasToken(element, 'rel', 'stylesheet') &&
    !hasToken(element, 'rel', 'alternate') &&
    attributeOf(element, 'disabled') === undefined;
  if (!isSheet && !isDeferredSheet) return [];
  const file = resolveUrl(readUrl(href));
  return [
    [`sheet ${media} ${file} ${loadingOf(element)}`, lostPartNames.styleSheet(withoutQuery(file))],
  ];
}

/** What only search engines and social networks read, such as the description. */
function searchParts(element: PageElement): SetupPart[] {
  const isMeta = element.tagName === 'meta' && attributeWord(element, 'name') === 'description';
  if (isMeta && !isBlank(attributeWord(element, 'content')))
    return [['description', lostPartNames.description]];
  const name = element.tagName === 'meta' ? metaName(element) : '';
  if (/^og:(?:title|description|image|url)$/.test(name) && attributeWord(element, 'content') !== '')
    return [[name, lostPartNames.socialMeta(name)]];
  if (element.tagName !== 'link' || isBlank(attributeWord(element, 'href'))) return [];
  if (hasToken(element, 'rel', 'canonical')) return [['canonical', lostPartNames.canonical]];
  const language = hasToken(element, 'rel', 'alternate') ? attributeWord(element, 'hreflang') : '';
  return language === '' ? [] : [[`hreflang ${language}`, lostPartNames.translation(language)]];
}

/**
 * The rules for search engines, except those for not listing the page: `nofollow`, `nosnippet`.
 * Without them, search engines may do everything.
 */
function robotsPart(metas: PageElement[]): SetupPart {
  const rules = metas
    .filter((meta) => isForCrawlers(meta))
    .flatMap((meta) =>
      attributeWord(meta, 'content')
        .replace(/unavailable_after.*/, '')
        .split(/[\s,;]+/),
    )
    .filter((rule) => !/^(?:|all|index|follow|noindex|none|.*:)$/.test(rule));
  return [`robots ${[...new Set(rules)].toSorted()}`, lostPartNames.robots];
}

/** The page that search engines list in place of this one: itself, without a canonical URL. */
function canonicalParts(elements: PageElement[], targetOf: (url: string) => string): SetupPart[] {
  const canonicalLink = elements.find(
    (element) => element.tagName === 'link' && hasToken(element, 'rel', 'canonical'),
  );
  const url = readUrl((canonicalLink && attributeOf(canonicalLink, 'href')) ?? '');
  const name = lostPartNames.canonical;
  const target = isBlank(url) ? '' : targetOf(url);
  // the site's home is read from this URL, so a home page's own one always seems to lead to it
  const isHome = !isBlank(url) && targetOf('/') === '';
  return [
    [`canonical of ${target}`, name],
    ...(isHome
      ? [[`canonical home ${url.replace(/\/(?:index(?:\.html?)?)?$/, '')}`, name] as const]
      : []),
  ];
}

/** The URL that social networks show, if it is the page's own. */
function ownUrlPart(metas: PageElement[], targetOf: (url: string) => string): SetupPart[] {
  const meta = metas.find((element) => metaName(element) === 'og:url');
  const url = readUrl((meta && attributeOf(meta, 'content')) ?? '');
  return isBlank(url) || targetOf(url) !== '' ? [] : [['own og:url', lostPartNames.socialUrl]];
}

/** Headers of a page that are checked apart, or change nothing. */
const checkedHeaders = ['', 'content-type', 'content-language', 'refresh', 'x-ua-compatible'];

/** Rules that browsers follow: security policies, and whom they tell where a visitor comes from. */
function browserParts(metas: PageElement[]): SetupPart[] {
  const policies = metas.flatMap((meta): SetupPart[] => {
    const header = attributeWord(meta, 'http-equiv');
    if (checkedHeaders.includes(header) || crawler.test(header)) return [];
    return [
      [`header ${header} ${attributeWord(meta, 'content')}`, lostPartNames.browserRule(header)],
    ];
  });
  const referrer = metas.findLast((meta) => attributeWord(meta, 'name') === 'referrer');
  const referrerRule = referrer ? attributeWord(referrer, 'content') : '';
  return [...policies, [`referrer ${referrerRule}`, lostPartNames.referrerPolicy]];
}

const checkedRelations = /^(?:|alternate|stylesheet|canonical|preload)$/;

/**
 * What a page's readers do not see: its proofs of ownership, its links to files for browsers and
 * other programs, templates for its scripts, and the hidden fields of its forms.
 */
function invisiblePart(element: PageElement): SetupPart[] {
  const { tagName } = element;
  if (isOwnershipProof(element))
    return [[`proof ${attributeWord(element, 'name')}`, lostPartNames.ownershipProof]];
  if (tagName === 'link' && !isBlank(attributeWord(element, 'href'))) {
    const relation = attributeWord(element, 'rel').replace(/\s+/g, ' ');
    const type = relation === 'alternate' ? mediaType(element) : attributeWord(element, 'as');
    if (checkedRelations.test(relation) && type === '') return [];
    return [[`link ${relation} ${type}`, lostPartNames.link(`${type} ${relation}`.trim())]];
  }
  if (tagName === 'template' && attributeOf(element, 'id') !== undefined)
    return [[`template ${attributeOf(element, 'id')}`, lostPartNames.scriptTemplate]];
  const name = attributeOf(element, 'name');
  if (tagName !== 'input' || attributeWord(element, 'type') !== 'hidden' || !name) return [];
  // words follow the texts of the page; a code, such as the key of a service, does not
  const value = attributeOf(element, 'value') ?? '';
  const code = /\d/.test(value) && !/\s/.test(value) ? ` ${value}` : '';
  return [[`hidden field ${name}${code}`, lostPartNames.hiddenField(name)]];
}

/** Matches the names of declarations by which a search engine or platform knows a site's owner. */
const ownershipNames = /verif|^msvalidate\.|^(?:wot|alexa)/;

/** Whether a `meta` proves to a search engine or platform who owns the site. */
export const isOwnershipProof = (element: PageElement): boolean =>
  element.tagName === 'meta' &&
  ['name', 'property'].some((name) => ownershipNames.test(attributeWord(element, name)));

/** The last viewport counts. One that has only an initial scale fits the device's width too. */
function viewportParts(metas: PageElement[]): SetupPart[] {
  const lastViewport = metas.findLast((meta) => attributeWord(meta, 'name') === 'viewport');
  const content = lastViewport ? attributeWord(lastViewport, 'content') : '';
  const fits =
    /device-width/.test(content) || (!/width/.test(content) && /initial-scale/.test(content));
  const isFixed =
    /user-scalable\s*=\s*(?:no|0)/.test(content) ||
    /maximum-scale\s*=\s*(?:0|1(?:\.0*)?(?![.\d]))/.test(content);
  return [
    ...(fits ? [['viewport', lostPartNames.viewport] as const] : []),
    ...(isFixed ? [] : [['zoom', lostPartNames.zoom] as const]),
  ];
}

function isCharset(meta: PageElement): boolean {
  if (attributeWord(meta, 'charset') !== '') return true;
  const isType = attributeWord(meta, 'http-equiv') === 'content-type';
  return isType && /charset\s*=\s*["']?[^\s"';]/.test(attributeWord(meta, 'content'));
}

/** Matches the names of programs that read pages for search engines, and `robots` for all. */
const crawler = /robot|bot\b|spider|crawl|slurp|yandex|baidu|teoma/;

/** Whether a `meta` asks search engines, or one of them, not to list the page. */
export function isUnlisting(meta: PageElement): boolean {
  const rules = attributeWord(meta, 'content').split(/[\s,;:]+/);
  return (
    isForCrawlers(meta) &&
    ['noindex', 'none', 'unavailable_after'].some((rule) => rules.includes(rule))
  );
}

const isForCrawlers = (meta: PageElement): boolean =>
  meta.tagName === 'meta' &&
  ['name', 'property', 'http-equiv'].some((name) => crawler.test(attributeWord(meta, name)));
