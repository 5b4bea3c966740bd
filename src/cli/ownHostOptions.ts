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
  publish?: OwnHost['publish'];
  merge?: OwnHost['merge'];
  hosts?: string;
  previewUrl?: string;
  liveUrl?: string;
  reporter?: string;
  buildMinutes?: number;
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
    .description("address of a task's preview, with {branch} (default: the host reports it)")
    .example('url'),
  liveUrl: Joi.string()
    .description('address of the live site (default: the host reports it)')
    .example('url'),
  reporter: Joi.string().description('login whose reports count (default: any)').example('login'),
  buildMinutes: Joi.number()
    .integer()
    .min(1)
    .max(120)
    .description('minutes to wait for a build (default: 10)')
    .example('minutes'),
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

/** Which options need which others. */
export const withOwnHost = (options: Joi.ObjectSchema): Joi.ObjectSchema =>
  options
    .and('appId', 'privateKeyFile')
    .and('bypassHeader', 'bypassFile')
    .oxor('tokenFile', 'appId')
    .with('forge', ['repository', 'publish', 'hosts'])
    .with('tokenFile', 'repository')
    .with('appId', 'repository')
    .with('publish', 'forge')
    .with('merge', 'forge')
    .with('hosts', 'forge')
    .with('previewUrl', 'forge')
    .with('liveUrl', 'forge')
    .with('reporter', 'forge')
    .with('buildMinutes', 'forge')
    .with('publishWindow', 'forge')
    .with('bypassHeader', 'forge');

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
  const { forge, publish, merge, previewUrl, liveUrl, reporter } = options;
  const { buildMinutes, publishWindow } = options;
  if (forge === undefined) return undefined;
  const { bypassHeader: header, bypassFile } = options;
  return {
    forge,
    hosts: options.hosts!.split(',').map((host) => host.trim()),
    ...defined({ publish, merge, previewUrl, liveUrl, reporter, buildMinutes, publishWindow }),
    ...(header !== undefined && { bypass: { header, value: await secretIn(bypassFile!) } }),
  };
}

/** The only line of a file, or all of a PEM file. */
async function secretIn(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new DomainError('INVALID_INPUT', `The file ${path} can't be read: ${cause.code}`);
  });
  if (text.trim() !== '') return text.trim();
  throw new DomainError('INVALID_INPUT', `The file ${path} is empty`);
}
