import { randomBytes, randomUUID } from 'node:crypto';
import { Agent, fetch } from 'undici';

/** Somebody with an account. */
export interface GiteaUser {
  name: string;
  password: string;
  /** May do all that the user may. */
  token: string;
}

export interface GiteaRepository {
  /** `owner/name` */
  path: string;
  /** For git, without a token. */
  url: string;
  owner: GiteaUser;
  /** Its only branch. */
  branch: string;
  /** The commit of its files. */
  commit: string;
}

export interface GiteaAnswer<Body> {
  status: number;
  body: Body;
}

/** What tests ask of Gitea beside git: its API, https://docs.gitea.com/api/. */
export interface GiteaClient {
  /**
   * One request to the API.
   * @param token null: nobody's
   * @param route such as `GET /repos/team/site/pulls`
   */
  ask<Body = unknown>(
    token: string | null,
    route: string,
    body?: object,
  ): Promise<GiteaAnswer<Body>>;
  /** @param name default: one that nobody has */
  createUser(name?: string): Promise<GiteaUser>;
  /** @param scopes such as `write:repository`, `read:user` */
  createToken(user: GiteaUser, scopes: string[]): Promise<string>;
  /**
   * A repository with one commit, which everybody may read only with `isPrivate: false`.
   * @param files by path
   */
  createRepository(
    owner: GiteaUser,
    files: Record<string, string>,
    options?: { name?: string; isPrivate?: boolean },
  ): Promise<GiteaRepository>;
  /** @param rules over `enable_push: false`: nobody may push to it */
  protectBranch(repository: GiteaRepository, branch: string, rules?: object): Promise<void>;
  /** @returns its id */
  createWebhook(
    repository: GiteaRepository,
    hook: { url: string; secret: string; events?: string[] },
  ): Promise<number>;
}

/** @param ca of its certificate, in PEM; undefined: of the system */
export function giteaClient(url: string, admin: GiteaUser, ca: string | undefined): GiteaClient {
  const dispatcher = new Agent({ connect: { ca } });

  async function send(authorization: string | null, route: string, body?: object) {
    const [method, path] = route.split(' ') as [string, string];
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      dispatcher,
      headers: {
        'content-type': 'application/json',
        ...(authorization !== null && { authorization }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    return { status: response.status, body: isJson && text ? (JSON.parse(text) as unknown) : text };
  }

  /** What must succeed. */
  async function made<Body>(authorization: string, route: string, body: object): Promise<Body> {
    const answer = await send(authorization, route, body);
    if (answer.status >= 300)
      throw new Error(`${route}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as Body;
  }

  async function createToken({ name, password }: GiteaUser, scopes: string[]): Promise<string> {
    const basic = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
    const token = { name: randomUUID(), scopes };
    return (await made<{ sha1: string }>(basic, `POST /users/${name}/tokens`, token)).sha1;
  }

  return {
    ask: async <Body>(token: string | null, route: string, body?: object) =>
      (await send(token && bearer(token), route, body)) as GiteaAnswer<Body>,
    createToken,
    async createUser(name = `user-${randomBytes(4).toString('hex')}`) {
      const user = { name, password: randomUUID(), token: '' };
      await made(bearer(admin.token), 'POST /admin/users', {
        username: name,
        password: user.password,
        email: `${name}@forge.example`,
        must_change_password: false,
      });
      return { ...user, token: await createToken(user, ['all']) };
    },
    async createRepository(
      owner,
      files,
      { name = `site-${randomBytes(4).toString('hex')}`, isPrivate = true } = {},
    ) {
      const [path, branch] = [`${owner.name}/${name}`, 'main'];
      const settings = { name, private: isPrivate, default_branch: branch };
      await made(bearer(owner.token), 'POST /user/repos', settings);
      const { commit } = await made<{ commit: { sha: string } }>(
        bearer(owner.token),
        `POST /repos/${path}/contents`,
        { branch, message: 'Add the site', files: Object.entries(files).map(toCreate) },
      );
      return { path, url: `${url}/${path}.git`, owner, branch, commit: commit.sha };
    },
    async protectBranch({ path, owner }, branch, rules = {}) {
      const rule = { rule_name: branch, enable_push: false, ...rules };
      await made(bearer(owner.token), `POST /repos/${path}/branch_protections`, rule);
    },
    async createWebhook({ path, owner }, { url: target, secret, events = ['push'] }) {
      const config = { url: target, content_type: 'json', secret };
      const hook = { type: 'gitea', config, events, active: true };
      const made_ = await made<{ id: number }>(
        bearer(owner.token),
        `POST /repos/${path}/hooks`,
        hook,
      );
      return made_.id;
    },
  };
}

const bearer = (token: string) => `token ${token}`;

const toCreate = ([path, content]: [string, string]) => ({
  operation: 'create',
  path,
  content: Buffer.from(content).toString('base64'),
});
