import type { Client } from '@temporalio/client';
import { readFileSync } from 'node:fs';
import { request } from 'undici';
import type { Service } from '../test/helpers/service.ts';
import { citiesBody, type TeamSite } from '../test/helpers/teamSite.ts';
import { compare, type Comparison, median, timed } from './measure.ts';
import { type Rate, rateOf } from './rate.ts';

const ROUNDS = 5;
const ROUND_MS = 1_000;
/** `utime` and `stime` of /proc are in hundredths of a second. */
const TICK_MS = 10;

interface Served {
  service: Service;
  site: TeamSite;
  client: Client;
}

/** Reads of a finished task beside `/healthz` of the same process, in turn, by 16 clients. The first round is a warm-up. */
export interface Reads {
  reads: Rate;
  health: Rate;
}

/** @param taskId a finished task */
export async function readingManyTimes({ service }: Pick<Served, 'service'>, taskId: string): Promise<Reads> {
  const target = { port: service.port, headers: { authorization: `Bearer ${service.demo.apiKey}` } };
  const options = { ms: ROUND_MS, cpuMs: () => mainThreadMs(service.launched.pid) };
  const [reads, health]: Rate[][] = [[], []];
  for (let round = 0; round <= ROUNDS; round++) {
    reads!.push(await rateOf(target, `/api/v1/agent/tasks/${taskId}`, options));
    health!.push(await rateOf(target, '/healthz', options));
  }
  return { reads: middleOf(reads!.slice(1)), health: middleOf(health!.slice(1)) };
}

/** @returns a row: reads by healths in a second, and the same of the main thread's CPU time */
export function rowOfReads({ reads, health }: Reads): string {
  const told = ({ perSecond, cpuMs }: Rate) => `${perSecond.toFixed(0)}/s (${cpuMs.toFixed(2)} ms of CPU)`;
  const ratio = (reads.perSecond / health.perSecond).toFixed(2);
  return `| finished task: reads/s against /healthz, 16 connections | ${ratio} | ${told(reads)} | ${told(health)} | ${ROUNDS} |`;
}

/** A running task, which is held at the push of its commit: GET beside a bare query of its workflow. */
export async function readingRunning({ service, site, client }: Served): Promise<Comparison> {
  const gate = site.gate('refs/agent-tasks/');
  const taskId = await site.create(citiesBody(['Held']));
  await gate.arrived();
  const handle = client.workflow.getHandle(taskId);
  const comparison = await compare('running task: GET against a bare query', 60, {
    ours: () => timed(() => get(service, taskId)),
    raw: () => timed(() => handle.query('status')),
  });
  gate.open();
  await handle.result();
  return comparison;
}

/** A bare request: the tests' own helper checks each answer against the OpenAPI document, which takes its time. */
async function get({ port, demo }: Service, taskId: string): Promise<unknown> {
  const headers = { host: `localhost:${port}`, authorization: `Bearer ${demo.apiKey}` };
  const { body } = await request(`http://127.0.0.1:${port}/api/v1/agent/tasks/${taskId}`, { headers });
  return body.json();
}

const middleOf = (rates: Rate[]): Rate => ({
  perSecond: median(rates.map(({ perSecond }) => perSecond)),
  cpuMs: median(rates.map(({ cpuMs }) => cpuMs)),
});

/** CPU time of a process's main thread so far, milliseconds. Linux only. */
function mainThreadMs(pid: number): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8').split(') ');
  const [user, system] = fields.split(' ').slice(11, 13).map(Number);
  return (user! + system!) * TICK_MS;
}
