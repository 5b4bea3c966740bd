import type { Conversation, ToolCall, Turn } from '../../agent.ts';
import { DomainError } from '../../../errors.ts';
import { parsePrompt } from './parse.ts';
import { editsOf, needsReading } from './edits.ts';
import { forInstruction, instructionName, planSteps, type Planned } from './plan.ts';

type Call = Omit<ToolCall, 'id'>;

/**
 * The next turn on a prompt: reads what the next step needs, makes its edits, goes on until one needs reading again,
 * and finishes in a turn of its own, after it has seen that every edit was made.
 * @throws DomainError NOT_UNDERSTOOD, and INVALID_INPUT where a page that the prompt names is not there or not the
 *   only one
 */
export function nextTurn({ prompt, pages, turns }: Conversation): Turn {
  const instructions = parsePrompt(prompt);
  const plan = planSteps(instructions, pages);
  const results = turns.flatMap(({ turn, results }) =>
    turn.toolCalls.map((call, i) => ({ call, result: results[i]! })),
  );
  const failed = results.find(({ result }) => result.isError);
  if (failed) {
    const { instruction } = plan[numberOf(failed.call)]!;
    return nothing(turns.length, instructionName(instructions.length, instruction) + failed.result.content);
  }
  const last = results.at(-1)?.call;
  const start = last === undefined ? 0 : numberOf(last) + (isReading(last) ? 0 : 1);
  const readings = results.filter(({ call }) => isReading(call) && numberOf(call) === start);
  try {
    const toolCalls = batch(
      plan,
      instructions.length,
      start,
      readings.map(({ result }) => result.content),
    );
    if (toolCalls.length > 0) return { text: '', toolCalls };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return nothing(turns.length, error.message);
  }
  return finish(turns.length, { summary: `Carried out ${instructions.length} instruction(s)` });
}

/** Ids tell which step a call is for: `3-read-1` and `3-edit-1` are for the fourth. */
const numberOf = ({ id }: ToolCall) => Number.parseInt(id, 10);
const isReading = ({ id }: ToolCall) => id.includes('-read-');

function batch(plan: Planned[], count: number, start: number, readings: string[]): ToolCall[] {
  const calls: ToolCall[] = [];
  const add = (kind: 'read' | 'edit', index: number, added: Call[]) =>
    calls.push(...added.map((call, i) => ({ id: `${index}-${kind}-${i + 1}`, ...call })));
  for (const [index, step] of plan.entries()) {
    if (index < start) continue;
    const needed = needsReading(step);
    const isRead = index === start && readings.length > 0;
    if (needed.length > 0 && !isRead) {
      add('read', index, needed);
      return calls;
    }
    add(
      'edit',
      index,
      forInstruction(count, step.instruction, () => editsOf(step, isRead ? readings : [])),
    );
  }
  return calls;
}

const nothing = (turn: number, error: string) => finish(turn, { summary: 'Nothing was changed', error });

const finish = (turn: number, answer: { summary: string; error?: string }): Turn => ({
  text: '',
  toolCalls: [{ id: `finish-${turn + 1}`, name: 'finish', arguments: answer }],
});
