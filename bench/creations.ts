import type { Client } from '@temporalio/client';
import { request } from 'undici';
import { TASK_QUEUE, TASK_WORKFLOW, type TaskInput } from '../src/contract/task.ts';
import { startOptions } from '../src/temporal/tasks/startOptions.ts';
import { randomTaskId } from '../src/temporal/tasks/taskId.ts';
import type { Service } from '../test/helpers/service.ts';
import { citiesBody, type TeamSite } from '../test/helpers/teamSite.ts';
import { type Comparison, median, timed } from './measure.ts';

const AT_ONCE = 16;
const ROUNDS = 6;
const RUNNING = 50;
const CREATIONS = 60;

interface Served {
  service: Service;
  site: TeamSite;
  client: Client;
}

/** 16 creations at once: each POST beside each bare start of the same workflow with the same input, in turn. */
export async function creatingAtOnce(served: Served): Promise<Comparison> {
  const found: Comparison = { name: `create: POST against workflow.start, ${AT_ONCE} at once`, ours: [], raw: [] };
  const like = await inputOf(served);
  for (let round = 0; round <= ROUNDS; round++) {
    const ours = await each(AT_ONCE, () => post(served));
    const raw = await each(AT_ONCE, () => start(served, like));
    if (round === 0) continue;
    found.ours.push(...ours);
    found.raw.push(...raw);
  }
  return found;

  /** All have ended before others begin. */
  async function each(count: number, create: () => Promise<string>): Promise<number[]> {
    const taskIds: string[] = [];
    const times = await Promise.all(
      Array.from({ length: count }, () => timed(async () => void taskIds.push(await create()))),
    );
    await Promise.all(taskIds.map((taskId) => served.client.workflow.getHandle(taskId).result()));
    return times;
  }
}

/** Creations one after the other, while nothing runs and while 50 tasks do all the time: milliseconds of each. */
export async function creatingBeside(served: Served): Promise<{ idle: number[]; busy: number[] }> {
  const ended = (taskId: string) => served.client.workflow.getHandle(taskId).result();
  const create = async () => {
    let taskId = '';
    const ms = await timed(async () => (taskId = await post(served)));
    return { ms, taskId };
  };
  const idle: number[] = [];
  for (let n = 0; n < CREATIONS; n++) {
    const { ms, taskId } = await create();
    await ended(taskId);
    idle.push(ms);
  }
  let isOver = false;
  const others = Array.from({ length: RUNNING }, async () => {
    while (!isOver) await ended(await post(served));
  });
  const busy: number[] = [];
  const last: string[] = [];
  for (let n = 0; n < CREATIONS; n++) {
    const { ms, taskId } = await create();
    last.push(taskId);
    busy.push(ms);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  isOver = true;
  await Promise.all([...others, ...last.map(ended)]);
  return { idle, busy };
}

export function rowOfBeside({ idle, busy }: { idle: number[]; busy: number[] }): string {
  const at = (times: number[]) => times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1]!;
  const told = (times: number[]) => `${at(times).toFixed(0)} ms (median ${median(times).toFixed(0)})`;
  const ratio = (at(busy) / at(idle)).toFixed(1);
  return `| creation's 95th percentile: while ${RUNNING} tasks run, against idle | ${ratio} | ${told(busy)} | ${told(idle)} | ${CREATIONS} |`;
}

const bodyOf = ({ site }: Served) => citiesBody(['Lisbon'], { siteId: site.siteId });

/** A bare request: the tests' own helper checks each answer against the OpenAPI document, which takes its time. */
async function post(served: Served): Promise<string> {
  const { port, demo } = served.service;
  const headers = {
    host: `localhost:${port}`,
    authorization: `Bearer ${demo.apiKey}`,
    'content-type': 'application/json',
  };
  const url = `http://127.0.0.1:${port}/api/v1/agent/tasks`;
  const { statusCode, body } = await request(url, { method: 'POST', headers, body: JSON.stringify(bodyOf(served)) });
  const answer = (await body.json()) as { taskId: string };
  if (statusCode !== 200) throw new Error(`POST was answered with ${statusCode}: ${JSON.stringify(answer)}`);
  return answer.taskId;
}

/** The input of the workflow that a POST starts. */
async function inputOf(served: Served): Promise<TaskInput> {
  const handle = served.client.workflow.getHandle(await post(served));
  await handle.result();
  const { events } = await handle.fetchHistory();
  const data = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0]?.data;
  return JSON.parse(Buffer.from(data!).toString()) as TaskInput;
}

async function start({ client }: Served, like: TaskInput): Promise<string> {
  const task = { ...like, taskId: randomTaskId(), createdAt: new Date().toISOString() };
  const options = startOptions(task, { bodyHash: '', taskQueue: TASK_QUEUE, workflowTaskTimeout: 2_000 });
  await client.workflow.start(TASK_WORKFLOW, options);
  return task.taskId;
}
