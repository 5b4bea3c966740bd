import { setCurrentDetails } from '@temporalio/workflow';

/** The run's steps and their states as a short Markdown table in the Temporal UI. */
export function createDetails() {
  const rows = new Map<string, string>();
  return {
    has: (name: string) => rows.has(name),
    set(name: string, state: string) {
      rows.set(name, state);
      const lines = [...rows].map(([step, value]) => `| ${cell(step)} | ${cell(value)} |`);
      setCurrentDetails(['| step | state |', '| --- | --- |', ...lines].join('\n'));
    },
  };
}

const CELL_LENGTH = 200;
const cell = (text: string) =>
  text
    .slice(0, CELL_LENGTH)
    .replace(/[\r\n]+/g, ' ')
    .replace(/[|\\`<>[\]*_]/g, '\\$&');
