import type { Client, WorkflowHandle } from '@temporalio/client';
import { type Bench, runTask, townsBody } from '../bench.ts';
import { digits, type Row } from '../table.ts';

type Event = NonNullable<Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']>[number];
const PAGES = 10;

/** A published ten-page task with a callback, and plain Temporal with as many no-op activities. */
export async function history(bench: Bench): Promise<Row[]> {
  const { sites, client, baseline, receiver } = bench;
  const callbackUrl = receiver.url('/history');
  const taskId = await runTask(bench, sites[0]!, townsBody(PAGES, { publish: true, callbackUrl }));
  const handle = await baseline.start({ pages: PAGES, publish: true, callback: true });
  await handle.result();
  const [task, plain] = [await sizeOf(client, taskId), await sizeOf(client, handle.workflowId)];
  const row = (what: string, aim: string, of: keyof Size, unit = ''): Row => {
    const told = (value: number) => `${digits(value)} ${unit}`.trim();
    return { what, aim, measured: `${told(task[of])}; no-ops: ${told(plain[of])}` };
  };
  return [
    row('events of a published ten-page task with callback', '110', 'events'),
    row('bytes of its history', '100 KB', 'kilobytes', 'KB'),
    row('its billable actions, as the history shows them', '22', 'actions'),
  ];
}

interface Size {
  events: number;
  /** 1,000 bytes, as Temporal counts them. */
  kilobytes: number;
  actions: number;
}

async function sizeOf(client: Client, workflowId: string): Promise<Size> {
  const handle = client.workflow.getHandle(workflowId);
  const [{ events }, { historySize }] = [await handle.fetchHistory(), await handle.describe()];
  return { events: events!.length, kilobytes: historySize! / 1_000, actions: actionsOf(events!) };
}

/**
 * Temporal Cloud's actions that a history shows: starts, timers, activities with their retries,
 * attributes, signals and updates. It shows neither queries nor heartbeats: the row `actions` has
 * these.
 */
export const actionsOf = (events: Event[]) =>
  events.reduce((sum, event) => sum + actionsIn(event), 0);

function actionsIn(event: Event): number {
  if (event.activityTaskStartedEventAttributes)
    return event.activityTaskStartedEventAttributes.attempt ?? 1;
  if (event.upsertWorkflowSearchAttributesEventAttributes) return isOfVersions(event) ? 0 : 1;
  const { workflowExecutionStartedEventAttributes: start, timerStartedEventAttributes: timer } =
    event;
  const { workflowExecutionSignaledEventAttributes: signal } = event;
  const { workflowExecutionUpdateAcceptedEventAttributes: update } = event;
  return (start ?? timer ?? signal ?? update) ? 1 : 0;
}

/** Temporal's own attribute for `patched` costs nothing. */
const isOfVersions = ({ upsertWorkflowSearchAttributesEventAttributes: upsert }: Event) =>
  Object.keys(upsert?.searchAttributes?.indexedFields ?? {}).every(
    (name) => name === 'TemporalChangeVersion',
  );
