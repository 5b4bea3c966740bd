import { readFile } from 'node:fs/promises';
import Joi from 'joi';
import { defined } from '../contract/defined.ts';
import type { ForgeKind, OwnHost } from '../contract/site.ts';
import { DomainError } from '../errors.ts';
import type { GivenOwnHost } from '../forges/ownHost.ts';
import type { NewCredential } from './command.ts';

/** Options of a site whose pages its team's own host builds. Secrets are in files. */
export interface OwnHostOptions {
  tokenFile?: string;
  appId?: string;
  privateKeyFile?: string;
  forge?: ForgeKind;
  apiUrl?: string;
  project?: string;
  publish?: OwnHost['publish'];
  merge?: OwnHost['merge'];
  hosts?: string;
  previewUrl?: string;
  liveUrl?: string;
  previewReports?: string;
  liveReports?: string;
  reporter?: string;
  buildMinutes?: number;
  hasPreviews?: boolean;
  publishWindow?: number;
  bypassHeader?: string;
  bypassFile?: string;
}

const file = Joi.string().example('file');

export const ownHostOptions = {
  tokenFile: file.description('file with a token for the repository'),
  appId: Joi.string().description('id of a GitHub App for the repository').example('id'),
  privateKeyFile: file.description("file with the app's private key (PEM)"),
  forge: Joi.string()
    .valid('github', 'gitea', 'forgejo')
    .description("github, gitea or forgejo, where the site's own host builds its pages")
    .example('forge'),
  apiUrl: Joi.string()
    .description("the forge's API (default: as the repository's address tells)")
    .example('url'),
  project: Joi.string()
    .description("owner/name at the forge (default: as the repository's address tells)")
    .example('project'),
  publish: Joi.string()
    .valid('push', 'pull-request')
    .description('how tasks publish: push or pull-request')
    .example('way'),
  merge: Joi.string()
    .valid('automatic', 'by-people')
    .description('who merges pull requests: automatic or by-people (default: by-people)')
    .example('way'),
  hosts: Joi.string()
    .description('hosts of previews and live pages, such as *.pages.example, with commas between')
    .example('hosts'),
  previewUrl: Joi.string()
    .description(
      "address of a task's preview, with {branch} or {pullRequest} (default: the host reports it)",
    )
    .example('url'),
  liveUrl: Joi.string()
    .description('address of the live site (default: the host reports it)')
    .example('url'),
  previewReports: Joi.string()
    .description('names of reports on previews, with commas between (default: any)')
    .example('names'),
  liveReports: Joi.string()
    .description('names of reports on the live site, with commas between (default: any)')
    .example('names'),
  reporter: Joi.string().description('login whose reports count (default: any)').example('login'),
  buildMinutes: Joi.number()
    .integer()
    .min(1)
    .max(120)
    .description('minutes to wait for a build (default: 10)')
    .example('minutes'),
  hasPreviews: Joi.boolean()
    .truthy('yes')
    .falsy('no')
    .description('whether the host builds branches: yes or no (default: yes)')
    .example('yes|no'),
  publishWindow: Joi.number()
    .integer()
    .min(0)
    .max(300)
    .description('seconds in which publishes by push share a build (default: 20)')
    .example('seconds'),
  bypassHeader: Joi.string()
    .description('header field that opens protected previews')
    .example('name'),
  bypassFile: file.description("file with the header field's value"),
};

const needForge = [
  'apiUrl',
  'project',
  'publish',
  'merge',
  'hosts',
  'previewUrl',
  'liveUrl',
  'previewReports',
  'liveReports',
  'reporter',
  'buildMinutes',
  'hasPreviews',
  'publishWindow',
  'bypassHeader',
];

/** Which options need which others. */
export const withOwnHost = (options: Joi.ObjectSchema): Joi.ObjectSchema =>
  needForge.reduce(
    (all, name) => all.with(name, 'forge'),
    options
      .and('appId', 'privateKeyFile')
      .and('bypassHeader', 'bypassFile')
      .oxor('tokenFile', 'appId')
      .with('forge', ['repository', 'publish', 'hosts'])
      .with('tokenFile', 'repository')
      .with('appId', 'repository'),
  );

/** The repository's credential that the options name; undefined: there is none. */
export async function givenCredential({
  tokenFile,
  appId,
  privateKeyFile,
}: OwnHostOptions): Promise<NewCredential | undefined> {
  if (tokenFile !== undefined) return { type: 'token', token: await secretIn(tokenFile) };
  if (appId === undefined) return undefined;
  return { type: 'github-app', appId, privateKey: await secretIn(privateKeyFile!) };
}

/** The host that the options describe; undefined: the embedded one. */
export async function givenHost(options: OwnHostOptions): Promise<GivenOwnHost | undefined> {
  const { forge, hosts, previewReports, liveReports, bypassHeader: header, bypassFile } = options;
  if (forge === undefined) return undefined;
  const { apiUrl, project, publish, merge, previewUrl, liveUrl, reporter } = options;
  const { buildMinutes, hasPreviews, publishWindow } = options;
  return {
    forge,
    ...defined({ apiUrl, project, publish, merge, previewUrl, liveUrl, reporter }),
    ...defined({ buildMinutes, hasPreviews, publishWindow }),
    ...defined({
      hosts: listed(hosts),
      previewReports: listed(previewReports),
      liveReports: listed(liveReports),
    }),
    ...(header !== undefined && { bypass: { header, value: await secretIn(bypassFile!) } }),
  };
}

const listed = (text: string | undefined) => text?.split(',').map((part) => part.trim());

/** The only line of a file, or all of a PEM file. */
async function secretIn(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new DomainError('INVALID_INPUT', `The file ${path} can't be read: ${cause.code}`);
  });
  if (text.trim() !== '') return text.trim();
  throw new DomainError('INVALID_INPUT', `The file ${path} is empty`);
}
