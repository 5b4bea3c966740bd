import type { Rule } from './rule.ts';

const DECLARATION = /^(?:export )?(?:declare )?(?:interface|type|class) ([A-Z][a-z]+)\b/gm;
/** Participles without a regular ending that could stand for a thing in code. */
const IRREGULAR = new Set(
  'Asked Built Bought Brought Cut Done Dropped Found Given Gone Got Had Held Kept Known Led Left Lost Made Meant Met Paid Put Read Run Said Seen Sent Set Shown Shut Spent Split Stood Taken Told Thought Won Written'.split(
    ' ',
  ),
);
/** Nouns that end as participles do. */
const NOUNS = new Set(
  'Bed Binding Feed Finding Heading Listing Meeting Need Rating Routing Seed Setting Speed String Thing'.split(
    ' ',
  ),
);

const isParticiple = (name: string) =>
  IRREGULAR.has(name) || (/(?:ed|ing)$/.test(name) && !NOUNS.has(name));

/** A type is named by a noun: `Asked` says nothing of what was asked, `CreateTaskRequest` does. */
export const typeNames: Rule = {
  create({ sourceCode, report }) {
    for (const { 1: name, index } of sourceCode.text.matchAll(DECLARATION)) {
      if (!isParticiple(name!)) continue;
      const line = sourceCode.text.slice(0, index).split('\n').length;
      const place = { line, column: 0 };
      report({
        loc: { start: place, end: place },
        message: `The type "${name}" is named by a participle: name the thing, as in "TaskRequest"`,
      });
    }
    return {};
  },
};
