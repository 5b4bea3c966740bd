// Takes long: builds kubeconform.
import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkTopology, readConfig, settingsSchema } from '../../src/config.ts';
import { checkDomains } from '../../src/hosting/hosts.ts';
import { type ChartTools, type KubernetesObject, openChartTools } from '../helpers/chart/chart.ts';
import { needProgram } from '../helpers/programs.ts';

const minimal = {
  image: { repository: 'registry.example.com/agent-tasks' },
  publicUrl: 'https://api.example.com',
  sitesDomain: 'acme-sites.example',
  previewDomain: 'acme-previews.example',
  temporal: { address: 'temporal.temporal:7233' },
  secrets: { name: 'agent-tasks' },
};

/** Temporal Cloud with mTLS, models, an ingress, mail, keys of ssh. */
const full = {
  ...minimal,
  image: { ...minimal.image, tag: '0.1.0-rc.1', pullPolicy: 'Always' },
  imagePullSecrets: ['registry'],
  temporal: {
    address: 'agent-tasks.a1b2c.tmprl.cloud:7233',
    namespace: 'agent-tasks.a1b2c',
    tls: { secretName: 'temporal-client', hasServerCa: true },
  },
  secrets: { name: 'agent-tasks', workerName: 'models' },
  settings: {
    AGENT_MODEL: 'anthropic/claude-sonnet-5',
    TASKS_IN_FLIGHT: 500,
    ENCRYPT_PAYLOADS: true,
    TRUST_PROXY: '10.0.0.0/8',
    MAIL_FROM: 'Agent Tasks <tasks@example.com>',
  },
  ingress: {
    enabled: true,
    className: 'nginx',
    annotations: { 'nginx.ingress.kubernetes.io/proxy-buffering': 'off' },
    tlsSecretName: 'wildcards',
  },
  volumes: [{ name: 'ssh', secret: { secretName: 'ssh', defaultMode: 0o400 } }],
  volumeMounts: [{ name: 'ssh', mountPath: '/home/node/.ssh', readOnly: true }],
  podAnnotations: { 'prometheus.io/scrape': 'true', 'prometheus.io/port': '9464' },
  nodeSelector: { 'kubernetes.io/arch': 'amd64' },
  tolerations: [{ key: 'tasks', operator: 'Exists', effect: 'NoSchedule' }],
};

/** One process of each kind, with little memory and disk. */
const small = {
  ...minimal,
  api: { replicas: 1, resources: {} },
  worker: { replicas: 1, resources: { limits: { memory: '2Gi' } } },
  dataSize: '500Mi',
};

const secretValues = {
  DATABASE_URL: 'postgres://agent_tasks:secret1@db.example.com/agent_tasks',
  SECRETS_KEYS: `one:${Buffer.alloc(32, 1).toString('base64')}`,
  ANTHROPIC_API_KEY: 'secret1',
};

interface Container {
  name: string;
  image: string;
  command?: string[];
  env: { name: string; value: string }[];
  envFrom: { secretRef: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  securityContext: Record<string, unknown>;
  volumeMounts: { name: string; mountPath: string }[];
  [probe: string]: unknown;
}

interface PodTemplate {
  metadata: { labels: Record<string, string> };
  spec: {
    containers: [Container];
    volumes: { name: string }[];
    securityContext: Record<string, unknown>;
    terminationGracePeriodSeconds?: number;
  };
}

const templateOf = (object: KubernetesObject) => object.spec['template'] as PodTemplate;
const containerOf = (object: KubernetesObject) => templateOf(object).spec.containers[0];
const ofKind = (objects: KubernetesObject[], kind: string) =>
  objects.filter((object) => object.kind === kind);
const variablesOf = ({ env }: Container) =>
  Object.fromEntries(env.map(({ name, value }) => [name, value]));
const selects = (selector: object, { metadata }: PodTemplate) =>
  Object.entries(selector).every(([name, value]) => metadata.labels[name] === value);

describe('the chart of Kubernetes', function () {
  this.timeout(900_000);
  let folder: string;
  let tools: ChartTools;
  before(async function () {
    needProgram(this, 'tools of charts');
    folder = mkdtempSync(join(tmpdir(), 'agent-tasks-test-'));
    tools = await openChartTools(folder);
  });
  after(() => folder && rmSync(folder, { recursive: true, force: true }));

  for (const [name, values, count] of [
    ['required values only', minimal, 6],
    ['all values', full, 7],
    ['one small process of each kind', small, 6],
  ] as const)
    describe(`with ${name}`, () => {
      let objects: KubernetesObject[];
      before(async () => (objects = await tools.render(values)));
      const deployments = () => ofKind(objects, 'Deployment');
      const pods = () => [...deployments(), ...ofKind(objects, 'Job')];

      it('has nothing that helm lint complains about', () => tools.lint(values));

      it('has objects that Kubernetes accepts, without unknown fields', async () => {
        expect(await tools.validate(objects)).to.deep.equal({
          valid: count,
          invalid: 0,
          errors: [],
        });
      });

      it('sets variables that the service accepts, and no secret', () => {
        const known = Object.keys(settingsSchema.describe().keys as object);
        for (const container of deployments().map(containerOf)) {
          const variables = variablesOf(container);
          const own = Object.keys(variables).filter((name) => !name.startsWith('TEMPORAL_TLS_'));
          expect(known).to.include.members(own);
          const config = readConfig({ ...variables, ...secretValues });
          checkTopology(config);
          checkDomains(config);
          expect([config.production, config.role]).to.deep.equal([true, container.name]);
          expect(Object.keys(variables)).to.not.include.members(Object.keys(secretValues));
        }
      });

      it('gives the keys of models to workers only', () => {
        const secretsOf = (container: Container) =>
          container.envFrom.map(({ secretRef }) => secretRef.name);
        const workerSecrets = 'workerName' in values.secrets ? ['models'] : [];
        const [api, worker] = deployments().map(containerOf);
        expect([secretsOf(api!), secretsOf(worker!)]).to.deep.equal([
          ['agent-tasks'],
          ['agent-tasks', ...workerSecrets],
        ]);
      });

      it('runs one image, as a user without rights, on a file system that it can only read', () => {
        const { repository, tag = '0.1.0' } = values.image as { repository: string; tag?: string };
        for (const object of pods()) {
          const container = containerOf(object);
          expect(container.image).to.equal(`${repository}:${tag}`);
          expect(templateOf(object).spec.securityContext).to.include({
            runAsNonRoot: true,
            runAsUser: 1000,
          });
          expect(container.securityContext).to.deep.equal({
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          });
          const places = container.volumeMounts.map(({ mountPath }) => mountPath);
          expect(places).to.include.members(['/tmp', '/app/.cache']);
          expect(templateOf(object).spec.volumes.map((volume) => volume.name)).to.include.members(
            container.volumeMounts.map((mount) => mount.name),
          );
        }
      });

      it('probes ports that its processes open', () => {
        for (const container of deployments().map(containerOf)) {
          const ports = container.ports!.map((port) => port.name);
          for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
            const { httpGet } = container[probe] as { httpGet: { port: string } };
            expect(ports).to.include(httpGet.port);
          }
        }
      });

      it('lets a drained node stop one process of each kind at a time', () => {
        for (const deployment of deployments()) {
          const budgets = ofKind(objects, 'PodDisruptionBudget').filter(({ spec }) =>
            selects(
              (spec['selector'] as { matchLabels: object }).matchLabels,
              templateOf(deployment),
            ),
          );
          expect(budgets.map(({ spec }) => spec['maxUnavailable'])).to.deep.equal([1]);
          const { matchLabels } = deployment.spec['selector'] as { matchLabels: object };
          expect(selects(matchLabels, templateOf(deployment))).to.equal(true);
        }
      });

      it('sends requests to the API only', () => {
        const [service] = ofKind(objects, 'Service');
        const reached = pods().filter((pod) =>
          selects(service!.spec['selector'] as object, templateOf(pod)),
        );
        expect(reached.map((pod) => containerOf(pod).name)).to.deep.equal(['api']);
      });

      it('sets up Temporal before the processes start', () => {
        const [job] = ofKind(objects, 'Job');
        expect(job!.metadata.annotations).to.include({ 'helm.sh/hook': 'pre-install,pre-upgrade' });
        expect(containerOf(job!).command).to.deep.equal([
          'node',
          'src/cli.ts',
          'temporal',
          'setup',
        ]);
        const { TEMPORAL_ADDRESS } = variablesOf(containerOf(job!));
        expect(TEMPORAL_ADDRESS).to.equal(values.temporal.address);
      });
    });

  it('sends the hosts of the API, of live sites and of previews to the API', async () => {
    const [ingress] = ofKind(await tools.render(full), 'Ingress');
    const rules = ingress!.spec['rules'] as { host: string }[];
    expect(rules.map(({ host }) => host)).to.deep.equal([
      'api.example.com',
      '*.acme-sites.example',
      '*.acme-previews.example',
    ]);
  });

  for (const [name, values, message] of [
    ['no image', { image: {} }, /image.*repository/],
    ['no secret', { secrets: { name: '' } }, /secrets\.name/],
    ['a public URL without TLS', { publicUrl: 'http://api.example.com' }, /publicUrl/],
    [
      'a Temporal server without a port',
      { temporal: { address: 'temporal' } },
      /temporal\.address/,
    ],
    ['a misspelled value', { workers: 3 }, /workers/],
    ['a secret among the settings', { settings: { DATABASE_URL: 'x' } }, /settings/],
    ['a setting that the chart sets', { settings: { ROLE: 'all' } }, /settings/],
  ] as const)
    it(`refuses ${name}, and names it`, async () => {
      const error = await tools.render({ ...minimal, ...values }).then(
        () => null,
        (reason: unknown) => reason,
      );
      expect(String(error)).to.match(message);
    });

  it('would be reported with a field that Kubernetes does not know, or of a wrong type', async () => {
    const objects = await tools.render(minimal);
    const [api] = ofKind(objects, 'Deployment');
    for (const spec of [
      { ...api!.spec, replica: 2 },
      { ...api!.spec, replicas: 'two' },
    ])
      expect(await tools.validate([{ ...api!, spec }])).to.include({ valid: 0, invalid: 1 });
  });
});
