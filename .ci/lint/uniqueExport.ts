import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { nameOf, type Rule, start } from './rule.ts';

const DECLARATION =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) ([\w$]+)/gm;

/** By exported name: the files that declare it. */
let exporters: Map<string, Set<string>> | undefined;

function findExporters(patterns: string[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const file of globSync(patterns).map((path) => resolve(path)))
    for (const name of exportedNames(readFileSync(file, 'utf8')))
      found.set(name, (found.get(name) ?? new Set()).add(file));
  return found;
}

const exportedNames = (source: string) =>
  new Set([...source.matchAll(DECLARATION)].map(([, name]) => name!));

/**
 * A name that a module exports is no other module's too, so that a reader who searches for it finds
 * one declaration. The option lists the patterns of the files.
 */
export const uniqueExport: Rule = {
  meta: { schema: [{ type: 'array', items: { type: 'string' } }] },
  create({ filename, options, sourceCode, report }) {
    exporters ??= findExporters(options[0] as string[]);
    for (const name of exportedNames(sourceCode.text)) {
      const others = [...(exporters.get(name) ?? [])].filter((file) => file !== filename);
      if (others.length > 0)
        report({
          ...start,
          message: `"${name}" is also exported by ${others.map(nameOf).join(', ')}`,
        });
    }
    return {};
  },
};
