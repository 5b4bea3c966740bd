/**
 * Writes docs/prompts.md: every wording of the embedded agent, from the table that it reads prompts
 * by. Run it with `npm run docs` after a change of the table.
 */
import { writeFileSync } from 'node:fs';
import { instructionKinds } from '../src/agents/rules/prompt/wordings/instructionKinds.ts';

const before = `# Prompts

Without a language model, the embedded agent carries out prompts. It understands the wordings below. Each line is a
whole instruction, and the lines of a group ask for the same kind of change. Put your own pages and texts in place of
those in the examples. [Agents](agents.md#prompts) explains how to name them, and how to give several instructions in
one prompt.

<!-- Written by \`npm run docs\` -->

\`\`\`
`;

/** The text of docs/prompts.md. */
export function promptsDocument(): string {
  const kinds = Object.values(instructionKinds).map(({ wordings }) =>
    wordings.map(([, example]) => example).join('\n'),
  );
  return `${before}${kinds.join('\n\n')}\n\`\`\`\n`;
}

if (import.meta.main) writeFileSync(new URL('prompts.md', import.meta.url), promptsDocument());
