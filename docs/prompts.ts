/**
 * Writes docs/prompts.md: every wording of the embedded agent, from the table that it reads prompts
 * by. Run it with `npm run docs` after a change of the table.
 */
import { writeFileSync } from 'node:fs';
import { table } from '../src/agents/rules/prompt/table.ts';

const before = `# Prompts

The embedded agent understands each of these wordings. Lines that stand together ask for the same kind of change. Pages
and texts are examples. [Agents](agents.md#prompts) says how pages, texts and lists of instructions are named.

<!-- Written by \`npm run docs\`. Change src/agents/rules/prompt/table instead. -->

\`\`\`
`;

/** The text of docs/prompts.md. */
export function promptsDocument(): string {
  const kinds = Object.values(table).map(({ wordings }) =>
    wordings.map(([, example]) => example).join('\n'),
  );
  return `${before}${kinds.join('\n\n')}\n\`\`\`\n`;
}

if (import.meta.main) writeFileSync(new URL('prompts.md', import.meta.url), promptsDocument());
