import type { OpaqueText } from '../pageParts.ts';
import { attributeOf, childText, type PageElement, type HtmlDocument } from './document.ts';
import { validHtmlLine } from '../escape.ts';
import { textAttributesOf } from './roles.ts';
import { unreadValues } from './slots/jsonLd.ts';
import { readJsonLd, readJsonLeaves } from './slots/plainSlotPlaces.ts';
import { hasTemplateCode } from './templateCode.ts';

/**
 * The texts of a page that are not slots but may say something about its subject: lines of front
 * matter, template tags (`{{ city }}`), and values of JSON-LD that cannot be read. No call changes
 * them.
 */
export function opaqueTexts(page: HtmlDocument): OpaqueText[] {
  const code = [...page.code.values()].flatMap(({ kind, text }): OpaqueText[] =>
    kind === 'front matter' ? linesOf(text) : [{ kind, text: validHtmlLine(text) }],
  );
  const otherTexts = page.elements.flatMap((element): OpaqueText[] => {
    const json = readJsonLd(element);
    const values = json && hasTemplateCode(json.text) ? readJsonLeaves(page, element) : [];
    return [
      ...(page.code.size > 0 ? ownTexts(element) : []).filter(hasTemplateCode).map(tagged),
      ...values
        .map(({ value }) => String(value))
        .filter(hasTemplateCode)
        .map(tagged),
      ...(json ? unreadValues(json.text).map(unread) : []),
    ];
  });
  return [
    ...new Map([...otherTexts, ...code].map((one) => [`${one.kind}${one.text}`, one])).values(),
  ];
}

/** The texts of an element that would be slots if they had no template tags in them. */
const ownTexts = (element: PageElement): string[] => [
  ...textAttributesOf(element).map(([name]) => attributeOf(element, name) ?? ''),
  ...(element.tagName === 'title' ? [childText(element)] : []),
];

const tagged = (text: string): OpaqueText => ({ kind: 'template tag', text: validHtmlLine(text) });
const unread = (text: string): OpaqueText => ({ kind: 'unread data', text: validHtmlLine(text) });

/** The lines of front matter with a value. */
const linesOf = (text: string): OpaqueText[] =>
  text
    .split(/\r\n?|\n/)
    .filter((line) => /[:=]\s*\S/.test(line))
    .map((line) => ({ kind: 'front matter', text: validHtmlLine(line) }));
