import type { Errors } from '../openapi/operation.ts';
import {
  arrayOf,
  booleanSchema,
  commitSchema,
  constant,
  countSchema,
  enumSchema,
  nullable,
  objectSchema,
  orNull,
  schemaRef,
  textSchema,
  unionSchema,
  urlSchema,
} from '../openapi/schemas.ts';

const names = (description: string) => arrayOf({ type: 'string' }, description);
const findings = (description: string) => arrayOf(schemaRef('SiteFinding'), description);

/** What serves a site, and what the check of a team's own host found. */
export const hostSchemas = {
  SiteHost: unionSchema(
    'type',
    { embedded: 'EmbeddedHost', own: 'OwnHost' },
    'What serves the pages. Secrets are never shown.',
  ),
  EmbeddedHost: objectSchema({ type: constant('embedded') }),
  OwnHost: objectSchema({
    type: constant('own'),
    forge: enumSchema(['github', 'gitea', 'forgejo'], 'The kind of forge.'),
    apiUrl: urlSchema("The forge's API."),
    project: textSchema('`owner/name` at the forge.'),
    publish: enumSchema(['push', 'pull-request'], 'How tasks publish.'),
    merge: enumSchema(['automatic', 'by-people'], 'Who merges pull requests.'),
    previewReports: names('Names of reports on previews. Empty: any.'),
    liveReports: names('Names of reports on the live site. Empty: any.'),
    reporter: orNull(textSchema('The login that reports. Null: any.')),
    hosts: names('Only addresses there are believed.'),
    previewUrl: orNull(textSchema("Of a task's preview. Null: the host reports it.")),
    liveUrl: orNull(urlSchema('Of the live site. Null: the host reports it.')),
    bypass: nullable(
      schemaRef('HostBypass'),
      'The header field that opens protected previews. Null: none does.',
    ),
    buildMinutes: { type: 'integer', description: 'How long a build is waited for.' },
    hasPreviews: booleanSchema('Whether it builds branches.'),
    publishWindow: countSchema(
      'Seconds that a publish by push waits for others, so that they share a build.',
    ),
    webhookUrl: orNull(urlSchema("Where the forge's webhooks go. Null: there is no secret.")),
  }),
  HostBypass: objectSchema({ header: textSchema('Its name.') }),
  SiteFinding: objectSchema({
    code: textSchema('For programs, such as `scope`, `branch-missing` or `push-denied`.'),
    message: textSchema('What it is, and what to do about it.'),
  }),
  HostCheck: objectSchema({
    problems: findings('What prevents tasks.'),
    warnings: findings('What may be wrong, or comes later.'),
    reports: arrayOf(schemaRef('HostReport'), 'What was reported of the latest commits.'),
    hosts: names('The hosts of the addresses that were reported.'),
    proof: nullable(
      schemaRef('HostProof'),
      'A deployment of the past, as it answers now. Null: none is at the believed hosts.',
    ),
  }),
  HostReport: objectSchema({
    of: enumSchema(['deployment', 'status', 'check'], 'Where the forge keeps it.'),
    name: textSchema('Environment, status context or check.'),
    creator: orNull(textSchema('The login that reported. Null: the forge does not say.')),
  }),
  HostProof: objectSchema({
    commit: orNull(commitSchema("Null: the live site's own address was looked at.")),
    name: orNull(textSchema('Of the report.')),
    url: urlSchema('What was looked at.'),
    status: { type: 'integer', description: '0: it did not answer.' },
    title: orNull(textSchema('Of the page.')),
  }),
  WebhookSecret: objectSchema({
    webhookSecret: textSchema('`whf_…`, for the settings of the webhook at the forge.'),
  }),
};

export const exampleHost = {
  type: 'own',
  forge: 'gitea',
  publish: 'pull-request',
  merge: 'automatic',
  hosts: ['*.acme.pages.example'],
};

export const wrongHost = {
  'Invalid request body: host.forge is required; host.hosts[0] must be a host name such as pages.example, or *.pages.example':
    "A field of a team's own host is wrong: all of them are named.",
  'Invalid request body: host.type own needs repository.credential: a token or a GitHub App, which may open pull requests':
    'The repository is open, or has a deploy key.',
  'Invalid request body: host.forge gitea takes no GitHub App: repository.credential must be a token':
    'The credential is not one of that forge.',
} satisfies Errors[number];

/** What the check of a host found, in the words of an error. */
export const unusableHost = {
  'The branch main is protected, and takes no pushes by this credential. Publish by pull request, or allow it to push.':
    'The same, of a host of your own.',
  'The project acme/site was not found, or the credential may not see it (git.example refused to read the project (status 404): Not Found).':
    'The same.',
  'The credential lacks a scope or permission: The credential may not open pull requests (git.example refused to open a pull request (status 403)).':
    'The same.',
  "The credential's account may not push to the project: it needs write access.": 'The same.',
  "The forge can't be used: git.example did not answer in time.": 'The same.',
  "The GitHub App can't get into the repository. Check its App ID and its private key, and that it is installed for this repository.":
    'The same.',
} satisfies Errors[number];
