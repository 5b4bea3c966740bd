import { attributeOf, parseDocument, type HtmlDocument } from './document.ts';

const utf8 = /^(?:utf-?8|unicode-1-1-utf-8|x-unicode20utf8)$/i;
const NOT_ASCII = /[^\0-\x7f]/;

/** The encoding that a page declares (HTML standard, "charset"); undefined for UTF-8 or none. */
export function declaredCharset({ bom, elements }: HtmlDocument): string | undefined {
  if (bom !== '') return undefined;
  const stated = elements
    .filter(({ tagName }) => tagName === 'meta')
    .map((meta) => {
      const isType = attributeOf(meta, 'http-equiv')?.trim().toLowerCase() === 'content-type';
      const inType = /charset\s*=\s*["']?([^\s"';]+)/i.exec(attributeOf(meta, 'content') ?? '');
      return attributeOf(meta, 'charset')?.trim() ?? (isType ? inType?.[1] : undefined);
    })
    .find(Boolean);
  return stated === undefined || utf8.test(stated) ? undefined : stated;
}

/** Elements whose text holds no character references. */
const raw = new Set('script style xmp iframe noembed noframes plaintext'.split(' '));

/**
 * Writes characters that the page's declared encoding may lack as references: `ł` becomes `&#322;`,
 * or `\u0142` in JSON. Other scripts and styles stay as they are. So do all characters if the page
 * had some outside of ASCII before: its host then sends the right encoding.
 * @param before the page before the change
 * @param writtenSource the source after the change
 */
export function fitCharset(before: HtmlDocument, writtenSource: string): string {
  if (!NOT_ASCII.test(writtenSource) || NOT_ASCII.test(before.source)) return writtenSource;
  if (declaredCharset(before) === undefined) return writtenSource;
  const { elements } = parseDocument(writtenSource);
  const code = elements.filter(({ tagName }) => raw.has(tagName));
  const ranges = code.flatMap((element) => {
    const place = element.sourceCodeLocation;
    if (!place?.startTag) return [];
    const isData = /json/i.test(attributeOf(element, 'type') ?? '');
    const end = place.endTag?.startOffset ?? place.endOffset;
    return [{ start: place.startTag.endOffset, end, isData }];
  });
  return writtenSource.replace(/[^\0-\x7f]/gu, (character, at: number) => {
    const within = ranges.find(({ start, end }) => start <= at && at < end);
    if (within === undefined) return `&#${character.codePointAt(0)};`;
    if (!within.isData) return character;
    return character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join('');
  });
}
