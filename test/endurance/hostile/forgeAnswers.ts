import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AnswerSchema } from '../../../src/forges/documentedAnswers.ts';
import * as gitea from '../../../src/forges/gitea/schemas.ts';
import * as github from '../../../src/forges/github/schemas.ts';
import * as gitlab from '../../../src/forges/gitlab/schemas.ts';

/** The commit in small answers. */
export const headCommit = 'c0ffee'.repeat(7).slice(0, 40);

type Schemas = Record<string, AnswerSchema>;

/** Schemas by what they describe: `gitHubPullsSchema` is `pulls`. */
const named = (schemas: Schemas): Schemas =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const [, first = '', rest = ''] = /^(?:gitHub|gitea|gitLab)(.)(.*)Schema$/.exec(name) ?? [];
      return [first.toLowerCase() + rest, schema];
    }),
  );

export const forgeKinds = ['github', 'gitea', 'gitlab'] as const;
export type HostileKind = (typeof forgeKinds)[number];

/** The answers of each kind of forge, by what they describe. */
export const answersOf: Record<HostileKind, Schemas> = {
  github: named({ ...github }),
  gitea: named({ ...gitea }),
  gitlab: named({ ...gitlab }),
};

/** Which answer each address gets. The first that matches counts. */
const routes: [kind: HostileKind, route: RegExp, answer: string][] = [
  ['github', /^POST .*\/access_tokens$/, 'installationToken'],
  ['github', /\/installation$/, 'installation'],
  ['github', /\/deployments\/\d+\/statuses/, 'deploymentStatuses'],
  ['github', /\/deployments\?/, 'deployments'],
  ['github', /\/check-runs/, 'checkRuns'],
  ['github', /\/commits\/[^/]+\/statuses/, 'statuses'],
  ['github', /\/commits\?/, 'commits'],
  ['github', /\/rules\/branches\//, 'rules'],
  ['github', /\/branches\//, 'branch'],
  ['github', /\/git\/refs$/, 'ref'],
  ['github', /\/pulls\/\d+\/merge$/, 'merged'],
  ['github', /^GET .*\/pulls\?/, 'pulls'],
  ['github', /\/pulls/, 'pull'],
  ['github', /\/repos\/[^/]+\/[^/]+$/, 'project'],
  ['gitea', /\/commits\/[^/]+\/statuses/, 'statuses'],
  ['gitea', /\/commits\?/, 'commits'],
  ['gitea', /\/branches\//, 'branch'],
  ['gitea', /^GET .*\/pulls\?/, 'pulls'],
  ['gitea', /\/pulls/, 'pull'],
  ['gitea', /\/repos\/[^/]+\/[^/]+$/, 'project'],
  ['gitlab', /\/deployments\?/, 'deployments'],
  ['gitlab', /\/statuses/, 'statuses'],
  ['gitlab', /\/pipelines\?/, 'pipelines'],
  ['gitlab', /\/commits\?/, 'commits'],
  ['gitlab', /\/branches\//, 'branch'],
  ['gitlab', /^GET .*\/merge_requests\?/, 'mergeRequests'],
  ['gitlab', /\/approvals$/, 'approvals'],
  ['gitlab', /\/merge_requests/, 'mergeRequest'],
  ['gitlab', /\/pages$/, 'pages'],
  ['gitlab', /\/projects\/[^/]+$/, 'project'],
];

/** The number of texts in an answer. @param entries of each list, outside of other lists */
function countTexts(schema: AnswerSchema, entries: number): number {
  if (typeof schema === 'string') return schema === 'text' ? 1 : 0;
  if (Array.isArray(schema)) return entries * countTexts(schema[0] as AnswerSchema, 1);
  return Object.values(schema).reduce((sum, field) => sum + countTexts(field, entries), 0);
}

function writeValue(schema: AnswerSchema, text: string, entries: number): unknown {
  if (schema === 'text') return text;
  if (typeof schema === 'string') return schema === 'number' && 1;
  if (Array.isArray(schema))
    return Array.from({ length: entries }, () => writeValue(schema[0] as AnswerSchema, text, 1));
  const fields = Object.entries(schema).map(([name, field]) => [
    name.replace(/\?$/, ''),
    writeValue(field, text, entries),
  ]);
  return Object.fromEntries(fields);
}

/**
 * An answer as a forge documents it, whose texts are all the same.
 * @param makeText makes a text of so many UTF-16 code units
 * @param size bytes of the answer, at most, and entries of each list
 */
export function documentedAnswer(
  schema: AnswerSchema,
  makeText: (length: number) => string,
  { bytes, entries }: { bytes: number; entries: number },
): string {
  const write = (length: number) => JSON.stringify(writeValue(schema, makeText(length), entries));
  const bytesOfUnit = Buffer.byteLength(JSON.stringify(makeText(1_000))) / 1_000;
  const texts = Math.max(1, countTexts(schema, entries));
  const room = 0.95 * bytes - Buffer.byteLength(write(1));
  return write(Math.max(2, Math.floor(room / (bytesOfUnit * texts))));
}

/** A forge, and a host, whose answers a test chooses. */
export interface HostileForge extends AsyncDisposable {
  origin: string;
  /** Names of the answers that were asked for, as `github.pull`. */
  asked: Set<string>;
  /** Answers each address once with `body`, and then with a small answer. */
  answerWith(body: (schema: AnswerSchema) => Buffer, status?: number): void;
  /** The page at `/` and `/page`. */
  page: Buffer;
}

/** What lets calls go on: an open pull request, whose head is the commit to be merged. */
const openPull = {
  state: 'open',
  merged_at: null,
  merged: false,
  detailed_merge_status: 'not_approved',
};

/** What makes a task ask where GitLab's Pages show the site. */
const pagesStatus = { name: 'pages:deploy', status: 'success' };

/** A short answer of each kind, with which a task can go on. */
export function smallAnswer(schema: AnswerSchema): Buffer {
  const text = documentedAnswer(schema, () => headCommit, { bytes: 0, entries: 1 });
  const value = JSON.parse(text) as object;
  if (Array.isArray(value) && 'allow_failure' in (value[0] as object))
    return Buffer.from(JSON.stringify([{ ...(value[0] as object), ...pagesStatus }]));
  const isPull = 'merged_at' in value || 'merge_base' in value || 'iid' in value;
  return Buffer.from(isPull ? JSON.stringify({ ...value, ...openPull }) : text);
}

/** Starts a server on 127.0.0.1. The first segment of a path is the kind of forge. */
export async function startHostileForge(): Promise<HostileForge> {
  const asked = new Set<string>();
  let bodyOf = smallAnswer;
  let status = 200;
  let answered = new Set<string>();
  const forge: Omit<HostileForge, 'origin' | typeof Symbol.asyncDispose> = {
    asked,
    page: Buffer.of(),
    answerWith(body, sent = 200) {
      answered = new Set();
      const bodies = new Map<string, Buffer>();
      for (const [kind, , name] of routes)
        bodies.set(`${kind}.${name}`, body(answersOf[kind][name]!));
      bodyOf = (schema) => bodies.get(nameOf(schema)) ?? smallAnswer(schema);
      status = sent;
    },
  };
  const answer = (line: string, response: ServerResponse) => {
    if (/^GET \/(?:page)?$/.test(line)) return void response.end(forge.page);
    const kind = forgeKinds.find((name) => line.includes(` /${name}/`)) ?? 'github';
    const found = routes.find(([of, route]) => of === kind && route.test(line));
    if (!found) return void response.writeHead(404).end();
    const name = `${kind}.${found[2]}`;
    asked.add(name);
    const schema = answersOf[kind][found[2]]!;
    const isFirst = !answered.has(name);
    answered.add(name);
    response.writeHead(isFirst ? status : 200).end(isFirst ? bodyOf(schema) : smallAnswer(schema));
  };
  const server = createServer((request, response) => {
    request.resume();
    answer(`${request.method} ${request.url}`, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(forge, {
    origin: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

const nameOf = (schema: AnswerSchema) => {
  const entries = Object.entries(answersOf).flatMap(([kind, schemas]) =>
    Object.entries(schemas).map(([name, one]) => [`${kind}.${name}`, one] as const),
  );
  return entries.find(([, one]) => one === schema)?.[0] ?? '';
};
