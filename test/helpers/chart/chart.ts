import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { root } from '../documents.ts';

const run = promisify(execFile);

/**
 * Installs helm and kubeconform. With `--check`, it only says whether they are there or can be
 * installed.
 */
export const installScript = join(import.meta.dirname, 'install.sh');
export const canInstallChartTools = () =>
  spawnSync('bash', [installScript, '--check']).status === 0;

/** The version of Kubernetes whose API document kubeconform gets. */
const kubernetesVersion = ['--kube-version', '1.34.4'];

export const chartFolder = join(root, 'deploy/helm/agent-tasks');

/** An object of Kubernetes. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  spec: Record<string, unknown>;
}

/** What helm and kubeconform say of the chart with some values. */
export interface ChartTools {
  /** @throws with what `helm lint --strict` complains about */
  lint(values: object): Promise<void>;
  /** @returns the rendered objects. @throws with helm's message, for values that it refuses */
  render(values: object): Promise<KubernetesObject[]>;
  /** @returns what kubeconform counts. Unknown fields are invalid. */
  validate(
    objects: KubernetesObject[],
  ): Promise<{ valid: number; invalid: number; errors: string[] }>;
}

/** @param folder an empty folder, for values and schemas */
export async function openChartTools(folder: string): Promise<ChartTools> {
  const { stdout } = await run('bash', [installScript]);
  const tools = stdout.trim();
  const home = join(folder, 'home');
  const schemas = join(folder, 'schemas');
  for (const made of [home, schemas]) mkdirSync(made);
  const definitions = strictDefinitions(readFileSync(join(tools, 'kubernetes.json'), 'utf8'));
  const helm = async (words: string[], values: object) => {
    const file = join(folder, 'values.json');
    writeFileSync(file, JSON.stringify(values));
    const env = { HOME: home, PATH: process.env['PATH'] };
    return (await run(join(tools, 'helm'), [...words, chartFolder, '-f', file], { env })).stdout;
  };
  return {
    async lint(values) {
      await helm(['lint', '--strict', ...kubernetesVersion], values);
    },
    async render(values) {
      const words = ['template', 'shop', '--namespace', 'tasks', ...kubernetesVersion];
      const text = await helm(words, values);
      return (parseAllDocuments(text) as { toJS(): KubernetesObject | null }[])
        .map((document) => document.toJS())
        .filter((object) => object !== null);
    },
    async validate(objects) {
      for (const object of objects) writeSchema(definitions, schemas, object);
      const file = join(folder, 'objects.json');
      writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
      const location = join(schemas, '{{ .ResourceKind }}{{ .KindSuffix }}.json');
      const words = ['-strict', '-summary', '-output', 'json', '-schema-location', location, file];
      const said = spawnSync(join(tools, 'kubeconform'), words, { encoding: 'utf8' }).stdout;
      const { resources = [], summary } = JSON.parse(said) as {
        resources?: { name: string; msg: string }[];
        summary: { valid: number; invalid: number; errors: number; skipped: number };
      };
      return {
        valid: summary.valid,
        invalid: summary.invalid + summary.errors + summary.skipped,
        errors: resources.map(({ name, msg }) => `${name}: ${msg}`),
      };
    },
  };
}

interface Definition {
  'x-kubernetes-group-version-kind'?: object[];
  properties?: object;
  type?: unknown;
  additionalProperties?: boolean;
}

type Definitions = Record<string, Definition>;

/** The API document's definitions, in which unknown fields are errors. */
function strictDefinitions(text: string): Definitions {
  const { definitions } = JSON.parse(text) as { definitions: Definitions };
  return Object.fromEntries(
    Object.entries(definitions).map(([name, definition]) => [
      name,
      name.endsWith('.IntOrString')
        ? { type: ['integer', 'string'] }
        : { ...definition, ...(definition.properties && { additionalProperties: false }) },
    ]),
  );
}

/** Writes the schema of a kind, named as kubeconform looks it up. A kind may be unknown. */
function writeSchema(definitions: Definitions, folder: string, object: KubernetesObject): void {
  const [version, group = ''] = object.apiVersion.split('/').toReversed() as [string, string?];
  const kind = JSON.stringify({ group, kind: object.kind, version });
  const found = Object.entries(definitions).find(([, definition]) =>
    definition['x-kubernetes-group-version-kind']?.some((one) => JSON.stringify(one) === kind),
  );
  if (!found) return;
  const reached = new Set([found[0]]);
  for (const name of reached)
    for (const [, other] of JSON.stringify(definitions[name]).matchAll(
      /"#\/definitions\/([^"]+)"/g,
    ))
      reached.add(other!);
  const schema = {
    $ref: `#/definitions/${found[0]}`,
    definitions: Object.fromEntries([...reached].map((name) => [name, definitions[name]])),
  };
  const words = [object.kind, group.split('.')[0]!, version].filter(Boolean);
  writeFileSync(join(folder, `${words.join('-').toLowerCase()}.json`), JSON.stringify(schema));
}
