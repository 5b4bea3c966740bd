import { randomBytes, randomUUID, scrypt, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';
import { type AccountOptions, createAccounts } from '../../src/accounts/accounts.ts';
import type { PasswordHasher } from '../../src/accounts/passwords.ts';
import { createMail } from '../../src/accounts/mail.ts';
import { createSignInLimits } from '../../src/api/middleware/signInLimits.ts';
import { createLogger } from '../../src/log.ts';
import { createAudit } from '../../src/organizations/audit.ts';
import { createKeys } from '../../src/organizations/apiKeys.ts';
import { createOrganizations } from '../../src/organizations/organizations.ts';
import { type Overrides, type Reply, startApi, type TestApi } from './api.ts';
import { testDatabase } from './database.ts';

export const password = 'correct horse battery';

/** As scrypt is called for real, at a thousandth of its cost: tests sign in some hundred times. */
const cheap = async (text: string, salt = randomBytes(16).toString('hex')) => {
  const key = await promisify<string, string, number, ScryptOptions, Buffer>(scrypt)(
    text,
    salt,
    64,
    { N: 16, r: 16 },
  );
  return `${salt}:${key.toString('hex')}`;
};
const cheapPasswords: PasswordHasher = {
  hash: (text) => cheap(text),
  verify: async ({ hash, password }) => (await cheap(password, hash.split(':')[0])) === hash,
};

/** An address that nobody else in the tests has. */
export const anAddress = (name = 'ada') => `${name}-${randomUUID()}@example.com`;

/** Somebody's browser: it keeps cookies, and sends its page's origin with what it writes. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly #api: TestApi;
  readonly #origin: string;
  /** Fields of every request. */
  headers: Record<string, string> = {};

  constructor(api: TestApi, origin: string) {
    this.#api = api;
    this.#origin = origin;
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await this.#api.request(method, path, {
      redirect: 'manual',
      headers: {
        ...(cookie && { cookie }),
        ...(method !== 'GET' && { origin: this.#origin }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...this.headers,
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    for (const line of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return reply;
  }
  get = (path: string) => this.send('GET', path);
  post = (path: string, body: unknown = {}, headers = {}) => this.send('POST', path, body, headers);
  signIn = (email: string, secret = password) =>
    this.post('/auth/sign-in/email', { email, password: secret });
}

type Options = Partial<AccountOptions> & { app?: Overrides };

/** The API in front of real accounts in the test's database. */
export async function startPeople({ app = {}, ...options }: Options = {}) {
  const db = options.db ?? (await testDatabase());
  const logs: string[] = [];
  const log = createLogger('debug', { write: (line) => void logs.push(line) });
  const publicUrl = options.publicUrl ?? (() => new URL('https://api.example.com'));
  const accounts = createAccounts({
    db,
    secret: () => Promise.resolve(Buffer.alloc(32, 7)),
    signUp: 'invite',
    passwords: cheapPasswords,
    mail: createMail({ smtpUrl: undefined, from: undefined, log }),
    log,
    ...options,
    publicUrl,
  });
  const signInLimits = createSignInLimits(Buffer.alloc(32, 8));
  const keys = createKeys(db);
  const organizations = createOrganizations(db);
  const audit = createAudit(db);
  const api = await startApi({
    accounts,
    audit,
    signInLimits,
    keys,
    organizations,
    publicUrl,
    ...app,
  });
  const browser = () => new Browser(api, publicUrl().origin);

  return {
    api,
    db,
    audit,
    accounts,
    logs,
    browser,
    keys,
    organizations,
    signInLimits,
    /** A browser with the session of the owner of a new organization. */
    async owner(name = 'ada') {
      const { organizationId } = await organizations.create({ name: 'Acme' });
      const link = await accounts.links.first(organizationId);
      const person = browser();
      const email = anAddress(name);
      await person.post('/account/link', { token: link!.token, name: 'Ada', email, password });
      return { person, email, organizationId };
    },
    close: () => api.close(),
  };
}

export type People = Awaited<ReturnType<typeof startPeople>>;
