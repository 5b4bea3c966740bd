import { setCurrentDetails } from '@temporalio/workflow';
import { isQuestion, type WaitingFor } from '../src/contract/task.ts';

/** The run's steps and their states as a short Markdown table in the Temporal UI. */
export function createDetails() {
  const rows = new Map<string, string>();
  const set = (name: string, state: string) => {
    rows.set(name, state);
    const lines = [...rows].map(([step, value]) => `| ${cell(step)} | ${cell(value)} |`);
    setCurrentDetails(['| step | state |', '| --- | --- |', ...lines].join('\n'));
  };
  return {
    has: (name: string) => rows.has(name),
    set,
    /** Shows what is waited for outside of the service. Absent: nothing any more. */
    waits: (waitingFor?: WaitingFor) =>
      set('waits for', waitingFor ? wordsOf(waitingFor) : 'nothing'),
  };
}

/** Operators see no text of a question. */
const wordsOf = (waitingFor: WaitingFor) =>
  isQuestion(waitingFor) ? 'an answer' : `${waitingFor.what}: ${waitingFor.url}`;

const CELL_LENGTH = 200;
const cell = (text: string) =>
  text
    .slice(0, CELL_LENGTH)
    .replace(/[\r\n]+/g, ' ')
    .replace(/[|\\`<>[\]*_]/g, '\\$&');
