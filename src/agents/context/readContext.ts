import { readCsv } from './csv.ts';
import { paragraphsOf, type ContextData, type Parts } from './contextData.ts';
import { readLines } from './keyValueLines.ts';
import { hasHeading, hasList, readMarkdown } from './markdown.ts';
import { fromObject, parseJson, parseYaml } from './contextObjects.ts';

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
  const source = unfenced(
    context
      .replace(/^\uFEFF/, '')
      .replace(/\r\n?/g, '\n')
      .trim(),
  );
  const empty = { fields: [], sections: [], paragraphs: [], source };
  const json = parseJson(source);
  if (json) return { ...empty, format: 'json', ...fromObject(json) };
  const csv = readCsv(source, slug);
  if (csv) return { ...empty, format: 'csv', ...csv };
  const lines = readLines(source);
  if (lines) return { ...empty, format: 'lines', fields: lines };
  const [, front, body = ''] = /^---\n([\s\S]*?)\n---\n?([\s\S]*)$/.exec(source) ?? [];
  const data = front === undefined ? null : parseYaml(front);
  if (data) return { ...empty, format: 'markdown', ...merge(fromObject(data), readMarkdown(body)) };
  const isMarked = hasHeading(source);
  const yaml = isMarked ? null : parseYaml(source);
  if (yaml) return { ...empty, format: 'yaml', ...fromObject(yaml) };
  const markdown = readMarkdown(source);
  if (isMarked || hasList(source) || markdown.fields.length + markdown.sections.length > 0)
    return { ...empty, format: 'markdown', ...markdown };
  return { ...empty, format: 'prose', paragraphs: paragraphsOf(source) };
}

/** A text without the backtick fence that encloses all of it. */
function unfenced(text: string): string {
  const inside =
    /^```[\w-]*\n/.test(text) && text.endsWith('\n```')
      ? text.slice(text.indexOf('\n'), -3).trim()
      : text;
  return inside.includes('```') ? text : inside;
}

/** Whether a text looks like JSON or YAML but is not valid. */
export const isBrokenData = ({ source, format }: ContextData): boolean =>
  format !== 'json' && format !== 'yaml' && /^(?:\{|\[\s*["{[])/.test(source);

const merge = (a: Parts, b: Parts): Parts => ({
  fields: [...a.fields, ...b.fields],
  sections: [...a.sections, ...b.sections],
  paragraphs: [...a.paragraphs, ...b.paragraphs],
});
