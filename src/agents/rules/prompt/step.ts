import { defined } from '../../../contract/defined.ts';
import type { Conversation, ToolCall, Turn } from '../../agent.ts';
import { DomainError } from '../../../errors.ts';
import type { Instruction } from './instructions.ts';
import type { NameListing } from '../../tools/names.ts';
import { readPrompt } from './parse.ts';
import { mayNeedNames, notUnderstood } from './refusal.ts';
import { workOf } from './edits.ts';
import { forInstruction, instructionName, planSteps, type Planned } from './plan.ts';

type Call = Omit<ToolCall, 'id'>;

/**
 * The next turn on a prompt: reads what the next step needs, makes its edits, goes on until one needs reading again,
 * and finishes in a turn of its own, after it has seen that every edit was made.
 * @param list where all instructions are listed
 * @throws DomainError NOT_UNDERSTOOD, and INVALID_INPUT where a page that the prompt names is not there or not the
 *   only one
 */
export function nextTurn({ prompt, pages, turns }: Conversation, list?: string): Turn {
  const answers = turns.flatMap(({ turn, results }) =>
    turn.toolCalls.map((call, i) => ({ call, result: results[i]! })),
  );
  const named = answers.find(({ call }) => call.name === NAMES.name);
  const names = named && (JSON.parse(named.result.content) as NameListing);
  const instructions = understood(prompt, { pages, ...defined({ names, list }) });
  if (!instructions) return { text: '', toolCalls: [NAMES] };
  const plan = planSteps(instructions, pages);
  const results = answers.filter((answer) => answer !== named);
  const failed = results.find(({ result }) => result.isError);
  if (failed) {
    const { instruction } = plan[numberOf(failed.call)]!;
    return nothing(turns.length, instructionName(instructions.length, instruction) + failed.result.content);
  }
  const last = results.at(-1)?.call;
  const start = last === undefined ? 0 : numberOf(last) + (isReading(last) ? 0 : 1);
  const readings = results.filter(({ call }) => isReading(call) && numberOf(call) === start);
  try {
    const toolCalls = batch(plan, { count: instructions.length, start, readings: readings.map(({ result }) => result.content) }); // prettier-ignore
    if (toolCalls.length > 0) return { text: '', toolCalls };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return nothing(turns.length, error.message);
  }
  return finish(turns.length, { summary: `Carried out ${instructions.length} instruction(s)` });
}

/** What asks for the names that the site has, which need no quotes in a prompt. */
const NAMES: ToolCall = { id: 'names', name: 'list_names', arguments: {} };

interface Known {
  pages: Conversation['pages'];
  names?: NameListing;
  list?: string;
}

/** A prompt's instructions; null where the site's names may help to understand them, and are not known yet. */
function understood(prompt: string, { pages, names, list }: Known): Instruction[] | null {
  const first = readPrompt(prompt);
  const reading = 'instructions' in first || !names ? first : readPrompt(prompt, namesOf(pages, names));
  if ('instructions' in reading) return reading.instructions;
  if (!names && mayNeedNames(reading)) return null;
  throw notUnderstood(reading, { pages, names: names ?? [], ...defined({ list }) });
}

const namesOf = (pages: Conversation['pages'], names: NameListing) =>
  new Set([...names.map(({ text }) => text), ...pages.map(({ title }) => title)].filter((name) => name !== ''));

/** Ids tell which step a call is for: `3-read-1` and `3-edit-1` are for the fourth. */
const numberOf = ({ id }: ToolCall) => Number.parseInt(id, 10);
const isReading = ({ id }: ToolCall) => id.includes('-read-');

/** The next calls: edits of the steps from `start` on, up to one that has to read first. */
function batch(plan: Planned[], { count, start, readings }: { count: number; start: number; readings: string[] }) {
  const calls: ToolCall[] = [];
  for (const [index, step] of plan.entries()) {
    if (index < start) continue;
    const known = index === start ? readings : [];
    const { kind, next } = forInstruction(count, step.instruction, () => advance(step, known));
    calls.push(
      ...next.map((call, i) => ({ id: `${index}-${kind}-${i + 1 + (kind === 'read' ? known.length : 0)}`, ...call })),
    );
    if (kind === 'read') return calls;
  }
  return calls;
}

/** How far a step comes with what was read for it. */
function advance(step: Planned, readings: string[]): { kind: 'read' | 'edit'; next: Call[] } {
  const work = workOf(step);
  let at = 0;
  for (let round = work.next(); ;) {
    if (round.done) return { kind: 'edit', next: round.value };
    const end = at + round.value.length;
    if (readings.length < end) return { kind: 'read', next: round.value };
    round = work.next(readings.slice(at, end));
    at = end;
  }
}

const nothing = (turn: number, error: string) => finish(turn, { summary: 'Nothing was changed', error });

const finish = (turn: number, answer: { summary: string; error?: string }): Turn => ({
  text: '',
  toolCalls: [{ id: `finish-${turn + 1}`, name: 'finish', arguments: answer }],
});
