/**
 * Writes docs/prompts.md: every wording of the embedded agent, from the table that it reads prompts
 * by. Run it with `npm run docs` after a change of the table.
 */
import { writeFileSync } from 'node:fs';
import { instructionKinds } from '../src/agents/rules/prompt/wordings/instructionKinds.ts';

const before = `# Prompts

The embedded agent understands these wordings. Pages and texts are examples: [how to name them](agents.md#prompts).

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
