import { expect } from 'chai';
import type { AnySchema } from 'joi';
import * as accounts from '../../src/api/routes/account/account.schema.ts';
import { newKeyBody } from '../../src/api/routes/organization/keys.schema.ts';
import {
  invitationBody,
  organizationChangeBody,
} from '../../src/api/routes/organization/people.schema.ts';
import { newSiteBody, siteChangeBody } from '../../src/api/routes/sites/siteSettings.schema.ts';
import {
  followUpBody,
  generatePagesTaskBody,
  promptTaskBody,
} from '../../src/api/routes/tasks/tasks.schema.ts';
import { openapiDocument } from '../../src/api/openapi.ts';
import { keyCommands } from '../../src/cli/keyCommands.ts';
import { organizationCommands } from '../../src/cli/organizationCommands.ts';
import { siteCommands } from '../../src/cli/siteCommands.ts';
import { userCommands } from '../../src/cli/userCommands.ts';

const optionsOf = (commands: { name: string; options: AnySchema }[], name: string) =>
  commands.find((command) => command.name === name)!.options;

const signUp = accounts.authBodies['/auth/sign-up/email'];
const organizationCreate = optionsOf(organizationCommands, 'organization create');
const siteCreate = optionsOf(siteCommands, 'site create');

/** Every place where a name comes in: the schema, and the path of the field. */
const names: [string, AnySchema, string][] = [
  ['POST /auth/sign-up/email', signUp, 'name'],
  ['POST /account/link', accounts.linkBody, 'name'],
  ['POST /account/link', accounts.linkBody, 'organization'],
  ['POST /account/organizations', accounts.organizationBody, 'name'],
  ['PATCH /organization', organizationChangeBody, 'name'],
  ['POST /keys', newKeyBody, 'name'],
  ['POST /sites', newSiteBody, 'name'],
  ['POST /sites', newSiteBody, 'author.name'],
  ['PATCH /sites/{siteId}', siteChangeBody, 'name'],
  ['PATCH /sites/{siteId}', siteChangeBody, 'author.name'],
  ['POST /agent/tasks', promptTaskBody, 'title'],
  ['POST /agent/tasks', generatePagesTaskBody, 'title'],
  ['POST /agent/tasks', generatePagesTaskBody, 'items.0.externalId'],
  ['POST /agent/tasks/{taskId}/publish', followUpBody, 'title'],
  ['POST /agent/tasks/{taskId}/retry', followUpBody, 'title'],
  ['cli', organizationCreate, 'name'],
  ['cli', optionsOf(keyCommands, 'key create'), 'name'],
  ['cli', siteCreate, 'name'],
  ['cli', siteCreate, 'authorName'],
];
/** Those that letters carry: of people and organizations. */
const mailed = names.filter(
  ([where, schema, path]) =>
    /\/(auth|account|organization)/.test(where) ||
    (schema === organizationCreate && path === 'name'),
);

const addresses: [string, AnySchema, string][] = [
  ['POST /auth/sign-up/email', signUp, 'email'],
  ['POST /account/link', accounts.linkBody, 'email'],
  ['POST /invitations', invitationBody, 'email'],
  ['POST /sites', newSiteBody, 'author.email'],
  ['PATCH /sites/{siteId}', siteChangeBody, 'author.email'],
  ['cli', optionsOf(userCommands, 'user link'), 'email'],
  ['cli', siteCreate, 'authorEmail'],
];

/** `{ author: { name: value } }` for `author.name`. */
function bodyWith(path: string, value: unknown): unknown {
  const [first = '', ...rest] = path.split('.');
  const inner = rest.length > 0 ? bodyWith(rest.join('.'), value) : value;
  return /^\d+$/.test(first) ? [inner] : { [first]: inner };
}

/** What a schema says of this one field; others may be missing. */
function problemsOf(schema: AnySchema, path: string, value: unknown): string[] {
  const { error } = schema.validate(bodyWith(path, value), { abortEarly: false, convert: false });
  const said = error?.details.filter((detail) => detail.path.join('.') === path) ?? [];
  return said.map(({ message }) => message);
}

const hidden = ['\u202e', '\u200b', '\u200d', '\u2066', '\ufeff', '\u00ad', '\u{e0041}'];
const control = ['\n', '\r', '\t', '\0', '\x7f', '\u2028'];

describe('names in requests', () => {
  for (const [where, schema, path] of names)
    it(`${path} of ${where} rejects invisible, direction and control characters`, () => {
      expect(problemsOf(schema, path, 'Ada & Söhne 日本 علی\u200cرضا')).to.deep.equal([]);
      for (const one of [...hidden, ...control])
        for (const name of [`${one}Acme`, `Ac${one}me`, `Acme${one}`])
          expect(problemsOf(schema, path, name), JSON.stringify(name)).to.not.deep.equal([]);
    });

  for (const [where, schema, path] of mailed)
    it(`${path} of ${where}, which appears in e-mails, rejects URLs`, () => {
      for (const name of ['evil.test', 'Pay at https://evil', 'a@evil.test', 'ｅｖｉｌ．ｔｅｓｔ'])
        expect(problemsOf(schema, path, name).join(), name).to.include(
          'must not contain a web address',
        );
    });

  for (const [where, schema, path] of addresses)
    it(`${path} of ${where} rejects invisible characters`, () => {
      expect(problemsOf(schema, path, 'ada@example.com')).to.deep.equal([]);
      for (const one of [...hidden, ...control])
        for (const address of [
          `${one}ada@example.com`,
          `a${one}da@example.com`,
          `ada@exa${one}mple.com`,
        ])
          expect(problemsOf(schema, path, address), JSON.stringify(address)).to.not.deep.equal([]);
    });

  it('exist in no other request', () => {
    const { paths } = openapiDocument({ publicUrl: 'https://api.example.com', retentionDays: 30 });
    const known = new Set(names.map(([where, , path]) => `${where} ${path}`));
    const found: string[] = [];
    for (const [path, item] of Object.entries(paths))
      for (const [method, operation] of Object.entries(item as Record<string, object>)) {
        const { requestBody } = operation as { requestBody?: object };
        const fields = JSON.stringify(requestBody ?? {}).matchAll(
          /"(name|title|label|externalId)":\{/g,
        );
        for (const [, field] of fields) found.push(`${method.toUpperCase()} ${path} ${field}`);
      }
    expect(found).to.not.deep.equal([]);
    const unknown = found.filter((one) => {
      const [method, path, field] = one.split(' ');
      return ![...known].some(
        (name) => name.startsWith(`${method} ${path} `) && name.endsWith(field!),
      );
    });
    expect(unknown).to.deep.equal([]);
  });
});
