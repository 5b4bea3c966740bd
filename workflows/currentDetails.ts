import { setCurrentDetails } from '@temporalio/workflow';
import { isQuestion, type ExternalWait } from '../src/contract/task.ts';

/** Shows phases, pages and other items with their states as a Markdown table in the Temporal UI. */
export function createDetails() {
  const rows = new Map<string, string>();
  const setState = (rowName: string, state: string) => {
    rows.set(rowName, state);
    const tableLines = [...rows].map(
      ([step, value]) => `| ${tableCell(step)} | ${tableCell(value)} |`,
    );
    setCurrentDetails(['| item | state |', '| --- | --- |', ...tableLines].join('\n'));
  };
  return {
    has: (rowName: string) => rows.has(rowName),
    set: setState,
    /** Shows what the workflow waits for outside of the service. Absent: it no longer waits. */
    waits: (waitingFor?: ExternalWait) =>
      setState('waiting for', waitingFor ? waitingText(waitingFor) : 'nothing'),
  };
}

/** Operators see no text of a question. */
const waitingText = (waitingFor: ExternalWait) =>
  isQuestion(waitingFor) ? 'an answer' : `${waitingFor.what}: ${waitingFor.url}`;

const CELL_LENGTH = 200;
const tableCell = (text: string) =>
  text
    .slice(0, CELL_LENGTH)
    .replace(/[\r\n]+/g, ' ')
    .replace(/[|\\`<>[\]*_]/g, '\\$&');
