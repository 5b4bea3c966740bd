import { formatLabels, formatNames } from '../../sites/formats/paths.ts';
import { answer, body, optionalBody } from '../openapi/bodies.ts';
import { wrongBody } from '../openapi/commonErrors.ts';
import { jsonSchemaOf, namedSchemas } from '../openapi/jsonSchema.ts';
import type { Errors, JsonSchema, Operation, RoutesDescription } from '../openapi/operation.ts';
import { exampleSiteId, exampleTaskId } from '../openapi/parameters.ts';
import {
  arrayOf,
  booleanSchema,
  enumSchema,
  nullable,
  objectSchema,
  orNull,
  schemaRef,
  textSchema,
  time,
  unionSchema,
  urlSchema,
  uuidSchema,
} from '../openapi/schemas.ts';
import { exampleHost, hostSchemas, unusableHost, wrongHost } from './siteHost.openapi.ts';
import { embeddedHost, ownHost, ownHostParts } from './siteHost.schema.ts';
import {
  appCredential,
  author,
  changedRepository,
  checkBody,
  deployKeyCredential,
  newSiteBody,
  nothing,
  repository,
  siteChangeBody,
  tokenCredential,
} from './siteSettings.schema.ts';

const deployKeyId = '6a7c8a5e-4e0f-4f2b-9f0e-1a7f5b0d9c11';
const publicKey =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFbG3nZ0Qm1yq1b7mJ6hV0m8sX0b8QZ2v1c9Jk3u5n7W agent-tasks-6a7c8a5e';
const url = 'https://git.example/acme/site.git';
const credential = { type: 'token', token: 'a-token' };
const exampleSite = {
  siteId: exampleSiteId,
  name: 'Northwind',
  liveUrl: 'http://northwind.sites.localhost:3000/',
  deployment: {
    state: 'live',
    commit: '1f0c0de5b2a94d6cb6f3a0a7c9f2f4f5f6a7b8c9',
    taskId: exampleTaskId,
    at: '2026-11-21T07:00:24.120Z',
  },
  repository: { url, branch: 'main', root: '', access: 'token' },
  host: { type: 'embedded' },
  author: { name: 'Agent Tasks', email: 'agent-tasks@localhost' },
  createdAt: '2026-11-20T09:12:00.000Z',
  problem: null,
};
const exampleCheck = {
  ok: false,
  readable: true,
  pushable: false,
  branch: 'main',
  branches: ['main', 'next'],
  pages: 12,
  format: 'html',
  problems: [
    {
      code: 'push-denied',
      message:
        'The repository can be read, but takes no changes. Check that the token has not expired, and that it may write to this repository.',
    },
  ],
};

const wrongRepository: Errors = {
  400: {
    ...wrongBody('repository.url is required'),
    "The repository's address must start with https:// or ssh://":
      'The address can not be one of a repository.',
    'The branch must be a valid name of a git branch': 'No branch can have that name.',
    'Not a path inside a repository: "../x"': 'The folder can not be in a repository.',
    'A deploy key is for an ssh address, such as git@host:team/site.git: give an access token here':
      'The credential does not fit the address.',
    'An ssh address needs a deploy key: make one, or give the https address': 'There is none.',
    'The repository needs a url': 'The site had no repository before.',
    ...wrongHost,
  },
  409: {
    'The repository has no branch "next". Choose one of its branches: main.':
      'All that the check found, in words. Nothing was changed.',
    ...unusableHost,
    'The host git.example does not answer. Check the address, or try again in a minute.':
      'The same.',
    "The host's certificate is not trusted. Ask the host's operator to renew it, or use ssh.":
      'The same.',
    'There is no repository at this address. Check its spelling.': 'The same.',
    [`There are no ${formatLabels} pages in the repository.`]: 'The same.',
    "This service can't keep secrets: its operator must set SECRETS_KEYS":
      'It takes no private repositories yet.',
  },
  503: {
    'Service Unavailable': 'The repository could not be read within 4 minutes.',
    'Service Unavailable: the disk is nearly full': 'Ask again once the operator has made room.',
  },
};
const busy = {
  'Tasks of this site are running: wait for them, or cancel them':
    'They work on the repository that the site has.',
};
const answerOf = (description: string, schema: string, value: object) =>
  answer(description, schema, { answer: value });

const checkSite: Operation = {
  method: 'post',
  path: '/sites/check',
  operationId: 'checkRepository',
  least: 'admin',
  summary: 'Check a repository',
  description: [
    'Fetches it and looks at it, before a site is made of it. With a host of your own, it also tries at the forge what tasks',
    'will do, and looks at a deployment of the past. Nothing is kept, and nothing is changed there. With a `siteId`, what',
    'is absent is as the site has it: its credential too, for the same `url` only. Needs the role admin.',
    'No site is called `check`: other methods get a 405 with `Allow: POST`.',
  ].join('\n'),
  body: body('SiteCheckRequest', {
    body: { repository: { url, credential } },
    ownHost: { repository: { url, credential }, host: exampleHost },
  }),
  answers: { 200: answerOf('What was found.', 'RepositoryCheck', exampleCheck) },
  errors: {
    400: wrongRepository[400]!,
    404: { 'Site not found': 'Your organization has none of that `siteId`.' },
    503: wrongRepository[503]!,
  },
};

const createSite: Operation = {
  method: 'post',
  path: '/sites',
  operationId: 'createSite',
  least: 'admin',
  summary: 'Add a site',
  description: [
    'Checks the repository and the host first. What can not be used leaves no trace. The head of its branch goes live.',
    'With a host of your own, the answer has the secret for its webhooks, once. Needs the role admin.',
  ].join('\n'),
  body: body('SiteRequest', {
    body: { name: 'Northwind', repository: { url, credential } },
    ownHost: { name: 'Northwind', repository: { url, credential }, host: exampleHost },
  }),
  answers: { 201: answerOf('The site.', 'Site', exampleSite) },
  errors: {
    ...wrongRepository,
    404: { 'Deploy key not found': 'Your organization has none of that id.' },
    409: {
      ...wrongRepository[409],
      'The organization has 1000 sites already, those removed in the last 400 days included':
        'Ask the operator for more.',
    },
  },
};

const readSite: Operation = {
  method: 'get',
  path: '/sites/{siteId}',
  operationId: 'readSite',
  summary: 'Read a site',
  answers: { 200: answerOf('The site.', 'Site', exampleSite) },
};

const changeSite: Operation = {
  method: 'patch',
  path: '/sites/{siteId}',
  operationId: 'changeSite',
  least: 'admin',
  summary: 'Change a site',
  description: [
    'Absent fields stay as they are. A repository is checked first, as for a new site, and its host key is learned anew.',
    'With another `url`, the old credential is not used again; `credential: null` takes it away. With another `url`,',
    '`branch` or `root`, the head of the branch goes live. With a host of your own for the first time, the answer has the',
    'secret for its webhooks, once. Those of a repository that the operator added are theirs alone',
    'to change. Needs the role admin.',
  ].join('\n'),
  body: body('SiteChange', {
    body: { name: 'Northwind Web', repository: { branch: 'next' } },
  }),
  answers: {
    200: answerOf('The site as it is now.', 'Site', { ...exampleSite, name: 'Northwind Web' }),
  },
  errors: {
    ...wrongRepository,
    404: { 'Deploy key not found': 'Your organization has none of that id.' },
    409: {
      'The operator added this repository: only they can change its branch and folder':
        'It was not added over HTTP: what else it has may be for others.',
      ...wrongRepository[409],
      ...busy,
    },
  },
};

const deleteSite: Operation = {
  method: 'delete',
  path: '/sites/{siteId}',
  operationId: 'deleteSite',
  least: 'admin',
  summary: 'Remove a site',
  description: [
    'Takes the site offline, and removes its credential and the copies of its repository here. The repository stays as',
    'it is. Its host answers 410. For 400 days only your organization gets its host name again, for a site of the same',
    'name. Needs the role admin.',
  ].join('\n'),
  answers: { 204: { description: 'It is gone.' } },
  errors: { 409: busy },
};

const renewWebhookSecret: Operation = {
  method: 'post',
  path: '/sites/{siteId}/webhook-secret',
  operationId: 'renewWebhookSecret',
  least: 'admin',
  summary: 'Make a new webhook secret',
  description:
    'For the webhooks that the forge sends to `host.webhookUrl`. The secret before ends at once. Needs the role admin.',
  body: optionalBody('EmptyRequest', { body: {} }),
  answers: {
    200: answerOf('The new secret. Nothing shows it again.', 'WebhookSecret', {
      webhookSecret: `whf_${'A'.repeat(43)}`,
    }),
  },
  errors: {
    400: { 'Invalid request body: siteId is not allowed': 'The body has no fields.' },
    409: { 'The site has no host of its own': 'Nothing would use it.' },
  },
};

const createDeployKey: Operation = {
  method: 'post',
  path: '/deploy-keys',
  operationId: 'createDeployKey',
  least: 'admin',
  summary: 'Make a deploy key',
  description:
    'An ed25519 key of which you get the public half. Add that to your repository with write access, then name the key as the credential of a site. One that no site uses goes after a day. Needs the role admin.',
  body: optionalBody('EmptyRequest', { body: {} }),
  answers: {
    201: answerOf('The key.', 'DeployKey', {
      deployKeyId,
      publicKey,
      fingerprint: 'SHA256:jq1p0b5QwSx3kYxD7Jm9mB4c7m0b9l2wq3Q4y5z6A7B',
    }),
  },
  errors: {
    400: { 'Invalid request body: siteId is not allowed': 'The body has no fields.' },
    409: {
      "This service can't keep secrets: its operator must set SECRETS_KEYS":
        'It has no key for them.',
      'The organization has 100 deploy keys that no site uses: use one, or wait a day':
        'Those go after a day.',
    },
  },
};

/** With one pattern for the name. Joi writes two, as an `allOf` that generators can't read. */
function authorRequest(): JsonSchema {
  const { properties, ...schema } = jsonSchemaOf(author) as {
    properties: Record<'name' | 'email', JsonSchema>;
  };
  const { type, maxLength } = properties.name;
  const name = { type, maxLength, pattern: '^\\s*[^<>\\s][^<>]*$' };
  return { ...schema, properties: { ...properties, name } };
}

export const siteSettings: RoutesDescription = {
  tag: { name: 'Site settings', description: 'Which sites there are, and where their pages live.' },
  schemas: {
    SiteRequest: jsonSchemaOf(newSiteBody),
    SiteChange: jsonSchemaOf(siteChangeBody),
    SiteCheckRequest: jsonSchemaOf(checkBody),
    EmptyRequest: jsonSchemaOf(nothing),
    ...namedSchemas(repository, changedRepository),
    SiteAuthorRequest: authorRequest(),
    ...namedSchemas(tokenCredential, appCredential, deployKeyCredential),
    RepositoryCredential: unionSchema(
      'type',
      {
        token: 'TokenCredential',
        'github-app': 'GitHubAppCredential',
        'deploy-key': 'DeployKeyCredential',
      },
      'What lets the service in. Never shown again.',
    ),
    SiteHostRequest: unionSchema('type', {
      embedded: 'EmbeddedHostRequest',
      own: 'OwnHostRequest',
    }),
    ...namedSchemas(embeddedHost, ownHost, ...ownHostParts),
    PageFormat: enumSchema(formatNames),
    ...hostSchemas,
    Site: objectSchema({
      siteId: uuidSchema(),
      name: textSchema('Its name.'),
      liveUrl: orNull(urlSchema('Null where nothing is live yet.')),
      deployment: nullable(
        schemaRef('SiteDeployment'),
        'The last production deployment; null before the first one.',
      ),
      repository: nullable(schemaRef('SiteRepository'), 'Null: it has none.'),
      host: schemaRef('SiteHost'),
      author: schemaRef('SiteAuthor'),
      createdAt: time,
      problem: orNull(
        textSchema('What went wrong at the repository last, in words. Null while all is well.'),
      ),
      'webhookSecret?': textSchema('Only in the answer that made it.'),
    }),
    SiteAuthor: objectSchema({
      name: textSchema('Of commits.'),
      email: textSchema('Of commits.'),
    }),
    SiteRepository: objectSchema({
      url: textSchema('Its address; `local` for one on the machine of the service.'),
      branch: textSchema('The production branch.'),
      root: textSchema('The folder of the pages; empty for the whole repository.'),
      access: enumSchema(
        ['open', 'token', 'github-app', 'deploy-key'],
        'What lets the service in.',
      ),
      'publicKey?': textSchema('Of the deploy key, as a line of authorized_keys.'),
    }),
    RepositoryCheck: objectSchema({
      ok: booleanSchema('Whether it can be a site.'),
      readable: booleanSchema('Whether the service can read it.'),
      pushable: booleanSchema(
        'Whether it takes pushes. What its hooks refuse shows at the first publish only.',
      ),
      branch: orNull(textSchema('The branch that would be used; null where there is none.')),
      branches: arrayOf({ type: 'string' }, 'Its branches, 200 at most.'),
      pages: orNull({
        type: 'integer',
        description: 'How many pages are in the folder; null where that is unknown.',
      }),
      format: nullable(schemaRef('PageFormat'), 'What the pages are; null where there are none.'),
      problems: arrayOf(schemaRef('SiteFinding'), 'Empty where all is well.'),
      'host?': schemaRef('HostCheck'),
    }),
    DeployKey: objectSchema({
      deployKeyId: uuidSchema(),
      publicKey: textSchema('A line of authorized_keys.'),
      fingerprint: textSchema('As hosts of repositories show it.'),
    }),
  },
  operations: [
    checkSite,
    createSite,
    readSite,
    changeSite,
    deleteSite,
    renewWebhookSecret,
    createDeployKey,
  ],
};
