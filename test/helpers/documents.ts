import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The project's folder. */
export const root = join(import.meta.dirname, '../..');

/** Every document that people read, from the project's folder on. */
export const documents: string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'bench/README.md',
  'client/README.md',
  'client/python/README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** @param path a document, from the project's folder on */
export const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** A row of the table of sizes in docs/deployment.md: for 1, 10 and 50 workers. */
export function sizesOf(row: string): number[] {
  const [, cells = ''] =
    new RegExp(`^\\| ${row} \\|(.*)\\|$`, 'm').exec(read('docs/deployment.md')) ?? [];
  return cells.split('|').map((cell) => Number(cell.replaceAll(',', '')));
}

/**
 * The fenced blocks of a document, in their order.
 * @param language the word after the fence
 * @param pattern what a block's text must match
 */
export const blocks = (path: string, language: string, pattern = /(?:)/): string[] =>
  [...read(path).matchAll(/^( *)```(\w*)\n([\s\S]*?)^ *```$/gm)]
    .map(([, indent, name, text]) => ({
      name,
      text: text!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }))
    .filter(({ name, text }) => name === language && pattern.test(text))
    .map(({ text }) => text);

/** What curl sends for the README's first command. */
export function readmeRequest(): {
  url: URL;
  headers: Record<string, string>;
  body: Record<string, unknown>;
} {
  const [command = ''] = blocks('README.md', 'sh', /^curl /);
  const headers = [...command.matchAll(/-H '([^:']+): ([^']+)'/g)].map(([, name, value]) => [
    name!,
    value!,
  ]);
  return {
    url: new URL(/https?:\/\/\S+/.exec(command)![0]),
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: JSON.parse(/-d '([\s\S]+)'/.exec(command)![1]!) as Record<string, unknown>,
  };
}
