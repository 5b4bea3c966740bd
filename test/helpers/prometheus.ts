import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from './documents.ts';
import { freePort } from './ports.ts';
import { findProgram } from './programs.ts';
import { until } from './until.ts';

export const monitoringFolder = join(root, 'deploy/monitoring');

/** A rule of deploy/monitoring/alerts.yml. */
export interface AlertRule {
  alert: string;
  expr: string;
  for?: string;
  annotations: { summary: string };
}

export const readAlertGroups = () =>
  parse(readFileSync(join(monitoringFolder, 'alerts.yml'), 'utf8')) as {
    groups: { name: string; rules: AlertRule[] }[];
  };

/** A panel of deploy/monitoring/dashboard.json. Rows have no queries. */
export interface DashboardPanel {
  title: string;
  type: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string; legendFormat: string }[];
}

export const readDashboard = () =>
  JSON.parse(readFileSync(join(monitoringFolder, 'dashboard.json'), 'utf8')) as {
    panels: DashboardPanel[];
    templating: { list: { name: string }[] };
  };

/** A sample of an instant query. */
export interface QueryResult {
  metric: Record<string, string>;
  value: [time: number, value: string];
}

export interface Prometheus {
  /** Evaluates an expression now. */
  query(expr: string): Promise<QueryResult[]>;
  /** The state of each alert rule, by its name. */
  alertStates(): Promise<Map<string, string>>;
  stop(): Promise<void>;
}

interface Answer<T> {
  status: string;
  error?: string;
  data: T;
}

/**
 * Runs Prometheus with the alert rules, and reads the metrics of processes once a second. Ask
 * `needProgram` first.
 * @param folder an empty folder, for its configuration and data
 * @param targets `host:port` of the metrics of each process
 */
export async function startPrometheus(folder: string, ...targets: string[]): Promise<Prometheus> {
  const file = join(folder, 'prometheus.json');
  const port = await freePort();
  const configuration = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [join(monitoringFolder, 'alerts.yml')],
    scrape_configs: [{ job_name: 'agent-tasks', static_configs: [{ targets }] }],
  };
  writeFileSync(file, JSON.stringify(configuration));
  const words = [
    `--config.file=${file}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ];
  const child = spawn(findProgram('Prometheus')!, words, { stdio: 'ignore', env: {} });
  const ask = async <T>(path: string): Promise<T> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    const { error, data } = (await response.json()) as Answer<T>;
    if (error !== undefined) throw new Error(`${path}: ${error}`);
    return data;
  };
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  try {
    await until('Prometheus', async () => {
      if (child.exitCode !== null) throw new Error(`Prometheus ended with ${child.exitCode}`);
      return fetch(`http://127.0.0.1:${port}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    async query(expr) {
      const path = `/api/v1/query?query=${encodeURIComponent(expr)}`;
      return (await ask<{ result: QueryResult[] }>(path)).result;
    },
    async alertStates() {
      const { groups } = await ask<{ groups: { rules: { name: string; state: string }[] }[] }>(
        '/api/v1/rules',
      );
      return new Map(groups.flatMap(({ rules }) => rules.map(({ name, state }) => [name, state])));
    },
    stop,
  };
}
