import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import ts from 'typescript';

/** By file: the files that it imports, be it for values or for types. */
const known = new Map();

function importsOf(file) {
  if (!known.has(file)) known.set(file, readImports(file));
  return known.get(file);
}

function readImports(file) {
  const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'));
  const own = importedFiles.filter(({ fileName }) => /^\..*\.[jt]sx?$/.test(fileName));
  return own.map(({ fileName }) => resolve(dirname(file), fileName));
}

/** The shortest way by imports from a file back to itself, null where there is none. */
function cycleOf(file) {
  const cameFrom = new Map([[file, null]]);
  for (const [each] of cameFrom)
    for (const imported of importsOf(each)) {
      if (imported === file) return wayTo(each, cameFrom);
      if (!cameFrom.has(imported)) cameFrom.set(imported, each);
    }
  return null;
}

const wayTo = (file, cameFrom) => (file === null ? [] : [...wayTo(cameFrom.get(file), cameFrom), file]);

const noCycle = {
  meta: { type: 'problem', schema: [], messages: { cycle: 'Imports itself: {{way}}' } },
  create: (context) => ({
    Program(node) {
      const cycle = cycleOf(context.filename);
      const way = cycle?.map((file) => relative('.', file)).join(' -> ');
      if (cycle) context.report({ node, messageId: 'cycle', data: { way } });
    },
  }),
};

/** Forbids cycles of imports, for ESLint and oxlint. Unlike their own rules it counts imports of types and late ones. */
export default { meta: { name: 'own' }, rules: { 'no-cycle': noCycle } };
