import type { AgentTasks, Batch, BatchOptions, BatchRow } from '../index.ts';
import {
  bytesOf,
  type Command,
  print,
  printAll,
  type Values,
  wholeNumber,
  WrongCommand,
} from './command.ts';

const oneBatch = ['the id of a batch'];
const oneTable = ['a CSV file, or - for standard input'];
const ofTable: (keyof Values)[] = ['site', 'template', 'publish', 'hold', 'canary', 'link-from'];

/** The commands of `agent-tasks batch …`, by name. */
export const batchCommands: Record<string, Command> = {
  'batch create': {
    takes: oneTable,
    options: [...ofTable, 'wait'],
    async run(client, values, file = '') {
      const options = optionsOf(values);
      const { batchId } = await client.batches.create(await bytesOf(file), options);
      if (!values.wait) {
        print({ batchId }, values, [batchId]);
        return 0;
      }
      console.error(`${batchId}  running`);
      return ended(client, values, batchId);
    },
  },
  'batch check': {
    takes: oneTable,
    options: ofTable,
    async run(client, values, file = '') {
      const options = optionsOf(values);
      const check = await client.batches.check(await bytesOf(file), options);
      const { problems, rows, make, fail } = check;
      const messages = (found: { message: string }[]) => found.map(({ message }) => message);
      print(check, values, [
        `${make} pages would be created, ${fail} rows would fail`,
        ...messages(problems).map((message) => `  ${message}`),
        ...rows.map((row) => `  ${row.number}  ${messages(row.problems).join('; ')}`),
      ]);
      return problems.length + fail > 0 ? 1 : 0;
    },
  },
  'batch get': command(async (client, batchId) => client.batches.get(batchId)),
  'batch wait': {
    takes: oneBatch,
    options: [],
    run: (client, values, batchId = '') => ended(client, values, batchId),
  },
  'batch list': {
    takes: [],
    options: ['site', 'limit'],
    run: (client, values) => printAll(client.batches.list({ siteId: values.site }), values, lineOf),
  },
  'batch rows': {
    takes: oneBatch,
    options: ['state', 'limit'],
    run: (client, { limit = `${Number.MAX_SAFE_INTEGER}`, ...values }, batchId = '') =>
      printAll(
        client.batches.rows(batchId, { state: values.state as never }),
        { ...values, limit },
        lineOfRow,
      ),
  },
  'batch approve': ofRows((client, batchId, rows) => client.batches.approve(batchId, rows)),
  'batch retry': ofRows((client, batchId, rows) => client.batches.retry(batchId, rows)),
  'batch skip': ofRows((client, batchId, rows) => {
    if (!rows) throw new WrongCommand('batch skip needs --rows');
    return client.batches.skip(batchId, rows);
  }),
  'batch publish': ofRows((client, batchId, rows) => client.batches.publish(batchId, rows)),
  'batch pause': command((client, batchId) => client.batches.pause(batchId)),
  'batch resume': command((client, batchId) => client.batches.resume(batchId)),
  'batch cancel': command((client, batchId) => client.batches.cancel(batchId)),
};

/** A command that prints the batch. */
function command(act: (client: AgentTasks, batchId: string) => Promise<Batch>): Command {
  return {
    takes: oneBatch,
    options: [],
    async run(client, values, batchId = '') {
      printBatch(await act(client, batchId), values);
      return 0;
    },
  };
}

/** A command for some rows (`--rows 3,7`) that prints the batch. */
function ofRows(
  act: (client: AgentTasks, batchId: string, rows?: number[]) => Promise<Batch>,
): Command {
  return {
    takes: oneBatch,
    options: ['rows'],
    async run(client, values, batchId = '') {
      printBatch(await act(client, batchId, numbersOf(values)), values);
      return 0;
    },
  };
}

function numbersOf({ rows }: Values): number[] | undefined {
  if (rows !== undefined && !/^\d+(?:,\d+)*$/.test(rows))
    throw new WrongCommand('--rows must be row numbers separated by commas, such as 3,7');
  return rows?.split(',').map(Number);
}

function optionsOf({ site, template, publish, hold, canary, 'link-from': from }: Values) {
  if (site === undefined) throw new WrongCommand('--site is required');
  return {
    siteId: site,
    ...(template !== undefined && { templatePageSlug: template }),
    ...(publish && { publish }),
    ...(hold && { onWarnings: 'hold' }),
    ...(canary !== undefined && { canary: wholeNumber('canary', canary) }),
    ...(from !== undefined && { linkFrom: from }),
  } satisfies BatchOptions;
}

/** Waits until a batch ends or needs a person, and prints it. @returns the exit code */
async function ended(client: AgentTasks, values: Values, batchId: string): Promise<number> {
  const batch = await client.batches.waitFor(batchId);
  printBatch(batch, values);
  const { status, rows } = batch;
  return status === 'failed' || status === 'cancelled' || rows.failed > 0 ? 1 : 0;
}

const printBatch = (batch: Batch, values: Values) => print(batch, values, [lineOf(batch)]);

function lineOf({ batchId, status, title, rows, errorMessage }: Batch): string {
  const counts = Object.entries(rows).flatMap(([state, n]) => (n > 0 ? [`${n} ${state}`] : []));
  return [batchId, status, title, counts.join(', '), errorMessage].filter(Boolean).join('  ');
}

function lineOfRow({ number, state, targetPageSlug, error, publishedUrl, previewUrl }: BatchRow) {
  const told = error ?? publishedUrl ?? previewUrl ?? '';
  return `${number}  ${state}  ${targetPageSlug}  ${told}`.trimEnd();
}
