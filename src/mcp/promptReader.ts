import type { Needs } from '../tasks/ports.ts';

const EXAMPLE = '`Change the headline of /pricing to "Fair prices"`';

/** Says which agent reads the text of a prompt by default, and which texts it understands. */
export function promptReaderOf({ assign }: Needs<'assign'>): string {
  const { model } = assign({});
  return model === undefined
    ? `The built-in rules read it, not a language model: they know certain wordings, such as ${EXAMPLE}, and refuse any other text. try_prompt says what a text would do, or names the nearest wordings.`
    : `The language model ${model} reads it, so any plain words do, such as ${EXAMPLE}.`;
}
