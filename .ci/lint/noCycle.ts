import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import ts from 'typescript';
import { nameOf, type Rule, start } from './rule.ts';

/** By file: the files that it imports, be it for values or for types. */
const known = new Map<string, string[]>();

function importsOf(file: string): string[] {
  const imports = known.get(file) ?? readImports(file);
  known.set(file, imports);
  return imports;
}

/** None of a file that is missing: the check of types names it. */
function readImports(file: string): string[] {
  if (!existsSync(file)) return [];
  const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'));
  const own = importedFiles.filter(({ fileName }) => /^\..*\.[jt]sx?$/.test(fileName));
  return own.map(({ fileName }) => resolve(dirname(file), fileName));
}

/** The shortest way by imports from a file back to itself, null where there is none. */
function cycleOf(file: string): string[] | null {
  const cameFrom = new Map<string, string | null>([[file, null]]);
  for (const [each] of cameFrom)
    for (const imported of importsOf(each)) {
      if (imported === file) return wayTo(each, cameFrom);
      if (!cameFrom.has(imported)) cameFrom.set(imported, each);
    }
  return null;
}

const wayTo = (file: string | null, cameFrom: Map<string, string | null>): string[] =>
  file === null ? [] : [...wayTo(cameFrom.get(file) ?? null, cameFrom), file];

/**
 * Forbids cycles of imports. Unlike the linter's own rule it counts late imports too. It reads no
 * syntax tree: to hand one over costs more than the rule.
 */
export const noCycle: Rule = {
  create({ filename, report }) {
    const cycle = cycleOf(filename);
    if (cycle) report({ ...start, message: `Imports itself: ${cycle.map(nameOf).join(' -> ')}` });
    return {};
  },
};
