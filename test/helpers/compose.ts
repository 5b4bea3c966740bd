import { basename, join, normalize } from 'node:path';
import { parse } from 'yaml';
import { read } from './documents.ts';

/**
 * What the tests read of a service in a compose file
 * (https://github.com/compose-spec/compose-spec).
 */
export interface ComposeService {
  image: string;
  build?: string;
  entrypoint?: string[];
  command?: string[];
  environment: Record<string, string | number>;
  healthcheck?: { test: string[]; disable?: boolean };
  depends_on?: Record<string, { condition: string }>;
  configs?: { source: string; target: string }[];
  ports?: string[];
  volumes?: string[];
  restart?: string;
  user?: string;
  read_only?: boolean;
  tmpfs?: string[];
  cap_drop?: string[];
  security_opt?: string[];
  stop_grace_period?: string;
}

export interface Compose {
  include?: string[];
  services: Record<string, ComposeService>;
  configs?: Record<string, { content: string }>;
}

/** The compose files, the first with the second in it. */
export const composeFiles = ['docker-compose.yml', 'docker-compose.temporal.yml'] as const;

/**
 * Reads a compose file as Docker Compose does, so far as ours need it.
 * @param env the variables that it asks for
 * @throws where one is missing that it can't do without
 */
export function parseCompose(text: string, env: Record<string, string> = {}): Compose {
  const filled = text.replace(
    /\$\{(\w+)(?::\?([^}]*))?\}/g,
    (_, name: string, missing?: string) => {
      if (!env[name] && missing !== undefined) throw new Error(`${name} is missing: ${missing}`);
      return env[name] ?? '';
    },
  );
  return parse(filled, { merge: true }) as Compose;
}

/** Temporal's part alone. */
export const temporalCompose = (): Compose => parseCompose(read('docker-compose.temporal.yml'));

/** The instructions of a Dockerfile, one an entry, with its arguments as words. */
export function parseDockerfile(text: string): { instruction: string; words: string[] }[] {
  const lines = text.replaceAll(/^\s*#.*\n/gm, '').replaceAll(/\\\n/g, ' ');
  return lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [instruction = '', ...rest] = line.trim().split(/\s+/);
      const json = /\[.*\]$/.exec(line)?.[0];
      return { instruction, words: json ? (JSON.parse(json) as string[]) : rest };
    });
}

/**
 * The files that a Dockerfile's last stage copies from the project, each with its place in the
 * image.
 */
export function copiesOf(text: string) {
  return lastStage(text)
    .filter(({ instruction, words }) => instruction === 'COPY' && !words[0]!.startsWith('--from'))
    .flatMap(({ words }) => {
      const target = words.at(-1)!;
      const place = (from: string) =>
        target.endsWith('/') ? join(target, basename(from)) : target;
      return words.slice(0, -1).map((from) => ({ from, to: normalize(place(from)) }));
    });
}

/** The instructions that make the image itself. */
export function lastStage(text: string) {
  const instructions = parseDockerfile(text);
  return instructions.slice(
    instructions.findLastIndex(({ instruction }) => instruction === 'FROM'),
  );
}
