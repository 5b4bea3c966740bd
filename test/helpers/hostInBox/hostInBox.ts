import { createHmac, randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Authority } from '../certificates.ts';
import { temporaryFolder } from '../database.ts';
import type { GiteaRepository } from '../gitea/client.ts';
import type { Gitea } from '../gitea/gitea.ts';
import { until } from '../until.ts';
import { buildSite, checkOut, findGenerator } from './buildSite.ts';
import { type Deployment, type Deployments, listen, startDeployments } from './deployments.ts';

/** What follows a deleted branch. */
const NO_COMMIT = /^0+$/;
/** Of its statuses at the forge. */
const contexts = { preview: 'host-in-box/preview', production: 'host-in-box/production' };

/** How a host treats pushes to a branch. By default it builds at once. */
export interface Conduct {
  /** It begins to build when this has resolved. */
  after?: Promise<unknown>;
  /** It builds, and reports nothing to the forge. */
  isSilent?: boolean;
  /** The build fails. One of a page that the generator can't read fails by itself. */
  fails?: boolean;
  /** It neither builds nor reports. */
  skips?: boolean;
  /** So many requests to a new deployment are answered as before it. */
  staleAnswers?: number;
}

export interface Build {
  branch: string;
  commit: string;
  state: 'pending' | 'success' | 'failure' | 'skipped';
  /** Of the whole build, from the webhook on; 0 before its end. */
  ms: number;
  /** What the generator said. */
  log: string;
}

/**
 * A host that builds a repository's branches, and serves each at its own address. It runs
 * Eleventy or Astro on a site that has its configuration, and serves the files of others as they
 * are, as hosts do that have no build command.
 */
export interface HostInBox {
  /** Of each push, the oldest first. */
  builds: Build[];
  /** How many requests came to the webhook without the forge's signature. */
  refused: () => number;
  webhookUrl: string;
  contexts: typeof contexts;
  /** The production branch's address, with no page before its first build. */
  productionUrl: string;
  /** Of all its addresses, with ports. */
  hosts: string[];
  /** A branch's address, without a slash at its end; undefined before its first push. */
  previewUrl(branch: string): string | undefined;
  /** From now on, at pushes to the branch. */
  behave(branch: string, conduct: Conduct): void;
  /** Waits for the build of a commit to end. */
  built(commit: string): Promise<Build>;
  close(): Promise<void>;
}

interface Push {
  ref: string;
  after: string;
}

/**
 * Connects a host to a repository at Gitea: makes its token and its webhook there. It builds each
 * branch at the next push to it.
 * @param authority of Gitea where it serves https; the host then does too
 */
export async function startHostInBox(
  gitea: Gitea,
  repository: GiteaRepository,
  authority?: Authority,
): Promise<HostInBox> {
  const folder = temporaryFolder();
  const ca = authority && join(folder.path, 'ca.pem');
  if (authority) writeFileSync(ca!, authority.ca);
  const certificate = await authority?.issue({ ip: ['127.0.0.1'] });
  const host = new Host({
    gitea,
    repository,
    token: await gitea.createToken(repository.owner, ['write:repository']),
    folder: folder.path,
    ca,
    addresses: await startDeployments(certificate),
  });
  const { production, hosts } = host.place.addresses;
  const server = await listen(host.answer, certificate);
  host.url = server.url;
  const webhookUrl = `${server.url}/webhook`;
  await gitea.createWebhook(repository, { url: webhookUrl, secret: host.secret });
  return {
    builds: host.builds,
    refused: () => host.refused,
    webhookUrl,
    contexts,
    productionUrl: production.url,
    hosts,
    previewUrl: (branch) => host.deployments.get(branch)?.url,
    behave: (branch, conduct) => void host.conducts.set(branch, conduct),
    built: (commit) =>
      until(`the build of ${commit}`, () =>
        host.builds.find((build) => build.commit === commit && build.state !== 'pending'),
      ),
    async close() {
      await server.close();
      await Promise.all(host.last.values());
      await host.place.addresses.close();
      folder.remove();
    },
  };
}

interface Place {
  gitea: Gitea;
  repository: GiteaRepository;
  /** The host's own. */
  token: string;
  folder: string;
  /** File of the forge's authority; undefined: the system's. */
  ca: string | undefined;
  addresses: Deployments;
}

class Host {
  readonly place: Place;
  readonly secret = randomUUID();
  readonly builds: Build[] = [];
  readonly deployments = new Map<string, Deployment>();
  url = '';
  refused = 0;
  readonly conducts = new Map<string, Conduct>();
  /** The last build of each branch: the next one begins after it. */
  readonly last = new Map<string, Promise<void>>();

  constructor(place: Place) {
    this.place = place;
  }

  readonly answer: RequestListener = (request, response) => {
    const [, number] = /^\/logs\/(\d+)$/.exec(request.url ?? '') ?? [];
    if (request.method === 'GET' && number)
      return void response.end(this.builds[Number(number)]?.log ?? '');
    void text(request).then((body) => {
      const isSigned = signatureOf(this.secret, body) === request.headers['x-gitea-signature'];
      response.writeHead(isSigned ? 204 : 401).end();
      if (isSigned) this.receive(JSON.parse(body) as Push);
      else this.refused++;
    });
  };

  receive({ ref, after: commit }: Push): void {
    const [, branch] = /^refs\/heads\/(.+)$/.exec(ref) ?? [];
    if (branch === undefined || NO_COMMIT.test(commit)) return;
    const conduct = this.conducts.get(branch) ?? {};
    const state = conduct.skips ? 'skipped' : 'pending';
    const build: Build = { branch, commit, state, ms: 0, log: '' };
    this.builds.push(build);
    if (conduct.skips) return;
    const before = this.last.get(branch) ?? Promise.resolve();
    this.last.set(
      branch,
      before.then(() => this.make(build, conduct)),
    );
  }

  /** The address of a branch, made at its first push. */
  deploymentOf(branch: string): Deployment {
    const known = this.deployments.get(branch);
    if (known) return known;
    const { repository, addresses } = this.place;
    const made = branch === repository.branch ? addresses.production : addresses.preview(branch);
    this.deployments.set(branch, made);
    return made;
  }

  async make(build: Build, conduct: Conduct): Promise<void> {
    const began = performance.now();
    const logUrl = `${this.url}/logs/${this.builds.indexOf(build)}`;
    const deployment = this.deploymentOf(build.branch);
    const report = (state: string, url: string) =>
      conduct.isSilent ? Promise.resolve() : this.report(build, state, url);
    await report('pending', logUrl);
    await conduct.after;
    try {
      deployment.show(await this.files(build, conduct), conduct.staleAnswers ?? 0);
      await report('success', `${deployment.url}/`);
      build.state = 'success';
    } catch (error) {
      build.log += String(error);
      await report('failure', logUrl);
      build.state = 'failure';
    }
    build.ms = performance.now() - began;
  }

  /** The folder of what the generator made of a commit, or of the commit's own files. */
  async files(build: Build, { fails }: Conduct): Promise<string> {
    const { repository, token, folder, ca } = this.place;
    const name = join(folder, String(this.builds.indexOf(build)));
    const [source, output] = [`${name}.source`, `${name}.output`];
    mkdirSync(source);
    const url = repository.url.replace('://', `://${repository.owner.name}:${token}@`);
    await checkOut({ url, commit: build.commit, ca }, source);
    if (fails) throw new Error('This host was told to fail');
    const generator = findGenerator(source);
    if (!generator) return source;
    build.log += await buildSite(source, generator, output);
    return output;
  }

  async report({ commit, branch }: Build, state: string, url: string): Promise<void> {
    const { gitea, repository, token } = this.place;
    const context = branch === repository.branch ? contexts.production : contexts.preview;
    const route = `POST /repos/${repository.path}/statuses/${commit}`;
    const { status } = await gitea.ask(token, route, { state, context, target_url: url });
    if (status !== 201) console.error(`      The host's report was answered with ${status}`);
  }
}

const signatureOf = (secret: string, body: string) =>
  createHmac('sha256', secret).update(body).digest('hex');
