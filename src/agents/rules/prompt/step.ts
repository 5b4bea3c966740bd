import type { Conversation, ToolCall, ToolResult, Turn } from '../../agent.ts';
import { DomainError } from '../../../errors.ts';
import type { Instruction } from './instructions.ts';
import { resolvePage } from './pageNames.ts';
import { parsePrompt } from './parse.ts';
import { editsOf, needsReading } from './edits.ts';

/** An instruction with its pages found: `pages` null means wherever its text stands, if that is one page. */
export type Planned =
  | { kind: 'set'; field: Extract<Instruction, { kind: 'set' }>['field']; slug: string; text: string; old?: string }
  | { kind: 'replace'; from: string; to: string; slugs: string[] | 'everywhere' | null }
  | { kind: 'delete'; slugs: string[] };

type Call = Omit<ToolCall, 'id'>;

/**
 * The next turn on a prompt: reads what the next instruction needs, makes its edits, goes on until one needs reading again, and
 * finishes in a turn of its own, after it has seen that every edit was made.
 * @throws DomainError NOT_UNDERSTOOD, and INVALID_INPUT where a page that the prompt names is not there or not the only one
 */
export function nextTurn({ prompt, pages, turns }: Conversation): Turn {
  const instructions = parsePrompt(prompt);
  const plan = instructions.map((instruction, i) => at(instructions.length, i, () => planned(instruction, pages)));
  const results = turns.flatMap(({ turn, results }) =>
    turn.toolCalls.map((call, i) => ({ call, result: results[i]! })),
  );
  const failed = results.find(({ result }) => result.isError);
  if (failed)
    return finish(
      turns.length,
      'Nothing was changed',
      nameOf(plan.length, numberOf(failed.call)) + failed.result.content,
    );
  const last = results.at(-1);
  const start = last === undefined ? 0 : numberOf(last.call) + (isReading(last.call) ? 0 : 1);
  if (start >= plan.length) return finish(turns.length, `Carried out ${plan.length} instruction(s)`);
  try {
    return { text: '', toolCalls: batch(plan, start, last && isReading(last.call) ? last.result : null) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return finish(turns.length, 'Nothing was changed', error.message);
  }
}

/** Ids tell which instruction a call is for: `3-read-1` and `3-edit-1` are for the fourth. */
const numberOf = ({ id }: ToolCall) => Number.parseInt(id, 10);
const isReading = ({ id }: ToolCall) => id.includes('-read-');

function batch(plan: Planned[], start: number, reading: ToolResult | null): ToolCall[] {
  const calls: ToolCall[] = [];
  for (const [index, instruction] of plan.entries()) {
    if (index < start) continue;
    const read = needsReading(instruction);
    if (read && !(index === start && reading)) return [...calls, { id: `${index}-read-1`, ...read }];
    const edits = at(plan.length, index, () => editsOf(instruction, reading?.content ?? ''));
    calls.push(...edits.map((call: Call, i) => ({ id: `${index}-edit-${i + 1}`, ...call })));
  }
  return calls;
}

function planned(instruction: Instruction, pages: Conversation['pages']): Planned {
  switch (instruction.kind) {
    case 'delete':
      return {
        kind: 'delete',
        slugs: [...new Set(instruction.pages.map((page) => resolvePage(page, pages, { whole: true })))],
      };
    case 'replace': {
      const { pages: names, from, to } = instruction;
      return {
        kind: 'replace',
        from,
        to,
        slugs: Array.isArray(names) ? names.map((name) => resolvePage(name, pages)) : names,
      };
    }
    case 'set': {
      const { page, ...change } = instruction;
      if (page === null && pages.length !== 1)
        throw new DomainError(
          'INVALID_INPUT',
          `it does not say on which page: name one, e.g. "of ${pages[0]?.slug ?? '/'}"`,
        );
      return { ...change, slug: page === null ? pages[0]!.slug : resolvePage(page, pages) };
    }
  }
}

/** Says of an error for which instruction it is, where there are several. */
function at<T>(count: number, index: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new DomainError(error.code, nameOf(count, index) + error.message);
  }
}

const nameOf = (count: number, index: number) => (count > 1 ? `Instruction ${index + 1}: ` : '');

const finish = (turn: number, summary: string, error?: string): Turn => ({
  text: '',
  toolCalls: [
    { id: `finish-${turn + 1}`, name: 'finish', arguments: { summary, ...(error !== undefined && { error }) } },
  ],
});
