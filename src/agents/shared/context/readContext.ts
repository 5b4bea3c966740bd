import { readCsv } from './csv.ts';
import { splitParagraphs, type ContextData, type ContextParts } from './contextData.ts';
import { readKeyValueLines } from './keyValueLines.ts';
import { hasMarkdownHeading, hasMarkdownList, readMarkdown } from './markdown.ts';
import { readObjectParts, parseContextJson, parseContextYaml } from './jsonAndYaml.ts';

/**
 * Reads an item's context: what a caller says about a new page, in whatever format they have it.
 * The result has fields, sections and paragraphs, and is the same for all formats
 * (`contextData.ts`).
 *
 * - `readContext.ts` tries the formats: `jsonAndYaml.ts`, `csv.ts`, `keyValueLines.ts`,
 *   `markdown.ts`.
 * - `checkContextValues.ts` leaves out junk, such as `#REF!`.
 * - `contextKeys.ts` and `valueKinds.ts` know what keys mean: `telefon` is a telephone number.
 *
 * For example, the two lines `City: Lisbon` and `Headline: Web design in Lisbon` become the format
 * `lines` with the fields `{ key: 'city', values: ['Lisbon'] }` and
 * `{ key: 'headline', values: ['Web design in Lisbon'] }`.
 */

/**
 * Reads an item's context in the first format that fits:
 * 1. a JSON object
 * 2. CSV
 * 3. only `Key: value` lines; before YAML, which would drop comments and change plain numbers
 * 4. YAML front matter with Markdown
 * 5. a YAML mapping
 * 6. Markdown, which may begin with `Key: value` lines
 * 7. prose
 * @param slug the new page's. It selects one row of CSV.
 */
export function readContext(context: string, slug = ''): ContextData {
  const source = removeFence(
    context
      .replace(/^\uFEFF/, '')
      .replace(/\r\n?/g, '\n')
      .trim(),
  );
  const emptyContext = { fields: [], sections: [], paragraphs: [], source };
  const json = parseContextJson(source);
  if (json) return { ...emptyContext, format: 'json', ...readObjectParts(json) };
  const csv = readCsv(source, slug);
  if (csv) return { ...emptyContext, format: 'csv', ...csv };
  const lines = readKeyValueLines(source);
  if (lines) return { ...emptyContext, format: 'lines', fields: lines };
  const [, frontMatter, body = ''] = /^---\n([\s\S]*?)\n---\n?([\s\S]*)$/.exec(source) ?? [];
  const frontData = frontMatter === undefined ? null : parseContextYaml(frontMatter);
  if (frontData)
    return {
      ...emptyContext,
      format: 'markdown',
      ...mergeContextParts(readObjectParts(frontData), readMarkdown(body)),
    };
  const hasHeadings = hasMarkdownHeading(source);
  const yaml = hasHeadings ? null : parseContextYaml(source);
  if (yaml) return { ...emptyContext, format: 'yaml', ...readObjectParts(yaml) };
  const markdown = readMarkdown(source);
  if (
    hasHeadings ||
    hasMarkdownList(source) ||
    markdown.fields.length + markdown.sections.length > 0
  )
    return { ...emptyContext, format: 'markdown', ...markdown };
  return { ...emptyContext, format: 'prose', paragraphs: splitParagraphs(source) };
}

/** A text without the backtick fence that encloses all of it. */
function removeFence(text: string): string {
  const fencedText =
    /^```[\w-]*\n/.test(text) && text.endsWith('\n```')
      ? text.slice(text.indexOf('\n'), -3).trim()
      : text;
  return fencedText.includes('```') ? text : fencedText;
}

/** Whether a text looks like JSON or YAML but is not valid. */
export const isBrokenData = ({ source, format }: ContextData): boolean =>
  format !== 'json' && format !== 'yaml' && /^(?:\{|\[\s*["{[])/.test(source);

const mergeContextParts = (first: ContextParts, second: ContextParts): ContextParts => ({
  fields: [...first.fields, ...second.fields],
  sections: [...first.sections, ...second.sections],
  paragraphs: [...first.paragraphs, ...second.paragraphs],
});
