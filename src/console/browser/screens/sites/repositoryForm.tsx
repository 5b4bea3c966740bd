import { hostPath } from '../../../../browser/hostPath.ts';
import { useState } from 'preact/hooks';
import { post } from '../../client/api.ts';
import type {
  DeployKeyResponse,
  SiteResponse,
  RepositoryResponse,
  SiteCheckResponse,
  SiteHost,
} from '../../../../contract/responses.ts';
import type { PageUrlRule } from '../../../../contract/site.ts';
import {
  firstKindAt,
  hasGitHubApps,
  savedHostFields,
  type HostFields,
  defaultsOfHost,
  missingHostField,
  noHost,
  externalHostBody,
  writeUrlRule,
} from '../../externalHost.ts';
import { CodeBlock, Field, SelectField, TextArea, TextField } from '../../ui/controls.tsx';
import { useWork } from '../../ui/form.ts';
import { LoadingBones, ProblemOf } from '../../ui/states.tsx';
import { countNoun } from '../../../../browser/counts.ts';
import { CheckResultLine, HostCheckResults, HostForm, HostMissing, ServedBy } from './hostForm.tsx';

/** How the service gets access to the repository. `kept`: with the credential that is saved. */
type RepositoryAccess = RepositoryResponse['access'] | 'kept';

interface RepositoryFields {
  url: string;
  branch: string;
  root: string;
  access: RepositoryAccess;
  username: string;
  token: string;
  appId: string;
  privateKey: string;
}

export const noRepository: RepositoryFields = {
  url: '',
  branch: '',
  root: '',
  access: 'open',
  username: '',
  token: '',
  appId: '',
  privateKey: '',
};

const isSsh = (url: string) =>
  url.startsWith('ssh://') || (/^[\w.-]+@[\w.-]+:/.test(url) && !url.includes('://'));

/** The repository as the API expects it. Without a credential, the site keeps its saved one. */
function repositoryBody(fields: RepositoryFields, deployKey: DeployKeyResponse | undefined) {
  const { url, branch, root } = fields;
  const credential = credentialBody(fields, deployKey);
  return {
    url: url.trim(),
    ...(branch && { branch }),
    ...(root && { root }),
    ...(credential && { credential }),
  };
}

function credentialBody(fields: RepositoryFields, deployKey: DeployKeyResponse | undefined) {
  const { access, username, token, appId, privateKey } = fields;
  if (access === 'token') return { type: 'token', token, ...(username && { username }) };
  if (access === 'github-app') return { type: 'github-app', appId: appId.trim(), privateKey };
  if (access === 'deploy-key' && deployKey)
    return { type: 'deploy-key', deployKeyId: deployKey.deployKeyId };
  return undefined;
}

function isRepositoryComplete(
  fields: RepositoryFields,
  deployKey: DeployKeyResponse | undefined,
): boolean {
  const { url, access, token, appId, privateKey } = fields;
  if (url.trim() === '') return false;
  if (access === 'token') return token !== '';
  if (access === 'github-app') return appId.trim() !== '' && privateKey !== '';
  return access !== 'deploy-key' || deployKey !== undefined;
}

type TypedRepository = ReturnType<typeof useRepository>;

/**
 * The state of the form for a repository and its host: the typed fields, and the result of the last
 * check if nothing has changed since.
 * @param site the site whose settings are changed. Absent: a new site
 */
export function useRepository(
  firstFields: RepositoryFields,
  site?: Pick<SiteResponse, 'siteId' | 'host'>,
) {
  const savedHost = site?.host;
  const [fields, setFields] = useState(firstFields);
  const [host, setHost] = useState(savedHost ? savedHostFields(savedHost) : noHost);
  const [deployKey, setDeployKey] = useState<DeployKeyResponse>();
  const [lastCheck, setChecked] = useState<{ of: string; check: SiteCheckResponse }>();
  const { error, run } = useWork();
  const connectionWith = (hostFields: HostFields) => {
    const ownHost = externalHostBody(hostFields, savedHost);
    return { repository: repositoryBody(fields, deployKey), ...(ownHost && { host: ownHost }) };
  };
  const siteConnection = connectionWith(host);
  const connectionKey = JSON.stringify(siteConnection);
  const changeFields = (changedFields: Partial<RepositoryFields>) => {
    setFields((fieldsBefore) => ({ ...fieldsBefore, ...changedFields }));
    if (changedFields.access === 'deploy-key' && !deployKey)
      void post<DeployKeyResponse>(hostPath`/deploy-keys`).then(setDeployKey);
  };
  return {
    fields,
    host,
    deployKey,
    place: siteConnection,
    isComplete: isRepositoryComplete(fields, deployKey) && missingHostField(host) === undefined,
    found: lastCheck?.of === connectionKey ? lastCheck.check : undefined,
    error,
    run,
    change: changeFields,
    changeHost: (changedFields: Partial<HostFields>) => {
      setHost((fieldsBefore) => ({ ...fieldsBefore, ...changedFields }));
      // only a token or a GitHub App can open pull requests
      if (changedFields.forge && changedFields.forge !== 'none' && fields.access !== 'kept')
        changeFields({ access: accessAt(changedFields.forge, fields.access) });
    },
    /** Accepts a rule that the check proposed. What the check found stays true with it. */
    acceptUrlRule: (rule: PageUrlRule) => {
      const lines = [host.pageUrls.trim(), writeUrlRule(rule)].filter(Boolean);
      const newHost = { ...host, pageUrls: lines.join('\n') };
      setHost(newHost);
      if (lastCheck)
        setChecked({
          of: JSON.stringify(connectionWith(newHost)),
          check: withoutProposal(lastCheck.check, rule),
        });
    },
    check: () =>
      run(async () => {
        const storedSite = site && { siteId: site.siteId };
        const siteCheck = await post<SiteCheckResponse>(hostPath`/sites/check`, {
          ...storedSite,
          ...siteConnection,
        });
        setChecked({ of: connectionKey, check: siteCheck });
      }),
  };
}

/** What a check found, without its proposal for the URLs of a folder. */
function withoutProposal(check: SiteCheckResponse, { folder }: PageUrlRule): SiteCheckResponse {
  if (!check.host) return check;
  const unknownPageUrls = check.host.unknownPageUrls.filter((other) => other.folder !== folder);
  const warnings = check.host.warnings.filter(
    ({ code }) => code !== 'page-urls' || unknownPageUrls.length > 0,
  );
  return { ...check, host: { ...check.host, unknownPageUrls, warnings } };
}

const accessAt = (forge: HostFields['forge'], access: RepositoryAccess): RepositoryAccess =>
  access === 'github-app' && hasGitHubApps(forge) ? access : 'token';

interface RepositoryFormProps {
  of: TypedRepository;
  /** Whether the site has a credential that can be kept. */
  hasKept?: boolean;
  /** The host that the site has now. */
  saved?: SiteHost;
}

/** Asks where the repository is, how the service gets access, and who serves the pages. */
export function RepositoryForm({
  of: typedRepository,
  hasKept = false,
  saved,
}: RepositoryFormProps) {
  const { fields, change, host, changeHost } = typedRepository;
  const bindField = createFieldBinder(typedRepository);
  const setUrl = (url: string) => {
    const needsKey =
      isSsh(url) && host.forge === 'none' && fields.access !== 'deploy-key' && !hasKept;
    change({ url, ...(needsKey && { access: 'deploy-key' }) });
  };
  const hasBypass = saved?.type === 'own' && saved.bypass !== null;
  return (
    <>
      <TextField
        label="Repository"
        hint={
          host.forge === 'none'
            ? 'The URL that you clone from: https://… or git@…'
            : 'The URL that you clone from: https://…'
        }
        placeholder="https://github.com/acme/website.git"
        spellcheck={false}
        autoComplete="off"
        value={fields.url}
        onInput={setUrl}
      />
      <ServedBy
        value={host.forge}
        onChange={(forge) => changeHost({ ...noHost, forge, kind: kindAfter(host, forge) })}
      />
      <AccessForm of={typedRepository} hasKept={hasKept} />
      <div class="panes">
        <TextField
          label="Branch (optional)"
          hint="If it is empty, the service uses the repository’s default branch."
          spellcheck={false}
          {...bindField('branch')}
        />
        <TextField
          label="Folder (optional)"
          hint="The folder of the pages, if they are not at the top level."
          placeholder="public"
          spellcheck={false}
          {...bindField('root')}
        />
      </div>
      <HostForm fields={host} change={changeHost} hasBypass={hasBypass} />
    </>
  );
}

const kindAfter = ({ forge, kind }: HostFields, nextForge: HostFields['forge']) =>
  forge === nextForge || nextForge === 'none' ? kind : firstKindAt(nextForge);

const createFieldBinder =
  ({ fields, change }: TypedRepository) =>
  (name: keyof RepositoryFields) => ({
    value: fields[name],
    onInput: (value: string) => change({ [name]: value }),
  });

/** Asks for the credential. Only a token or a GitHub App can open pull requests. */
function AccessForm({ of: typedRepository, hasKept }: { of: TypedRepository; hasKept: boolean }) {
  const { fields, change, deployKey, host } = typedRepository;
  const { access } = fields;
  const isHere = host.forge === 'none';
  const bindField = createFieldBinder(typedRepository);
  return (
    <>
      <SelectField<RepositoryAccess>
        label="Access"
        value={access}
        onChange={(chosenAccess) => change({ access: chosenAccess })}
        choices={[
          hasKept && ['kept', 'Keep the saved access'],
          isHere && ['open', 'Public: no access needed'],
          ['token', isHere ? 'Private: https with a token' : 'A token'],
          isHere && ['deploy-key', 'Private: ssh with a deploy key'],
          hasGitHubApps(host.forge) && ['github-app', 'A GitHub App'],
        ]}
      />
      {access === 'token' && (
        <>
          <TextField
            label="Token"
            type="password"
            autoComplete="off"
            hint={`${tokenNeeds[host.forge]} It is stored encrypted and never shown again.`}
            {...bindField('token')}
          />
          {isHere && (
            <TextField
              label="User name (optional)"
              autoComplete="off"
              hint="Some git hosts need a user name together with the token."
              {...bindField('username')}
            />
          )}
        </>
      )}
      {access === 'github-app' && (
        <>
          <TextField
            label="App ID"
            autoComplete="off"
            hint="You find it on the app’s page at GitHub. Install the app on the repository."
            placeholder="1234567"
            {...bindField('appId')}
          />
          <TextArea
            label="Private key"
            hint="The whole .pem file that GitHub created. It is stored encrypted and never shown again."
            placeholder="-----BEGIN RSA PRIVATE KEY-----"
            {...bindField('privateKey')}
          />
        </>
      )}
      {access === 'deploy-key' && <DeployKeyHelp deployKey={deployKey} />}
    </>
  );
}

const giteaNeeds =
  'A token of an account that can write to the repository, with read and write access to repositories.';
const tokenNeeds: Record<HostFields['forge'], string> = {
  none: 'A token that can read and write this repository, and nothing else.',
  github:
    'A fine-grained token for this repository, with write access to contents and pull requests, and read access to deployments and commit statuses.',
  gitea: giteaNeeds,
  forgejo: giteaNeeds,
  gitlab:
    'A project or group access token with the scope api and the role Developer. To push to a protected branch, it needs the role Maintainer.',
};

const DeployKeyHelp = ({ deployKey }: { deployKey: DeployKeyResponse | undefined }) => (
  <Field
    label="Deploy key"
    hint="Add it to the repository’s deploy keys at your git host, and allow it to write. Then check."
  >
    {() =>
      deployKey ? (
        <CodeBlock label="Public key" text={deployKey.publicKey} />
      ) : (
        <LoadingBones lines={1} />
      )
    }
  </Field>
);

/** Shows what the check of a repository and a host found, or why it failed. */
export function RepositoryCheckResults({ of: typedRepository }: { of: TypedRepository }) {
  const { found: siteCheck, error, host, changeHost, acceptUrlRule } = typedRepository;
  const believeHost = (newHost: string) => {
    const presentHosts = host.hosts.trim() || defaultsOfHost(host).hosts.join(', ');
    changeHost({ hosts: presentHosts ? `${presentHosts}, ${newHost}` : newHost });
  };
  return (
    <>
      {siteCheck && (
        <ul class="stack tight" aria-label="What the check found">
          {checkAnswers(siteCheck).map(([isGood, text]) => (
            <CheckResultLine key={text} is={isGood ? 'good' : 'bad'}>
              {text}
            </CheckResultLine>
          ))}
          {siteCheck.host && (
            <HostCheckResults
              check={siteCheck.host}
              believe={believeHost}
              acceptUrlRule={acceptUrlRule}
            />
          )}
        </ul>
      )}
      {typedRepository.fields.url && <HostMissing fields={host} />}
      <ProblemOf error={error} />
    </>
  );
}

const formatLabels = { html: 'HTML', markdown: 'Markdown' };

type CheckAnswerLine = [isGood: boolean, text: string];

function checkAnswers(siteCheck: SiteCheckResponse): CheckAnswerLine[] {
  const { readable, pushable, branch, pages, format } = siteCheck;
  const problems = [...siteCheck.problems, ...siteCheck.warnings].map(
    ({ message }): CheckAnswerLine => [false, message],
  );
  if (!readable) return [[false, 'The repository can’t be read'], ...problems];
  const answers: (CheckAnswerLine | null | '')[] = [
    [true, 'The repository can be read'],
    branch && [
      pushable,
      pushable
        ? 'The service can write to the repository'
        : 'The service can’t write to the repository',
    ],
    branch && [true, `The branch is ${branch}`],
    pages === null
      ? null
      : [
          pages > 0,
          pages > 0
            ? `The repository has ${countNoun(pages, 'page')}`
            : 'The repository has no pages',
        ],
    format && [true, `The page format is ${formatLabels[format]}`],
  ];
  return [...answers.filter((answer) => answer !== null && answer !== ''), ...problems];
}
